"""A small strategy whose copies share what they learn, to test with: its weights hold for the links to all servers."""

import numpy as np

from exonym.batches import Floats, Ids, LinkBatch, Outcome, PageBatch, Rows
from exonym.strategies.base import NO_GROUPS, Rule, State

_CODES = 65_536  # language codes have 16 bits


class LanguageOdds(Rule):
    """Scores links by the share of relevant pages among those that were found on pages of the same language."""

    def __init__(self) -> None:
        # By the language of the source: pages fetched, and relevant ones.
        self._own = np.zeros((_CODES, 2), dtype=np.int64)
        self._others = np.zeros((_CODES, 2), dtype=np.int64)
        self._told: Rows | None = None

    def score(self, links: LinkBatch) -> Floats:
        pages, relevant = (self._own + self._others)[links.source_language].T
        shares: Floats = (relevant + 1) / (pages + 2)
        return shares

    def note(self, links: LinkBatch) -> Ids:
        return links.source_language.astype(np.uint64)

    def learn(self, pages: PageBatch) -> Ids:
        pages = pages.pick(pages.outcome == Outcome.PAGE)
        languages = (pages.note % np.uint64(_CODES)).astype(np.int64)
        np.add.at(self._own, languages, np.column_stack([np.ones(len(pages), np.int64), pages.relevant]))
        return NO_GROUPS

    def state(self) -> State:
        return _sparse(self._own)

    def restore(self, state: State) -> None:
        self.__init__()  # type: ignore[misc]
        self.merge(state)

    def merge(self, state: State) -> Ids:
        self._own[state["languages"].astype(np.int64)] += state["counts"].astype(np.int64)
        return NO_GROUPS

    def differences(self, everything: bool = False) -> State:
        if everything:
            return _sparse(self._own)
        told, self._told = self._told, self._own.copy()
        grew = _sparse(self._own - told) if told is not None else {}
        return grew if grew and len(grew["languages"]) else {}

    def add_differences(self, differences: State) -> Ids:
        if differences:
            self._others[differences["languages"].astype(np.int64)] += differences["counts"].astype(np.int64)
        return NO_GROUPS


def _sparse(counts: Rows) -> State:
    languages = np.flatnonzero(counts.any(axis=1))
    return {"languages": languages, "counts": counts[languages]}
