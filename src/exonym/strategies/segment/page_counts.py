"""Counts of the pages fetched from each segment, and which segments had S irrelevant pages in a row."""

import numpy as np

from exonym.batches import Flags, Floats, Outcome, PageBatch, Rows
from exonym.strategies.base import State
from exonym.strategies.best_first import STEPS
from exonym.strategies.numbering import grown

FETCHED, PAGES, RELEVANT, RELEVANCE, IN_A_ROW, DROPPED = range(6)


class SegmentPages:
    """The counts of each segment, by its number."""

    def __init__(self, S: int) -> None:  # noqa: N803 (the thesis' letter)
        self._most_in_a_row = S
        self._counts = np.zeros((0, 6), dtype=np.int64)

    def make_room(self, segments: int) -> None:
        """Make room for `segments` rows."""
        self._counts = grown(self._counts, segments)

    def add(self, segments: Rows, pages: PageBatch) -> None:
        """Count downloads, in the order in which the strategy learns them."""
        there = pages.outcome == Outcome.PAGE
        steps = np.rint(pages.relevance.astype(np.float64) * STEPS).astype(np.int64)
        ones = np.ones(len(pages), dtype=np.int64)
        counted = np.column_stack([ones, there, there & pages.relevant, np.where(there, steps, 0)])
        np.add.at(self._counts[:, :IN_A_ROW], segments, counted)
        rows = self._counts
        for segment, is_relevant in zip(segments.tolist(), (there & pages.relevant).tolist(), strict=True):
            in_a_row = 0 if is_relevant else int(rows[segment, IN_A_ROW]) + 1
            rows[segment, IN_A_ROW] = in_a_row
            if in_a_row >= self._most_in_a_row:
                rows[segment, DROPPED] = 1

    def relevances(self, segments: Rows) -> Floats:
        """The mean relevance of the pages of each segment; 0 if it has none."""
        counts = self._counts[segments]
        means: Floats = counts[:, RELEVANCE] / (STEPS * np.maximum(counts[:, PAGES], 1))
        return means

    def degrees(self, segments: Rows) -> Floats:
        """The relevance degree of each segment, relevant pages / pages; 0 if it has none."""
        counts = self._counts[segments]
        degrees: Floats = counts[:, RELEVANT] / np.maximum(counts[:, PAGES], 1)
        return degrees

    def are_relevant(self, segments: Rows, threshold: float) -> Flags:
        """Whether the relevance degree of each segment reaches the threshold."""
        counts = self._counts[segments]
        reach: Flags = (counts[:, PAGES] > 0) & (counts[:, RELEVANT] >= threshold * counts[:, PAGES])
        return reach

    def are_begun(self, segments: Rows) -> Flags:
        """Whether anything was fetched from each segment."""
        begun: Flags = self._counts[segments, FETCHED] > 0
        return begun

    def are_dropped(self, segments: Rows) -> Flags:
        """Whether each segment had S irrelevant pages in a row."""
        dropped: Flags = self._counts[segments, DROPPED] > 0
        return dropped

    def fetched(self, segments: Rows) -> Rows:
        """For each segment, the number of fetches (failures included), and of relevant pages."""
        return self._counts[segments][:, [FETCHED, RELEVANT]]

    def state(self, segments: int) -> State:
        """The counts as an array."""
        return {"pages": self._counts[:segments].copy()}

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._counts = state["pages"].astype(np.int64).reshape(-1, 6)
