"""The curves of one crawl or of several, as charts of a page and as figures to print."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from exonym.crawl_views.timeline import Timeline
from exonym.report.charts import ChartLine, LineChart
from exonym.report.figures import Figure, Line

_WINDOWS = 60  # of equal length, for each of which a pace is computed
_SHORTEST_WINDOW_SECONDS = 1.0


def charts_of(curve: Timeline) -> list[LineChart]:
    """How one crawl went, over pages and, if it took any, over time; no charts if it has fetched nothing yet."""
    charts = [chart(curve) for chart in CHARTS.values()] if curve.pages else []
    return [chart for chart in charts if chart.x_kind != "time" or curve.when[-1] > curve.when[0]]


def _harvest(curve: Timeline) -> LineChart:
    lines = _harvest_lines(curve, curve.pages)
    return LineChart("harvest", CAPTIONS["harvest"], lines, "pages fetched", "harvest rate", y_kind="share")


def _harvest_over_time(curve: Timeline) -> LineChart:
    name, lines = "harvest-over-time", _harvest_lines(curve, curve.when)
    return LineChart(name, CAPTIONS[name], lines, "time", "harvest rate", x_kind="time", y_kind="share")


def _harvest_lines(curve: Timeline, x: Sequence[float]) -> tuple[ChartLine, ...]:
    return (
        ChartLine("since the beginning", x, curve.harvest, "harvest"),
        ChartLine("last 1,000 pages", x, curve.recent_harvest),
    )


def _pages(curve: Timeline) -> LineChart:
    lines = (
        ChartLine("pages fetched", curve.when, curve.pages, "pages"),
        ChartLine("relevant", curve.when, curve.relevant, "relevant"),
        ChartLine("failed", curve.when, curve.failures, "failures"),
    )
    return LineChart("pages", CAPTIONS["pages"], lines, "time", "pages", x_kind="time")


def _pace(curve: Timeline) -> LineChart:
    """Pages a second in windows of equal length: between neighbouring moments, chance would decide."""
    x: list[float] = []
    y: list[float] = []
    if curve.when and curve.when[-1] > curve.when[0]:
        first, last = curve.when[0], curve.when[-1]
        edges = np.linspace(first, last, 1 + int(min(max((last - first) / _SHORTEST_WINDOW_SECONDS, 1), _WINDOWS)))
        pages = np.interp(edges, curve.when, curve.pages)
        x, y = edges[1:].tolist(), (np.diff(pages) / np.diff(edges)).tolist()
    lines = (ChartLine("pages a second", x, y),)
    return LineChart("pace", CAPTIONS["pace"], lines, "time", "pages/s", x_kind="time", y_kind="number")


CAPTIONS = {
    "harvest": "Harvest rate over pages",
    "harvest-over-time": "Harvest rate over time",
    "pages": "Pages over time",
    "pace": "Pages a second",
}
CHARTS: dict[str, Callable[[Timeline], LineChart]] = {
    "harvest": _harvest,
    "harvest-over-time": _harvest_over_time,
    "pages": _pages,
    "pace": _pace,
}


def compared_charts(curves: Mapping[str, Timeline], looks: Mapping[str, str] = MappingProxyType({})) -> list[LineChart]:
    """How several crawls went; over time, each begins at 0. `looks` is whose look the line of a crawl has."""
    drawn = {name: curve for name, curve in curves.items() if curve.pages}
    if not drawn:
        return []
    unit, seconds = _time_unit(max(curve.when[-1] - curve.when[0] for curve in drawn.values()))

    def lines(of: Callable[[Timeline], tuple[Sequence[float], Sequence[float]]]) -> tuple[ChartLine, ...]:
        return tuple(ChartLine(name, *of(curve), looks.get(name, "")) for name, curve in drawn.items())

    over_pages = lines(lambda curve: (curve.pages, curve.harvest))
    found = lines(lambda curve: (curve.pages, curve.relevant))
    over_time = lines(lambda curve: ([(when - curve.when[0]) / seconds for when in curve.when], curve.relevant))
    return [
        LineChart("harvest", "Harvest rate", over_pages, "pages fetched", "harvest rate", y_kind="share"),
        LineChart("relevant", "Relevant pages over pages", found, "pages fetched", "relevant pages"),
        LineChart("relevant-over-time", "Relevant pages over time", over_time, unit, "relevant pages"),
    ]


def _time_unit(longest_seconds: float) -> tuple[str, float]:
    """The largest unit of which the longest crawl took three or more, and its seconds."""
    units = {"days": 86_400.0, "hours": 3_600.0, "minutes": 60.0}
    return next(((unit, size) for unit, size in units.items() if longest_seconds >= 3 * size), ("seconds", 1.0))


def harvest_figure(curves: Mapping[str, Timeline], looks: Mapping[str, str] = MappingProxyType({})) -> Figure:
    """The harvest rate of crawls over the pages that they fetched. `looks` is whose look the line of a crawl has."""
    lines = tuple(
        Line(name, curve.pages, curve.harvest, looks.get(name, "")) for name, curve in curves.items() if curve.pages
    )
    return Figure("harvest", lines, x_label="pages fetched", y_label="harvest rate", shares=True)
