"""Compares a graph with Figures 2 and 3 of the paper on the Thai web, of which the text has only the shapes.

Each row is a sentence of the paper as a number, and holds or does not. Where the paper has a word and no number, as in
"most", nothing is given as published.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Integers
from exonym.published import thai_web
from exonym.report.table import share
from exonym.webgraph.analyses.link_parts import fetched_pages, relevant_pages
from exonym.webgraph.analyses.nearest_relevant import find_nearest_relevant
from exonym.webgraph.analyses.search import NEVER, LinkRows, SearchLevels
from exonym.webgraph.graph import Graph

_MOST = 0.5
_UNCHANGED = 0.005  # half a point could not be seen in the figure
_NEARLY_ALL = 0.98
_STRAIGHT = 0.95  # a tail that falls by equal numbers, 9, 8 … 1, has 0.91
_FEWEST = 3  # distances: a straight line fits any two


@dataclass(frozen=True, slots=True)
class CheckedShape:
    """A sentence about a figure as a number; None where the paper has no number, or the graph nothing to count."""

    name: str
    published: float | None
    generated: float | None
    holds: bool | None

    @property
    def difference(self) -> float | None:
        """Generated less published."""
        if self.generated is None or self.published is None:
            return None
        return self.generated - self.published


def shapes_of(graph: Graph, levels: SearchLevels | None) -> Iterator[CheckedShape]:
    """The rows of both figures; `levels` are the distances from the seeds, None without seeds."""
    relevant = relevant_pages(graph)
    yield from _seed_distance_rows(fetched_pages(graph), relevant, levels)
    distances = find_nearest_relevant(LinkRows(graph.offsets, graph.targets), relevant).distance[relevant]
    yield from _nearest_relevant_rows(np.bincount(distances, minlength=2))


def _seed_distance_rows(fetched: Flags, relevant: Flags, levels: SearchLevels | None) -> Iterator[CheckedShape]:
    """Figure 2: "decreases while going farther from seeds", "unchanging after distance=7", where the crawl ended."""
    radius = thai_web.CRAWL_RADIUS
    falls = within = change = None
    if levels is not None and np.any(levels[fetched] != NEVER):
        pages, found = (np.cumsum(np.bincount(levels[kind & (levels != NEVER)])) for kind in (fetched, relevant))
        found = np.pad(found, (0, len(pages) - len(found)), mode="edge" if len(found) else "constant")
        ratios = found / pages
        falls = int(np.count_nonzero(np.diff(ratios[: radius + 1]) < 0))
        within = share(int(pages[: radius + 1][-1]), int(np.count_nonzero(fetched)))
        change = float(ratios[: radius + 1][-1] - ratios[-1])
    name = f"Figure 2: distances up to {radius} at which the ratio falls"
    yield CheckedShape(name, radius, falls, None if falls is None else falls == radius)
    name = f"Figure 2: ratio within distance {radius} less ratio of all"
    yield CheckedShape(name, 0.0, change, None if change is None else abs(change) <= _UNCHANGED)
    name = f"Figure 2: pages within distance {radius} of the seeds"
    yield CheckedShape(name, 1.0, within, None if within is None else within >= _NEARLY_ALL)


def _nearest_relevant_rows(counts: Integers) -> Iterator[CheckedShape]:
    """Figure 3: "most … are linked directly", "exponentially decreases", "the farthest Thai page is at distance 10".

    `counts` are the relevant pages by distance; those at 0 have no way from another relevant page.
    """
    farthest = thai_web.FARTHEST
    linked = share(int(counts[1]), int(counts.sum()))
    is_empty = linked is None
    holds = None if linked is None else linked > _MOST
    yield CheckedShape("Figure 3: Thai pages at distance 1 (most)", None, linked, holds)
    found = None if is_empty else int(np.flatnonzero(counts[1:]).max(initial=-1)) + 1
    name = "Figure 3: distance of the farthest Thai page"
    yield CheckedShape(name, farthest, found, None if is_empty else found == farthest)
    tail = np.pad(counts[1 : farthest + 1], (0, max(0, farthest + 1 - len(counts))))
    falls = None if is_empty else int(np.count_nonzero((tail[1:] > 0) & (tail[1:] <= tail[:-1])))
    name = f"Figure 3: distances 2 to {farthest} without a rise or a gap"
    yield CheckedShape(name, farthest - 1, falls, None if is_empty else falls == farthest - 1)
    factor, straightness = _line_through(tail[1:])
    name = "Figure 3: fall from one distance to the next, from 2 on"
    yield CheckedShape(name, None, factor, None if is_empty else factor is not None and factor < 1)
    name = "Figure 3: fit of an exponential to the fall (r²)"
    yield CheckedShape(name, 1.0, straightness, None if is_empty else (straightness or 0.0) >= _STRAIGHT)


def _line_through(counts: Integers) -> tuple[float | None, float | None]:
    """The factor by which counts change from one distance to the next, by least squares, and how well it fits (r²)."""
    at = np.flatnonzero(counts)
    logarithms: NDArray[np.float64] = np.log(counts[at])
    if len(at) < _FEWEST:
        return None, None
    slope = np.polyfit(at, logarithms, 1)[0]
    spread = float(np.var(logarithms))
    return float(np.exp(slope)), float(slope**2 * np.var(at) / spread) if spread else 0.0
