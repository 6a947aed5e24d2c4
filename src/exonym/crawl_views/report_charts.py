"""The curves of one crawl or of several, as charts of a page and as figures to print."""

from collections.abc import Mapping, Sequence

from exonym.crawl_views.timeline import Timeline
from exonym.report.charts import ChartLine, LineChart
from exonym.report.figures import Figure, Line

_HOUR = 3_600.0


def charts_of(curve: Timeline) -> list[LineChart]:
    """How one crawl went, over pages and over time."""
    if not curve.pages:
        return []
    overall, recent = ("since the beginning", curve.harvest), ("last 1,000 pages", curve.recent_harvest)
    return [
        _chart(
            "harvest-over-pages", "Harvest rate over pages", curve.pages, (overall, recent), "pages fetched", "share"
        ),
        _chart("harvest-over-time", "Harvest rate over time", curve.when, (overall, recent), "", "share"),
        _chart(
            *("pages-over-time", "Pages over time", curve.when),
            (("pages fetched", curve.pages), ("relevant", curve.relevant), ("failed", curve.failures)),
        ),
        _chart("pace", "Pages a second", curve.when, (("pages a second", curve.pages_per_second),), "", "number"),
        _chart("bytes", "Megabytes received", curve.when, (("MB", [size / 1e6 for size in curve.bytes]),)),
    ]


def _chart(
    name: str,
    caption: str,
    x: Sequence[float],
    lines: Sequence[tuple[str, Sequence[float]]],
    x_label: str = "",
    y_kind: str = "count",
) -> LineChart:
    drawn = tuple(ChartLine(label, x, y) for label, y in lines)
    kind = "number" if x_label else "time"
    return LineChart(name, caption, drawn, x_label or "time", "", kind, y_kind)  # type: ignore[arg-type]


def compared_charts(curves: Mapping[str, Timeline]) -> list[LineChart]:
    """How several crawls went; over time, each begins at 0."""
    drawn = {name: curve for name, curve in curves.items() if curve.pages}
    over_pages = tuple(ChartLine(name, curve.pages, curve.harvest) for name, curve in drawn.items())
    found = tuple(ChartLine(name, curve.pages, curve.relevant) for name, curve in drawn.items())
    over_time = tuple(ChartLine(name, _hours(curve), curve.relevant) for name, curve in drawn.items())
    if not drawn:
        return []
    return [
        LineChart("harvest", "Harvest rate", over_pages, "pages fetched", "harvest rate", y_kind="share"),
        LineChart("relevant", "Relevant pages over pages", found, "pages fetched", "relevant pages"),
        LineChart("relevant-over-time", "Relevant pages over time", over_time, "hours", "relevant pages"),
    ]


def _hours(curve: Timeline) -> list[float]:
    return [(when - curve.when[0]) / _HOUR for when in curve.when]


def harvest_figure(curves: Mapping[str, Timeline]) -> Figure:
    """The harvest rate of crawls over the pages that they fetched."""
    lines = tuple(Line(name, curve.pages, curve.harvest) for name, curve in curves.items() if curve.pages)
    return Figure("harvest", lines, x_label="pages fetched", y_label="harvest rate", shares=True)
