"""Links between segments, and the scores of segments by equation 8 of the thesis.

score(y) = mean over the segments x that link to y of [mean relevance of x's pages · P_E of the links x → y].
P_E of several links is the mean of their P_E; or, with a model that pools links, the model's guess from the sum of
their readings and the present relevance degree of x.
`doubt` adds that many segments with the value 0 to the mean, so that a score grows with the number of sources.
All values are whole numbers, whose sums are the same in any order: probabilities in 65,536 steps, and relevances of
segments in 256, so that one more page in a large segment seldom changes the scores of all its targets.
"""

import numpy as np

from exonym.batches import Floats, Readings, Rows
from exonym.models.links.base import LinkModel, blank_reading
from exonym.models.links.features import STEPS as DEGREES
from exonym.models.links.features import steps_of
from exonym.strategies.base import State
from exonym.strategies.numbering import flattened, grown, numbers_for

WEIGHTS = 256
STEPS = 65_536
LEAST_RELEVANCE = 0.25 / WEIGHTS  # a smaller mean is rounded to 0
_LARGEST_READING = 1e6  # so that sums of whole numbers cannot overflow, whatever a model reads
_HALF_KEY = 32  # a pair of segments is one number: no crawl has four billion segments
NONE: Rows = np.empty(0, dtype=np.int64)


class SegmentLinks:
    """Pairs of segments between which links were found, by their numbers."""

    def __init__(self, doubt: float = 0.0, model: LinkModel | None = None) -> None:
        """`model`: one that pools links, if there is one."""
        self._doubt, self._model = doubt, model
        self.width = 2 + (blank_reading(model).shape[1] if model else 0)
        self._numbers: dict[int, int] = {}
        self._leaving: list[list[int]] = []  # for each segment, the pairs whose source it is
        self._ends = np.zeros((0, 2), dtype=np.int64)  # source and target
        # For each pair: sum of probabilities in steps, and number of links with one; sums of readings of the others.
        self._sums = np.zeros((0, self.width), dtype=np.int64)
        self._guesses = np.zeros(0, dtype=np.int64)  # for each pair, in steps
        self._degrees = np.zeros(0, dtype=np.int64)  # for each segment as a source, in the model's steps
        self._weights = np.zeros(0, dtype=np.int64)  # for each segment as a source
        # For each target: sum of the values of its pairs, and their number.
        self._totals = np.zeros((0, 2), dtype=np.int64)

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._weights, self._degrees = grown(self._weights, segments), grown(self._degrees, segments)
        self._totals = grown(self._totals, segments)
        self._leaving += [[] for _ in range(segments - len(self._leaving))]

    def add(self, ends: Rows, sums: Rows) -> Rows:
        """Add links between distinct pairs of segments; the pairs that are new."""
        before = len(self._numbers)
        keys = (ends[:, 0] << _HALF_KEY) | ends[:, 1]
        pairs = numbers_for(self._numbers, keys.tolist())
        count = len(self._numbers)
        self._ends, self._sums = grown(self._ends, count), grown(self._sums, count)
        self._guesses = grown(self._guesses, count)
        new = pairs >= before
        self._ends[pairs[new]] = ends[new]
        old = self._values(pairs)
        self._sums[pairs] += sums
        self._guess(pairs)
        for pair, source in zip(pairs[new].tolist(), ends[new, 0].tolist(), strict=True):
            self._leaving[source].append(pair)
        np.add.at(self._totals, ends[:, 1], np.column_stack([self._values(pairs) - old, new]))
        return pairs[new]

    def weigh(self, segments: Rows, relevances: Floats, degrees: Floats) -> Rows:
        """Set mean relevance and degree of distinct segments; the targets whose scores may have changed."""
        weights, steps = np.rint(relevances * WEIGHTS).astype(np.int64), steps_of(degrees)
        is_moved = (steps != self._degrees[segments]) & (self._model is not None)
        changed = is_moved | (weights != self._weights[segments])
        pairs = self.leaving(segments[changed])
        old = self._values(pairs)
        self._weights[segments[changed]], self._degrees[segments[is_moved]] = weights[changed], steps[is_moved]
        self._guess(self.leaving(segments[is_moved]))
        targets: Rows = self._ends[pairs, 1]
        np.add.at(self._totals[:, 0], targets, self._values(pairs) - old)
        return targets

    def _guess(self, pairs: Rows) -> None:
        """Compute P_E of pairs again."""
        steps, links = self._sums[pairs, :2].T
        guesses = (2 * steps + links) // np.maximum(2 * links, 1)  # their mean, rounded
        self._guesses[pairs] = guesses
        pairs = pairs[links == 0]
        if self._model is not None and len(pairs):
            degrees = self._degrees[self._ends[pairs, 0]] / DEGREES
            readings = (self._sums[pairs, 2:] / STEPS).astype(np.float32)
            self._guesses[pairs] = in_steps(self._model.probability(readings, degrees))

    def _values(self, pairs: Rows) -> Rows:
        values: Rows = self._weights[self._ends[pairs, 0]] * self._guesses[pairs]
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


def in_steps(probabilities: Floats) -> Rows:
    """Probabilities as whole numbers; what is no number counts as 0."""
    return np.rint(np.nan_to_num(np.clip(probabilities, 0.0, 1.0)) * STEPS).astype(np.int64)


def whole_readings(readings: Readings) -> Rows:
    """Readings as whole numbers, whose sums are the same in any order."""
    within = np.clip(np.nan_to_num(readings.astype(np.float64)), -_LARGEST_READING, _LARGEST_READING)
    return np.rint(within * STEPS).astype(np.int64)
