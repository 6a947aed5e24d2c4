"""Results as people read them: tables of texts, for a terminal and for a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from exonym.simulation.curves import label_of
from exonym.simulation.results import COVERAGE_PERCENTS, HARVEST_PERCENTS, StrategyResult

NEVER = "–"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of texts under a caption; the first column is to the left, the others are numbers or short."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables_of(results: Sequence[StrategyResult]) -> list[TextTable]:
    """All that is worth reading: what was found, how soon, how densely, and in what time if it was simulated."""
    tables = [_found(results), _coverage(results), _harvest(results)]
    return [*tables, _times(results)] if any(result.is_timed for result in results) else tables


def _found(results: Sequence[StrategyResult]) -> TextTable:
    columns = ("strategy", "pages", "documents", "relevant", "coverage", "harvest", "area", "seconds", "MB", "ended by")
    rows = (
        (
            *(label_of(one.strategy, one.is_oracle), _count(one.pages), _count(one.documents), _count(one.relevant)),
            *(_share(one.coverage), _share(one.harvest), f"{one.area:.3f}", f"{one.seconds:.1f}"),
            *(f"{one.peak_mb:,.0f}", one.reason),
        )
        for one in results
    )
    return TextTable("What was found", columns, tuple(rows))


def _coverage(results: Sequence[StrategyResult]) -> TextTable:
    columns = ("strategy", *(f"{percent}%" for percent in COVERAGE_PERCENTS))
    rows = (
        (label_of(one.strategy, one.is_oracle), *(_count(pages) for pages in one.pages_for_coverage.values()))
        for one in results
    )
    return TextTable("Pages needed for a coverage of …", columns, tuple(rows))


def _harvest(results: Sequence[StrategyResult]) -> TextTable:
    columns = ("strategy", *(f"{percent}%" for percent in HARVEST_PERCENTS), "first million")
    rows = (
        (
            label_of(one.strategy, one.is_oracle),
            *(_share(rate) for rate in (*one.harvest_at.values(), one.harvest_first_million)),
        )
        for one in results
    )
    return TextTable("Harvest rate over the first … of as many pages as the graph has", columns, tuple(rows))


def _times(results: Sequence[StrategyResult]) -> TextTable:
    columns = ("strategy", "relevant/hour", "hours", *(f"{percent}%" for percent in COVERAGE_PERCENTS))
    rows = (
        (
            label_of(one.strategy, one.is_oracle),
            *(_hours(value) for value in (one.relevant_per_hour, one.hours, *(one.hours_for_coverage or {}).values())),
        )
        for one in results
    )
    return TextTable(
        "Simulated time: relevant pages an hour, hours in all and for a coverage of …", columns, tuple(rows)
    )


def _count(number: int | None) -> str:
    return NEVER if number is None else f"{number:,}"


def _share(share: float) -> str:
    return f"{share:.1%}"


def _hours(number: float | None) -> str:
    return NEVER if number is None else f"{number:,.2f}"


def text_of(table: TextTable) -> str:
    """The table in plain text."""
    lines = [table.columns, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join([table.caption, *(_line(cells, widths) for cells in lines)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join([f"  {first}", *others]).rstrip()
