"""Larger site first (Baeza-Yates et al. 2005), a baseline that Somboonviwat et al. (2006) name."""

import numpy as np

from exonym.batches import Floats, Ids, Integers, LinkBatch, PageBatch
from exonym.strategies.base import Rule, State
from exonym.strategies.numbering import Numbering, grown


class LargerSiteFirst(Rule):
    """`larger-site-first`: links to the server with most pages known and not fetched first.

    A page is counted when the first link to it is found; a page whose first links are found in one batch (on two pages
    that were fetched at the same time) is not counted, nor is a seed.
    """

    def __init__(self) -> None:
        self._waiting = _Counts()
        self._recent: _Counts | None = None  # pages found since the last call of `link_updates`

    def meet(self, links: LinkBatch) -> Ids:
        is_new = links.found_relevant.astype(np.int64) + links.found_irrelevant == 1
        found = links.server[is_new]
        if self._recent is not None:
            self._recent.add(found, 1)
        return self._waiting.add(found, 1)

    def learn(self, pages: PageBatch) -> Ids:
        return self._waiting.add(pages.server, -1)

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))

    def rank(self, groups: Ids) -> Floats:
        return self._waiting.of(groups).astype(np.float64)

    def state(self) -> State:
        return self._waiting.state()

    def restore(self, state: State) -> None:
        self._waiting = _Counts()
        self.apply_link_updates(state)

    def link_updates(self) -> State:
        recent, self._recent = self._recent, _Counts()
        return recent.state() if recent is not None and len(recent) else {}

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            self.merge(updates)

    def merge(self, state: State) -> Ids:
        return self._waiting.add(state["ids"].astype(np.uint64), state["counts"].astype(np.int64))


class _Counts:
    """A whole number for each id, 0 at first."""

    def __init__(self) -> None:
        self._numbering = Numbering()
        self._counts = np.zeros(1, dtype=np.int64)  # the last stays 0, for unknown ids

    def __len__(self) -> int:
        return len(self._numbering)

    def add(self, ids: Ids, more: Integers | int) -> Ids:
        """Add `more` to the number of each id; the ids whose number changed."""
        rows = self._numbering.take(ids)
        self._counts = grown(self._counts, len(self) + 1)
        once = np.unique(rows)
        before = self._counts[once]
        np.add.at(self._counts, rows, more)
        return self._numbering.ids(once[before != self._counts[once]])

    def of(self, ids: Ids) -> Integers:
        """The number of each id."""
        return self._counts[self._numbering.of(ids)]

    def state(self) -> State:
        """The numbers as arrays."""
        return {"ids": self._numbering.all(), "counts": self._counts[: len(self)].copy()}
