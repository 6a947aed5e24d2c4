"""From which relevance degree on a segment is best called relevant: the search of Suebchua's thesis (§5.2, Table 3).

From the pages that link to relevant ones, only links into segments whose true degree in the graph is that degree or
more are followed. This oracle shows what would be lost and gained if segments could be predicted without error. The
pages that it begins from count only if such a link leads to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags
from exonym.errors import ConfigError
from exonym.metrics import coverage_of, harvest_of
from exonym.training.links.link_examples import Gathering, GraphPart, degrees_of, part_of
from exonym.webgraph.graph import Graph

THRESHOLDS = (0.25, 0.5, 0.75, 1.0)  # those of the thesis


class Reached(NamedTuple):
    """The pages and relevant pages that a crawl fetched."""

    fetched: int
    relevant: int  # of these
    existing: int  # relevant pages that there are

    @property
    def harvest(self) -> float:
        """The share of relevant pages among those fetched."""
        return harvest_of(self.relevant, self.fetched)

    @property
    def coverage(self) -> float:
        """The share of relevant pages that was fetched."""
        return coverage_of(self.relevant, self.existing)

    @property
    def shares(self) -> tuple[float, float, float]:
        """Harvest rate, coverage and F-measure."""
        return self.harvest, self.coverage, self.f_measure

    @property
    def f_measure(self) -> float:
        """The thesis' equation 10: the harmonic mean of both.

        >>> round(Reached(200, 100, 100).f_measure, 4)  # 2 · 0.5 · 1 / 1.5
        0.6667
        """
        both = self.harvest + self.coverage
        return 2 * self.harvest * self.coverage / both if both else 0.0


def reached_from(graph: Graph, begin: Flags, allowed: Flags) -> Flags:
    """The allowed nodes that links lead to from `begin`, by way of allowed ones."""
    targets, counts = np.asarray(graph.targets), np.diff(graph.offsets)
    reached, edge = np.zeros(len(graph), np.bool_), begin
    while edge.any():
        ahead: Flags = np.zeros(len(graph), np.bool_)
        ahead[targets[np.repeat(edge, counts)]] = True
        ahead &= allowed & ~reached
        reached |= ahead
        edge = ahead & ~begin  # the links of `begin` have been followed
    return reached


def search_thresholds(graph: Graph, gathering: Gathering, thresholds: Sequence[float]) -> list[Reached]:
    """What is reached for each threshold."""
    return reached_in(graph, part_of(graph, gathering), thresholds)


def reached_in(graph: Graph, part: GraphPart, thresholds: Sequence[float]) -> list[Reached]:
    """What is reached for each threshold in a part of a graph."""
    for threshold in thresholds:
        if not 0 < threshold <= 1:
            raise ConfigError(f"--threshold must be above 0 and at most 1, got {threshold:g}.")
    degrees = np.nan_to_num(degrees_of(graph, part.pages))[np.asarray(graph.segment)]
    existing = int(np.count_nonzero(part.pages & graph.relevant))
    results = []
    for threshold in thresholds:
        fetched = reached_from(graph, part.back_links, part.pages & (degrees >= threshold))
        results.append(Reached(int(fetched.sum()), int(np.count_nonzero(fetched & graph.relevant)), existing))
    return results
