"""The charts of a crawl, by their names: what it found over pages and over time, and how fast."""

from collections.abc import Callable

from exonym.crawl_views.timeline import Timeline
from exonym.report.charts import ChartLine, LineChart


def _harvest(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("all pages", timeline.pages, timeline.harvest),
        ChartLine("last 1,000 pages", timeline.pages, timeline.recent_harvest),
    )
    return LineChart("harvest", "Harvest rate over pages", lines, "pages fetched", "harvest rate", y_kind="share")


def _harvest_over_time(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("all pages", timeline.when, timeline.harvest),
        ChartLine("last 1,000 pages", timeline.when, timeline.recent_harvest),
    )
    caption = "Harvest rate over time"
    return LineChart("harvest-over-time", caption, lines, "", "harvest rate", x_kind="time", y_kind="share")


def _found(timeline: Timeline) -> LineChart:
    lines = (
        ChartLine("pages fetched", timeline.when, timeline.pages),
        ChartLine("relevant pages", timeline.when, timeline.relevant),
        ChartLine("failures", timeline.when, timeline.failures),
    )
    return LineChart("found", "Pages over time", lines, "", "pages", x_kind="time")


def _pace(timeline: Timeline) -> LineChart:
    lines = (ChartLine("pages a second", timeline.when, timeline.pages_per_second),)
    return LineChart("pace", "Pages a second", lines, "", "pages/s", x_kind="time", y_kind="number")


CHARTS: dict[str, Callable[[Timeline], LineChart]] = {
    "harvest": _harvest,
    "harvest-over-time": _harvest_over_time,
    "found": _found,
    "pace": _pace,
}
