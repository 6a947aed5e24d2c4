"""Rounds in which the strategy is asked for scores: of one crawl, or of one that is divided into partitions.

Each partition has a frontier for its servers, and fetches its share of a round's pages. A link to a server of another
partition arrives there `lag` rounds later, with the facts that its source had when it was found; the owner of the
target scores it. One strategy learns from all partitions at once. But with a `model_lag`, a strategy that learns from
one server what matters for others (`SharesLearning`) has a copy in each partition, as on a cluster: the copies exchange
what they have learned every so many rounds.
"""

import copy
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Floats, FoundCounters, Ids, Integers, LinkBatch, PageBatch
from exonym.errors import ConfigError
from exonym.frontier.base import NO_FLOOR, level_of
from exonym.simulation.engine import asking
from exonym.simulation.engine.arrays import CHANGED, NOBODY, PAGES, PENDING, VISITS, CrawlState, Web
from exonym.simulation.engine.asking import GatheredLinks
from exonym.simulation.engine.division import ServerDivision
from exonym.simulation.engine.frontier_arrays import SKIPPED, WAITING, WaitingArrays, another, grown
from exonym.simulation.engine.graph_batches import BatchMaker
from exonym.simulation.engine.reviews import Reviews, ScoresOf, queue_drawn
from exonym.simulation.engine.rounds import RoundLimits, most_put_back, queue_seed
from exonym.simulation.plan import Plan
from exonym.strategies.base import ScoresAgain, SharesLearning, Strategy, learner_of, lessons_of, target_codes

_Levels = NDArray[np.int16]
_Runs = list[tuple[int, int, int]]
_AHEAD = 100  # rounds
_CODES = 1 << 16  # of languages
_Batch = TypeVar("_Batch", LinkBatch, PageBatch)


class RoundParts(NamedTuple):
    """What rounds read and write."""

    web: Web
    crawled: CrawlState
    columns: BatchMaker
    limits: RoundLimits
    division: ServerDivision
    notes: Ids | None
    reviews: Reviews | None  # None: no links are drawn at random


class _Message(NamedTuple):
    """Links for other partitions."""

    due: int  # the round at whose end they arrive
    found: GatheredLinks
    links: LinkBatch


