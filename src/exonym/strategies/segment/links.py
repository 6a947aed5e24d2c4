"""Which segment links to which, and how well the links speak for their targets: scores by equation 8 of the thesis.

score(y) = mean over the segments x that link to y of [mean relevance of x's pages · mean P_E of the links x → y].
With doubt, as many more that say nothing are added to those that link: then it counts how many agree.
All is kept in whole numbers, whose sums are the same in any order: relevances of segments in 256 steps, so that one
more page in a large segment seldom moves all that it links to, probabilities in 65,536.
"""

import numpy as np

from exonym.batches import Floats, Rows
from exonym.strategies.base import State
from exonym.strategies.numbering import flattened, grown, numbers_for

WEIGHTS = 256
STEPS = 65_536
LEAST_RELEVANCE = 0.25 / WEIGHTS  # the mean of less is rounded to nothing
_HALF_KEY = 32  # a pair of segments is one number: no crawl has four thousand million segments
NONE: Rows = np.empty(0, dtype=np.int64)


class SegmentLinks:
    """Pairs of segments between which links were found, by their numbers."""

    def __init__(self, doubt: float = 0.0) -> None:
        self._doubt = doubt
        self._numbers: dict[int, int] = {}
        self._leaving: list[list[int]] = []  # of each segment, the pairs that it is the source of
        self._ends = np.zeros((0, 2), dtype=np.int64)  # source and target
        self._sums = np.zeros((0, 2), dtype=np.int64)  # probabilities in steps, and how many links they are of
        self._weights = np.zeros(0, dtype=np.int64)  # of each segment as a source
        self._totals = np.zeros((0, 2), dtype=np.int64)  # of each target: values of its pairs, and how many pairs

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._weights = grown(self._weights, segments)
        self._totals = grown(self._totals, segments)
        self._leaving += [[] for _ in range(segments - len(self._leaving))]

    def add(self, ends: Rows, sums: Rows) -> Rows:
        """Add links, no pair of ends twice; the pairs that are new."""
        before = len(self._numbers)
        pairs = self._pairs(ends)
        old = self._values(pairs)
        self._sums[pairs] += sums
        new = pairs >= before
        for pair, source in zip(pairs[new].tolist(), ends[new, 0].tolist(), strict=True):
            self._leaving[source].append(pair)
        np.add.at(self._totals, ends[:, 1], np.column_stack([self._values(pairs) - old, new]))
        return pairs[new]

    def _pairs(self, ends: Rows) -> Rows:
        known, before = self._numbers, len(self._numbers)
        keys = (ends[:, 0] << _HALF_KEY) | ends[:, 1]
        pairs = numbers_for(known, keys.tolist())
        self._ends, self._sums = grown(self._ends, len(known)), grown(self._sums, len(known))
        new = pairs >= before
        self._ends[pairs[new]] = ends[new]
        return pairs

    def weigh(self, segments: Rows, relevances: Floats) -> Rows:
        """Give segments, none twice, the mean relevance of their pages; the targets whose scores may have changed."""
        weights = np.rint(relevances * WEIGHTS).astype(np.int64)
        changed = weights != self._weights[segments]
        pairs = self.leaving(segments[changed])
        old = self._values(pairs)
        self._weights[segments[changed]] = weights[changed]
        targets: Rows = self._ends[pairs, 1]
        np.add.at(self._totals[:, 0], targets, self._values(pairs) - old)
        return targets

    def _values(self, pairs: Rows) -> Rows:
        steps, links = self._sums[pairs].T
        guesses = (2 * steps + links) // np.maximum(2 * links, 1)  # their mean, rounded
        values: Rows = self._weights[self._ends[pairs, 0]] * guesses
        return values

    def leaving(self, segments: Rows) -> Rows:
        """All pairs with these sources."""
        return flattened([self._leaving[segment] for segment in segments.tolist()])

    def ends(self, pairs: Rows) -> Rows:
        """Source and target of pairs."""
        return self._ends[pairs]

    def scores(self, segments: Rows) -> Floats:
        """Of each segment, 0 to 1; 1 where no link is known."""
        values, pairs = self._totals[segments].T
        scores: Floats = values / (WEIGHTS * STEPS * (np.maximum(pairs, 1) + self._doubt))
        return np.where(pairs == 0, 1.0, scores)

    def state(self) -> State:
        """All links as arrays; weights are for the owner to give again."""
        count = len(self._numbers)
        return {"ends": self._ends[:count].copy(), "sums": self._sums[:count].copy()}
