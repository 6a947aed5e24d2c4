"""A table of plain values, so that text, CSV, JSON, HTML, Arrow and figures come from the same rows."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import fill, wrap
from typing import Any, Literal, NamedTuple

from exonym.errors import ExonymError
from exonym.report.figures import Figure, Line
from exonym.report.rendering import rendered

TOTAL = "Total"  # labels a row of totals
MISSING = "–"


class WebLink(NamedTuple):
    """The address of a page with its title, both from the web."""

    url: str
    title: str = ""

    @property
    def is_safe(self) -> bool:
        """Whether a browser that follows the address goes to the web and does nothing else."""
        return self.url.startswith(("http://", "https://"))

    def __str__(self) -> str:
        return self.url


# An int is a count, a float a share of 1 (shown as per cent unless the column has a format), None is unknown.
Cell = str | int | float | WebLink | None
TableRow = tuple[Cell, ...]


class Chart(NamedTuple):
    """How a table is drawn: the columns that label the x axis, and the columns drawn side by side above it.

    Cells that are not numbers are left out, and so is a row of totals.
    """

    kind: Literal["line", "bar"]
    x: tuple[str, ...]
    y: tuple[str, ...]
    logarithmic: bool = False


@dataclass(frozen=True)
class Table:
    """Rows under a caption. The caption is that of the paper where there is one; `paper` names the paper.

    >>> rows = ("th", 1500, 0.75), ("en", 500, 0.25)
    >>> table = Table("pages", "Pages by language", ("language", "pages", "share"), rows)
    >>> print(table.text())
    Pages by language
    <BLANKLINE>
    language  pages  share
    th        1,500  75.0%
    en          500  25.0%
    <BLANKLINE>
    >>> table.to_arrow().column_names
    ['language', 'pages', 'share']
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""
    chart: Chart | Figure | None = None
    paper: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)  # of columns whose floats are not shares: {"area": ".3f"}

    def shown(self, column: str, cell: Cell) -> str:
        """A cell as text for readers: counts with separators, shares as per cent."""
        if cell is None:
            return MISSING
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, float):
            return format(cell, self.formats.get(column, ".1%"))
        return f"{cell:,}" if isinstance(cell, int) else str(cell)

    def has_numbers(self, place: int) -> bool:
        """Whether the column at this place has numbers, and so is aligned to the right."""
        return any(isinstance(row[place], int | float) for row in self.rows)

    def shown_rows(self) -> list[list[str]]:
        """Every cell as text for readers."""
        return [[self.shown(name, cell) for name, cell in zip(self.columns, row, strict=True)] for row in self.rows]

    def text(self, width: int = 80) -> str:
        """The table in plain text under its caption; columns with numbers are aligned to the right.

        Notes are folded at `width` letters, and so are the names of columns if the table would be wider.
        """
        rows = self.shown_rows()
        cells = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else [0] * len(self.columns)
        heads = _folded_heads(self.columns, cells, width)
        lines = [*zip(*heads, strict=True), *rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        right = [place > 0 and self.has_numbers(place) for place in range(len(widths))]
        aligned = [
            "  ".join(
                cell.rjust(width) if to_right else cell.ljust(width)
                for cell, width, to_right in zip(cells, widths, right, strict=True)
            ).rstrip()
            for cells in lines
        ]
        paper = [fill(f"({self.paper})", width)] if self.paper else []
        note = [f"\n{fill(self.note, width, break_long_words=False, break_on_hyphens=False)}"] if self.note else []
        return "\n".join([self.caption, *paper, "", *aligned, *note, ""])

    def csv(self) -> str:
        """The bare values as CSV; shares are of 1."""
        written = io.StringIO()
        rows = csv.writer(written, lineterminator="\n")
        rows.writerow(self.columns)
        rows.writerows(self.rows)
        return written.getvalue()

    def values(self) -> dict[str, Any]:
        """The table for JSON. Scripts rely on these names; more may be added, none may go."""
        return {
            "name": self.name,
            "caption": self.caption,
            "columns": list(self.columns),
            "rows": [[str(cell) if isinstance(cell, WebLink) else cell for cell in row] for row in self.rows],
            "note": self.note,
            "paper": self.paper,
        }

    def to_arrow(self) -> Any:
        """The table as a `pyarrow.Table`; a column of numbers and texts becomes texts, unknown values are null."""
        import pyarrow

        cells = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.columns)
        facts = {"name": self.name, "caption": self.caption, "note": self.note, "paper": self.paper}
        return pyarrow.Table.from_arrays(
            [_arrow_column(column) for column in cells], names=list(self.columns)
        ).replace_schema_metadata(facts)

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`; raises ExonymError if pandas is not installed."""
        try:
            import pandas  # type: ignore[import-untyped]  # noqa: F401
        except ImportError:
            raise ExonymError("pandas is not installed. Install it (pip install pandas), or use to_arrow().") from None
        return self.to_arrow().to_pandas()

    def html(self, level: int = 2) -> str:
        """The table as a piece of HTML, with caption (a heading of `level`), figure and note."""
        return rendered("parts.html", "show", self, level)

    def _repr_html_(self) -> str:
        return self.html()

    @cached_property
    def figure(self) -> Figure | None:
        """The figure of the table; None if it has none or no rows to draw."""
        chart = self.chart
        return _figure_of(self, chart) if isinstance(chart, Chart) else chart


def _folded_heads(columns: Sequence[str], cells: Sequence[int], width: int) -> list[list[str]]:
    """The names of columns in lines, all as many; the longest are folded until the table fits, as far as it can."""
    rooms = [max(len(name), cell) for name, cell in zip(columns, cells, strict=True)]
    least = [max([cell, *map(len, name.split())]) for name, cell in zip(columns, cells, strict=True)]
    while sum(rooms) + 2 * (len(rooms) - 1) > width and any(room > end for room, end in zip(rooms, least, strict=True)):
        widest = max(range(len(rooms)), key=lambda place: rooms[place] - least[place])
        rooms[widest] -= 1
    heads = [wrap(name, max(room, 1)) or [""] for name, room in zip(columns, rooms, strict=True)]
    most = max(map(len, heads), default=1)
    return [[""] * (most - len(head)) + head for head in heads]


def _arrow_column(cells: Sequence[Cell]) -> Any:
    import pyarrow

    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {bool}:
        return pyarrow.array(cells, pyarrow.bool_() if kinds else pyarrow.string())
    if kinds <= {int}:
        return pyarrow.array(cells, pyarrow.int64())
    if kinds <= {int, float}:
        return pyarrow.array([None if cell is None else float(cell) for cell in cells], pyarrow.float64())  # type: ignore[arg-type]
    return pyarrow.array([None if cell is None else str(cell) for cell in cells], pyarrow.string())


def _figure_of(table: Table, chart: Chart) -> Figure | None:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows if row[0] != TOTAL]
    lines = []
    for name in chart.y:
        points = [(place, float(cell)) for place, row in enumerate(rows) if isinstance(cell := row[name], int | float)]
        if points:
            x, y = zip(*points, strict=True)
            lines.append(Line(name, x, y, mark="o"))
    if not lines:
        return None
    first = table.columns.index(chart.y[0])
    return Figure(
        table.name,
        tuple(lines),
        x_label=", ".join(chart.x),
        y_label=chart.y[0] if len(chart.y) == 1 else "",
        kind=chart.kind,
        ticks=tuple(", ".join(table.shown(name, row[name]) for name in chart.x) for row in rows),
        logarithmic=chart.logarithmic,
        shares=any(isinstance(row[first], float) for row in table.rows),
    )


def share(part: int, whole: int) -> float | None:
    """The share of `part` in `whole`; None if `whole` is 0."""
    return part / whole if whole else None


def table_without(name: str, caption: str, missing: str, paper: str = "") -> Table:
    """A table that names what is missing, in place of a table that cannot be made."""
    return Table(name, caption, ("missing",), ((missing,),), paper=paper)


def powers_of_two(largest: int) -> list[tuple[int, int]]:
    """The ranges 0, 1, 2–3, 4–7, … up to the one that has `largest`, as pairs of first and last."""
    return [(0, 0), *((1 << step, (2 << step) - 1) for step in range(int(largest).bit_length()))]


def range_name(first: int, last: int) -> str:
    """A range of whole numbers as a row label."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"
