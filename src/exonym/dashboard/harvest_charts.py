"""The charts of a crawl, by their names: what it found over pages and over time, and how fast."""

from collections.abc import Callable

import numpy as np

from exonym.crawl_views.timeline import Timeline
from exonym.report.charts import ChartLine, LineChart

_WINDOWS = 60  # of equal length, for each of which a pace is computed
_SHORTEST_WINDOW_SECONDS = 1.0


def _harvest(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("all pages", timeline.pages, timeline.harvest, "total"),
        ChartLine("last 1,000 pages", timeline.pages, timeline.recent_harvest, "recent"),
    )
    return LineChart("harvest", CAPTIONS["harvest"], lines, "pages fetched", "harvest rate", y_kind="share")


def _harvest_over_time(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("all pages", timeline.when, timeline.harvest, "total"),
        ChartLine("last 1,000 pages", timeline.when, timeline.recent_harvest, "recent"),
    )
    name = "harvest-over-time"
    return LineChart(name, CAPTIONS[name], lines, "", "harvest rate", x_kind="time", y_kind="share")


def _found(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("pages fetched", timeline.when, timeline.pages, "pages"),
        ChartLine("relevant pages", timeline.when, timeline.relevant, "relevant"),
        ChartLine("failures", timeline.when, timeline.failures),
    )
    return LineChart("found", CAPTIONS["found"], lines, "", "pages", x_kind="time")


def _pace(timeline: Timeline) -> LineChart:
    """Pages a second in windows of equal length: between neighbouring moments, chance would decide."""
    x: list[float] = []
    y: list[float] = []
    if timeline.when:
        first, last = timeline.when[0], timeline.when[-1]
        count = int(min(max((last - first) / _SHORTEST_WINDOW_SECONDS, 1), _WINDOWS))
        edges = np.linspace(first, last, count + 1)
        pages = np.interp(edges, timeline.when, timeline.pages)
        if last > first:
            x, y = edges[1:].tolist(), (np.diff(pages) / np.diff(edges)).tolist()
    lines = (ChartLine("pages a second", x, y),)
    return LineChart("pace", CAPTIONS["pace"], lines, "", "pages/s", x_kind="time", y_kind="number")


CAPTIONS = {
    "harvest": "Harvest rate over pages",
    "harvest-over-time": "Harvest rate over time",
    "found": "Pages over time",
    "pace": "Pages a second",
}
CHARTS: dict[str, Callable[[Timeline], LineChart]] = {
    "harvest": _harvest,
    "harvest-over-time": _harvest_over_time,
    "found": _found,
    "pace": _pace,
}
