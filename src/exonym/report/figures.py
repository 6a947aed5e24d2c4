"""Figures of tables, drawn by Matplotlib where it is installed; without it reports have tables only."""

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exonym.report.table import TOTAL, Cell, Figure, Table, TableRow

_SIZE = (7.0, 3.6)  # inches
_WIDE = (9.5, 4.2)  # with the names beside the figure
_COLOURS = ("#2a6f97", "#e07a5f", "#81b29a", "#f2cc8f", "#6d597a", "#8d99ae")
_LINES = (("-", "o"), ("--", "s"), (":", "^"))  # and marks: where there are more lines than colours
_LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as two files."""

    svg: str
    png: bytes

    @property
    def inline(self) -> str:
        """The SVG element alone, as HTML takes it."""
        return self.svg[self.svg.index("<svg") :]


def drawn(name: str, size: tuple[float, float], draw: Callable[[Any], None]) -> Drawing | None:
    """What `draw` draws on the axes that it is given; None if Matplotlib is not there."""
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError:
        return None
    # The same values must give the same bytes; several figures in one page must not share names.
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "DejaVu Sans"}):
        canvas = Canvas(figsize=size)
        draw(canvas.add_subplot())
        svg, png = io.StringIO(), io.BytesIO()
        with warnings.catch_warnings(action="ignore"):  # of letters that the font lacks: the web has all there are
            ConstrainedLayoutEngine().execute(canvas)  # once for both files
            canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
            canvas.savefig(png, format="png", dpi=150, metadata={"Software": None})
    return Drawing(svg.getvalue(), png.getvalue())


def drawing_of(table: Table) -> Drawing | None:
    """The table's figure; None if it has none, no rows to draw, or Matplotlib is not there."""
    figure = table.figure
    if figure is None or not _series(table, figure):
        return None
    size = _WIDE if len(figure.y) > len(_COLOURS) else _SIZE
    return drawn(table.name, size, lambda axes: _draw(axes, table, figure))


def _series(table: Table, figure: Figure) -> dict[str, list[float | None]]:
    """Heights by name, of as many points as there are rows; none where there is nothing to draw."""
    places = {name: table.columns.index(name) for name in figure.y}
    found = {name: [_height(row[place]) for row in _drawn(table)] for name, place in places.items()}
    return {name: heights for name, heights in found.items() if any(height is not None for height in heights)}


def _drawn(table: Table) -> list[TableRow]:
    return [row for row in table.rows if row[0] != TOTAL]


def _height(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


def _labels(table: Table, figure: Figure) -> list[str]:
    places = [table.columns.index(name) for name in figure.x]
    return [", ".join(_label(row[place]) for place in places) for row in _drawn(table)]


def _label(cell: Cell) -> str:
    if isinstance(cell, int):
        return f"{cell:,}"
    printable = "".join(letter for letter in str(cell) if letter.isprintable())
    # Matplotlib takes what stands between two dollar signs for a formula, and fails on bad ones.
    return printable[:_LONGEST_LABEL].replace("$", r"\$")


def _draw(axes: Any, table: Table, figure: Figure) -> None:
    labels, series = _labels(table, figure), _series(table, figure)
    for number, (name, heights) in enumerate(series.items()):
        points = [(place, height) for place, height in enumerate(heights) if height is not None]
        style = {"color": _COLOURS[number % len(_COLOURS)], "label": _label(name)}
        if figure.kind == "bar":
            width = 0.8 / len(series)
            shift = (number - (len(series) - 1) / 2) * width
            axes.bar([place + shift for place, _ in points], [height for _, height in points], width, **style)
        else:
            line, mark = _LINES[number // len(_COLOURS) % len(_LINES)]
            style |= {"linestyle": line, "marker": mark, "markersize": "4"}
            axes.plot([place for place, _ in points], [height for _, height in points], **style)
    _label_axes(axes, figure, labels)
    _scale(axes, table, figure, series)


def _label_axes(axes: Any, figure: Figure, labels: list[str]) -> None:
    step, places = max(1, len(labels) // 12), range(len(labels))
    slanted = max(map(len, labels)) > 3
    axes.set_xticks(places[::step], labels[::step], rotation=30 if slanted else 0, ha="right" if slanted else "center")
    axes.set_xlabel(", ".join(figure.x))
    if len(figure.y) == 1:
        axes.set_ylabel(_label(figure.y[0]))
    elif len(figure.y) > len(_COLOURS):
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    else:
        axes.legend()


def _scale(axes: Any, table: Table, figure: Figure, series: dict[str, list[float | None]]) -> None:
    if figure.logarithmic and any(height for heights in series.values() for height in heights):
        axes.set_yscale("log")
        return
    axes.set_ylim(bottom=0)
    first = table.columns.index(figure.y[0])
    is_share = any(isinstance(row[first], float) for row in table.rows)
    axes.yaxis.set_major_formatter("{x:.0%}" if is_share else "{x:,.0f}")
