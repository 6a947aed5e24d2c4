"""Results of simulations: a row of measures for each strategy (`StrategyResult`), and all rows together (`Results`).

A notebook displays `Results`; reports and terminals show the same tables, traces and figures.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from exonym.report.figures import Figure
from exonym.report.html_page import PagePart, parts_html
from exonym.report.table import Table, TableRow
from exonym.simulation.traces import FIGURES, Trace, figure_of, label_of, traces_table

HARVEST_PERCENTS = (1, 5, 10, 25, 50, 100)
COVERAGE_PERCENTS = (50, 90, 95, 99)

_TIMED = ("hours", "relevant_per_hour", "hours_for_coverage")
_NOT_IN_TABLE = ("languages",)
_FORMATS = {"area": ".3f", "seconds": ".1f", "MB": ",.0f", "peak_mb": ",.0f"}


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """The measures of one strategy. Scripts rely on these names: more may be added, none may be removed."""

    strategy: str
    is_oracle: bool  # it knows what no crawl can know
    pages: int
    documents: int
    relevant: int
    coverage: float
    harvest: float
    harvest_at: dict[str, float]
    harvest_first_million: float
    documents_harvest_at: dict[str, float]
    documents_harvest_first_million: float
    pages_for_coverage: dict[str, int | None]
    area: float
    reason: str
    waiting: int
    seconds: float
    peak_mb: float
    k: int
    seed: int | None  # of the graph; None if it was not generated
    judge_seed: int
    languages: dict[str, int]  # documents by language, "" unknown
    hours: float | None = None
    relevant_per_hour: float | None = None
    hours_for_coverage: dict[str, float | None] | None = None
    relevant_inherited: int | None = None  # relevant pages that inherited their language; None if the graph is silent
    partitions: int = 1
    lag: int = 0  # rounds that links to other partitions were under way
    model_lag: int = 0  # rounds after which partitions exchanged what they had learned
    idle: float | None = None  # the share of their turns in which partitions had nothing to fetch; None without any

    @property
    def is_timed(self) -> bool:
        """Whether time was simulated."""
        return self.hours is not None

    def values(self) -> dict[str, Any]:
        """The measures for JSON; those of time only if time was simulated."""
        return {name: value for name, value in asdict(self).items() if self.is_timed or name not in _TIMED}


class Finished(NamedTuple):
    """A simulation that was measured."""

    result: StrategyResult
    trace: Trace


class Results(Sequence[StrategyResult]):
    """The results of several strategies on one graph, in the order in which they were given."""

    def __init__(self, finished: Iterable[Finished]) -> None:
        self.finished = tuple(finished)

    def __len__(self) -> int:
        return len(self.finished)

    def __getitem__(self, place: Any) -> Any:
        chosen = self.finished[place]
        return Results(chosen) if isinstance(place, slice) else chosen.result

    def __iter__(self) -> Iterator[StrategyResult]:
        return (result for result, _ in self.finished)

    @property
    def table(self) -> Table:
        """All measures, a row for each strategy; one with several values has a column for each (`harvest_at_1%`)."""
        rows = [_flat(result) for result in self]
        columns = list(rows[0]) if rows else [field.name for field in fields(StrategyResult)]
        formats = _FORMATS | {name: ",.2f" for name in columns if "hour" in name}
        return Table("results", "Results", tuple(columns), tuple(tuple(row.values()) for row in rows), formats=formats)

    @property
    def traces(self) -> Any:
        """Harvest rate and coverage of each crawl at up to 2,000 moments, as a `pyarrow.Table`."""
        return traces_table([trace for _, trace in self.finished])

    def figure(self, name: str = "coverage") -> Figure:
        """`coverage` or `harvest` against pages crawled."""
        return figure_of(name, [trace for _, trace in self.finished])

    @property
    def figures(self) -> dict[str, Figure]:
        """All figures by name."""
        return {name: self.figure(name) for name in FIGURES}

    @property
    def tables(self) -> list[Table]:
        """The tables of a report: what was found, pages for a coverage, harvest rates, times if simulated, costs."""
        tables = [_found_table(self), coverage_table(self), harvest_table(self)]
        times = [_times_table(self)] if any(result.is_timed for result in self) else []
        return [*tables, *times, _cost_table(self)]

    def _repr_html_(self) -> str:
        return parts_html([*(PagePart(FIGURES[name], [figure]) for name, figure in self.figures.items()), *self.tables])


def _flat(result: StrategyResult) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in result.values().items():
        if name not in _NOT_IN_TABLE:
            row |= {f"{name}_{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
    return row


def _found_table(results: Iterable[StrategyResult]) -> Table:
    results = list(results)
    # Only graphs of crawls know which pages inherited their language.
    is_known = any(result.relevant_inherited is not None for result in results)
    inherited = ("inherited",) if is_known else ()
    is_divided = any(result.partitions > 1 for result in results)
    divided = ("partitions", "lag", "model lag", "idle") if is_divided else ()
    found = ("strategy", *divided, "pages", "documents", "relevant", *inherited, "coverage", "harvest")
    columns = (*found, "area")
    rows = (
        (
            *(
                label_of(result.strategy, result.is_oracle),
                *((result.partitions, result.lag, result.model_lag, result.idle) if is_divided else ()),
                result.pages,
                result.documents,
                result.relevant,
                *((result.relevant_inherited,) if is_known else ()),
            ),
            *(result.coverage, result.harvest, result.area),
        )
        for result in results
    )
    return Table("found", "What was found", columns, tuple(rows), formats=_FORMATS)


def _cost_table(results: Iterable[StrategyResult]) -> Table:
    rows = tuple(
        (label_of(result.strategy, result.is_oracle), result.seconds, result.peak_mb, result.reason, result.waiting)
        for result in results
    )
    columns = ("strategy", "seconds", "MB", "ended by", "links left")
    return Table("cost", "What the simulations took, and how they ended", columns, rows, formats=_FORMATS)


def coverage_table(results: Iterable[StrategyResult]) -> Table:
    """How many pages each strategy needed for a coverage."""
    columns = ("strategy", *(f"{percent}%" for percent in COVERAGE_PERCENTS))
    rows = ((label_of(result.strategy, result.is_oracle), *result.pages_for_coverage.values()) for result in results)
    return Table("pages_for_coverage", "Pages needed for a coverage of …", columns, tuple(rows))


def harvest_table(results: Iterable[StrategyResult]) -> Table:
    """The harvest rates over the first pages."""
    columns = ("strategy", *(f"{percent}%" for percent in HARVEST_PERCENTS), "first million")
    rows: Iterator[TableRow] = (
        (label_of(result.strategy, result.is_oracle), *result.harvest_at.values(), result.harvest_first_million)
        for result in results
    )
    caption = "Harvest rate over the first … of as many pages as the graph has"
    return Table("harvest_at", caption, columns, tuple(rows))


def _times_table(results: Iterable[StrategyResult]) -> Table:
    columns = ("strategy", "relevant/hour", "hours", *(f"{percent}%" for percent in COVERAGE_PERCENTS))
    rows = (
        (
            *(label_of(result.strategy, result.is_oracle), result.relevant_per_hour, result.hours),
            *(result.hours_for_coverage or dict.fromkeys(columns[3:])).values(),
        )
        for result in results
    )
    caption = "Simulated time: relevant pages an hour, hours in all and for a coverage of …"
    return Table("times", caption, columns, tuple(rows), formats=dict.fromkeys(columns, ",.2f"))
