"""Counts of pages and links, for each server or segment, and the facts that follow from them."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids, Integers
from exonym.strategies.adaptive.facts import segment_facts, server_facts
from exonym.strategies.base import State
from exonym.strategies.numbering import Numbering, grown

_FEW = 4  # groups, whose facts are faster looked up one by one


class GroupCounts:
    """Some counts of each group; a group that was never counted has no facts."""

    columns: int
    facts_of: Callable[..., Integers]  # makes the facts of groups from so many columns of counts
    facts_of_one: Callable[..., int]  # the same of single numbers

    def __init__(self) -> None:
        self._numbering = Numbering()
        self._counts: NDArray[np.int64] = np.zeros((0, self.columns), dtype=np.int64)
        # What `facts_of` gives, computed when a count changes, as links ask for it much more often. The last row is
        # that of all groups that were never counted.
        self._facts: Integers = np.zeros(1, dtype=np.int64)

    def facts(self, groups: Ids) -> Integers:
        """The facts of each group."""
        return self._facts[self._numbering.of(groups)]

    def add(self, groups: Ids, counts: NDArray[np.int64]) -> None:
        """Add a row of counts to each group; a group may be named again."""
        if not len(groups):
            return
        rows = self._numbering.take(groups)
        size = len(self._numbering)
        self._counts, self._facts = grown(self._counts, size), grown(self._facts, size + 1)
        np.add.at(self._counts, rows, counts)
        if len(rows) > _FEW:
            self._facts[rows] = self.facts_of(*self._counts[rows].T)
            return
        for row, counted in zip(rows.tolist(), self._counts[rows].tolist(), strict=True):
            self._facts[row] = self.facts_of_one(*counted)

    def state(self) -> State:
        """The counts as arrays."""
        return {"ids": self._numbering.all(), "counts": self._counts[: len(self._numbering)].copy()}

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self.__init__()  # type: ignore[misc]
        self.merge(state)

    def merge(self, state: State) -> None:
        """Add the counts of another copy, as its `state` gives them."""
        self.add(state["ids"].astype(np.uint64), state["counts"].astype(np.int64).reshape(-1, self.columns))


class ServerCounts(GroupCounts):
    """Of servers: pages, relevant pages, failed requests; links on relevant and on other pages of other servers."""

    columns = 5
    facts_of = staticmethod(server_facts)
    facts_of_one = staticmethod(lru_cache(maxsize=16_384)(server_facts))


class SegmentCounts(GroupCounts):
    """Pages and relevant pages of segments."""

    columns = 2
    facts_of = staticmethod(segment_facts)
    facts_of_one = staticmethod(lru_cache(maxsize=4_096)(segment_facts))
