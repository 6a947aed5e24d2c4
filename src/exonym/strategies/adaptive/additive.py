"""Learned scores: the sum of weights that are looked up by pairs of facts, corrected after every fetched page.

The sum is the logarithm of the odds that a link leads to a relevant page (logistic regression over the cells of
`PairTables`). Each fetched page moves the weights of the cells in which its link was when it was chosen, by steps that
shrink with all that a cell has seen (AdaGrad, Duchi et al. 2011). A pair of facts, rather than each alone, is the
smallest model that knows that an irrelevant home page means little on a server that is new.

Weights are whole numbers of 2⁻³², so that sums are the same in any order: on one machine, on a cluster, and in a
compiled simulation.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from exonym.batches import NO_ROW, Flags, Floats, Ids, Integers, LinkBatch, Outcome, PageBatch, WaitingBatch
from exonym.errors import DirectoryError
from exonym.frontier.base import NO_FLOOR
from exonym.strategies.adaptive.facts import (
    IS_NOTED,
    NOW_MASK,
    PairTables,
    domain_facts,
    facts_digest,
    facts_of_source,
    found_facts,
)
from exonym.strategies.adaptive.group_counts import GroupCounts, SegmentCounts, ServerCounts
from exonym.strategies.adaptive.odds import (
    AT_FIRST,
    LARGEST_WEIGHT,
    ONE,
    STEPS_PER_UNIT,
    corrected,
    error_of,
    harvest_step,
    score_of,
    square_of,
    steps_of,
)
from exonym.strategies.base import NO_GROUPS, Rule, State, is_download
from exonym.urls import id_of

_PAGE = int(Outcome.PAGE)  # to compare an array with a member of an enumeration takes NumPy four times as long
PATIENCE = 8  # see `Additive.floor`
SEED_SCORE = 128.0  # above all others: seeds were chosen by hand
_FINE = 256  # see `_ways_of_one`
_FETCHED, _RELEVANT, _FAILED, _CALLED_RELEVANT, _CALLED_IRRELEVANT = np.eye(ServerCounts.columns, dtype=np.int64)
# What a visit adds to the counts of its server: one that failed, a page, a relevant page; and to those of its segment.
_VISITS_OF_SERVER = np.array([_FAILED, _FETCHED, _FETCHED + _RELEVANT])
_VISITS_OF_SEGMENT = np.array([[0, 0], [1, 0], [1, 1]])


class Additive(Rule):
    """A strategy whose scores are sums of learned weights; a subclass names the pairs of facts."""

    needs = frozenset(["domain", "source_note", "anchor_language"])
    may_lack = frozenset(["anchor_language"])
    learns_in_order = True
    pairs: Sequence[tuple[str, str]] = ()
    probe_every = 64
    lessons_before_floor = 1_000  # pages to learn from before any link is left for its low score

    @property
    def pairs_of_numbers(self) -> Sequence[tuple[str, str]]:
        """The first of `pairs`, which need no texts of links: compiled rounds have these alone."""
        return self.pairs

    def __init__(self, own_domains: Sequence[str] = (), least_chance: float = 0.0) -> None:
        """`own_domains` are top-level domains where a target language is common; for `least_chance`, see
        `floor`.
        """
        self.least_harvest = round(least_chance * ONE)
        self.floors = score_of(least_chance / PATIENCE), score_of(least_chance)
        self.own_domains: Ids = np.array([id_of(name) for name in own_domains], dtype=np.uint64)
        self.tables = PairTables(self.pairs)
        cells = self.tables.cells
        self.weights: Integers = np.zeros(cells, dtype=np.int64)
        self.seen: Integers = np.zeros(cells, dtype=np.int64)  # the sum of squared errors of each cell
        self.lessons: Integers = np.zeros(1, dtype=np.int64)  # how many pages this copy learned from
        self.harvest: Integers = np.full(1, ONE, dtype=np.int64)  # the share of them that are relevant, lately
        self._prior: Integers = np.zeros(cells, dtype=np.int64)  # the weights before the first page
        self._given: NDArray[np.int64] = np.zeros((2, cells), dtype=np.int64)  # what others told: part of `_learned`
        self._told: NDArray[np.int64] | None = None  # what this copy had learned at the last call of `differences`
        self._servers = ServerCounts()
        self._segments = SegmentCounts()
        self._calls: list[Ids] | None = None  # see `link_updates`: servers by relevant pages, servers by others
        self._noted: tuple[LinkBatch, Integers] | None = None

    def begin_with(self, weights: Mapping[str, Mapping[int, float]]) -> None:
        """Begin with weights that were learned elsewhere, by pair of facts and cell; those of other pairs are 0."""
        self.weights[:] = 0
        for pair in self.pairs:
            table = self.weights[self.tables.part(pair)]
            for cell, weight in weights.get(pair_name(pair), {}).items():
                if not (0 <= cell < len(table) and abs(weight) <= LARGEST_WEIGHT / ONE):
                    raise ValueError(f"the weight {weight:g} of {pair_name(pair)} in cell {cell}")
                table[cell] = round(weight * ONE)
        self._prior[:] = self.weights

    # Scores

    @property
    def floor(self) -> float:  # type: ignore[override]
        """The least score of links that are followed; none before enough was learned, as early scores are wrong.

        It stands for `least_chance`, or for an eighth of that while the harvest rate has lately been as high as
        `least_chance`: what idle connections may try meanwhile often leads to more than itself.
        """
        if self.lessons[0] < self.lessons_before_floor:
            return NO_FLOOR
        return self.floors[int(self.harvest[0] < self.least_harvest)]

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
                domain_facts(links.domain, self.own_domains),
            )
            self._noted = links, of_source | self._facts_now(links)
        return self._noted[1]

    def _facts_now(self, links: LinkBatch | WaitingBatch) -> Integers:
        facts: Integers = (
            self._servers.facts(links.server)
            | self._segments.facts(links.segment)
            | found_facts(links.found_relevant, links.found_irrelevant, links.found_elsewhere, links.found_spoken)
        )
        return facts

    # Learning

    def learn(self, pages: PageBatch) -> Ids:
        self._noted = None
        counted = is_download(pages) if pages.is_copy is None else is_download(pages) & ~pages.is_copy
        notes = pages.note.astype(np.int64)
        is_noted: Flags = counted & (notes & IS_NOTED > 0)
        self.lessons += np.count_nonzero(is_noted)
        self._correct(self._cells_told(notes[is_noted]), pages.relevant[is_noted].tolist())
        fetched = counted & (pages.outcome == _PAGE)
        kinds = fetched * (1 + pages.relevant)
        self._servers.add(pages.server[counted], _VISITS_OF_SERVER[kinds[counted]])
        self._segments.add(pages.segment[fetched], _VISITS_OF_SEGMENT[kinds[fetched]])
        return NO_GROUPS

    def _cells_told(self, notes: Integers) -> list[list[int]]:
        """The cells that say something of each page."""
        cells: list[list[int]] = self.tables.of(notes).tolist()
        return cells

    def _correct(self, cells_of_pages: list[list[int]], relevant: list[bool]) -> None:
        """Move the weights of each page's cells by what was wrong about its chance, page by page."""
        # Memory views, as single items of arrays take twice as long.
        weights, seen = memoryview(self.weights), memoryview(self.seen)  # type: ignore[arg-type]
        harvest = int(self.harvest[0])
        for cells, is_relevant in zip(cells_of_pages, relevant, strict=True):
            error = error_of(sum([weights[cell] for cell in cells]), is_relevant)
            more = square_of(error)
            for cell in cells:
                seen[cell] = squares = seen[cell] + more
                weights[cell] = corrected(weights[cell], squares, error)
            harvest += harvest_step(harvest, is_relevant)
        self.harvest[0] = harvest

    def meet(self, links: LinkBatch) -> Ids:
        from_elsewhere = (links.source != NO_ROW) & (links.source_server != links.server)
        by = from_elsewhere & links.source_relevant, from_elsewhere & ~links.source_relevant
        calls = [links.server[by[0]], links.server[by[1]]]
        self._count_calls(*calls)
        if self._calls is not None:
            self._calls = [np.concatenate(parts) for parts in zip(self._calls, calls, strict=True)]
        return NO_GROUPS

    def _count_calls(self, by_relevant: Ids, by_irrelevant: Ids) -> None:
        """Count links to servers on pages of other servers, by whether these are relevant."""
        self._noted = None
        self._servers.add(by_relevant, np.broadcast_to(_CALLED_RELEVANT, (len(by_relevant), ServerCounts.columns)))
        self._servers.add(
            by_irrelevant, np.broadcast_to(_CALLED_IRRELEVANT, (len(by_irrelevant), ServerCounts.columns))
        )

    # What survives, and what copies tell each other

    def link_updates(self) -> State:
        calls, self._calls = self._calls, [NO_GROUPS, NO_GROUPS]
        if calls is None or not (len(calls[0]) or len(calls[1])):
            return {}
        return {"called_relevant": calls[0], "called_irrelevant": calls[1]}

    def apply_link_updates(self, updates: State) -> None:
        if updates:
            self._count_calls(
                updates["called_relevant"].astype(np.uint64), updates["called_irrelevant"].astype(np.uint64)
            )

    def state(self) -> State:
        counts = {"servers": self._servers, "segments": self._segments}
        counted = {f"{name}_{key}": column for name, count in counts.items() for key, column in count.state().items()}
        return {
            "facts": self._facts(),
            "learned": self._own(),
            "lessons": self.lessons.copy(),
            "harvest": self.harvest.copy(),
            **counted,
        }

    def _own(self) -> NDArray[np.int64]:
        """What this copy learned itself, of `_learned`."""
        return self._learned() - self._given

    def _learned(self) -> NDArray[np.int64]:
        """What was learned, as sums that can be added: the ways that weights have gone, and their sums of squares.

        A way is the change of a weight, divided by the length of its steps. Steps shrink as a cell has seen more. So
        copies that begin together all make long ones, in the same direction, and the sum of the changes would go much
        too far. The sum of the ways, times the steps of a copy that has seen it all, goes about as far as that copy.
        """
        ways = np.rint((self.weights - self._prior) * _ways_of_one(self.seen)).astype(np.int64)
        return np.stack([ways, self.seen])

    def _set_learned(self, cells: Integers | slice, learned: NDArray[np.int64]) -> None:
        """Set what was learned of some cells: the opposite of `_learned`, without loss."""
        self.seen[cells] = learned[1]
        changes = np.rint(learned[0] / _ways_of_one(learned[1])).astype(np.int64)
        self.weights[cells] = np.clip(self._prior[cells] + changes, -LARGEST_WEIGHT, LARGEST_WEIGHT)

    def _facts(self) -> Ids:
        """What the weights are about, as a number."""
        return np.array([int(facts_digest(), 16) ^ id_of(repr(self.pairs))], dtype=np.uint64)

    def restore(self, state: State) -> None:
        self._noted = None
        if state["facts"].tolist() != self._facts().tolist():
            raise DirectoryError(
                "What the crawl had learned is about other facts than this version of Exonym knows. Go on with the "
                "version that began it, or set another strategy in [strategy]."
            )
        self._set_learned(slice(None), state["learned"].astype(np.int64) + self._given)
        self.lessons[:], self.harvest[:] = state["lessons"], state["harvest"]
        for counts, part in self._parts(state):
            counts.restore(part)

    def merge(self, state: State) -> Ids:
        self._noted = None
        self._set_learned(slice(None), self._learned() + state["learned"].astype(np.int64))
        if lessons := int(self.lessons[0]) + (others := int(state["lessons"][0])):
            self.harvest[:] = (int(self.harvest[0]) * (lessons - others) + int(state["harvest"][0]) * others) // lessons
        self.lessons[:] = lessons
        for counts, part in self._parts(state):
            counts.merge(part)
        return NO_GROUPS

    def _parts(self, state: State) -> list[tuple[GroupCounts, State]]:
        counts = {"servers": self._servers, "segments": self._segments}
        return [(count, {key: state[f"{name}_{key}"] for key in ("ids", "counts")}) for name, count in counts.items()]

    def differences(self, everything: bool = False) -> State:
        if everything:
            return _sparse(self._own())
        before, self._told = self._told, self._own()
        return {} if before is None else _sparse(self._told - before)

    def add_differences(self, differences: State) -> Ids:
        if differences:
            cells, own = differences["cells"].astype(np.int64), self._own()
            self._set_learned(cells, self._learned()[:, cells] + differences["more"].astype(np.int64))
            self._given[:, cells] = self._learned()[:, cells] - own[:, cells]
        return NO_GROUPS


def pair_name(pair: tuple[str, str]) -> str:
    """The name of a pair of facts in files."""
    return "+".join(filter(None, pair))


def _ways_of_one(seen: Integers) -> Floats:
    """By what a change of weights is multiplied to be a way, for cells that have seen so much.

    The factor is so large that a way, which is a whole number, tells the change exactly.
    """
    ways: Floats = _FINE * np.sqrt(seen / ONE + AT_FIRST)
    return ways


def _sparse(changes: NDArray[np.int64]) -> State:
    """Changes of what was learned, only of cells that have one; {} if none has."""
    cells = np.flatnonzero(changes.any(axis=0))
    return {"cells": cells, "more": changes[:, cells]} if len(cells) else {}
