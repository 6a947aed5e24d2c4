"""A search over S and T of LSWC, whose effect the papers leave open: coverage, downloads and harvest rate."""

from collections.abc import Callable, Mapping

from exonym.published.thai_web import PAPER
from exonym.report.table import Cell, Chart, Table
from exonym.simulation.results import StrategyResult

VALUES = (1, 2, 3, 5, 10)  # of S and of T
_NOTE = (
    "S: a server without a relevant page after so many downloads is dropped. T: links at a greater distance from the "
    "last relevant page are dropped. The papers use S=1, T=1 and S=3, T=5."
)


def lswc_with(s: int, t: int) -> str:
    """The strategy with these thresholds, as a text.

    >>> lswc_with(3, 5)
    'lswc:S=3,T=5'
    """
    return f"lswc:S={s},T={t}"


STRATEGIES = tuple(lswc_with(s, t) for s in VALUES for t in VALUES)


def tables_of_s_and_t(results: Mapping[str, StrategyResult]) -> tuple[Table, ...]:
    """One table and figure for each measure: a row for each T, a column for each S."""
    measures: dict[str, tuple[str, Callable[[StrategyResult], Cell]]] = {
        "coverage": ("Coverage", lambda result: result.coverage),
        "downloads": ("Downloads (requests) until nothing waits", lambda result: result.pages),
        "harvest": ("Harvest rate of the whole crawl", lambda result: result.harvest),
    }
    columns = tuple(f"S={s}" for s in VALUES)
    return tuple(
        Table(
            f"s_and_t_{name}",
            f"{caption} of LSWC by S and T",
            ("T", *columns),
            tuple((t, *(value(results[lswc_with(s, t)]) for s in VALUES)) for t in VALUES),
            _NOTE,
            Chart("line", ("T",), columns),
            f"an open problem of {PAPER}",
        )
        for name, (caption, value) in measures.items()
    )
