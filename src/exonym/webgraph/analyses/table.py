"""A table as the analyses give it: plain values, so that text, CSV, JSON and figures come from the same rows."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

# An int is a count, a float a share of 1 (shown as per cent), None what cannot be told.
Cell = str | int | float | None
Row = tuple[Cell, ...]


class Figure(NamedTuple):
    """How a table is drawn: the columns for the two axes. Rows whose y is no number are left out."""

    kind: Literal["line", "bar"]
    x: str
    y: str
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a caption; captions are those of the papers where there is one."""

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    figure: Figure | None = None


def share(part: int, whole: int) -> float | None:
    """`part` of `whole`; None of nothing."""
    return part / whole if whole else None


def table_without(name: str, caption: str, missing: str) -> Table:
    """In place of a table that this graph cannot give: says what is missing."""
    return Table(name, caption, ("missing",), ((missing,),))


def powers_of_two(largest: int) -> list[tuple[int, int]]:
    """Ranges first–last that hold 0, 1, 2–3, 4–7, … up to `largest`."""
    return [(0, 0), *((1 << step, (2 << step) - 1) for step in range(int(largest).bit_length()))]


def range_name(first: int, last: int) -> str:
    """A range of whole numbers as a row label."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"
