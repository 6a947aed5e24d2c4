"""Learned scores: the sum of weights that are looked up by pairs of facts, corrected after every fetched page.

The sum is the logarithm of the odds that a link leads to a relevant page (logistic regression over the cells of
`PairTables`). Each fetched page moves the weights of the cells in which its link was when it was chosen, by steps that
shrink with all that a cell has seen (AdaGrad, Duchi et al. 2011). A pair of facts, rather than each alone, is the
smallest model that knows that an irrelevant home page means little on a server that is new.

Weights are whole numbers of 2⁻³², so that sums are the same in any order: on one machine, on a cluster, and in a
compiled simulation.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exonym.batches import NO_ROW, Flags, Floats, Ids, Integers, LinkBatch, Outcome, PageBatch, WaitingBatch
from exonym.strategies.adaptive.facts import (
    IS_NOTED,
    NOW_MASK,
    PairTables,
    domain_class,
    facts_of_source,
    found_facts,
    segment_facts,
    server_facts,
)
from exonym.strategies.adaptive.odds import STEPS_PER_UNIT, corrected, error_of, square_of, steps_of
from exonym.strategies.base import NO_GROUPS, Rule, State, Tally, is_download

SEED_SCORE = 128.0  # above all others: seeds were chosen by hand


class Additive(Rule):
    """A strategy whose scores are sums of learned weights; a subclass names the pairs of facts."""

    needs = frozenset(["domain", "source_note", "anchor_language"])
    may_lack = frozenset(["anchor_language"])
    learns_in_order = True
    pairs: Sequence[tuple[str, str]] = ()

    def __init__(self) -> None:
        self.tables = PairTables(self.pairs)
        cells = self.tables.cells
        self.weights: Integers = np.zeros(cells, dtype=np.int64)
        self.seen: Integers = np.zeros(cells, dtype=np.int64)  # the sum of squared errors of each cell
        # What this copy learned itself: of it, `weights` and `seen` also have what other copies told.
        self._own: NDArray[np.int64] = np.zeros((2, cells), dtype=np.int64)
        self._told: NDArray[np.int64] | None = None  # `_own` at the last call of `differences`
        self._servers, self._segments, self._failed = Tally(), Tally(), Tally()
        self._noted: tuple[LinkBatch, Integers] | None = None

    # Scores

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source == NO_ROW, SEED_SCORE, self._scores(self._notes(links)))

    def note(self, links: LinkBatch) -> Ids:
        return self._notes(links).astype(np.uint64)

    def again(self, waiting: WaitingBatch) -> tuple[Floats, Ids]:
        notes = waiting.note.astype(np.int64) & ~NOW_MASK | self._facts_now(waiting)
        return self._scores(notes), notes.astype(np.uint64)

    def _scores(self, notes: Integers) -> Floats:
        scores: Floats = steps_of(self.weights[self.tables.of(notes)].sum(axis=1)) / STEPS_PER_UNIT
        return scores

    def _notes(self, links: LinkBatch) -> Integers:
        """The facts of links; `score` and `note` ask for those of the same links."""
        if self._noted is None or self._noted[0] is not links:
            assert links.source_note is not None
            assert links.domain is not None
            of_source = facts_of_source(
                links.source_note.astype(np.int64),
                links.source_relevant.astype(np.int64),
                (links.server == links.source_server).astype(np.int64),
                links.distance.astype(np.int64),
                domain_class(links.domain),
            )
            self._noted = links, of_source | self._facts_now(links)
        return self._noted[1]

    def _facts_now(self, links: LinkBatch | WaitingBatch) -> Integers:
        facts: Integers = (
            server_facts(*self._servers.of(links.server), self._failed.of(links.server)[0])
            | segment_facts(*self._segments.of(links.segment))
            | found_facts(links.found_relevant, links.found_irrelevant, links.found_elsewhere, links.found_spoken)
        )
        return facts

    # Learning

    def learn(self, pages: PageBatch) -> Ids:
        self._noted = None
        counted = is_download(pages)
        notes = pages.note.astype(np.int64)
        is_noted: Flags = counted & (notes & IS_NOTED > 0)
        for cells, is_relevant in zip(self.tables.of(notes[is_noted]), pages.relevant[is_noted].tolist(), strict=True):
            self._correct(cells, is_relevant)
        fetched = pages.outcome == Outcome.PAGE
        self._servers.add(pages.server[fetched], pages.relevant[fetched])
        self._segments.add(pages.segment[fetched], pages.relevant[fetched])
        failed = counted & ~fetched
        self._failed.add(pages.server[failed], pages.relevant[failed])
        return NO_GROUPS

    def _correct(self, cells: Integers, is_relevant: bool) -> None:
        """Move the weights of a page's cells by what was wrong about its chance."""
        before = self.weights[cells]
        error = error_of(before.sum(), is_relevant)
        more = square_of(error)
        self.seen[cells] += more
        self._own[1, cells] += more
        after = corrected(before, self.seen[cells], error).astype(np.int64)
        self.weights[cells] = after
        self._own[0, cells] += after - before

    # What survives, and what copies tell each other

    def state(self) -> State:
        tallies = {"servers": self._servers, "segments": self._segments, "failed": self._failed}
        counted = {f"{name}_{key}": column for name, tally in tallies.items() for key, column in tally.state().items()}
        return {"learned": self._own.copy(), **counted}

    def restore(self, state: State) -> None:
        self._noted = None
        self._take(state["learned"].astype(np.int64) - self._own)
        self._own[:] = state["learned"]
        for tally, part in self._parts(state):
            tally.restore(part)

    def merge(self, state: State) -> Ids:
        self._noted = None
        self._take(state["learned"].astype(np.int64))
        self._own += state["learned"].astype(np.int64)
        for tally, part in self._parts(state):
            tally.merge(part)
        return NO_GROUPS

    def _parts(self, state: State) -> list[tuple[Tally, State]]:
        tallies = {"servers": self._servers, "segments": self._segments, "failed": self._failed}
        return [(tally, {key: state[f"{name}_{key}"] for key in ("ids", "counts")}) for name, tally in tallies.items()]

    def _take(self, more: NDArray[np.int64]) -> None:
        self.weights += more[0]
        self.seen += more[1]

    def differences(self, everything: bool = False) -> State:
        if everything:
            return _sparse(self._own)
        before, self._told = self._told, self._own.copy()
        return {} if before is None else _sparse(self._own - before)

    def add_differences(self, differences: State) -> Ids:
        if differences:
            more = np.zeros_like(self._own)
            more[:, differences["cells"]] = differences["more"]
            self._take(more)
        return NO_GROUPS


def _sparse(changes: NDArray[np.int64]) -> State:
    """Changes of weights, only those of cells that have one; {} if none has."""
    cells = np.flatnonzero(changes.any(axis=0))
    return {"cells": cells, "more": changes[:, cells]} if len(cells) else {}
