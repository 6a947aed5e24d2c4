"""Measures a simulation: from the pages it visited to one row of figures and a trace.

Pages are requests that were made, failed ones included; documents are those that found a page. "Harvest at x %" is the
harvest rate over the first x % of as many pages as the graph has fetched ones; a crawl that ended before is measured
over what it fetched.
"""

from typing import Any, NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Outcome, language_name
from exonym.metrics import area, coverage_of, harvest_over, pages_for_coverage, relevant_pages_for
from exonym.simulation.plan import Plan, Run
from exonym.simulation.results import COVERAGE_PERCENTS, HARVEST_PERCENTS, Finished, StrategyResult
from exonym.simulation.traces import Trace, counts_at, moments
from exonym.webgraph import Graph
from exonym.webgraph.analyses.link_parts import count_relevant

_MILLION = 1_000_000


class Cost(NamedTuple):
    """Time and memory of one simulation, without compiling and measuring."""

    seconds: float
    peak_mb: float


class Setting(NamedTuple):
    """What was simulated."""

    strategy: str  # as it was named
    is_oracle: bool
    graph: Graph
    plan: Plan


def relevant_pages_of(graph: Graph) -> int:
    """How many relevant pages there are to find; pages that are copies of each other are one."""
    return count_relevant(graph).relevant


def finished(run: Run, setting: Setting, cost: Cost) -> Finished:
    """The result and the trace of a run."""
    existing = relevant_pages_of(setting.graph)
    # Only a page that was fetched counts as found, whatever a graph says of pages that were never requested.
    relevant = (run.relevant & (setting.graph.outcome[run.nodes] == Outcome.PAGE))[run.is_page]
    hours = run.seconds[run.is_page] / 3600 if run.seconds is not None else None
    at = moments(len(relevant))
    trace = Trace(
        strategy=setting.strategy,
        is_oracle=setting.is_oracle,
        relevant_pages=existing,
        pages=at,
        relevant=counts_at(relevant, at),
        hours=hours[at - 1] if hours is not None else None,
    )
    timed = _times(relevant, hours, existing) if hours is not None else {}
    return Finished(StrategyResult(**_figures(run, relevant, existing, setting), **cost._asdict(), **timed), trace)


def _figures(run: Run, relevant: Flags, existing: int, setting: Setting) -> dict[str, Any]:
    graph, plan = setting.graph, setting.plan
    nodes = run.nodes[run.is_page]
    is_document = graph.outcome[nodes] == Outcome.PAGE
    by_language = np.bincount(graph.language[nodes[is_document]], minlength=1)
    languages = sorted(np.flatnonzero(by_language).tolist(), key=lambda code: -int(by_language[code]))
    seed = graph.manifest.provenance.get("seed")
    return {
        "strategy": setting.strategy,
        "is_oracle": setting.is_oracle,
        "pages": len(relevant),
        "documents": int(np.count_nonzero(is_document)),
        "relevant": int(np.count_nonzero(relevant)),
        "coverage": coverage_of(int(np.count_nonzero(relevant)), existing),
        "harvest": harvest_over(relevant, len(relevant)),
        **_harvests("", relevant, graph.manifest.fetched),
        **_harvests("documents_", relevant[is_document], graph.manifest.fetched),
        "pages_for_coverage": _by_percent(lambda percent: pages_for_coverage(relevant, existing, percent)),
        "area": area(relevant, existing),
        "reason": run.reason,
        "waiting": run.waiting,
        "k": plan.connections if plan.is_timed else plan.k,  # pages at a time
        "seed": seed if isinstance(seed, int) else None,
        "judge_seed": plan.judge_seed,
        "partitions": plan.partitions,
        "lag": plan.lag,
        "model_lag": plan.model_lag,
        "idle": 1 - len(run.nodes) / (run.rounds * (plan.k // plan.partitions) * plan.partitions)
        if run.rounds
        else None,
        "languages": {language_name(code): int(by_language[code]) for code in languages},
        "relevant_inherited": int(np.count_nonzero(relevant & graph.column("inherited")[nodes]))
        if graph.has("inherited")
        else None,
    }


def _harvests(prefix: str, relevant: Flags, fetched: int) -> dict[str, Any]:
    # At least one page: 1 % of a tiny graph is less than a page.
    rates = {f"{percent}%": harvest_over(relevant, max(1, fetched * percent // 100)) for percent in HARVEST_PERCENTS}
    return {f"{prefix}harvest_at": rates, f"{prefix}harvest_first_million": harvest_over(relevant, _MILLION)}


def _by_percent(value_of: Any) -> dict[str, Any]:
    return {f"{percent}%": value_of(percent) for percent in COVERAGE_PERCENTS}


def _times(relevant: Flags, hours: Floats, existing: int) -> dict[str, Any]:
    all_hours = float(hours[-1]) if len(hours) else 0.0
    found_at = hours[relevant]

    def hours_for(percent: int) -> float | None:
        wanted = relevant_pages_for(percent, existing)
        if not wanted:
            return 0.0
        return float(found_at[wanted - 1]) if wanted <= len(found_at) else None

    return {
        "hours": all_hours,
        "relevant_per_hour": len(found_at) / all_hours if all_hours else None,
        "hours_for_coverage": _by_percent(hours_for),
    }
