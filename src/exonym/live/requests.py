"""The requests of visits: for robots.txt first, after a name look-up, and with a delay for each address.

A visit ends as an `Ended` (with a response, forbidden, or failed), or it is postponed: its link goes back to the
frontier and its server rests.
"""

import heapq
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from exonym.batches import SITEMAP_HOP, Outcome, Visit
from exonym.crawl import Crawl
from exonym.fetch import Fetcher, Request, Resolver, Response
from exonym.fetch.addresses import Resolution
from exonym.fetch.messages import is_passing, outcome_of, redirect_target
from exonym.fetch.one_by_one import robots_reply
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.politeness.delays import Politeness
from exonym.politeness.permissions import MOST_REDIRECTS, Permission, Permissions
from exonym.politeness.robots import PARSED_BYTES
from exonym.urls import host_of, server_of

LONGEST_WAIT_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """How requests are made and repeated."""

    retries: int = 3
    retry_seconds: float = 30.0
    allow_private: bool = False
    through_one_address: bool = False  # connect_to is set: names are not looked up
    sitemaps: bool = True


class Ended(NamedTuple):
    """A visit that has ended, before its page has been read."""

    visit: Visit
    response: Response
    outcome: Outcome


class _PendingRequest(NamedTuple):
    """A request that a visit needs: for its page, or first for the robots.txt of its server."""

    visit: Visit
    url: str
    is_robots: bool = False
    redirects: int = 0