class AskedRounds:
    """The rounds of one simulation."""

    def __init__(self, parts: RoundParts, strategy: Strategy, plan: Plan, waiting: WaitingArrays) -> None:
        self._web, self._crawled, self._columns, self._limits, self._division, self._notes, self._reviews = parts
        self._plan = plan
        self.frontiers = [waiting, *(another(waiting) for _ in range(self._division.partitions - 1))]
        self._strategies = [strategy]
        if plan.model_lag and isinstance(strategy, SharesLearning):
            model = getattr(strategy, "link_model", None)  # it learns nothing, and may be large
            self._strategies += [copy.deepcopy(strategy, {id(model): model}) for _ in self.frontiers[1:]]
        nodes = len(waiting.level)
        self._found = np.zeros((nodes, 4), np.uint8)  # the columns are those of `FoundCounters`
        self._is_target = np.zeros(_CODES, np.bool_)
        self._is_target[target_codes(strategy)] = True
        self._messages: deque[_Message] = deque()
        self._room = [0] * self._division.partitions  # links and groups that each frontier has room for
        self._has_more = False  # links wait that were not looked at, because so many others were put back
        self.rounds = 0

    def begin(self, seeds: NDArray[np.uint32]) -> None:
        """Queue the seeds; every partition knows all of them from the start."""
        links = self._columns.seeds(seeds)
        for each in self._strategies:
            learner_of(each).meet(links)  # the groups that it returns need no move: all ranks are set below
            if len(self._strategies) > 1 and isinstance(each, SharesLearning):
                each.differences()  # from now on they are recorded
        strategy, first = self._strategies[0], self.frontiers[0]
        levels = level_of(strategy.score(links))
        self._write_notes(strategy, seeds, levels, links)
        if len(first.rank) > 1:
            first.rank[:] = _ranks(strategy, np.arange(len(first.rank), dtype=np.uint64))
        order, runs = self._division.runs(self._owners(seeds))
        for number, begin, end in runs:
            self._reserve(number, end - begin)
            for place in order[begin:end].tolist():
                queue_seed(self.frontiers[number], seeds[place], levels[place])

    @property
    def waiting(self) -> int:
        """How many links wait in the frontiers, or are under way between them."""
        under_way = sum(len(message.links) for message in self._messages)
        return under_way + sum(int(frontier.scalars[WAITING]) for frontier in self.frontiers)

    def links_found(self) -> int:
        """How many links the pages of this round have."""
        now, offsets = self._crawled.now, self._web.offsets
        nodes = self._crawled.order[now[VISITS] - now[PENDING] : now[VISITS]].astype(np.int64)
        return int((offsets[nodes + 1] - offsets[nodes]).sum())

    def grow(self, number: int, links: int, groups: int) -> None:
        """Make room in a frontier for more links, and for the entries of groups that move."""
        self.frontiers[number] = grown(self.frontiers[number], links, groups)

    def _reserve(self, number: int, links: int, groups: int = 0) -> None:
        """See to it that a frontier has room: to look whether it has takes as long as to fill it, so make much."""
        wanted = links + groups + int(self._crawled.now[CHANGED] + self.frontiers[number].scalars[SKIPPED]) + 1
        if wanted > self._room[number]:
            self._room[number] = _AHEAD * wanted
            self.grow(number, self._room[number], self._room[number])
        self._room[number] -= wanted

    @property
    def are_spent(self) -> bool:
        """Whether as many pages were fetched as may be."""
        return 0 < self._limits.budget <= int(self._crawled.now[PAGES])

    # A round

    def run(self) -> bool:
        """Run one round; False if there was nothing to do."""
        count, self._has_more = 0, False
        if self._reviews is not None and self._reviews.is_due:
            self.review(self._found, self._scores_again)
        for number, frontier in enumerate(self.frontiers):
            if self._division.partitions == 1 or frontier.scalars[WAITING]:
                count += self._begin(number)
        if not count and self._has_more and not self.are_spent:
            return True
        if not count and (self.are_spent or not self._messages):
            return False
        self._crawled.now[PENDING] = count
        pages = self._columns.pages(count)
        for number, owned in self._shares(pages, pages.url):
            strategy = self._strategies[number]
            if len(lessons := lessons_of(owned, strategy)):
                self._move(number, strategy.learn(lessons))
        self._queue_own()
        while self._messages and self._messages[0].due <= self.rounds:
            _, found, links = self._messages.popleft()
            self._queue_links(found, links)
        if len(self._strategies) > 1 and (self.rounds + 1) % self._plan.model_lag == 0:
            self._exchange()
        if self._division.partitions == 1:
            self._reserve(0, 0)  # for the groups of servers that were busy, also if no page had a link
        asking.end_round(self.frontiers[0], self._web, self._crawled, self._limits)
        self.rounds += 1
        return True

    def review(self, found: Counters, again: ScoresOf) -> None:
        """Draw links at random that wait, to be visited next; `found` has the counters of all nodes."""
        assert self._reviews is not None
        nodes, levels = self._reviews.draw(self.frontiers[0], found, again)
        self._reserve(0, len(nodes))
        queue_drawn(self.frontiers[0], self._crawled, nodes, levels)

    def _scores_again(self, nodes: NDArray[np.uint32]) -> Floats:
        strategy = self._strategies[0]
        assert isinstance(strategy, ScoresAgain)
        return strategy.again(self._columns.waiting(nodes, self._found[nodes]))[0]

    def _begin(self, number: int) -> int:
        """Begin the visits of a partition, as `Crawl.due` does; how many there are."""
        place = self.frontiers[number], self._web, self._crawled, self._limits
        strategy = self._strategies[number if len(self._strategies) > 1 else 0]
        if not isinstance(strategy, ScoresAgain):
            return int(asking.begin_round(*place))
        most_lowered = most_put_back(*self._limits[:2], int(self._crawled.now[PAGES]))
        self._reserve(number, most_lowered + self._limits.at_a_time)
        place = self.frontiers[number], *place[1:]
        count, first = 0, int(self._crawled.now[VISITS])
        least = float(strategy.floor)
        while (most_lowered > 0 or least == NO_FLOOR) and (
            popped := int(asking.pop_more(*place, count, least))
        ) > count:
            kept = popped
            if most_lowered > 0:
                nodes = self._crawled.order[first + count : first + popped]
                levels = self._levels_again(strategy, nodes)
                kept = int(asking.keep_or_lower_popped(place[0], self._crawled, self._limits, count, levels))
            most_lowered -= popped - kept
            count = kept
        asking.begin_popped(*place, count)
        self._has_more |= most_lowered <= 0 and least > NO_FLOOR
        return count

    def _levels_again(self, strategy: ScoresAgain, nodes: NDArray[np.uint32]) -> _Levels:
        """The present levels of links that were popped, whose notes become the present ones; seeds keep theirs."""
        scores, notes = strategy.again(self._columns.waiting(nodes, self._found[nodes]))
        levels = level_of(scores)
        if not levels.shape == notes.shape == nodes.shape:
            raise ConfigError(
                f"the strategy's again gave {levels.shape} scores and {notes.shape} notes for {len(nodes)} links. "
                "Give one each a link."
            )
        if self._notes is not None:
            is_seed = self._crawled.source[nodes] == NOBODY
            self._notes[nodes] = np.where(is_seed, self._notes[nodes], notes)
        return levels

    def _queue_own(self) -> None:
        """Queue the links of this round's pages; those of other partitions are sent to them."""
        found = self._gathered()
        if not len(found.link):
            return
        links = self._columns.links(found)
        if self._division.partitions > 1:
            is_foreign = self._owners(found.target) != self._owners(found.visited)
            message = _Message(self.rounds + self._plan.lag, _picked(found, is_foreign), links.pick(is_foreign))
            self._messages.append(message)
            found, links = _picked(found, ~is_foreign), links.pick(~is_foreign)
        self._queue_links(found, links)

    def _gathered(self) -> GatheredLinks:
        most = self.links_found()
        room = GatheredLinks(
            np.empty(most, np.int64),
            np.empty(most, np.uint32),
            np.empty(most, np.uint32),
            np.empty(most, np.uint16),
            np.empty(most, np.uint8),
            np.empty(most, np.uint32),
        )
        return _span(room, 0, asking.gather(self._web, self._crawled, room))

    def _queue_links(self, found: GatheredLinks, links: LinkBatch) -> None:
        """Queue links at their owners, who learn from them first."""
        if not len(links):
            return
        asking.count_found(self._web, self._found, self._is_target, found)
        links = links.counted(FoundCounters(*self._found[found.target].T))
        runs: _Runs = [(0, 0, len(links))]
        if self._division.partitions > 1:
            order, runs = self._division.runs(self._owners(found.target))
            found, links = _picked(found, order), links.pick(order)
        scored = [self._levels(number, owned) for number, owned in self._shares(links, found.target)]
        levels = np.concatenate(scored)
        for number, begin, end in runs:
            # Only now: groups that links moved have taken heap entries.
            self._reserve(number, end - begin)
            room, most = _span(found, begin, end), self._limits.pages_per_server
            asking.push(self.frontiers[number], self._web, self._crawled, room, levels[begin:end], most)

    def _levels(self, number: int, links: LinkBatch) -> _Levels:
        """The levels of links, after a strategy has learned from them."""
        strategy = self._strategies[number]
        self._move(number, learner_of(strategy).meet(links))
        levels = level_of(strategy.score(links))
        if levels.shape != (len(links),):  # compiled code does not check the bounds of arrays
            wanted = f"for {len(links)} links. Give one a link."
            raise ConfigError(f"the strategy's score gave {levels.shape} values {wanted}")
        self._write_notes(strategy, links.url, levels, links)
        return levels

    def _write_notes(
        self, strategy: Strategy, target: NDArray[np.unsignedinteger], levels: _Levels, links: LinkBatch
    ) -> None:
        """Keep the notes of links that will be queued."""
        if self._notes is not None:
            better = np.flatnonzero(levels > self.frontiers[0].level[target])
            # Of several links to one page, the best and earliest is queued: its note is written last.
            better = better[np.lexsort((-better, levels[better]))]
            self._notes[target[better]] = learner_of(strategy).note(links)[better]

    # Partitions

    def _owners(self, nodes: NDArray[np.unsignedinteger]) -> Integers:
        if self._division.partitions == 1:
            return np.zeros(len(nodes), np.int64)
        owners: Integers = self._division.of_server[self._web.server[nodes]]
        return owners

    def _shares(self, batch: _Batch, nodes: NDArray[np.unsignedinteger]) -> list[tuple[int, _Batch]]:
        """What each copy of the strategy learns, with its number: all of it if there is one copy."""
        if len(self._strategies) == 1:
            return [(0, batch)] if len(batch) else []
        order, runs = self._division.runs(self._owners(nodes))
        return [(number, batch.pick(order[begin:end])) for number, begin, end in runs]

    def _exchange(self) -> None:
        """Tell each copy of the strategy what the others have learned since the last exchange."""
        copies = [each for each in self._strategies if isinstance(each, SharesLearning)]
        told = [each.differences() for each in copies]
        for number, each in enumerate(copies):
            for other, differences in enumerate(told):
                if other != number and differences:
                    self._move(number, each.add_differences(differences))

    def _move(self, number: int, groups: Ids) -> None:
        """Give groups the ranks that a copy gives them now; where each partition has a copy, only its own groups."""
        rank = self.frontiers[0].rank
        if not len(groups) or len(rank) == 1:
            return
        if int(groups.max()) >= len(rank):
            raise ConfigError(f"the strategy's learn or meet names a group, {groups.max()}, that is not there.")
        runs: _Runs = [(0, 0, len(groups))]
        if self._division.partitions > 1:
            order, runs = self._division.runs(self._division.of_group[groups])
            groups = groups[order]
        if len(self._strategies) > 1:
            runs = [run for run in runs if run[0] == number]
        for owner, begin, end in runs:
            self._reserve(owner, 0, end - begin)
            moved = groups[begin:end]
            asking.move(self.frontiers[owner], self._crawled, moved, _ranks(self._strategies[number], moved))


def _ranks(strategy: Strategy, groups: Ids) -> Floats:
    ranks = np.asarray(strategy.rank(groups), np.float64)
    if ranks.shape != groups.shape:
        raise ConfigError(f"the strategy's rank gave {ranks.shape} values for {len(groups)} groups. Give one each.")
    return ranks


def _picked(links: GatheredLinks, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> GatheredLinks:
    columns: Iterator[Any] = (column[chosen] for column in links)
    return GatheredLinks(*columns)


def _span(links: GatheredLinks, begin: int, end: int) -> GatheredLinks:
    columns: Iterator[Any] = (column[begin:end] for column in links)
    return GatheredLinks(*columns)
