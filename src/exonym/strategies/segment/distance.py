"""How many irrelevant segments in a row lead to a segment, at the least: rule D of the thesis.

d(y) = the least, over the segments x that link to y, of 0 if x is relevant and d(x) + 1 if not. From D on nothing is
told apart. Of each segment it is counted how many of those that link to it bring which distance, so that a segment
that turns relevant, or irrelevant, moves only what hangs on it. Distances that only a circle of links would hold up
run up to D.
"""

import numpy as np

from exonym.batches import Flags, Rows
from exonym.strategies.numbering import grown
from exonym.strategies.segment.links import NONE, SegmentLinks

_FIRST_BROUGHT = 1  # by a segment of which nothing is known yet


class SegmentDistances:
    """The distance of each segment, by its number, up to D."""

    def __init__(self, links: SegmentLinks, D: int) -> None:  # noqa: N803 (the thesis' letter)
        self._links = links
        self._most = D
        self._is_relevant = np.zeros(0, dtype=np.bool_)
        self._brought = np.zeros(0, dtype=np.int64)  # by each segment to what it links to
        self._counts = np.zeros((0, D + 1), dtype=np.int64)  # of each segment: how many bring 0, 1, … D

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._is_relevant = grown(self._is_relevant, segments)
        self._brought = grown(self._brought, segments, _FIRST_BROUGHT)
        self._counts = grown(self._counts, segments)

    def of(self, segments: Rows) -> Rows:
        """Of each segment; 0 where nothing links to it, D where it is that or more."""
        distances: Rows = np.argmax(self._counts[segments] > 0, axis=1)
        return distances

    def add(self, pairs: Rows) -> Rows:
        """Take in new pairs of segments; those whose distance may have changed."""
        sources, targets = self._links.ends(pairs).T
        np.add.at(self._counts, (targets, self._brought[sources]), 1)
        return np.concatenate([targets, self._spread(targets)])

    def judge(self, segments: Rows, is_relevant: Flags) -> Rows:
        """Say which segments are relevant now; those whose distance may have changed."""
        changed = self._is_relevant[segments] != is_relevant
        self._is_relevant[segments[changed]] = is_relevant[changed]
        return self._spread(segments[changed])

    def _spread(self, segments: Rows) -> Rows:
        """Let what segments bring follow from their own distances, and so on; all that were reached."""
        reached = [NONE]
        while len(segments):
            segments = np.unique(segments)
            brings = np.where(self._is_relevant[segments], 0, np.minimum(self.of(segments) + 1, self._most))
            changed = brings != self._brought[segments]
            segments, brings = segments[changed], brings[changed]
            pairs = self._links.leaving(segments)
            sources, targets = self._links.ends(pairs).T
            np.subtract.at(self._counts, (targets, self._brought[sources]), 1)
            self._brought[segments] = brings
            np.add.at(self._counts, (targets, self._brought[sources]), 1)
            reached.append(targets)
            segments = targets
        return np.concatenate(reached)
