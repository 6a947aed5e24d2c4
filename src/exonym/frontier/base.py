"""What a frontier promises, and the few rules that all of them share.

The only order is `rank(group) + score(link)`, higher first, ties by arrival. Scores are rounded
down to levels of 1/128, so that links of one group and level form a plain queue.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Floats, Ids, LinkBatch, Visit

Levels = NDArray[np.int16]

LEVELS_PER_UNIT = 128
NOT_FOLLOWED = -32_768  # known, counted, never queued
VISITED = 32_767  # no score can be better: a visited URL is never queued again
LARGEST_LEVEL = VISITED - 1
LARGEST_COUNT = 15


class Frontier(Protocol):
    """The links known and not yet visited, in the order of the strategy."""

    def meet(self, links: LinkBatch) -> LinkBatch:
        """Count that these links were found; the same links with their counters as of now."""

    def push(self, links: LinkBatch, scores: Floats, notes: Ids, ranks: Floats) -> int:
        """Queue what is new, or now better than it was; NaN is not followed. How many were queued."""

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        """Move whole groups; NaN drops all that waits there (found again, it may be queued again)."""

    def pop(self, park: bool = False) -> Visit | None:
        """The best waiting link whose server is not parked; it is in flight until `done` or `put_back`.

        With `park` its server is parked in the same step.
        """

    def put_back(self, visit: Visit) -> None:
        """Return a visit that was not made: it waits again in its old place, unless its group was dropped since."""

    def done(self, visit: Visit) -> None:
        """The visit was made: its URL is never queued again."""

    def park(self, server: int) -> None:
        """Nothing of this server is popped until it is released."""

    def release(self, server: int) -> None:
        """Let a parked server take part again."""

    def __len__(self) -> int:
        """How many URLs wait."""


def level_of(scores: Floats) -> Levels:
    """Scores rounded down to levels; NaN becomes NOT_FOLLOWED."""
    lowest = NOT_FOLLOWED + 1
    levels = np.clip(np.floor(scores * LEVELS_PER_UNIT), lowest, LARGEST_LEVEL)
    return np.where(np.isnan(levels), NOT_FOLLOWED, levels).astype(np.int16)


def priority_of(rank: float, level: int) -> float:
    """What a waiting link is ordered by."""
    return rank + level / LEVELS_PER_UNIT


def found_counts(links: LinkBatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each link counts as found on a relevant and on an irrelevant page; seeds on none."""
    found = links.source >= 0
    return (found & links.source_relevant).astype(np.int64), (found & ~links.source_relevant).astype(np.int64)


def best_of_each(urls: Ids, levels: Levels, candidates: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of the candidates, the best and earliest position for each URL, in the order of arrival."""
    order = candidates[np.lexsort((candidates, -levels[candidates].astype(np.int32), urls[candidates]))]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = urls[order][1:] != urls[order][:-1]
    return np.sort(order[first])


def saturated(counts: NDArray[np.int64]) -> Counters:
    """Counters stop at LARGEST_COUNT: they say none, few or many."""
    return np.minimum(counts, LARGEST_COUNT).astype(np.uint8)
