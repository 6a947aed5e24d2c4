"""What a strategy is: three small functions, and what it may leave out.

`rank(group) + score(link)` is the frontier's only order, ties by arrival. Integer ranks with
scores in [0, 1) make that lexicographic; real numbers make it a sum.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from exonym.model import Floats, Group, Ids, LinkBatch, Outcome, PageBatch

State = dict[str, NDArray[np.generic]]

NOT_FOLLOWED = float("nan")
NO_GROUPS: Ids = np.empty(0, dtype=np.uint64)


class Strategy(Protocol):
    """Guesses, before fetching, how much a link's target is worth."""

    group: Group  # what moves together when it is ranked anew
    needs: frozenset[str]  # text columns of LinkBatch that `score` reads

    def score(self, links: LinkBatch) -> Floats:
        """Of each link; NaN = do not follow."""

    def note(self, links: LinkBatch) -> Ids:
        """Eight bytes a link, given back with the fetched page, so that its outcome teaches something."""

    def learn(self, pages: PageBatch) -> Ids:
        """What fetched pages turned out to be; the groups whose rank changed."""

    def rank(self, groups: Ids) -> Floats:
        """Of each group; NaN = drop all that waits there."""

    def state(self) -> State:
        """All that was learned, as arrays."""

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""


class Rule:
    """A strategy that learns nothing and ranks all groups alike: only `score` is left to write."""

    group = Group.SERVER
    needs: frozenset[str] = frozenset()

    def note(self, links: LinkBatch) -> Ids:
        return np.zeros(len(links), dtype=np.uint64)

    def learn(self, pages: PageBatch) -> Ids:
        return NO_GROUPS

    def rank(self, groups: Ids) -> Floats:
        return np.zeros(len(groups))

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        return None


def is_download(pages: PageBatch) -> NDArray[np.bool_]:
    """Which visits count as pages fetched: requests that failed do, as fetches that found nothing."""
    counts: NDArray[np.bool_] = (pages.outcome == Outcome.PAGE) | (pages.outcome == Outcome.FAILED)
    return counts


class Tally:
    """How many pages were fetched and were relevant, for each server or segment seen."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[int, int]] = {}
        self._with_relevant = 0

    def add(self, ids: Ids, relevant: NDArray[np.bool_]) -> None:
        """Count one page for each id."""
        for key, is_relevant in zip(ids.tolist(), relevant.tolist(), strict=True):
            pages, relevant_pages = self._counts.get(key, (0, 0))
            self._counts[key] = pages + 1, relevant_pages + is_relevant
            self._with_relevant += is_relevant and not relevant_pages

    def of(self, ids: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pages and relevant pages of each id."""
        counts = [self._counts.get(key, (0, 0)) for key in ids.tolist()]
        columns = np.array(counts, dtype=np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def pages_of(self, key: int) -> int:
        """Pages fetched of one id."""
        return self._counts.get(key, (0, 0))[0]

    def totals(self) -> tuple[int, int]:
        """How many ids have a page, and how many a relevant one."""
        return len(self._counts), self._with_relevant

    def state(self) -> State:
        """The tally as arrays."""
        ids = np.fromiter(self._counts, dtype=np.uint64, count=len(self._counts))
        return {"ids": ids, "counts": np.array(list(self._counts.values()), dtype=np.int64).reshape(-1, 2)}

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        pairs = zip(state["ids"].tolist(), state["counts"].tolist(), strict=True)
        self._counts = {key: (pages, relevant) for key, (pages, relevant) in pairs}
        self._with_relevant = sum(relevant > 0 for _, relevant in self._counts.values())
