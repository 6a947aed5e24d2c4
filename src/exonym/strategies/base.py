"""The contract of a strategy: three small functions, and optional ones.

A `Strategy` scores links, learns from pages, and ranks groups; it needs no more. A `Learner` also learns from links or
keeps its state over a restart; one that `ScoresAgain` has scores that may fall while links wait; one that `MergesState`
can be run on a cluster, and one that `SharesLearning` tells the other workers what it learned. A strategy that
`ReadsLinks` has a link model. `Rule` and `Counting` are base classes with defaults for most of that.

The frontier orders links by `rank(group) + score(link)`, ties by arrival. With integer ranks and scores in [0, 1) that
order is lexicographic; with real numbers it is that of a sum.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import (
    ORACLE_COLUMNS,
    Codes,
    Floats,
    Group,
    Ids,
    Integers,
    LinkBatch,
    Outcome,
    PageBatch,
    WaitingBatch,
    language_code,
)
from exonym.errors import ColumnError
from exonym.frontier.base import MOST_SAMPLED
from exonym.models.links.base import LinkModel

State = dict[str, NDArray[np.generic]]
Standings = NDArray[np.uint8]

# What the score of a rule may depend on; `same_server` and `standing` are derived, the others are columns.
_OF_SOURCES = frozenset(["source_relevant", "source_relevance", "source_language", "distance", "same_server"])
FACTS = _OF_SOURCES | {"domain", "anchor_language", "standing"} | ORACLE_COLUMNS

# As plain numbers: to compare an array with a member of an enumeration takes NumPy four times as long.
_PAGE, _FAILED = int(Outcome.PAGE), int(Outcome.FAILED)

NOT_FOLLOWED = float("nan")
NO_GROUPS: Ids = np.empty(0, dtype=np.uint64)


class Strategy(Protocol):
    """Guesses how valuable the target of a link is, before it is fetched."""

    group: Group  # what is ranked: servers or segments
    needs: frozenset[str]  # the columns in LINK_COLUMNS that `score` or `meet` reads

    def score(self, links: LinkBatch) -> Floats:
        """The score of each link; NaN = do not follow."""

    def learn(self, pages: PageBatch) -> Ids:
        """Learn from fetched pages; the groups whose rank changed."""

    def rank(self, groups: Ids) -> Floats:
        """The rank of each group; NaN = drop all links that wait there."""


@runtime_checkable
class Learner(Protocol):
    """The further functions of a strategy that learns from links or keeps its state over a restart: all, or none.

    The journal has pages and no links. So the changes that links made are written with each commit, until a snapshot of
    the whole state contains them.
    """

    def meet(self, links: LinkBatch) -> Ids:
        """Learn from links when they are found, before they are scored; the groups whose rank changed."""

    def note(self, links: LinkBatch) -> Ids:
        """Eight bytes for each link, which `learn` gets back with the page that the link led to."""

    def state(self) -> State:
        """What was learned so far, as arrays."""

    def restore(self, state: State) -> None:
        """Set what was learned to what `state` gave."""

    def link_updates(self) -> State:
        """The changes that `meet` made since the previous call, as arrays.

        The first call gives {} and switches recording on.
        """

    def apply_link_updates(self, updates: State) -> None:
        """Repeat what `link_updates` gave: after `restore`, in any order, before or after the pages since then."""


@runtime_checkable
class ScoresAgain(Protocol):
    """The further function of a `Learner` whose scores may fall while links wait.

    Links that come first are scored again; one whose score fell waits on with its new score. Seeds are never asked
    about: they were chosen by hand. Scores must be less than 112 (`exonym.frontier.base`), but for those of seeds.
    """

    floor: float  # links with a lower score wait; if no others are left, the crawl ends. It may change; -inf: none

    def again(self, waiting: WaitingBatch) -> tuple[Floats, Ids]:
        """The present score of each link, and its present note, which `learn` gets back with its page."""


@runtime_checkable
class MergesState(Protocol):
    """The further function of a `Learner` whose partitions can be joined and divided."""

    def merge(self, state: State) -> Ids:
        """Add what another copy learned from other pages and links, by its `state`; the groups whose rank changed.

        All pages of a server, and all links to it, went to the same copy. What is merged is no link update.
        """


@runtime_checkable
class SharesLearning(Protocol):
    """The further functions of a strategy that learns from one server what matters for others: weights, for example.

    On a cluster each partition has a copy of the strategy. Every few seconds the copies exchange what each has learned
    itself; each difference reaches each other copy once, in any order. A copy that is made, or restored after a
    restart, first gets all that the others have learned: so what came from others is in neither `state` nor
    `differences`. After a kill, what was learned in the last seconds may be missing in other copies, or count twice.
    """

    def differences(self, everything: bool = False) -> State:
        """What this copy learned itself since the previous call, as arrays; {} if that is nothing.

        The first call gives {} and switches recording on. With `everything`: all that it ever learned itself, for a
        copy that begins; such a call does not count as one.
        """

    def add_differences(self, differences: State) -> Ids:
        """Add what another copy learned; the groups whose rank changed."""


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

    def merge(self, state: State) -> Ids:
        return NO_GROUPS


LEARNER_METHODS = ("meet", "note", "state", "restore", "link_updates", "apply_link_updates")


def learner_of(strategy: Strategy) -> Learner:
    """The strategy itself if it is a `Learner`; else one that learns nothing."""
    return strategy if isinstance(strategy, Learner) else NoLearning()


@runtime_checkable
class ReadsLinks(Protocol):
    """The further attributes of a strategy that needs the column `reading`."""

    link_model: LinkModel
    least_relevance: float  # links need not be read if no page of their segment (server) has at least this relevance


@runtime_checkable
class LoadsLinkModel(ReadsLinks, Protocol):
    """The further attributes of a strategy whose link model is loaded from a file that an option names."""

    model: str  # the option: a file, or ""

    def use(self, link_model: LinkModel) -> None:
        """Use this link model from now on."""


def reads_links(strategy: Strategy) -> ReadsLinks:
    """A strategy that needs the column `reading`, as `ReadsLinks`; ColumnError if it has no link model."""
    if not isinstance(strategy, ReadsLinks):
        raise ColumnError("the strategy needs reading, and has no link_model that reads. Give it one.")
    return strategy


class Rule(NoLearning):
    """A strategy that learns nothing and ranks all groups alike: a subclass only has to write `score`.

    A rule that names in `facts` all that its scores depend on is simulated many times faster: its scores are computed
    once and looked up in a table. The names are those of FACTS; with None, there is no table.
    """

    group = Group.SERVER
    needs: frozenset[str] = frozenset()
    facts: frozenset[str] | None = None
    languages: tuple[str, ...] = ()  # the values of source_language and anchor_language that the score distinguishes
    farthest = 0  # all distances from here on have the same score
    least_relevance = 0.0  # as in `ReadsLinks`
    floor = float("-inf")  # as in `ScoresAgain`
    probe_every = 0  # if it scores links again, one page in so many is drawn at random (`exonym.probes`); 0: none
    probe_sample = MOST_SAMPLED  # from so many of the links that wait
    may_lack: frozenset[str] = frozenset()  # columns among `needs` that a graph may lack: they are blank then
    learns_in_order = False  # whether what a page teaches depends on the pages before it: copies differ a little then
    learns_copies = False  # whether `learn` also gets pages that are word for word as one fetched before: `is_copy`

    def learn(self, pages: PageBatch) -> Ids:
        return NO_GROUPS

    def rank(self, groups: Ids) -> Floats:
        return np.zeros(len(groups))


class Counting(Rule):
    """A rule that counts, for each group, the pages fetched and the relevant ones.

    From the two counts follows the standing of a group, a small number; ranks and scores depend on the standing alone.
    """

    standings = 1  # how many different ones there are
    counts_failures = True  # whether requests that failed count as pages fetched

    def __init__(self) -> None:
        self._tally = Tally()

    def standing(self, pages: Integers, relevant: Integers) -> Standings:
        """The standing of groups with these counts."""
        raise NotImplementedError

    def rank_of(self, standings: Standings) -> Floats:
        """The rank of groups with these standings."""
        return np.zeros(len(standings))

    def score_of(self, links: LinkBatch, standings: Standings) -> Floats:
        """The scores of links whose targets are in groups with these standings."""
        raise NotImplementedError

    def score(self, links: LinkBatch) -> Floats:
        return self.score_of(links, self.standing(*self._tally.of(self._groups_of(links))))

    def rank(self, groups: Ids) -> Floats:
        return self.rank_of(self.standing(*self._tally.of(groups)))

    def learn(self, pages: PageBatch) -> Ids:
        counted = pages.pick(is_download(pages) if self.counts_failures else pages.outcome == Outcome.PAGE)
        groups = self._groups_of(counted)
        return self._moved(groups, lambda: self._tally.add(groups, counted.relevant))

    def _moved(self, groups: Ids, count: Callable[[], None]) -> Ids:
        """Those of `groups` whose rank changes when `count` is called."""
        once = np.unique(groups)
        before = self.rank(once)
        count()
        after = self.rank(once)
        changed: NDArray[np.bool_] = ~((before == after) | (np.isnan(before) & np.isnan(after)))
        return once[changed]

    def _groups_of(self, batch: LinkBatch | PageBatch) -> Ids:
        return batch.server if self.group == Group.SERVER else batch.segment

    def state(self) -> State:
        return self._tally.state()

    def restore(self, state: State) -> None:
        self._tally.restore(state)

    def merge(self, state: State) -> Ids:
        return self._moved(state["ids"].astype(np.uint64), lambda: self._tally.merge(state))


def target_codes(strategy: Strategy) -> Codes:
    """The languages in which anchors are counted for a strategy: those that it names, if it reads those of anchors."""
    names = getattr(strategy, "languages", ()) if "anchor_language" in strategy.needs else ()
    codes = {language_code(name) for name in names} - {0}
    return np.array(sorted(codes), dtype=np.uint16)


def overrides(strategy: Strategy, name: str, base: type[Rule] = Rule) -> bool:
    """Whether the class of a strategy overrides a method of `base`."""
    return getattr(type(strategy), name, None) not in (None, getattr(base, name))


def lessons_of(pages: PageBatch, strategy: Strategy) -> PageBatch:
    """The pages that a strategy learns from. Most get no copies of pages fetched before.

    A copy tells nothing new of its server or segment: a site that is served under two names is still one.
    """
    if pages.is_copy is None or getattr(strategy, "learns_copies", False) or not pages.is_copy.any():
        return pages
    return pages.pick(~pages.is_copy)


def is_download(pages: PageBatch) -> NDArray[np.bool_]:
    """Which visits count as pages fetched: pages, and requests that failed."""
    counts: NDArray[np.bool_] = (pages.outcome == _PAGE) | (pages.outcome == _FAILED)
    return counts


class Tally:
    """Counts of fetched and relevant pages, for each server or segment."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[int, int]] = {}
        self._with_relevant = 0

    @property
    def relevant(self) -> int:
        """Relevant pages of all ids."""
        return sum(relevant for _, relevant in self._counts.values())

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

    def counts_of(self, key: int) -> tuple[int, int]:
        """Pages and relevant pages of one id."""
        return self._counts.get(key, (0, 0))

    def pages_of(self, key: int) -> int:
        """Pages fetched of one id."""
        return self.counts_of(key)[0]

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

    def merge(self, state: State) -> None:
        """Add the counts of another tally, as its `state` gives them."""
        for key, (pages, relevant) in zip(state["ids"].tolist(), state["counts"].tolist(), strict=True):
            pages_here, relevant_here = self._counts.get(key, (0, 0))
            self._counts[key] = pages_here + pages, relevant_here + relevant
            self._with_relevant += relevant > 0 and not relevant_here
