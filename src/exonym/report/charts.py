"""Charts that readers explore: lines drawn in the browser by uPlot (templates/charts.js), as plain data here."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from exonym.report.figures import Figure
from exonym.report.styles import styles_of
from exonym.report.table import Table

_ROWS = 20  # of the table that stands in for a chart


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One line of a chart. `x` rises; a None in `y` is a gap."""

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    style: str = ""  # whose look the line has (`report.styles`), if not that of its label


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over one pair of axes; lines may have different x. Part of a page.

    >>> chart = LineChart("harvest", "Harvest rate", (ChartLine("bfs", [1, 2], [1.0, 0.5]),), y_kind="share")
    >>> [chart.document()["lines"][0][key] for key in ("label", "y", "colour", "dash")]
    ['bfs', [1, 0.5], '#111111', []]
    """

    name: str
    caption: str
    lines: tuple[ChartLine, ...]
    x_label: str = ""
    y_label: str = ""
    x_kind: Literal["number", "time"] = "number"  # times are seconds since 1970
    y_kind: Literal["share", "count", "number"] = "count"  # shares of 1 are shown in per cent
    x_end: float | None = None  # where the axis ends at first; "show all" goes on to the last value

    def document(self) -> dict[str, Any]:
        """The chart for JSON, as `drawChart` of templates/charts.js reads it."""
        styles = styles_of([line.style or line.label for line in self.lines])
        lines = [
            {
                "label": line.label,
                "x": [_plain(number) for number in line.x],
                "y": [_plain(number, 6) for number in line.y],
                "colour": style.colour.light,
                "dark_colour": style.colour.dark,
                "dash": list(style.dash),
            }
            for line, style in zip(self.lines, styles, strict=True)
        ]
        names = ("name", "caption", "x_label", "y_label", "x_kind", "y_kind", "x_end")
        return {name: getattr(self, name) for name in names} | {"lines": lines}

    def table(self) -> Table:
        """Some values of each line, for readers without scripts."""
        is_share = self.y_kind == "share"
        values = [
            {
                _plain(x): y if y is None or not is_share else float(y)
                for x, y in zip(line.x, map(_plain, line.y), strict=True)
            }
            for line in self.lines
        ]
        places = _some(sorted({x for points in values for x in points if x is not None}))
        rows = tuple((_shown_place(x, self.x_kind), *(points.get(x) for points in values)) for x in places)
        columns = (self.x_label or "x", *(line.label for line in self.lines))
        formats = {} if self.y_kind == "share" else dict.fromkeys(columns, ",.6g")
        return Table(self.name, "", columns, rows, formats=formats)


class ChartChoice(NamedTuple):
    """Charts under one caption, of which the reader chooses one by its name; the first is drawn first."""

    charts: Mapping[str, LineChart]
    figure: Figure | None = None  # for readers without scripts, in place of a table

    @property
    def first(self) -> LineChart:
        """The chart that is drawn first."""
        return next(iter(self.charts.values()))

    def documents(self) -> list[dict[str, Any]]:
        """All charts for JSON, each with the name to choose it by."""
        return [{"choice": choice, **chart.document()} for choice, chart in self.charts.items()]


def has_charts(parts: Iterable[Any]) -> bool:
    """Whether a chart is among the parts of a page, or parts of them."""
    return any(isinstance(part, LineChart | ChartChoice) or has_charts(_parts_of(part)) for part in parts)


def _parts_of(part: Any) -> Iterable[Any]:
    inside = getattr(part, "parts", ())
    return inside if isinstance(inside, Sequence) else ()


def _plain(number: Any, digits: int = 10) -> float | int | None:
    """A number as JSON has it: NumPy's numbers become Python's, and what is not finite becomes unknown.

    A screen shows no more than a few digits, and fewer digits make smaller pages; whole numbers keep all of theirs.
    """
    if number is None or not math.isfinite(number):
        return None
    whole = int(number)
    return whole if whole == number else float(f"{number:.{digits}g}")


def _some(places: list[Any]) -> list[Any]:
    """At most `_ROWS` of the places, at equal steps, the last among them."""
    if len(places) <= _ROWS:
        return places
    return [places[(len(places) - 1) * step // (_ROWS - 1)] for step in range(_ROWS)]


def _shown_place(x: float, kind: str) -> str:
    if kind == "time":
        from datetime import UTC, datetime

        return datetime.fromtimestamp(x, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{x:,.6g}" if isinstance(x, float) else f"{x:,}"
