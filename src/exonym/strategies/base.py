"""What a strategy is: three small functions, and what it may add.

`Strategy` is the whole contract: score links, learn from pages, rank groups. A `Learner` also learns from links or
survives a restart; one that `ReadsLinks` has a link model. `Rule` and `Counting` are bases with all of that filled in.

`rank(group) + score(link)` is the frontier's only order, ties by arrival. Integer ranks with
scores in [0, 1) make that lexicographic; real numbers make it a sum.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, Group, Ids, Integers, LinkBatch, Outcome, PageBatch
from exonym.errors import ColumnError
from exonym.models.links.base import LinkModel

State = dict[str, NDArray[np.generic]]
Standings = NDArray[np.uint8]

# What the score of a rule may depend on; `same_server` and `standing` are no columns of their own.
_OF_SOURCES = frozenset(["source_relevant", "source_relevance", "source_language", "distance", "same_server"])
FACTS = _OF_SOURCES | {"domain", "anchor_language", "standing", "target_relevant"}

NOT_FOLLOWED = float("nan")
NO_GROUPS: Ids = np.empty(0, dtype=np.uint64)


class Strategy(Protocol):
    """Guesses, before fetching, how much a link's target is worth."""

    group: Group  # what moves together when it is ranked anew
    needs: frozenset[str]  # the columns in LINK_COLUMNS that `score` or `meet` reads

    def score(self, links: LinkBatch) -> Floats:
        """The score of each link; NaN = do not follow."""

    def learn(self, pages: PageBatch) -> Ids:
        """Take in what fetched pages turned out to be; the groups whose rank changed."""

    def rank(self, groups: Ids) -> Floats:
        """The rank of each group; NaN = drop all that waits there."""


@runtime_checkable
class Learner(Protocol):
    """What a strategy has beside, all of it or none, that learns from links or keeps its state over a restart.

    Pages are journaled and links are not. So the changes that links made are written with each commit, until a
    snapshot of the whole state contains them.
    """

    def meet(self, links: LinkBatch) -> Ids:
        """Learn from links when they are found, before they are scored; the groups whose rank changed."""

    def note(self, links: LinkBatch) -> Ids:
        """Eight bytes a link, given back with the fetched page, so that its outcome teaches something."""

    def state(self) -> State:
        """All that was learned, as arrays."""

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""

    def link_updates(self) -> State:
        """The changes that `meet` made since the previous call, as arrays.

        The first call gives {} and switches recording on.
        """

    def apply_link_updates(self, updates: State) -> None:
        """Repeat what `link_updates` gave: after `restore`, in any order, before or after the pages since then."""


class NoLearning:
    """A `Learner` that learns nothing from links and has no state."""

    def meet(self, links: LinkBatch) -> Ids:
        return NO_GROUPS

    def note(self, links: LinkBatch) -> Ids:
        return np.zeros(len(links), dtype=np.uint64)

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        return None

    def link_updates(self) -> State:
        return {}

    def apply_link_updates(self, updates: State) -> None:
        return None


LEARNER_METHODS = ("meet", "note", "state", "restore", "link_updates", "apply_link_updates")


def learner_of(strategy: Strategy) -> Learner:
    """The strategy as a `Learner`; one that learns nothing, if it is none."""
    return strategy if isinstance(strategy, Learner) else NoLearning()


@runtime_checkable
class ReadsLinks(Protocol):
    """What a strategy has beside that needs the column `reading`."""

    link_model: LinkModel  # reads links
    least_relevance: float  # links of segments without any page of so much relevance need not be read


@runtime_checkable
class LoadsLinkModel(ReadsLinks, Protocol):
    """What a strategy has beside whose link model comes from a file that an option names."""

    model: str  # the option; "" for no file

    def use(self, link_model: LinkModel) -> None:
        """Have links read by this model from now on."""


def reads_links(strategy: Strategy) -> ReadsLinks:
    """A strategy that needs readings, as one that says how links are read; ColumnError if it does not."""
    if not isinstance(strategy, ReadsLinks):
        raise ColumnError("the strategy needs reading, and has no link_model that reads. Give it one.")
    return strategy


class Rule(NoLearning):
    """A strategy that learns nothing and ranks all groups alike: only `score` is left to write.

    One that says in `facts` all that its scores depend on is simulated many times faster: a table of them is made once,
    and looked up. Names are those of FACTS; None says nothing.
    """

    group = Group.SERVER
    needs: frozenset[str] = frozenset()
    facts: frozenset[str] | None = None
    languages: tuple[str, ...] = ()  # that are told apart in source_language and anchor_language
    farthest = 0  # a distance beyond this makes no difference
    least_relevance = 0.0  # for one that reads links, as `ReadsLinks` has it

    def learn(self, pages: PageBatch) -> Ids:
        return NO_GROUPS

    def rank(self, groups: Ids) -> Floats:
        return np.zeros(len(groups))


class Counting(Rule):
    """A rule that also looks at how many pages of the target's group were fetched and how many of them were relevant.

    What these counts amount to is the group's standing, one of a few numbers; ranks and scores depend on that alone.
    """

    standings = 1  # how many there are

    def __init__(self) -> None:
        self._tally = Tally()

    def standing(self, pages: Integers, relevant: Integers) -> Standings:
        """What each pair of counts amounts to."""
        raise NotImplementedError

    def rank_of(self, standings: Standings) -> Floats:
        """The rank of groups with such standings."""
        return np.zeros(len(standings))

    def score_of(self, links: LinkBatch, standings: Standings) -> Floats:
        """The scores of links whose targets are in groups with such standings."""
        raise NotImplementedError

    def score(self, links: LinkBatch) -> Floats:
        return self.score_of(links, self.standing(*self._tally.of(self._groups_of(links))))

    def rank(self, groups: Ids) -> Floats:
        return self.rank_of(self.standing(*self._tally.of(groups)))

    def learn(self, pages: PageBatch) -> Ids:
        counted = pages.pick(is_download(pages))
        groups = self._groups_of(counted)
        once = np.unique(groups)
        before = self.rank(once)
        self._tally.add(groups, counted.relevant)
        after = self.rank(once)
        changed: NDArray[np.bool_] = ~((before == after) | (np.isnan(before) & np.isnan(after)))
        return once[changed]

    def _groups_of(self, batch: LinkBatch | PageBatch) -> Ids:
        return batch.server if self.group == Group.SERVER else batch.segment

    def state(self) -> State:
        return self._tally.state()

    def restore(self, state: State) -> None:
        self._tally.restore(state)


def overrides(strategy: Strategy, name: str, base: type[Rule] = Rule) -> bool:
    """Whether a strategy has a method of its own in place of that of `base`."""
    return getattr(type(strategy), name, None) not in (None, getattr(base, name))


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
