"""Figures of tables, drawn by Matplotlib where it is installed; without it reports have tables only."""

import io
from dataclasses import dataclass
from typing import Any

from exonym.webgraph.analyses.table import Cell, Figure, Table

_SIZE = (7.0, 3.6)  # inches
_COLOUR = "#2a6f97"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as two files."""

    svg: str
    png: bytes

    @property
    def inline(self) -> str:
        """The SVG element alone, as HTML takes it."""
        return self.svg[self.svg.index("<svg") :]


def drawing_of(table: Table) -> Drawing | None:
    """The table's figure; None if it has none, no rows to draw, or Matplotlib is not there."""
    if table.figure is None:
        return None
    points = _points(table, table.figure)
    if not points:
        return None
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        return None
    # The same table must give the same bytes; several figures in one page must not share names.
    with matplotlib.rc_context({"svg.hashsalt": table.name, "svg.fonttype": "none", "font.family": "DejaVu Sans"}):
        canvas = Canvas(figsize=_SIZE, layout="constrained")
        _draw(canvas.add_subplot(), table.figure, points)
        svg, png = io.StringIO(), io.BytesIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        canvas.savefig(png, format="png", dpi=150, metadata={"Software": None})
    return Drawing(svg.getvalue(), png.getvalue())


def _points(table: Table, figure: Figure) -> list[tuple[str, float]]:
    """Labels of the x axis, and heights."""
    x, y = table.columns.index(figure.x), table.columns.index(figure.y)
    found = ((row[x], row[y]) for row in table.rows)
    return [(_label(at), float(height)) for at, height in found if isinstance(height, int | float)]


def _label(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _draw(axes: Any, figure: Figure, points: list[tuple[str, float]]) -> None:
    labels, heights = [label for label, _ in points], [height for _, height in points]
    places = range(len(points))
    if figure.kind == "bar":
        axes.bar(places, heights, color=_COLOUR)
    else:
        axes.plot(places, heights, marker="o", color=_COLOUR)
    if figure.logarithmic and any(heights):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    step = max(1, len(points) // 12)
    axes.set_xticks(places[::step], labels[::step], rotation=30 if max(map(len, labels)) > 3 else 0)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
