"""The requests of visits: for robots.txt first, after a name look-up, and with a delay for each address.

A visit ends as an `Ended` (with a response, forbidden, or failed), or it is postponed: its link goes back to the
frontier and its server rests.
"""

import heapq
import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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
_MOST_UNLENT = 4  # requests that wait for one address which other workers have; the servers of more rest for …
_UNLENT_SECONDS = 5.0
_UNREACHED_SECONDS = 15.0  # the rest of a server whose address cannot be had for now


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


class AddressTurns(Protocol):
    """Says when requests to an IP address may begin: by those of this process, or of all workers of a cluster."""

    changes: int  # grows when requests that had to wait for an address should ask again

    def reserve(self, address: str, now: float) -> float | None:
        """When a request may start; None: ask again when `changes` has grown; infinity: the address cannot be had."""

    def begin(self, address: str, now: float) -> float | None:
        """Note that a request begins, and return `now`; or, if it must not, a later start, or None (see `reserve`)."""

    def end(self, address: str, now: float) -> None:
        """Note that a request has ended."""

    def overdue(self, now: float) -> list[str]:
        """The addresses to which no request may be in flight any more."""


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
        turns: AddressTurns | None = None,
    ) -> None:
        """`first_key`: the first of the numbers by which the fetcher tells this queue's requests from others'.

        `turns`: what keeps the delay of addresses instead of `politeness`; several queues may share it.
        """
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
        self._turns: AddressTurns = politeness if turns is None else turns
        self._unlent: dict[str, list[_PendingRequest]] = {}  # by address
        self._changes = 0  # those of `turns` that have been seen
        self._addresses: dict[int, str] = {}  # of requests that have begun, by key
        self._ended: list[Ended] = []
        self._sitemaps: list[tuple[Visit, tuple[str, ...]]] = []

    @property
    def waiting(self) -> int:
        """How many requests have no connection yet."""
        waiting = len(self._held)
        if self._unresolved or self._unlent:
            waiting += sum(map(len, (*self._unresolved.values(), *self._unlent.values())))
        return waiting

    @property
    def addresses(self) -> set[str]:
        """The addresses for which requests wait."""
        return {address for *_, address in self._held if address is not None}.union(self._unlent)

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
            self._take_turn(request, address, now)

    def _take_turn(self, request: _PendingRequest, address: str, now: float) -> None:
        """Hold a request until its address may be asked; if that cannot be known yet, until the address is lent."""
        start = self._turns.reserve(address, now)
        if start is None and len(self._unlent.get(address, ())) < _MOST_UNLENT:
            self._unlent.setdefault(address, []).append(request)
        elif start is None:
            self._crawl.postpone(request.visit, now + _UNLENT_SECONDS, "another worker uses its IP address")
        elif start == math.inf:
            self._crawl.postpone(request.visit, now + _UNREACHED_SECONDS, "its IP address cannot be had for now")
        else:
            self._hold(request, address, start)

    def _hold(self, request: _PendingRequest, address: str | None, start: float) -> None:
        heapq.heappush(self._held, (start, next(self._keys), request, address))

    def start_due(self, now: float) -> None:
        """Start the requests that may start now, as far as there are free connections."""
        self._follow_turns(now)
        while self._held and self._held[0][0] <= now and self._fetcher.free > 0:
            _, key, request, address = heapq.heappop(self._held)
            if address is not None:
                start = self._turns.begin(address, now)
                if start is None:
                    self._unlent.setdefault(address, []).append(request)
                    continue
                if start > now:
                    heapq.heappush(self._held, (start, key, request, address))
                    continue
                self._addresses[key] = address
            is_sitemap = bool(request.visit.hops & SITEMAP_HOP) and not request.is_robots
            limit = PARSED_BYTES if request.is_robots else SITEMAP_BYTES if is_sitemap else None
            self._started[key] = request
            self._fetcher.start(Request(key, request.url, address, limit, any_type=request.is_robots or is_sitemap))

    def _follow_turns(self, now: float) -> None:
        """Break off requests whose address is no longer lent, and let those that waited for an address ask again."""
        if overdue := self._turns.overdue(now):
            self._break_off([key for key, address in self._addresses.items() if address in overdue], now)
        if self._changes != self._turns.changes:
            self._changes = self._turns.changes
            unlent, self._unlent = self._unlent, {}
            for address, requests in unlent.items():
                for request in requests:
                    self._take_turn(request, address, now)

    def break_off(self, now: float) -> None:
        """Give up all requests, also those in flight: this partition is no longer driven here."""
        self._break_off(list(self._started), now)
        self.give_back(now)

    def _break_off(self, keys: list[int], now: float) -> None:
        for key in keys:
            self._fetcher.drop(key)
            if key in self._addresses:
                self._turns.end(self._addresses.pop(key), now)
            self._crawl.postpone(self._started.pop(key).visit, now + _UNREACHED_SECONDS)

    def go_on_with(self, resolutions: Iterable[Resolution], now: float) -> None:
        """Go on with the requests whose hosts have been looked up."""
        for resolution in resolutions:
            for request in self._unresolved.pop(resolution.host, []):
                self._send(request, now)

    def give_back(self, now: float) -> None:
        """Return all visits that have no connection to the frontier: the crawl is stopping."""
        waiting = [request for _, _, request, _ in self._held]
        waiting += [request for requests in self._unresolved.values() for request in requests]
        waiting += [request for requests in self._unlent.values() for request in requests]
        self._held.clear()
        self._unresolved.clear()
        self._unlent.clear()
        for request in waiting:
            self._crawl.postpone(request.visit, now)

    # From responses to ended visits

    def receive(self, response: Response, now: float) -> None:
        """Take the response to a request: the visit ends, is postponed, or goes on after its robots.txt."""
        if response.key in self._addresses:
            self._turns.end(self._addresses.pop(response.key), now)
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
            why = response.failure or f"http: {response.status}"
            self._crawl.postpone(visit._replace(attempts=visit.attempts + 1), now + wait_seconds, f"again after {why}")
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
            self._crawl.postpone(visit, again, "its robots.txt could not be read")
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
            self._crawl.postpone(visit, now + delay_seconds, self._politeness.delay_reason(visit.server))
        else:
            self._send(_PendingRequest(visit, visit.text), now)
