"""Distances of segments: the smallest number of irrelevant segments in a row that lead to a segment (rule D).

d(y) = the minimum, over the segments x that link to y, of 0 if x is relevant and d(x) + 1 if not, and at most D. For
each segment y, the segments that link to it are counted by the distance that they bring, so that a segment whose
relevance changes only updates the segments that depend on it. Distances that depend on a circle of links alone rise
to D.
"""

import numpy as np

from exonym.batches import Flags, Rows
from exonym.strategies.numbering import grown
from exonym.strategies.segment.segment_links import NONE, SegmentLinks

_FIRST_BROUGHT = 1  # by a segment of which no page is known yet


class SegmentDistances:
    """The distance of each segment, by its number, up to D."""

    def __init__(self, links: SegmentLinks, D: int) -> None:  # noqa: N803 (the thesis' letter)
        self._links = links
        self._most = D
        self._is_relevant = np.zeros(0, dtype=np.bool_)
        self._brought = np.zeros(0, dtype=np.int64)  # the distance that each segment brings to those that it links to
        self._counts = np.zeros((0, D + 1), dtype=np.int64)  # for each segment: how many others bring it 0, 1, … D

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._is_relevant = grown(self._is_relevant, segments)
        self._brought = grown(self._brought, segments, _FIRST_BROUGHT)
        self._counts = grown(self._counts, segments)

    def of(self, segments: Rows) -> Rows:
        """The distance of each segment, D at most; 0 if no segment links to it."""
        distances: Rows = np.argmax(self._counts[segments] > 0, axis=1)
        return distances

    def add(self, pairs: Rows) -> Rows:
        """Add new pairs of segments; the segments whose distance may have changed."""
        sources, targets = self._links.ends(pairs).T
        np.add.at(self._counts, (targets, self._brought[sources]), 1)
        return np.concatenate([targets, self._spread(targets)])

    def judge(self, segments: Rows, is_relevant: Flags) -> Rows:
        """Set which segments are relevant; the segments whose distance may have changed."""
        changed = self._is_relevant[segments] != is_relevant
        self._is_relevant[segments[changed]] = is_relevant[changed]
        return self._spread(segments[changed])

    def _spread(self, segments: Rows) -> Rows:
        """Update what segments bring, then what their targets bring, and so on; all targets that were reached."""
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
