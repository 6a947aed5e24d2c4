"""Links between segments, and the scores of segments by equation 8 of the thesis.

score(y) = mean over the segments x that link to y of [mean relevance of x's pages · mean P_E of the links x → y].
`doubt` adds that many segments with the value 0 to the mean, so that a score grows with the number of sources.
All values are whole numbers, whose sums are the same in any order: probabilities in 65,536 steps, and relevances of
segments in 256, so that one more page in a large segment seldom changes the scores of all its targets.
"""

import numpy as np

from exonym.batches import Floats, Rows
from exonym.strategies.base import State
from exonym.strategies.numbering import flattened, grown, numbers_for

WEIGHTS = 256
STEPS = 65_536
LEAST_RELEVANCE = 0.25 / WEIGHTS  # a smaller mean is rounded to 0
_HALF_KEY = 32  # a pair of segments is one number: no crawl has four billion segments
NONE: Rows = np.empty(0, dtype=np.int64)


class SegmentLinks:
    """Pairs of segments between which links were found, by their numbers."""

    def __init__(self, doubt: float = 0.0) -> None:
        self._doubt = doubt
        self._numbers: dict[int, int] = {}
        self._leaving: list[list[int]] = []  # for each segment, the pairs whose source it is
        self._ends = np.zeros((0, 2), dtype=np.int64)  # source and target
        # For each pair: sum of probabilities in steps, and number of links.
        self._sums = np.zeros((0, 2), dtype=np.int64)
        self._weights = np.zeros(0, dtype=np.int64)  # for each segment as a source
        # For each target: sum of the values of its pairs, and their number.
        self._totals = np.zeros((0, 2), dtype=np.int64)

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._weights = grown(self._weights, segments)
        self._totals = grown(self._totals, segments)
        self._leaving += [[] for _ in range(segments - len(self._leaving))]

    def add(self, ends: Rows, sums: Rows) -> Rows:
        """Add links between distinct pairs of segments; the pairs that are new."""
        before = len(self._numbers)
        keys = (ends[:, 0] << _HALF_KEY) | ends[:, 1]
        pairs = numbers_for(self._numbers, keys.tolist())
        count = len(self._numbers)
        self._ends, self._sums = grown(self._ends, count), grown(self._sums, count)
        new = pairs >= before
        self._ends[pairs[new]] = ends[new]
        old = self._values(pairs)
        self._sums[pairs] += sums
        for pair, source in zip(pairs[new].tolist(), ends[new, 0].tolist(), strict=True):
            self._leaving[source].append(pair)
        np.add.at(self._totals, ends[:, 1], np.column_stack([self._values(pairs) - old, new]))
        return pairs[new]

    def weigh(self, segments: Rows, relevances: Floats) -> Rows:
        """Set the mean relevance of distinct segments; the targets whose scores may have changed."""
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
        """The score of each segment, 0 to 1; 1 if no link to it is known."""
        values, pairs = self._totals[segments].T
        scores: Floats = values / (WEIGHTS * STEPS * (np.maximum(pairs, 1) + self._doubt))
        return np.where(pairs == 0, 1.0, scores)

    def state(self) -> State:
        """All links as arrays; after a restart, the owner calls `weigh` again."""
        count = len(self._numbers)
        return {"ends": self._ends[:count].copy(), "sums": self._sums[:count].copy()}
