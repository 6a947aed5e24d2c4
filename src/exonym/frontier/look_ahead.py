"""A frontier that looks only a little ahead: it gives out no link while many better ones wait for their servers.

A server is sent one request at a time, so the best links often wait for servers that are busy or rest. A plain frontier
then gives out the best link of another server. With as many connections as known servers it gives out nearly
everything, whatever the order is. This frontier holds the links that it passes over because their servers are busy.
When it holds a number of them, it gives out nothing until one of their servers is free: a connection stays idle. So a
link is visited before at most that number of better ones. Of one server a fifth of the number is held; further links
of that server are passed over, for orders that stay on one server for long would otherwise keep it alone busy.

Mercator, a crawler of 1999, arranged its queues in a similar way: a number of back queues, one for each server, filled
in the order of the front queues.
"""

import heapq
import itertools
import math
from collections import deque
from typing import Literal

import numpy as np

from exonym.batches import Flags, Floats, FoundCounters, Group, Ids, LinkBatch, Visit
from exonym.frontier.base import MOST_SAMPLED, NO_FLOOR, Frontier, IsIn, IsOut

PAGES_WITHOUT_LIMIT = 10_000  # stands for the page limit of a crawl without one
USUAL_EAGERNESS = 0.02  # where requests are scarce; `docs/why/connections.md` has the measurements


class LookAhead:
    """A `Frontier` that gives out the links of another one in its order, past `most` links that cannot be visited.

    Links held are in flight for the other frontier: a restart finds them waiting.
    """

    def __init__(self, frontier: Frontier, group: Group, most: int) -> None:
        self._frontier = frontier
        self._group = group
        self._most = most
        self._most_of_server = most_of_server(most)
        self._numbers = itertools.count()  # of links in the order in which they came
        self._held: dict[int, deque[tuple[int, Visit]]] = {}  # by server
        self._count = 0
        self._ready: list[tuple[int, int]] = []  # a heap: number of a server's first link, server; may be outdated
        self._parked: set[int] = set()
        self._closed: set[int] = set()  # servers of which as many links are held as may be
        self._shelved: set[int] = set()

    def __len__(self) -> int:
        return len(self._frontier) + self._count

    def meet(self, links: LinkBatch, spoken: Flags | None = None) -> LinkBatch:
        return self._frontier.meet(links, spoken)

    def counters_of(self, urls: Ids) -> FoundCounters:
        return self._frontier.counters_of(urls)

    def push(self, links: LinkBatch, scores: Floats, notes: Ids, ranks: Floats, scores_fall: bool = False) -> int:
        return self._frontier.push(links, scores, notes, ranks, scores_fall)

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        self._frontier.rerank(groups, ranks)
        dropped = set(groups[np.isnan(ranks)].tolist())
        if dropped:  # the frontier forgets links that are put back into a group that was dropped
            servers = dropped if self._group == Group.SERVER else set(self._held)
            self._return_held(servers, dropped)

    def reopen(self) -> None:
        """Hold more links of servers of which some have left; between the rounds of a crawl."""
        for server in [server for server in self._closed if len(self._held.get(server, ())) < self._most_of_server]:
            self._closed.discard(server)
            self._frontier.release(server)

    def pop(self, park: bool = False, least: float = NO_FLOOR) -> Visit | None:
        visit = self._pop_held() or self._pop_waiting(least)
        if visit is None:
            return None
        if park:
            self._parked.add(visit.server)
        else:
            self._offer(visit.server)
        return visit

    def _pop_held(self) -> Visit | None:
        """Take the first link held whose server is free."""
        while self._ready:
            number, server = heapq.heappop(self._ready)
            links = self._held.get(server)
            if not links or links[0][0] != number or server in self._parked:
                continue
            visit = links.popleft()[1]
            self._count -= 1
            if not links:
                del self._held[server]
            return visit
        return None

    def _pop_waiting(self, least: float) -> Visit | None:
        """Take the first link that waits whose server is free; those before it are held, as far as there is room."""
        while self._count < self._most and (visit := self._frontier.pop(least=least)) is not None:
            if visit.server not in self._parked:
                return visit
            links = self._held.setdefault(visit.server, deque())
            links.append((next(self._numbers), visit))
            self._count += 1
            if len(links) == self._most_of_server:
                self._closed.add(visit.server)
                self._frontier.park(visit.server)
        return None

    def _offer(self, server: int) -> None:
        """Let the first link of a server be popped, unless the server is parked or has none."""
        if server in self._held and server not in self._parked:
            heapq.heappush(self._ready, (self._held[server][0][0], server))

    def put_back(self, visit: Visit) -> None:
        self._frontier.put_back(visit)

    def lower(self, visit: Visit, score: float) -> None:
        self._frontier.lower(visit, score)

    def done(self, visit: Visit) -> None:
        self._frontier.done(visit)

    def set_aside(self, visit: Visit) -> None:
        self._frontier.set_aside(visit)

    def exclude(self, visit: Visit) -> None:
        self._frontier.exclude(visit)
        self._return_held({visit.server}, {visit.server if self._group == Group.SERVER else visit.segment})

    def rescope(self, is_out: IsOut, is_in: IsIn) -> Ids:
        self._return_held(set(self._held), None)
        return self._frontier.rescope(is_out, is_in)

    @property
    def aside(self) -> int:
        return self._frontier.aside

    def keep_sample(self, most: int = MOST_SAMPLED) -> None:
        self._frontier.keep_sample(most)

    def sample(self) -> list[Visit]:
        return self._frontier.sample()

    def advance(self, visit: Visit, score: float) -> None:
        self._frontier.advance(visit, score)

    def park(self, server: int) -> None:
        self._parked.add(server)

    def shelve(self, server: int) -> None:
        """Park a server for so long that its links must not keep others waiting: they are held no more."""
        self._parked.add(server)
        self._closed.discard(server)
        self._shelved.add(server)
        self._frontier.park(server)
        self._return_held({server}, None)

    def release(self, server: int) -> None:
        self._parked.discard(server)
        if server in self._shelved:
            self._shelved.discard(server)
            self._frontier.release(server)
        self._offer(server)

    def _return_held(self, servers: set[int], groups: set[int] | None) -> None:
        """Put the links held of servers, or only those in some groups, back into the frontier."""
        for server in servers & self._held.keys():
            links, kept = self._held[server], deque[tuple[int, Visit]]()
            for number, visit in links:
                group = visit.server if self._group == Group.SERVER else visit.segment
                if groups is None or group in groups:
                    self._frontier.put_back(visit)
                else:
                    kept.append((number, visit))
            self._count -= len(links) - len(kept)
            if not kept:
                del self._held[server]
            elif len(kept) < len(links):
                self._held[server] = kept
                self._offer(server)


def most_of_server(most: int) -> int:
    """How many of `most` links held may be of one server."""
    return max(1, most // 5)


def look_ahead_of(eagerness: float | Literal["auto"], pages: int, connections: int) -> int:
    """How many links may wait for their servers while worse ones are visited, for `exonym.crawl.Bounds`; 0 is no limit.

    It is a share of the page limit, as that share of the visits is at stake. 20 links for each connection keep nearly
    all connections busy. Requests are scarce, and eagerness has its usual value, where pages are limited.
    """
    if eagerness == "auto":
        eagerness = USUAL_EAGERNESS if pages else 1.0
    if eagerness >= 1:
        return 0
    return max(1, min(math.ceil(eagerness * (pages or PAGES_WITHOUT_LIMIT)), 20 * connections))
