"""A reference frontier and a reference driver: slow, and simple enough to be trusted. Others are compared with them.

The frontier has a heap for each group, and looks at every group for each pop (`exonym.testing.check_frontier` compares
others with it). The driver runs the `Crawl` of a live crawl over the answers of a function. `paths_to` finds the pages
that the oracle `perfect` follows.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from exonym.batches import (
    NO_ROW,
    BareLinks,
    Flags,
    Floats,
    FoundCounters,
    Group,
    Ids,
    LinkBatch,
    Visit,
    VisitResult,
)
from exonym.crawl import MOST_HOPS, Bounds, Crawl
from exonym.frontier.base import (
    ALL_IDS,
    ASIDE,
    MOST_SAMPLED,
    NO_FLOOR,
    NOT_FOLLOWED,
    PROBE_LEVEL,
    VISITED,
    IsIn,
    IsOut,
    advanced_level,
    best_of_each,
    is_found,
    level_of,
    lowered_level,
    mixed,
    priority_of,
    raised_levels,
    saturated,
)
from exonym.link_types import LinkTypes
from exonym.politeness.delays import Politeness
from exonym.strategies.base import Strategy
from exonym.urls import server_of

Node = TypeVar("Node", bound=Hashable)


@dataclass(slots=True)
class _Known:
    found: tuple[int, ...] = (0, 0, 0, 0)  # as `FoundCounters`
    level: int = NOT_FOLLOWED


@dataclass(slots=True)
class _Waiting:
    name: str  # of the server
    rank: float = 0.0
    dropped_until: int = -1
    heap: list[tuple[int, int, Visit]] = field(default_factory=list)


class ReferenceFrontier:
    """Keeps everything in Python objects; for tests and small crawls without a disk."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._known: defaultdict[int, _Known] = defaultdict(_Known)
        self._groups: dict[int, _Waiting] = {}
        self._parked: set[int] = set()
        self._in_flight: set[int] = set()
        self._arrivals = 0
        self._waiting = 0
        self._is_out: IsOut = lambda group, name: False
        self._excluded: set[int] = set()
        self._aside: list[Visit] = []
        self._most_sampled = MOST_SAMPLED
        self._threshold = ALL_IDS

    def __len__(self) -> int:
        return self._waiting - self._waiting_outside()

    @property
    def aside(self) -> int:
        return self._waiting_outside() + len(self._aside)

    def _waiting_outside(self) -> int:
        """How many URLs wait in groups that are out of scope."""
        return sum(self._group_of(visit) in self._excluded for visit in self._all_waiting())

    def _all_waiting(self) -> list[Visit]:
        """The links that wait, those in groups out of scope too."""
        return [
            visit
            for waiting in self._groups.values()
            for level, _, visit in waiting.heap
            if self._known[visit.url].level == -level and visit.url not in self._in_flight
        ]

    def _waiting_with(self, visit: Visit) -> _Waiting:
        """The group of a visit, made if there is none."""
        group = self._group_of(visit)
        if group not in self._groups:
            self._groups[group] = _Waiting(server_of(visit.text) if visit.text else "")
            if self._is_out(group, self._groups[group].name):
                self._excluded.add(group)
        return self._groups[group]

    def meet(self, links: LinkBatch, spoken: Flags | None = None) -> LinkBatch:
        for url, *more in zip(links.url.tolist(), *is_found(links, spoken), strict=True):
            known = self._known[url]
            known.found = tuple(map(int.__add__, known.found, map(int, more)))
        return links.counted(self.counters_of(links.url))

    def counters_of(self, urls: Ids) -> FoundCounters:
        found = np.array([self._known[url].found for url in urls.tolist()], dtype=np.int64).reshape(-1, 4)
        return FoundCounters(*saturated(found.T))

    def push(self, links: LinkBatch, scores: Floats, notes: Ids, ranks: Floats, scores_fall: bool = False) -> int:
        levels = level_of(scores)
        known = np.array([VISITED if url in self._in_flight else self._known[url].level for url in links.url.tolist()])
        if scores_fall:
            levels = raised_levels(levels, known.astype(np.int16))
        better = np.flatnonzero((levels > known) & ~np.isnan(ranks))
        chosen = best_of_each(links.url, levels, better)
        for position in chosen.tolist():
            visit = visit_of(links, position, int(levels[position]), int(notes[position]), self._arrivals)
            self._arrivals += 1
            self._waiting += self._known[visit.url].level == NOT_FOLLOWED
            self._known[visit.url].level = visit.level
            waiting = self._waiting_with(visit)
            waiting.rank = float(ranks[position])
            heapq.heappush(waiting.heap, (-visit.level, visit.arrival, visit))
        return len(chosen)

    def _group_of(self, visit: Visit) -> int:
        return visit.server if self._group == Group.SERVER else visit.segment

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        for group, rank in zip(groups.tolist(), ranks.tolist(), strict=True):
            waiting = self._groups.get(group)
            if waiting is None:
                continue
            if not np.isnan(rank):
                waiting.rank = rank
                continue
            for level, _, visit in waiting.heap:
                known = self._known[visit.url]
                if known.level == -level and visit.url not in self._in_flight:
                    known.level = NOT_FOLLOWED
                    self._waiting -= 1
            waiting.heap.clear()
            waiting.dropped_until = self._arrivals - 1

    def pop(self, park: bool = False, least: float = NO_FLOOR) -> Visit | None:
        while (best := self._best_group()) is not None:
            waiting = self._groups[best]
            if priority_of(waiting.rank, -waiting.heap[0][0]) < least:
                return None
            level, _, visit = heapq.heappop(waiting.heap)
            if self._known[visit.url].level == -level and visit.url not in self._in_flight:
                self._in_flight.add(visit.url)
                self._waiting -= 1
                if park:
                    self._parked.add(visit.server)
                return visit._replace(score=priority_of(waiting.rank, -level))
        return None

    def _best_group(self) -> int | None:
        ready = [
            (-priority_of(waiting.rank, -waiting.heap[0][0]), waiting.heap[0][1], group)
            for group, waiting in self._groups.items()
            if waiting.heap and waiting.heap[0][2].server not in self._parked
            if group not in self._excluded
        ]
        return min(ready)[2] if ready else None

    def put_back(self, visit: Visit) -> None:
        self._in_flight.discard(visit.url)
        waiting = self._groups[self._group_of(visit)]
        if visit.arrival <= waiting.dropped_until:
            self._known[visit.url].level = NOT_FOLLOWED
            return
        heapq.heappush(waiting.heap, (-visit.level, visit.arrival, visit))
        self._waiting += 1

    def lower(self, visit: Visit, score: float) -> None:
        lowered = visit._replace(level=lowered_level(visit.level, score), arrival=self._arrivals)
        if visit.arrival > self._groups[self._group_of(visit)].dropped_until:
            self._known[visit.url].level = lowered.level
            self._arrivals += 1
            visit = lowered
        self.put_back(visit)

    def done(self, visit: Visit) -> None:
        self._in_flight.discard(visit.url)
        self._known[visit.url].level = VISITED

    def set_aside(self, visit: Visit) -> None:
        self._in_flight.discard(visit.url)
        is_dropped = visit.arrival <= self._groups[self._group_of(visit)].dropped_until
        self._known[visit.url].level = NOT_FOLLOWED if is_dropped else ASIDE
        self._aside += [] if is_dropped else [visit]

    def exclude(self, visit: Visit) -> None:
        self._excluded.add(self._group_of(visit))
        self.put_back(visit)

    def rescope(self, is_out: IsOut, is_in: IsIn) -> Ids:
        self._is_out = is_out
        self._excluded = {group for group, waiting in self._groups.items() if is_out(group, waiting.name)}
        back = [visit for visit in self._aside if is_in(visit.text)]
        self._aside = [visit for visit in self._aside if not is_in(visit.text)]
        groups = set()
        for visit in back:
            groups.add(self._group_of(visit))
            self._known[visit.url].level = visit.level
            waiting = self._waiting_with(visit)
            heapq.heappush(waiting.heap, (-visit.level, self._arrivals, visit._replace(arrival=self._arrivals)))
            self._arrivals += 1
            self._waiting += 1
        return np.array(sorted(groups), dtype=np.uint64)

    def keep_sample(self, most: int = MOST_SAMPLED) -> None:
        self._most_sampled = most

    def sample(self) -> list[Visit]:
        drawable = [visit for visit in self._all_waiting() if visit.source != NO_ROW and visit.level < PROBE_LEVEL]
        urls = mixed(np.array([visit.url for visit in drawable], dtype=np.uint64)).tolist()
        ordered = sorted((url, visit) for url, visit in zip(urls, drawable, strict=True) if url <= self._threshold)
        if len(ordered) > self._most_sampled:
            ordered = ordered[: self._most_sampled]
            self._threshold = ordered[-1][0]
        return [
            visit._replace(score=priority_of(self._groups[self._group_of(visit)].rank, visit.level))
            for _, visit in ordered
            if self._group_of(visit) not in self._excluded
        ]

    def advance(self, visit: Visit, score: float) -> None:
        level = advanced_level(visit.level, score)
        self._known[visit.url].level = level
        drawn = visit._replace(level=level, arrival=self._arrivals)
        self._arrivals += 1
        heapq.heappush(self._groups[self._group_of(visit)].heap, (-level, drawn.arrival, drawn))

    def park(self, server: int) -> None:
        self._parked.add(server)

    def release(self, server: int) -> None:
        self._parked.discard(server)


