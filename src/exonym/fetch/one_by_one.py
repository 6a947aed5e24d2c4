"""A few URLs fetched one after the other, as politely as a crawl does: robots.txt first, and a rest between requests.

Right for sitemaps that a person names. Many pages are a crawl: see `seeds.checking`. Questions to a service that is
made for programs are `answer`: robots.txt keeps crawlers, who follow links, away from such (Wikidata's does); what
its operators ask of programs is one question at a time, a name to write to, and to stay away when told so.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from exonym.config import Settings, user_agent
from exonym.fetch import Fetcher, FetchOptions, Request, Response, decoded_body
from exonym.fetch.addresses import literal_address, looked_up
from exonym.fetch.messages import is_passing, redirect_target
from exonym.fetch.sitemap import SITEMAP_BYTES
from exonym.politeness.permissions import MOST_REDIRECTS, Permission, Permissions, RobotsReply
from exonym.politeness.robots import PARSED_BYTES
from exonym.urls import host_of, id_of, server_of

_POLL_SECONDS = 1.0

Wait = Callable[[float], None]


@contextmanager
def fetching(settings: Settings, wait: Wait = time.sleep) -> Iterator["OneByOne"]:
    """Something that fetches, closed at the end."""
    network = settings.network
    options = FetchOptions(
        user_agent=user_agent(settings),
        connections=1,
        connect_seconds=network.connect_seconds,
        total_seconds=network.total_seconds,
        low_speed_bytes=network.low_speed_bytes,
        low_speed_seconds=network.low_speed_seconds,
        allow_private=network.allow_private,
        connect_to=network.connect_to or None,
    )
    fetcher = Fetcher(options)
    try:
        yield OneByOne(fetcher, settings, wait)
    finally:
        fetcher.close()


class OneByOne:
    """Asks for one URL at a time, and never a server twice within the delay."""

    def __init__(self, fetcher: Fetcher, settings: Settings, wait: Wait) -> None:
        self._fetcher = fetcher
        self._settings = settings
        self._wait = wait
        self._permissions = Permissions(settings.politeness.robots_seconds, 0, 0.0)
        self._delays: dict[int, float] = {}
        self._due: dict[int, float] = {}

    def content(self, url: str) -> bytes | str:
        """What is at `url`, redirects followed and encodings taken off, or a text: why there is nothing."""
        return _content(self._followed(url, self._refusal))

    def answer(self, url: str) -> Response:
        """What a service for programs answers, redirects followed; its robots.txt is not asked for."""
        return self._followed(url, lambda _: "")

    def postpone(self, url: str, seconds: float) -> None:
        """Leave the server of `url` alone for some time."""
        server = id_of(server_of(url))
        self._due[server] = max(self._due.get(server, 0.0), time.monotonic() + seconds)

    def _followed(self, url: str, refusal: Callable[[str], str]) -> Response:
        for _ in range(MOST_REDIRECTS + 1):
            why = refusal(url)
            if why:
                return Response(0, url, failure=why)
            response = self._asked(url, SITEMAP_BYTES)
            target = redirect_target(response)
            if not target:
                return response
            url = target
        return Response(0, url, failure=f"more than {MOST_REDIRECTS} redirects")

    def _refusal(self, url: str) -> str:
        permission = self._permission(url)
        if permission.rules is None:
            return permission.failure
        self._delays[id_of(server_of(url))] = permission.rules.delay_seconds or 0.0
        return "" if permission.rules.allows(url) else "robots.txt forbids it"

    def _permission(self, url: str) -> Permission:
        server = id_of(server_of(url))
        known = self._permissions.of(server, time.monotonic())
        if known is None:
            self._permissions.learn(server, robots_reply(self._robots(url)), time.monotonic())
            known = self._permissions.of(server, time.monotonic())
        return known or Permission(None, 0.0, "robots.txt: no answer")

    def _robots(self, url: str) -> Response:
        scheme = url.partition("://")[0]
        asked = f"{scheme}://{server_of(url)}/robots.txt"
        response = self._asked(asked, PARSED_BYTES)
        for _ in range(MOST_REDIRECTS):
            target = redirect_target(response)
            if not target:
                break
            response = self._asked(target, PARSED_BYTES)
        return response

    def _asked(self, url: str, most_bytes: int) -> Response:
        server = id_of(server_of(url))
        rest_seconds = self._due.get(server, 0.0) - time.monotonic()
        if rest_seconds > 0:
            self._wait(rest_seconds)
        response = self._sent(url, most_bytes)
        delay_seconds = max(self._settings.politeness.delay_seconds, self._delays.get(server, 0.0))
        self._due[server] = time.monotonic() + delay_seconds
        return response

    def _sent(self, url: str, most_bytes: int) -> Response:
        address = None
        if not self._settings.network.connect_to:
            host = host_of(server_of(url))
            resolution = looked_up(literal_address(host) or host)
            address = resolution.chosen(self._settings.network.allow_private)
            if address is None:
                return Response(0, url, failure=resolution.refusal)
        self._fetcher.start(Request(0, url, address, most_bytes, any_type=True))
        while not (responses := self._fetcher.poll(_POLL_SECONDS)):
            pass  # the fetcher gives up by its own times
        return responses[0]


def _content(response: Response) -> bytes | str:
    if response.failure or not 200 <= response.status < 300:
        return response.failure or f"status {response.status}"
    return decoded_body(response.head, response.body, SITEMAP_BYTES)


def robots_reply(response: Response) -> RobotsReply:
    """What came for a robots.txt; one that was cut short may lack the very line that forbids."""
    if response.truncated in ("time", "disconnect"):
        return RobotsReply(response.status, f"cut short ({response.truncated})", b"")
    content = decoded_body(response.head, response.body, PARSED_BYTES)
    return RobotsReply(response.status, response.failure, content, is_passing(response))
