"""All simulated crawls of one web, and what is kept of each."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from exonym.batches import Flags, Outcome
from exonym.experiments.adaptive.ablation import ABLATIONS, COLD, OnlyRising, made_for
from exonym.experiments.adaptive.webs import shuffled
from exonym.metrics import area, coverage_of, pages_for_coverage, relevant_pages_for
from exonym.probes.completeness import completeness_of
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan, Run
from exonym.simulation.side_by_side import strategy_of
from exonym.strategies.base import Strategy
from exonym.webgraph import Graph

ADAPTIVE, PERFECT = "adaptive", "perfect"
FLOOR = "adaptive:floor=0.05"
LSWC = ("lswc:S=1,T=1", "lswc:S=3,T=5")
RULES = (
    *LSWC,
    "bfs",
    "soft",
    "hard",
    "limited-distance:T=2,prioritized=true",
    "server-filter",
    "directory-filter",
    "cjk",
)
STRATEGIES = (ADAPTIVE, COLD, *RULES, PERFECT)
PERCENTS = (10, 25, 50, 90, 95, 99)  # of coverage
JUDGE = "judge of 95 %"
CONNECTIONS = (64, 256)
ROUNDS = {"k = 1": 0, "k × 4": 4, "k × 16": 16}  # times the usual k; 0: a page at a time
SHUFFLED = ("soft", ADAPTIVE)
_AREA_PAGES = 2  # times the relevant pages: what the area is measured over
_SECOND = 1.0  # between requests to a server; only ratios of times are reported
_LARGEST_ROUND = 256


class Told(NamedTuple):
    """What a crawl told of its coverage at a moment at which it told anything."""

    true: float
    share: float
    low: float
    high: float


class CrawlFigures(msgspec.Struct, frozen=True):
    """What is kept of a crawl."""

    area: float
    pages: int  # of crawls of which only the area counts, no more than that takes
    coverage: float
    reason: str
    pages_for: dict[str, int | None]  # by per cent of coverage
    hours_for_90: float | None = None  # of simulated time
    estimates: list[Told] = []  # of its own coverage

    def needed(self, percent: int) -> int | None:
        """The pages that were fetched until so much was found."""
        return self.pages_for[str(percent)]


class WebFigures(msgspec.Struct, frozen=True):
    """All crawls of a web, by their labels."""

    web: str
    seed: int
    relevant_pages: int  # that can be reached from the seeds: R
    existing: int  # relevant pages in all
    k: int
    crawls: dict[str, CrawlFigures]

    def harvest(self, label: str, percent: int) -> float | None:
        """The harvest rate of a crawl until so much was found."""
        needed = self.crawls[label].needed(percent)
        return relevant_pages_for(percent, self.relevant_pages) / needed if needed else None


class _CrawlOrder(NamedTuple):
    """A crawl to simulate."""

    label: str
    strategy: Strategy
    plan: Plan


def label_of_timed(strategy: str, connections: int) -> str:
    """The label of a crawl in simulated time.

    >>> label_of_timed("perfect", 64)
    'perfect, 64 connections'
    """
    return f"{strategy}, {connections} connections"


def label_without(part: str) -> str:
    """The label of an ablation.

    >>> label_without("calls")
    'without calls'
    """
    return f"without {part}"


def label_shuffled(strategy: str) -> str:
    """The label of a crawl of the web whose relevant pages were exchanged at random.

    >>> label_shuffled("soft")
    'soft, shuffled'
    """
    return f"{strategy}, shuffled"


def crawls_of_web(graph: Graph, name: str, seed: int, tell: Callable[[str], None]) -> WebFigures:
    """Simulate everything on a generated web."""
    found = crawls_of_graph(graph, name, seed, tell)
    usual = Plan(k=found.k, budget=_AREA_PAGES * found.relevant_pages)
    orders = _further_orders(graph, usual, seed)
    further = _simulated(graph, found.relevant_pages, orders, tell)
    with tempfile.TemporaryDirectory(dir=graph.directory.parent) as directory:
        control = shuffled(graph, Path(directory) / "shuffled", seed)
        orders = (_CrawlOrder(label_shuffled(text), strategy_of(text, control), usual) for text in SHUFFLED)
        of_control = _simulated(control, found.relevant_pages, orders, tell)
    return msgspec.structs.replace(found, crawls=found.crawls | further | of_control)


def crawls_of_graph(graph: Graph, name: str, seed: int, tell: Callable[[str], None]) -> WebFigures:
    """Simulate the strategies on any graph; R is the number of relevant pages that breadth first finds."""
    tell("what can be reached")
    everything = Simulation(graph, strategy_of("bfs", graph), Plan(k=_LARGEST_ROUND)).run()
    reachable = int(np.count_nonzero(_found_by(everything, graph)))
    # At most a thousandth of R a round: so few that results hardly change.
    plan = Plan(k=max(1, min(_LARGEST_ROUND, reachable // 1_000)))
    orders = (_CrawlOrder(text, strategy_of(text, graph), plan) for text in (*STRATEGIES, FLOOR))
    crawls = _simulated(graph, reachable, orders, tell)
    return WebFigures(name, seed, reachable, relevant_pages_of(graph), plan.k, crawls)


def _further_orders(graph: Graph, usual: Plan, seed: int) -> Iterator[_CrawlOrder]:
    """The crawls that tell what a result depends on."""
    judge = replace(usual, judge_precision=0.95, judge_recall=0.95, judge_seed=seed)
    yield _CrawlOrder(JUDGE, strategy_of(ADAPTIVE, graph), judge)
    for label, times in ROUNDS.items():
        yield _CrawlOrder(label, strategy_of(ADAPTIVE, graph), replace(usual, k=max(1, times * usual.k)))
    for name, kind in ABLATIONS.items():
        yield _CrawlOrder(label_without(name), made_for(graph, kind()), usual)
    for connections in CONNECTIONS:
        for text in (FLOOR, PERFECT):
            plan = Plan(k=1, connections=connections, delay_seconds=_SECOND)
            yield _CrawlOrder(label_of_timed(text, connections), strategy_of(text, graph), plan)


def _simulated(
    graph: Graph, relevant_pages: int, orders: Iterator[_CrawlOrder], tell: Callable[[str], None]
) -> dict[str, CrawlFigures]:
    figures = {}
    for order in orders:
        tell(order.label)
        asks = isinstance(order.strategy, OnlyRising)
        run = Simulation(graph, order.strategy, order.plan, asks=asks).run()
        figures[order.label] = figures_of(run, graph, relevant_pages)
    return figures


def figures_of(run: Run, graph: Graph, relevant_pages: int) -> CrawlFigures:
    """What is kept of a run, where so many relevant pages can be found."""
    relevant = _found_by(run, graph)
    needed = {percent: pages_for_coverage(relevant, relevant_pages, percent) for percent in PERCENTS}
    at = needed[90]
    return CrawlFigures(
        area=area(relevant, relevant_pages),
        pages=len(relevant),
        coverage=coverage_of(int(np.count_nonzero(relevant)), relevant_pages),
        reason=run.reason,
        pages_for={str(percent): pages for percent, pages in needed.items()},
        hours_for_90=None if run.seconds is None or not at else float(run.seconds[run.is_page][at - 1]) / 3600,
        estimates=[
            Told(missing.relevant / relevant_pages, *found)
            for missing in run.estimates
            if (found := completeness_of(missing)) is not None
        ],
    )


def _found_by(run: Run, graph: Graph) -> Flags:
    """Of each page in the order of a run, whether it is relevant and was really fetched."""
    found: Flags = (run.relevant & (graph.outcome[run.nodes] == Outcome.PAGE))[run.is_page]
    return found