def visit_of(links: LinkBatch, position: int, level: int, note: int, arrival: int) -> Visit:
    """One row of a batch as a visit; its score is set when it is popped."""
    return Visit(
        url=int(links.url[position]),
        server=int(links.server[position]),
        segment=int(links.segment[position]),
        text=links.text[position] if links.text is not None else "",
        distance=int(links.distance[position]),
        source=int(links.source[position]),
        source_server=int(links.source_server[position]),
        source_relevance=float(links.source_relevance[position]),
        source_relevant=bool(links.source_relevant[position]),
        source_language=int(links.source_language[position]),
        hops=int(links.hops[position]),
        note=note,
        score=0.0,
        level=level,
        arrival=arrival,
    )


def crawl_answers(
    strategy: Strategy,
    seeds: BareLinks,
    answer: Callable[[Visit, int], VisitResult],
    bounds: Bounds = Bounds(),  # noqa: B008 (frozen)
    connections: int = 1,
    delay: float = 0.0,
    types: LinkTypes | None = None,
) -> list[tuple[float, VisitResult]]:
    """Crawl from `seeds` until a bound is reached or nothing waits: the time of each visit, and its result.

    `answer` makes the result of a visit, given its row. With a delay, servers rest that long after each answer.
    """
    crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(delay), bounds, types)
    return answered(crawl, seeds, answer, connections, delay)


