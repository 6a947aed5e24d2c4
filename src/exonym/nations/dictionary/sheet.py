"""Review sheets: tables of proposed names that people decide on in a spreadsheet.

Spreadsheets save tables in many ways (semicolons, tabs, UTF-16, blank lines, columns in another order): all of them
are read. A cell that a spreadsheet would take for a formula is written with an apostrophe before it.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.nations.dictionary.list_pages import LONGEST_NAME, tidied
from exonym.nations.nation import NAME
from exonym.system.files import disk_errors, reading, replacing
from exonym.web_text import one_line

YES, NO, KNOWN, UNDECIDED = "yes", "no", "known", "?"
_COLUMNS = ("name", "decision", "proposed", "why", "kind", "form", "of", "seen", "source", "licence")
_NEEDED = ("name", "decision", "proposed")
_WORDS = {
    **dict.fromkeys(["yes", "y", "1", "true", "x", "+"], YES),
    **dict.fromkeys(["no", "n", "0", "false", "-"], NO),
    **dict.fromkeys(["?", "unsure", "unknown"], UNDECIDED),
}
_DECISIONS = {**_WORDS, "": ""}
_PROPOSALS = {**_WORDS, KNOWN: KNOWN, "": UNDECIDED}  # "": a line that a person added needs no proposal, it is decided
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_SEPARATORS = ",;\t"
_LARGEST = 64 * 1024 * 1024


class SheetRow(NamedTuple):
    """A proposed name and, once somebody reviewed it, a decision."""

    name: str
    decision: str = ""  # yes, no, ? or "" for none
    proposed: str = YES  # or no, or known
    why: str = ""  # where it is not proposed
    kind: str = ""
    form: str = NAME
    of: str = ""
    seen: int = 0
    source: str = ""
    licence: str = ""

    @property
    def vote(self) -> str:
        """Yes, no, or "" for no vote: a blank decision, and `?`."""
        return self.decision if self.decision in (YES, NO) else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The decisions of one person."""

    path: Path
    rows: tuple[SheetRow, ...]

    @property
    def decided(self) -> int:
        """How many rows have a decision, `?` included."""
        return sum(bool(row.decision) for row in self.rows)

    @property
    def to_decide(self) -> int:
        """How many rows people can vote on: all but those of names that the nation knows."""
        return sum(row.proposed != KNOWN for row in self.rows)

    @property
    def votes(self) -> int:
        """How many of these rows have a vote."""
        return sum(bool(row.vote) for row in self.rows if row.proposed != KNOWN)


def write_sheet(path: Path, rows: Iterable[SheetRow]) -> None:
    """Write a sheet atomically: tabs between the columns, or commas if the file's name ends in .csv."""
    # Spreadsheets take a file for UTF-8 by the mark at its beginning only.
    with disk_errors(path), replacing(path) as draft, draft.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file, delimiter="," if path.suffix.lower() == ".csv" else "\t")
        table.writerow(_COLUMNS)
        table.writerows([_to_cell(getattr(row, column)) for column in _COLUMNS] for row in rows)


def _to_cell(value: object) -> str:
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _from_cell(text: str) -> str:
    text = text.strip()
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def read_sheet(path: Path) -> Sheet:
    """The sheet in a file, however a spreadsheet saved it; errors name the line."""
    text = _text_in(path)
    rows: dict[str, SheetRow] = {}
    for number, row in _numbered_rows(path, text):
        before = rows.setdefault(row.name, row)
        if before.decision and row.decision and before.decision != row.decision:
            raise ConfigError(
                f"{path}:{number}: {row.name!r} has been decided before, the other way. Leave one of the two lines."
            )
        if row.decision:
            rows[row.name] = row
    if not rows:
        raise ConfigError(f"{path} has no names in it. Make a sheet with `exonym nation collect`.")
    return Sheet(path, tuple(rows.values()))


def _text_in(path: Path) -> str:
    with reading(path, "a sheet that `exonym nation collect` wrote"), path.open("rb") as file:
        body = file.read(_LARGEST + 1)
    if len(body) > _LARGEST:
        raise ConfigError(f"{path} is larger than any sheet. Name a sheet that `exonym nation collect` wrote.")
    if body.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise ConfigError(f"{path}:1: a spreadsheet's own format. Save it as CSV (UTF-8) and name that file.")
    charset = "utf-16" if body.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return body.decode(charset)
    except UnicodeDecodeError as error:
        number = body.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{number}: not UTF-8. In the spreadsheet, save it as CSV (UTF-8).") from None


def _numbered_rows(path: Path, text: str) -> Iterator[tuple[int, SheetRow]]:
    lines = iter(io.StringIO(text, newline=""))
    skipped, header = 0, ""
    for line in lines:
        skipped += 1
        if line.strip() and not line.lower().startswith("sep="):  # some spreadsheets name their separator first
            header = line
            break
    separator = max(_SEPARATORS, key=header.count)
    columns = [title.strip().strip('"').strip().lower() for title in header.split(separator)]
    missing = [column for column in _NEEDED if column not in columns]
    if missing:
        advice = f"The first line must name the columns: {', '.join(_COLUMNS)}."
        raise ConfigError(f"{path}:{max(skipped, 1)}: no column {missing[0]!r}. {advice}")
    table = csv.reader(lines, delimiter=separator)
    try:
        for cells in table:
            if any(cell.strip() for cell in cells):
                number = skipped + table.line_num
                yield number, _row(path, number, dict(zip(columns, cells, strict=False)))
    except csv.Error as error:
        raise ConfigError(f"{path}:{skipped + table.line_num}: {error}. Save it as CSV (UTF-8) again.") from None


def _row(path: Path, number: int, cells: dict[str, str]) -> SheetRow:
    values = {column: one_line(_from_cell(cells.get(column, ""))) for column in _COLUMNS}
    name = tidied(values["name"])
    if not name or len(name) > LONGEST_NAME:
        raise ConfigError(f"{path}:{number}: {values['name'][:60]!r} is no name. Correct it, or take the line out.")
    decision, proposed, seen = values["decision"].casefold(), values["proposed"].casefold(), values["seen"]
    if decision not in _DECISIONS:
        shown = values["decision"][:60]
        raise ConfigError(f"{path}:{number}: the decision {shown!r} is neither yes nor no, nor ? for unsure.")
    if proposed not in _PROPOSALS:
        shown = values["proposed"][:60]
        raise ConfigError(f"{path}:{number}: the proposal {shown!r} is neither yes nor no nor known. Correct it.")
    return SheetRow(
        name=name,
        decision=_DECISIONS[decision],
        proposed=_PROPOSALS[proposed],
        why=values["why"],
        kind=values["kind"],
        form=values["form"] or NAME,
        of=tidied(values["of"])[:LONGEST_NAME],
        seen=int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else 0,
        source=values["source"],
        licence=values["licence"],
    )
