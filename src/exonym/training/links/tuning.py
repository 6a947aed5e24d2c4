"""The segment crawler with other S and D: an open question of Suebchua's thesis, which has 2 for both."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.progress import Tell
from exonym.simulation.plan import Plan
from exonym.training.links.link_examples import relevant_pages
from exonym.training.links.threshold_search import Reached
from exonym.webgraph.graph import Graph

PATIENCES = (1, 2, 3, 5)  # S
DISTANCES = (1, 2, 3)  # D

_THESIS = Plan(k=1, budget=10_000, pages_per_server=300)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The pairs of S and D to try, and the crawl to try them in."""

    patiences: tuple[int, ...] = PATIENCES
    distances: tuple[int, ...] = DISTANCES
    threshold: float = 0.5
    model: Path | None = None  # the link model; None: one that knows nothing
    plan: Plan = _THESIS


class Tried(NamedTuple):
    """One pair of S and D, and the pages that a crawl with it reached."""

    patience: int  # S
    distance: int  # D
    reached: Reached
    reason: str  # why the crawl ended


def relevant_seeds(graph: Graph, count: int, seed: int) -> tuple[int, ...]:
    """At most `count` relevant pages to begin a crawl from, chosen at random."""
    return tuple(relevant_pages(graph, count, seed).tolist())


def try_patience_and_distance(graph: Graph, tuning: Tuning, tell: Tell = lambda doing: None) -> Iterator[Tried]:
    """Crawl once for every pair of S and D."""
    from exonym.models.links.link_model_file import load_link_model
    from exonym.simulation.engine.loop import simulate
    from exonym.strategies.segment.crawler import SegmentCrawler

    model = load_link_model(tuning.model) if tuning.model else None
    existing = int(np.count_nonzero(graph.relevant))
    for patience, distance in product(tuning.patiences, tuning.distances):
        tell(f"crawling with S {patience}, D {distance}")
        strategy = SegmentCrawler(patience, distance, tuning.threshold)
        if model is not None:
            strategy.use(model)
        run = simulate(graph, strategy, tuning.plan)
        reached = Reached(run.pages, int(np.count_nonzero(run.relevant & run.is_page)), existing)
        yield Tried(patience, distance, reached, run.reason)