def answered(
    crawl: Crawl,
    seeds: BareLinks,
    answer: Callable[[Visit, int], VisitResult],
    connections: int = 1,
    delay: float = 0.0,
) -> list[tuple[float, VisitResult]]:
    """The same with a crawl of one's own, to look at afterwards."""
    crawl.add_seeds(seeds)
    visited: list[tuple[float, VisitResult]] = []
    now = 0.0
    while (due := crawl.due(now, connections)) or crawl.has_more:
        if not due:
            continue
        results = [answer(visit, row) for row, visit in enumerate(due, start=len(visited))]
        crawl.take(results, now)
        visited += [(now, result) for result in results]
        now += delay
    return visited


def paths_to(
    is_relevant: Callable[[Node], bool], seeds: Iterable[Node], leads_to: Callable[[Node], tuple[bool, Sequence[Node]]]
) -> set[Node]:
    """All nodes on the paths by which a breadth-first crawl from `seeds` first finds relevant ones.

    `leads_to` gives the nodes that a visit finds, and whether it was redirected to them.
    """
    paths = {seed: [seed] for seed in seeds}
    hops = dict.fromkeys(paths, 0)
    queue = list(paths)
    for node in queue:  # which grows
        was_redirected, targets = leads_to(node)
        if was_redirected and hops[node] >= MOST_HOPS:
            continue
        for target in targets:
            if target not in paths:
                paths[target] = [*paths[node], target]
                hops[target] = hops[node] + 1 if was_redirected else 0
                queue.append(target)
    return {node for end, path in paths.items() if is_relevant(end) for node in path}
