"""Reads back-links from a file as search engines and link databases export it: one back-link a line.

A line is the address of a page that links, or two addresses, target and source, with a tab or a comma between them. A
head line that names the columns (`source`, `target`, `from`, `to`, `Referring page URL` …) makes the file a table with
any separator, which may have other columns too. Lines that begin with # are comments.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.seeds.opening import DAMAGE, DAMAGED, open_input
from exonym.seeds.seed import SkippedSeed, TellLine, seed_from

_SEPARATORS = ",;\t|"
_SOURCES = frozenset(["source", "from", "referring", "referrer", "linking", "linked from", "backlink", "back link"])
_TARGETS = frozenset(["target", "to", "destination", "linked"])
_FILLERS = frozenset(["url", "uri", "page", "address"])  # in the name of a column: "Target URL" is "target"
_LONGEST_LINE = 1 << 16
_LONGEST_REST = 1_000  # times that: a longer line is no line of a text
_HOPELESS = 1_000  # lines without a single back-link: the file is something else
_NEXT_ADDRESS = re.compile(r",\s*(?=https?://)", re.IGNORECASE)  # addresses have commas, too
_TOO_LONG = "\0too long"


class BackLink(NamedTuple):
    """Addresses in normal form; without a scheme (`//example.org/`) if the file has none."""

    source: str
    target: str = ""  # "" if the file has none


@dataclass(frozen=True, slots=True)
class BackLinks:
    """The back-links of a file, each once."""

    path: Path
    links: tuple[BackLink, ...]
    skipped: dict[str, int]  # lines without a back-link, by what is wrong


_Entry = tuple[int, BackLink | SkippedSeed]  # the number of a line, and its back-link or why it has none


class _Columns(NamedTuple):
    """The columns of a table that hold addresses."""

    source: int
    target: int | None
    separator: str


def read_back_links(path: Path, tell: TellLine = lambda read: None) -> BackLinks:
    """The back-links in a file; ConfigError if it has none."""
    links: dict[BackLink, None] = {}
    skipped: Counter[str] = Counter()
    first_wrong = ""
    for number, entry in _entries(path, tell):
        if isinstance(entry, BackLink):
            links[entry] = None
            continue
        skipped[entry.why] += 1
        first_wrong = first_wrong or f" line {number:,}: {entry.why}"
        if not links and skipped.total() >= _HOPELESS:
            break
    if not links:
        wanted = "Write one address a line, or target and source, or name these columns in a head line"
        raise ConfigError(f"{path} has no back-links;{first_wrong or ' it is empty'}. {wanted}.")
    return BackLinks(path, tuple(links), dict(skipped.most_common()))


def _entries(path: Path, tell: TellLine) -> Iterator[_Entry]:
    number = 0
    try:
        with open_input(path, tell) as stream:
            is_wide = stream.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # as spreadsheets export
            with io.TextIOWrapper(stream, "utf-16" if is_wide else "utf-8-sig", "replace", newline="") as text:
                for number, entry in _entries_in(_numbered_lines(text, path)):
                    yield number, entry
    except DAMAGE:
        yield number + 1, DAMAGED


def _numbered_lines(text: io.TextIOWrapper, path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without comments and blank lines; a line that is too long is _TOO_LONG."""
    number = 0
    while line := text.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE and not line.endswith(("\n", "\r")):
            rests = (text.readline(_LONGEST_LINE) for _ in range(_LONGEST_REST))
            if not any(not rest or rest.endswith(("\n", "\r")) for rest in rests):
                raise ConfigError(f"{path} line {number:,} does not end. Name a file of back-links, one a line.")
            line = _TOO_LONG
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _entries_in(lines: Iterator[tuple[int, str]]) -> Iterator[_Entry]:
    head = next(lines, None)
    columns = _columns_of(head[1]) if head else None
    if columns:
        yield from _entries_in_table(lines, columns)
    elif head:
        # A head that names a single column adds nothing to the lines.
        is_named = _meaning(head[1].strip().strip('"')) in ("", *_SOURCES)
        rest = lines if is_named else chain([head], lines)
        yield from ((number, _in_line(line)) for number, line in rest)


# In a table


def _columns_of(head: str) -> _Columns | None:
    """The columns that a head line names; None if it names fewer than two, or none that we know."""
    separator = max(_SEPARATORS, key=head.count)
    names = [_meaning(name) for name in next(csv.reader([head], delimiter=separator), [])]
    source, target, other = (
        next((place for place, name in enumerate(names) if name in wanted), None)
        for wanted in (_SOURCES, _TARGETS, {""})
    )
    # A column called only "URL" is whichever of the two the other columns do not name.
    if source is None:
        source = other
    elif target is None:
        target = other
    return _Columns(source, target, separator) if source is not None and len(names) > 1 else None


def _meaning(name: str) -> str:
    """The name of a column without filler words; "" if it has no other words.

    >>> _meaning("Referring page URL"), _meaning("url_to"), _meaning("URL")
    ('referring', 'to', '')
    """
    words = re.split(r"[\s_-]+", name.strip().casefold())
    return " ".join(word for word in words if word not in _FILLERS) if any(words) else "no name"


def _entries_in_table(lines: Iterator[tuple[int, str]], columns: _Columns) -> Iterator[_Entry]:
    number = 0

    def counted_lines() -> Iterator[str]:
        nonlocal number
        for at, line in lines:
            number = at
            yield line

    rows = csv.reader(counted_lines(), delimiter=columns.separator)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:  # a field that is far too long, mostly after a quote that is never closed
            yield number, SkippedSeed("row that cannot be read")
            continue
        if row[:1] == [_TOO_LONG]:
            yield number, _back_link(_TOO_LONG, None)
        elif max(columns.source, columns.target or 0) >= len(row):
            yield number, SkippedSeed("row without the column")
        else:
            yield number, _back_link(row[columns.source], None if columns.target is None else row[columns.target])


# In a line of a file without columns


def _in_line(line: str) -> BackLink | SkippedSeed:
    line = line.strip(" \r\n")
    if "\t" in line:
        fields = line.split("\t")
    elif line.startswith('"'):
        fields = next(csv.reader([line]), [""])
    else:
        fields = _NEXT_ADDRESS.split(line) if "://" in line else line.split(",")
    if len(fields) > 2:
        return SkippedSeed("more than two columns, and no head line names them")
    fields = [field.strip().strip('"') for field in fields]
    return _back_link(fields[-1], fields[0] if len(fields) == 2 else None)


def _back_link(source: str, target: str | None) -> BackLink | SkippedSeed:
    addresses = [_address(source), _address(target) if target is not None else ""]
    wrong = next((address for address in addresses if isinstance(address, SkippedSeed)), None)
    return wrong or BackLink(*map(str, addresses))


def _address(text: str) -> str | SkippedSeed:
    if "\0" in text:
        return SkippedSeed("line that is too long" if text == _TOO_LONG else "no text")
    seed = seed_from(text, "")
    if isinstance(seed, SkippedSeed) or "://" in text:
        return seed if isinstance(seed, SkippedSeed) else seed.url
    # A word without a dot is no server, though a URL could be made of it.
    return seed.url.removeprefix("https:") if "." in text else SkippedSeed("no http(s) URL")
