"""Counts of the pages fetched from each segment, and which segments had S irrelevant pages in a row.

On a cluster they are of two kinds: own pages, and those of other partitions, which `add_foreign` counts.
"""

import numpy as np

from exonym.batches import Flags, Floats, Outcome, PageBatch, Rows
from exonym.strategies.base import State
from exonym.strategies.best_first import STEPS
from exonym.strategies.numbering import Numbering, grown

FETCHED, PAGES, RELEVANT, RELEVANCE, IN_A_ROW, DROPPED = range(6)
_NO_ROWS: Rows = np.empty(0, dtype=np.int64)


class SegmentPages:
    """The counts of each segment, by its number."""

    def __init__(self, S: int) -> None:  # noqa: N803 (the thesis' letter)
        self._most_in_a_row = S
        self._counts = np.zeros((0, 6), dtype=np.int64)
        self._foreign = np.zeros((0, 6), dtype=np.int64)  # the part of the counts that other partitions told
        self._told = np.zeros((0, 6), dtype=np.int64)  # the part of our own that others were told
        self._touched: list[Rows] | None = None  # segments counted since then; None: others are told nothing

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
        if self._touched is not None:
            self._touched.append(segments)
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
        """Our own counts as an array."""
        own = self._counts[:segments].copy()
        own[: len(self._foreign)] -= self._foreign[:segments]
        return {"pages": own}

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._counts = state["pages"].astype(np.int64).reshape(-1, 6)

    def merge(self, segments: Rows, state: State) -> None:
        """Add the pages of distinct segments that another copy counted, as if they had come after ours."""
        other = state["pages"].astype(np.int64).reshape(-1, 6)
        own = self._counts[segments]
        in_a_row = np.where(other[:, RELEVANT] > 0, 0, own[:, IN_A_ROW]) + other[:, IN_A_ROW]
        merged = own + other
        merged[:, IN_A_ROW] = in_a_row
        merged[:, DROPPED] = (merged[:, DROPPED] > 0) | (in_a_row >= self._most_in_a_row)
        self._counts[segments] = merged
        if self._touched is not None:
            self._touched.append(segments)

    def differences(self, numbering: Numbering, everything: bool) -> State:
        """The segments whose own counts grew since the previous call, and by how much; or all that have own counts."""
        segments = len(numbering)
        is_first, touched = self._touched is None, self._touched or []
        rows = np.arange(segments) if everything or is_first else np.unique(np.concatenate([_NO_ROWS, *touched]))
        self._foreign, self._told = grown(self._foreign, segments), grown(self._told, segments)
        own = self._counts[rows] - self._foreign[rows]
        own[:, IN_A_ROW] = 0  # matters only to the partition that fetches the pages
        grew = own if everything else own - self._told[rows]
        if not everything:
            self._touched, self._told[rows] = [], own
        changed = grew.any(axis=1) & (everything or not is_first)
        return {"ids": numbering.ids(rows[changed]), "pages": grew[changed]} if changed.any() else {}

    def add_foreign(self, segments: Rows, counts: Rows) -> None:
        """Count the pages of distinct segments that another partition fetched."""
        self._foreign = grown(self._foreign, len(self._counts))
        self._foreign[segments] += counts
        self._counts[segments] += counts
