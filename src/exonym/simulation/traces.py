"""Traces: harvest rate and coverage of a simulation at some two thousand moments, as a table and as two figures.

In figures, oracles are labelled. A crawl that ended early has a dot at its end, and keeps its coverage to the end of
the axis.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exonym.batches import Flags, Floats, Integers
from exonym.errors import ConfigError
from exonym.metrics import coverage_after, harvest_after
from exonym.report.charts import ChartLine, LineChart
from exonym.report.figures import Figure, Line

FIGURES = {"coverage": "Coverage", "harvest": "Harvest rate"}
AXES = ("pages", "hours")
_NEARLY_ALL, _WORTH_A_CUT = 0.95, 0.75
_AXIS_LABELS = {"pages": "pages crawled", "hours": "hours of simulated time"}
EVENLY, DENSER = 1_000, 1_000  # numbers of moments: at equal distances, and at growing ones
_COLUMNS = ["strategy", "pages", "relevant", "harvest", "coverage", "hours"]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """For each moment: pages fetched so far, how many of them are relevant, and the hour if time was simulated."""

    strategy: str
    is_oracle: bool
    relevant_pages: int  # in the graph
    pages: Integers
    relevant: Integers
    hours: Floats | None

    @property
    def harvest(self) -> Floats:
        """The harvest rate so far."""
        return harvest_after(self.relevant, self.pages)

    @property
    def coverage(self) -> Floats:
        """The coverage so far; 1 where no relevant pages exist."""
        return coverage_after(self.relevant, self.relevant_pages)


def moments(pages: int) -> Integers:
    """The numbers of pages at which a crawl of `pages` pages is traced: evenly, and denser at the beginning."""
    if not pages:
        return np.empty(0, dtype=np.int64)
    evenly, denser = np.linspace(1, pages, EVENLY), np.geomspace(1, pages, DENSER)
    return np.unique(np.rint(np.concatenate([evenly, denser])).astype(np.int64))


def counts_at(relevant: Flags, at: Integers) -> Integers:
    """How many of the first `n` pages were relevant, for each `n` in `at`."""
    found: Integers = np.searchsorted(np.flatnonzero(relevant), at, side="left")
    return found


def traces_table(traces: Sequence[Trace]) -> Any:
    """All traces as one `pyarrow.Table`, a row for each moment."""
    import pyarrow

    kinds = [pyarrow.string(), *[pyarrow.int64()] * 2, *[pyarrow.float64()] * 3]
    schema = pyarrow.schema(list(zip(_COLUMNS, kinds, strict=True)))
    parts = [
        pyarrow.table(
            {
                "strategy": pyarrow.repeat(pyarrow.scalar(trace.strategy, pyarrow.string()), len(trace.pages)),
                **{name: getattr(trace, name) for name in _COLUMNS[1:-1]},
                "hours": pyarrow.nulls(len(trace.pages)) if trace.hours is None else trace.hours,
            },
            schema=schema,
        )
        for trace in traces
    ]
    return pyarrow.concat_tables([schema.empty_table(), *parts])


def traces_parquet(traces: Sequence[Trace]) -> bytes:
    """All traces as a Parquet file."""
    import pyarrow
    import pyarrow.parquet

    written = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(traces_table(traces), written)
    return bytes(written.getvalue())


def label_of(strategy: str, is_oracle: bool) -> str:
    """The name of a curve."""
    return f"{strategy} (oracle)" if is_oracle else strategy


def figure_of(name: str, traces: Sequence[Trace]) -> Figure:
    """The figure with this name, one of `FIGURES`."""
    if name not in FIGURES:
        raise ConfigError(f"there is no figure {name!r}. Choose from: {', '.join(FIGURES)}.")
    end = interesting_end(traces)
    lines: list[Line] = []
    for trace in traces:
        if not len(trace.pages):
            continue
        heights = getattr(trace, name)
        lines.append(Line(label_of(trace.strategy, trace.is_oracle), trace.pages, heights, trace.strategy))
        last, height = int(trace.pages[-1]), float(heights[-1])
        if last < end:
            lines.append(Line("", [last], [height], trace.strategy, mark="o"))
            if name == "coverage":
                lines.append(Line("", [last, end], [height, height], trace.strategy, opacity=0.35))
    return Figure(name, tuple(lines), "pages crawled", FIGURES[name].lower(), shares=True, x_end=end)


def interesting_end(traces: Sequence[Trace], axis: str = "pages") -> float:
    """Where axes of crawls end: at the last page, or, if much of the axis would be empty, soon after the finds.

    A crawl that follows every link spends most of its pages on what nobody looks for: at the end of the axis each
    crawl has nearly all that it found.
    """
    ends, found = [0.0], [0.0]
    for trace in traces:
        places = getattr(trace, axis)
        if len(places):
            ends.append(float(places[-1]))
            found.append(float(places[int(np.searchsorted(trace.relevant, _NEARLY_ALL * trace.relevant[-1]))]))
    last, nearly_all = max(ends), max(found)
    return (nearly_all if nearly_all < _WORTH_A_CUT * last else last) or 1.0


def chart_of(name: str, traces: Sequence[Trace], axis: str = "pages") -> LineChart:
    """A chart of one of `FIGURES` against one of `AXES`."""
    lines = tuple(
        ChartLine(
            label_of(trace.strategy, trace.is_oracle),
            getattr(trace, axis).tolist(),
            getattr(trace, name).tolist(),
            trace.strategy,
        )
        for trace in traces
    )
    labels, end = (_AXIS_LABELS[axis], FIGURES[name].lower()), interesting_end(traces, axis)
    return LineChart(name, FIGURES[name], lines, *labels, y_kind="share", x_end=end)
