"""The way of one visit to its response: robots.txt, name look-up, the address's turn, the request.

A visit ends as an `Ended` (with a response, forbidden, or failed), or it is postponed: its link
goes back to the frontier and its server rests.
"""

import heapq
import itertools
from dataclasses import dataclass
from typing import NamedTuple

from exonym.batches import SITEMAP_HOP, Outcome, Visit
from exonym.crawl import Crawl
from exonym.fetch import Fetcher, Request, Resolver, Response
from exonym.fetch.messages import is_passing, redirect_target
from exonym.fetch.one_by_one import robots_reply
from exonym.fetch.sitemap import SITEMAP_BYTES
from exonym.politeness.delays import Politeness
from exonym.politeness.permissions import MOST_REDIRECTS, Permission, Permissions
from exonym.politeness.robots import PARSED_BYTES
from exonym.urls import host_of, server_of

LONGEST_WAIT_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How the driver behaves towards servers."""

    retries: int = 3
    retry_seconds: float = 30.0
    allow_private: bool = False
    through_one_address: bool = False  # connect_to is set: names are not looked up
    sitemaps: bool = True


class Ended(NamedTuple):
    """A visit that is over, before its page has been read."""

    visit: Visit
    response: Response
    outcome: Outcome


class _Errand(NamedTuple):
    visit: Visit
    url: str
    is_robots: bool = False
    redirects: int = 0


class RequestQueue:
    """Carries visits to the network and their responses back."""

    def __init__(
        self, crawl: Crawl, fetcher: Fetcher, resolver: Resolver, permissions: Permissions, politeness: Politeness
    ) -> None:
        self._crawl = crawl
        self._fetcher = fetcher
        self._resolver = resolver
        self._permissions = permissions
        self._politeness = politeness
        self.habits = Habits()
        self._keys = itertools.count()
        self._flying: dict[int, _Errand] = {}
        self._looked_up: dict[str, list[_Errand]] = {}
        self._held: list[tuple[float, int, _Errand, str | None]] = []
        self.ended: list[Ended] = []
        self.sitemaps: list[tuple[Visit, tuple[str, ...]]] = []

    @property
    def waiting(self) -> int:
        """Errands that have no connection yet."""
        return len(self._held) + sum(map(len, self._looked_up.values()))

    def next_start(self) -> float | None:
        """When the next held request may start."""
        return self._held[0][0] if self._held else None

    # Outward

    def begin(self, visit: Visit, now: float) -> None:
        """Set out for one visit."""
        permission = self._permissions.of(visit.server, now)
        if permission is None:
            scheme, _, rest = visit.text.partition("://")
            self._send(_Errand(visit, f"{scheme}://{rest.partition('/')[0]}/robots.txt", is_robots=True), now)
        elif self._may_go(visit, permission):
            self._send(_Errand(visit, visit.text), now)

    def _may_go(self, visit: Visit, permission: Permission) -> bool:
        if permission.rules is None:
            self._end(visit, permission.outcome, permission.failure)
            return False
        if not permission.rules.allows(visit.text):
            self._end(visit, Outcome.FORBIDDEN, "robots.txt forbids it")
            return False
        return True

    def _end(self, visit: Visit, outcome: Outcome, failure: str) -> None:
        self.ended.append(Ended(visit, Response(0, visit.text, failure=failure), outcome))

    def _send(self, errand: _Errand, now: float) -> None:
        if self.habits.through_one_address:
            self._hold(errand, None, now)
            return
        host = host_of(server_of(errand.url))
        resolution = self._resolver.resolve(host, now)
        if resolution is None:
            self._looked_up.setdefault(host, []).append(errand)
            return
        address = resolution.chosen(self.habits.allow_private)
        if address is None:
            self._receive(errand, Response(0, errand.url, failure=resolution.refusal), now)
        else:
            self._hold(errand, address, self._politeness.reserve(address, now))

    def _hold(self, errand: _Errand, address: str | None, start: float) -> None:
        heapq.heappush(self._held, (start, next(self._keys), errand, address))

    def advance(self, now: float) -> None:
        """Start the requests whose time has come."""
        while self._held and self._held[0][0] <= now and self._fetcher.free > 0:
            _, key, errand, address = heapq.heappop(self._held)
            is_sitemap = bool(errand.visit.hops & SITEMAP_HOP) and not errand.is_robots
            limit = PARSED_BYTES if errand.is_robots else SITEMAP_BYTES if is_sitemap else None
            self._flying[key] = errand
            self._fetcher.start(Request(key, errand.url, address, limit, any_type=errand.is_robots or is_sitemap))

    def names_found(self, now: float) -> None:
        """Names were looked up: go on with the errands that waited for them."""
        for resolution in self._resolver.collect(now):
            for errand in self._looked_up.pop(resolution.host, []):
                self._send(errand, now)

    def turn_back(self, now: float) -> None:
        """Give all visits that have no connection back to the frontier: the crawl is stopping."""
        waiting = [errand for _, _, errand, _ in self._held]
        waiting += [errand for errands in self._looked_up.values() for errand in errands]
        self._held.clear()
        self._looked_up.clear()
        for errand in waiting:
            self._crawl.postpone(errand.visit, now)

    # Homeward

    def received(self, response: Response, now: float) -> None:
        """A response has come."""
        self._receive(self._flying.pop(response.key), response, now)

    def _receive(self, errand: _Errand, response: Response, now: float) -> None:
        if errand.is_robots:
            self._receive_robots(errand, response, now)
            return
        wait_seconds = self._wait_before_retry(errand.visit, response)
        if wait_seconds is not None:
            later = errand.visit._replace(attempts=errand.visit.attempts + 1)
            self._crawl.postpone(later, now + wait_seconds)
        else:
            self.ended.append(Ended(errand.visit, response, outcome_of(response)))

    def _wait_before_retry(self, visit: Visit, response: Response) -> float | None:
        if not is_passing(response) or visit.attempts >= self.habits.retries:
            return None
        own = self.habits.retry_seconds * 2**visit.attempts
        asked = response.retry_after_seconds(response.started + response.seconds) if response.head else None
        return float(min(max(own, asked or 0.0), LONGEST_WAIT_SECONDS))

    def _receive_robots(self, errand: _Errand, response: Response, now: float) -> None:
        target = redirect_target(response)
        if target and errand.redirects < MOST_REDIRECTS:
            self._send(errand._replace(url=target, redirects=errand.redirects + 1), now)
            return
        visit, reply = errand.visit, robots_reply(response)
        again = self._permissions.learn(visit.server, reply, now)
        if again is not None:
            self._crawl.postpone(visit, again)
        else:
            self._go_on(visit, now)

    def _go_on(self, visit: Visit, now: float) -> None:
        """robots.txt is known: the visit itself is the server's second request, so it waits its time."""
        permission = self._permissions.of(visit.server, now)
        assert permission is not None, "it was just learned"
        if permission.rules is not None:
            self._politeness.set_delay(visit.server, permission.rules.delay_seconds or 0.0)
            if self.habits.sitemaps and permission.rules.sitemaps:
                self.sitemaps.append((visit, tuple(permission.rules.sitemaps)))
        if not self._may_go(visit, permission):
            return
        delay_seconds = self._politeness.delay_of(visit.server)
        if delay_seconds > 0:
            self._crawl.postpone(visit, now + delay_seconds)
        else:
            self._send(_Errand(visit, visit.text), now)


def outcome_of(response: Response) -> Outcome:
    """What a response makes of its visit, before the page is read."""
    if response.failure:
        return Outcome.FAILED
    if redirect_target(response):
        return Outcome.REDIRECT
    return Outcome.PAGE if 200 <= response.status < 300 else Outcome.FAILED