class RequestQueue:
    """Visits that wait for a response: first for robots.txt, a name look-up, the delay of an address, a connection.

    `take_ended` and `take_sitemaps` hand over the results.
    """

    def __init__(
        self,
        crawl: Crawl,
        fetcher: Fetcher,
        resolver: Resolver,
        permissions: Permissions,
        politeness: Politeness,
        options: RequestOptions = RequestOptions(),  # noqa: B008 (frozen)
        first_key: int = 0,
    ) -> None:
        """`first_key` is the first of the numbers by which the fetcher tells this queue's requests from others'."""
        self._crawl = crawl
        self._fetcher = fetcher
        self._resolver = resolver
        self._permissions = permissions
        self._politeness = politeness
        self._options = options
        self.first_key = first_key
        self._keys = itertools.count(first_key)
        self._started: dict[int, _PendingRequest] = {}
        self._unresolved: dict[str, list[_PendingRequest]] = {}  # by host
        self._held: list[tuple[float, int, _PendingRequest, str | None]] = []  # a heap: start, key, request, address
        self._ended: list[Ended] = []
        self._sitemaps: list[tuple[Visit, tuple[str, ...]]] = []

    @property
    def waiting(self) -> int:
        """How many requests have no connection yet."""
        return len(self._held) + sum(map(len, self._unresolved.values()))

    @property
    def has_ended(self) -> bool:
        """Whether `take_ended` has anything to give."""
        return bool(self._ended)

    @property
    def has_sitemaps(self) -> bool:
        """Whether `take_sitemaps` has anything to give."""
        return bool(self._sitemaps)

    def take_ended(self) -> list[Ended]:
        """The visits that ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def take_sitemaps(self) -> list[tuple[Visit, tuple[str, ...]]]:
        """The sitemaps that robots.txt files named since the last call, each with the visit that needed the file."""
        sitemaps, self._sitemaps = self._sitemaps, []
        return sitemaps

    def next_start(self) -> float | None:
        """When the next held request may start."""
        return self._held[0][0] if self._held else None

    # From visits to requests

    def begin(self, visit: Visit, now: float) -> None:
        """Queue the first request of a visit: for robots.txt if that is not known, else for the page."""
        permission = self._permissions.of(visit.server, now)
        if permission is None:
            scheme, _, rest = visit.text.partition("://")
            self._send(_PendingRequest(visit, f"{scheme}://{rest.partition('/')[0]}/robots.txt", is_robots=True), now)
        elif self._is_permitted(visit, permission):
            self._send(_PendingRequest(visit, visit.text), now)

    def _is_permitted(self, visit: Visit, permission: Permission) -> bool:
        """Whether robots.txt permits a visit; if not, the visit ends without a request."""
        outcome, failure = permission.outcome, permission.failure
        if permission.rules is not None:
            if permission.rules.allows(visit.text):
                return True
            outcome, failure = Outcome.FORBIDDEN, "robots.txt forbids it"
        self._ended.append(Ended(visit, Response(0, visit.text, failure=failure), outcome))
        return False

    def _send(self, request: _PendingRequest, now: float) -> None:
        """Look up the host of a request, and hold the request until the delay of its address is over."""
        if self._options.through_one_address:
            self._hold(request, None, now)
            return
        host = host_of(server_of(request.url))
        resolution = self._resolver.resolve(host, now)
        if resolution is None:
            self._unresolved.setdefault(host, []).append(request)
            return
        address = resolution.chosen(self._options.allow_private)
        if address is None:
            self._receive(request, Response(0, request.url, failure=resolution.refusal), now)
        else:
            self._hold(request, address, self._politeness.reserve(address, now))

    def _hold(self, request: _PendingRequest, address: str | None, start: float) -> None:
        heapq.heappush(self._held, (start, next(self._keys), request, address))

    def start_due(self, now: float) -> None:
        """Start the requests that may start now, as far as there are free connections."""
        while self._held and self._held[0][0] <= now and self._fetcher.free > 0:
            _, key, request, address = heapq.heappop(self._held)
            is_sitemap = bool(request.visit.hops & SITEMAP_HOP) and not request.is_robots
            limit = PARSED_BYTES if request.is_robots else SITEMAP_BYTES if is_sitemap else None
            self._started[key] = request
            self._fetcher.start(Request(key, request.url, address, limit, any_type=request.is_robots or is_sitemap))

    def go_on_with(self, resolutions: Iterable[Resolution], now: float) -> None:
        """Go on with the requests whose hosts have been looked up."""
        for resolution in resolutions:
            for request in self._unresolved.pop(resolution.host, []):
                self._send(request, now)

    def give_back(self, now: float) -> None:
        """Return all visits that have no connection to the frontier: the crawl is stopping."""
        waiting = [request for _, _, request, _ in self._held]
        waiting += [request for requests in self._unresolved.values() for request in requests]
        self._held.clear()
        self._unresolved.clear()
        for request in waiting:
            self._crawl.postpone(request.visit, now)

    # From responses to ended visits

    def receive(self, response: Response, now: float) -> None:
        """Take the response to a request: the visit ends, is postponed, or goes on after its robots.txt."""
        self._receive(self._started.pop(response.key), response, now)

    def _receive(self, request: _PendingRequest, response: Response, now: float) -> None:
        if request.is_robots:
            self._receive_robots(request, response, now)
            return
        visit = request.visit
        if is_passing(response) and visit.attempts < self._options.retries:
            own_seconds = self._options.retry_seconds * 2**visit.attempts
            asked_seconds = response.retry_after_seconds(response.started + response.seconds) if response.head else None
            wait_seconds = min(max(own_seconds, asked_seconds or 0.0), LONGEST_WAIT_SECONDS)
            wait_seconds = max(wait_seconds, self._politeness.delay_of(visit.server))
            self._crawl.postpone(visit._replace(attempts=visit.attempts + 1), now + wait_seconds)
        else:
            self._ended.append(Ended(visit, response, outcome_of(response)))

    def _receive_robots(self, request: _PendingRequest, response: Response, now: float) -> None:
        """Learn from a robots.txt, and go on with the visit that needed it."""
        target = redirect_target(response)
        if target and request.redirects < MOST_REDIRECTS:
            self._send(request._replace(url=target, redirects=request.redirects + 1), now)
            return
        visit = request.visit
        again = self._permissions.learn(visit.server, robots_reply(response), now)
        if again is not None:
            self._crawl.postpone(visit, again)
            return
        permission = self._permissions.of(visit.server, now)
        assert permission is not None, "robots.txt was just learned"
        if permission.rules is not None:
            self._politeness.set_delay(visit.server, permission.rules.delay_seconds or 0.0)
            if self._options.sitemaps and permission.rules.sitemaps:
                self._sitemaps.append((visit, tuple(permission.rules.sitemaps)))
        if not self._is_permitted(visit, permission):
            return
        # The page is the second request to this server, so it waits for the delay.
        delay_seconds = self._politeness.delay_of(visit.server)
        if delay_seconds > 0:
            self._crawl.postpone(visit, now + delay_seconds)
        else:
            self._send(_PendingRequest(visit, visit.text), now)
