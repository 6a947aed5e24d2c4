"""A table as the analyses give it: plain values, so that text, CSV, JSON and figures come from the same rows."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

TOTAL = "Total"  # labels a row of totals
# Tables of the first are numbered as in its longer version.
LSWC = "Somboonviwat, Tamura, Kitsuregawa: Finding Thai Web Pages in Foreign Web Spaces"
THESIS = "Suebchua: Thai-related Foreign-language Specific Web Crawler"

# An int is a count, a float a share of 1 (shown as per cent), None what cannot be told.
Cell = str | int | float | None
TableRow = tuple[Cell, ...]


class Figure(NamedTuple):
    """How a table is drawn: the columns that label the x axis, and those drawn beside each other above it.

    Cells that are no number are left out, and so is a row of totals.
    """

    kind: Literal["line", "bar"]
    x: tuple[str, ...]
    y: tuple[str, ...]
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a caption; captions are those of the papers where there is one, `paper` says in which."""

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""
    figure: Figure | None = None
    paper: str = ""


def share(part: int, whole: int) -> float | None:
    """`part` of `whole`; None of nothing."""
    return part / whole if whole else None


def table_without(name: str, caption: str, missing: str, paper: str = "") -> Table:
    """In place of a table that this graph cannot give: says what is missing."""
    return Table(name, caption, ("missing",), ((missing,),), paper=paper)


def powers_of_two(largest: int) -> list[tuple[int, int]]:
    """Ranges first–last that hold 0, 1, 2–3, 4–7, … up to `largest`."""
    return [(0, 0), *((1 << step, (2 << step) - 1) for step in range(int(largest).bit_length()))]


def range_name(first: int, last: int) -> str:
    """A range of whole numbers as a row label."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"
