"""Best first: links of relevant pages, a baseline of Suebchua's thesis (2014), or of relevant segments."""

import numpy as np

from exonym.batches import NO_ROW, Floats, Group, Ids, LinkBatch, Relevances, Rows
from exonym.strategies.base import Rule, State
from exonym.strategies.numbering import Numbering, grown

STEPS = 65_536  # of relevance: sums of whole numbers are the same in any order


class BestPage(Rule):
    """`best-page`: order by the relevance of the page on which a link was found."""

    facts = frozenset(["source_relevance"])

    def score(self, links: LinkBatch) -> Floats:
        return links.source_relevance.astype(np.float64)


class MeanSegment(Rule):
    """`mean-segment`: segments with the highest mean relevance of the segments that link to them first.

    The mean is over the links found into the segment, each with the relevance that its source segment had at that time.
    In a segment into which no link was found, only seeds wait: its mean is 1. Unlike `best-segment`, it drops no
    segment, and may leave a segment before all its known pages are fetched.
    """

    group = Group.SEGMENT
    needs = frozenset(["segment_relevance"])

    def __init__(self) -> None:
        self._means = Means(otherwise=1.0)
        self._recent: Means | None = None  # of the links met since the last call of `link_updates`

    def meet(self, links: LinkBatch) -> Ids:
        assert links.segment_relevance is not None
        has_source = links.source != NO_ROW  # seeds are added with every restart, and would count each time
        segments, relevances = links.segment[has_source], links.segment_relevance[has_source]
        if self._recent is not None:
            self._recent.add(segments, relevances)
        return self._means.add(segments, relevances)

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))

    def rank(self, groups: Ids) -> Floats:
        return self._means.of(groups)

    def state(self) -> State:
        return self._means.state()

    def restore(self, state: State) -> None:
        self._means.restore(state)

    def link_updates(self) -> State:
        recent, self._recent = self._recent, Means()
        return {} if recent is None or not len(recent) else recent.state()

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            self._means.merge(updates)

    def merge(self, state: State) -> Ids:
        return self._means.merge(state)


class Means:
    """The exact mean relevance of each id, independent of the order and the batches in which relevances are added."""

    def __init__(self, otherwise: float = 0.0) -> None:
        self._otherwise = otherwise  # the mean of nothing
        self._numbering = Numbering()
        # A row for each id: sum of its relevances in steps, and their number. The last row stays 0, for unknown ids.
        self._sums = np.zeros((1, 2), dtype=np.int64)

    def add(self, ids: Ids, relevances: Relevances) -> Ids:
        """Add one relevance to each id; the ids whose mean changed."""
        once, places = np.unique(ids, return_inverse=True)
        rows = self._rows_for(once)
        before = self._mean(self._sums[rows])
        steps = np.rint(relevances.astype(np.float64) * STEPS)
        self._sums[rows, 0] += np.bincount(places, steps, len(once)).astype(np.int64)
        self._sums[rows, 1] += np.bincount(places, minlength=len(once))
        changed: Ids = once[before != self._mean(self._sums[rows])]
        return changed

    def _rows_for(self, ids: Ids) -> Rows:
        rows = self._numbering.take(ids)
        self._sums = grown(self._sums, len(self._numbering) + 1)
        return rows

    def of(self, ids: Ids) -> Floats:
        """The mean of each id."""
        return self._mean(self._sums[self._numbering.of(ids)])

    def _mean(self, sums: Rows) -> Floats:
        means: Floats = sums[:, 0] / (STEPS * np.maximum(sums[:, 1], 1))
        return np.where(sums[:, 1] == 0, self._otherwise, means)

    def __len__(self) -> int:
        return len(self._numbering)

    def merge(self, state: State) -> Ids:
        """Add the sums of other means, as their `state` gives them; the ids whose mean changed."""
        ids: Ids = state["ids"].astype(np.uint64)
        rows = self._rows_for(ids)
        before = self._mean(self._sums[rows])
        self._sums[rows] += state["sums"].astype(np.int64).reshape(-1, 2)
        changed: Ids = ids[before != self._mean(self._sums[rows])]
        return changed

    def state(self) -> State:
        """The sums as arrays."""
        return {"ids": self._numbering.all(), "sums": self._sums[: len(self._numbering)].copy()}

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._numbering = Numbering(state["ids"].tolist())
        self._sums = np.concatenate([state["sums"].astype(np.int64).reshape(-1, 2), np.zeros((1, 2), dtype=np.int64)])
