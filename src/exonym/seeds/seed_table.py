"""Addresses in one column of a table: csv, tsv or any other separator, with or without a head line."""

import csv
import difflib
import io
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from exonym.errors import ConfigError
from exonym.seeds.opening import DAMAGE, DAMAGED, open_input
from exonym.seeds.seed import FoundSeed, SkippedSeed, TellLine, seed_from

_SEPARATORS = ",;\t|"
_LONGEST_LINE = 1 << 20


def read_table(path: Path, column: str, tell: TellLine) -> Iterator[FoundSeed]:
    """The seeds in a column, named as in the table's first line, or by its number, from 1."""
    try:
        with open_input(path, tell) as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="") as text:
            rows = rows_in(text)
            first = next(rows, [])
            place, has_head = _place([] if isinstance(first, SkippedSeed) else first, column, path)
            for line, row in enumerate(chain([first], rows), 1):
                if isinstance(row, SkippedSeed):
                    yield row
                elif place >= len(row):
                    yield SkippedSeed("row without the column")
                elif line > 1 or not has_head:
                    yield seed_from(row[place], f"{path.name} row {line:,}")
    except DAMAGE:
        yield DAMAGED


def rows_in(text: io.TextIOWrapper) -> Iterator[list[str] | SkippedSeed]:
    """The rows of a table, its first line included; the separator is the one that this line has most of."""
    first = text.readline(_LONGEST_LINE)
    lines = chain([first], iter(lambda: text.readline(_LONGEST_LINE), ""))
    reader = csv.reader(lines, delimiter=max(_SEPARATORS, key=first.count))
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:  # a field that is far too long, mostly after an unclosed quote
            yield SkippedSeed("row that cannot be read")


def _place(head: list[str], column: str, path: Path) -> tuple[int, bool]:
    """Where the column is, and whether the first row is a head line."""
    names = [name.strip().casefold() for name in head]
    if column.strip().casefold() in names:
        return names.index(column.strip().casefold()), True
    if column.isdecimal() and len(column) < 6 and 1 <= int(column) <= len(head):
        return int(column) - 1, False
    near = difflib.get_close_matches(column.casefold(), names, n=1)
    there = ", ".join(name.strip()[:40] for name in head[:12]) or "none, for it is empty"
    advice = f"Did you mean {near[0]}?" if near else "Name one of them with --column, or its number, from 1."
    raise ConfigError(f"{path} has no column {column[:60]!r}; its columns are {there}. {advice}")
