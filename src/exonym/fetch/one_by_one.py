"""A few URLs fetched one after the other, as politely as a crawl does: robots.txt first, a delay between requests.

This is for URLs that a person names: sitemaps, lists, one page. Many pages are a crawl. `answer` does not request
robots.txt: it is for services made for programs, whose robots.txt excludes crawlers (Wikidata's does) while their
operators ask programs for one request at a time, a contact address and pauses on demand; and for a page that a person
asks for.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from exonym.config import Settings
from exonym.fetch import Fetcher, Request, Response, decoded_body
from exonym.fetch.addresses import literal_address, looked_up
from exonym.fetch.messages import is_passing, redirect_target
from exonym.fetch.sitemap_urls import SITEMAP_BYTES
from exonym.fetch.transfer import fetch_options
from exonym.politeness.permissions import MOST_REDIRECTS, Permission, Permissions, RobotsReply
from exonym.politeness.robots import PARSED_BYTES
from exonym.urls import host_of, id_of, server_of

TOO_MANY_REDIRECTS = f"more than {MOST_REDIRECTS} redirects"  # a failure

_POLL_SECONDS = 1.0

Wait = Callable[[float], None]


@contextmanager
def fetching(settings: Settings, wait: Wait = time.sleep) -> Iterator["OneByOne"]:
    """A fetcher that is closed at the end; `wait` sleeps between requests."""
    fetcher = Fetcher(replace(fetch_options(settings), connections=1))
    try:
        yield OneByOne(fetcher, settings, wait)
    finally:
        fetcher.close()


class OneByOne:
    """Sends one request at a time, and none to a server within its delay."""

    def __init__(self, fetcher: Fetcher, settings: Settings, wait: Wait) -> None:
        self._fetcher = fetcher
        self._settings = settings
        self._wait = wait
        self._permissions = Permissions(settings.politeness.robots_seconds, 0, 0.0)
        self._delays: dict[int, float] = {}
        self._due: dict[int, float] = {}

    def content(self, url: str) -> bytes | str:
        """The bytes at `url` after redirects, without encodings; if there are none, the reason as a text."""
        response = self._followed(url, SITEMAP_BYTES, self._refusal)
        if response.failure or not 200 <= response.status < 300:
            return response.failure or f"status {response.status}"
        return decoded_body(response.head, response.body, SITEMAP_BYTES)

    def answer(self, url: str, most_bytes: int = SITEMAP_BYTES) -> Response:
        """The response at `url` after redirects; robots.txt is not requested."""
        return self._followed(url, most_bytes, lambda _: "")

    def postpone(self, url: str, seconds: float) -> None:
        """Send nothing to the server of `url` for some time."""
        server = id_of(server_of(url))
        self._due[server] = max(self._due.get(server, 0.0), time.monotonic() + seconds)

    def _followed(self, url: str, most_bytes: int, refusal: Callable[[str], str]) -> Response:
        for _ in range(MOST_REDIRECTS + 1):
            why = refusal(url)
            if why:
                return Response(0, url, failure=why)
            response = self._fetched(url, most_bytes)
            target = redirect_target(response)
            if not target:
                return response
            url = target
        return Response(0, url, failure=TOO_MANY_REDIRECTS)

    def _refusal(self, url: str) -> str:
        """Why robots.txt does not let us fetch `url`; "" if it does."""
        server = id_of(server_of(url))
        permission = self._permissions.of(server, time.monotonic())
        if permission is None:
            self._permissions.learn(server, robots_reply(self._robots(url)), time.monotonic())
            permission = self._permissions.of(server, time.monotonic())
        permission = permission or Permission(None, 0.0, "robots.txt: no answer")
        if permission.rules is None:
            return permission.failure
        self._delays[server] = permission.rules.delay_seconds or 0.0
        return "" if permission.rules.allows(url) else "robots.txt forbids it"

    def _robots(self, url: str) -> Response:
        """The response to a request for the robots.txt of `url`'s server."""
        scheme = url.partition("://")[0]
        response = self._fetched(f"{scheme}://{server_of(url)}/robots.txt", PARSED_BYTES)
        for _ in range(MOST_REDIRECTS):
            target = redirect_target(response)
            if not target:
                break
            response = self._fetched(target, PARSED_BYTES)
        return response

    def _fetched(self, url: str, most_bytes: int) -> Response:
        """The response to one request, sent when the server is due."""
        server = id_of(server_of(url))
        wait_seconds = self._due.get(server, 0.0) - time.monotonic()
        if wait_seconds > 0:
            self._wait(wait_seconds)
        response = self._send(url, most_bytes)
        delay_seconds = max(self._settings.politeness.delay_seconds, self._delays.get(server, 0.0))
        self._due[server] = time.monotonic() + delay_seconds
        return response

    def _send(self, url: str, most_bytes: int) -> Response:
        """The response to one request, sent now."""
        address = None
        if not self._settings.network.connect_to:
            host = host_of(server_of(url))
            resolution = looked_up(literal_address(host) or host)
            address = resolution.chosen(self._settings.network.allow_private)
            if address is None:
                return Response(0, url, failure=resolution.refusal)
        self._fetcher.start(Request(0, url, address, most_bytes, any_type=True))
        while not (responses := self._fetcher.poll(_POLL_SECONDS)):
            pass  # the time limits of the fetcher end this loop
        return responses[0]


def robots_reply(response: Response) -> RobotsReply:
    """The response to a request for robots.txt, as `Permissions` takes it.

    A robots.txt that was cut short counts as failed: it may lack the line that forbids.
    """
    if response.truncated in ("time", "disconnect"):
        return RobotsReply(response.status, f"cut short ({response.truncated})", b"")
    content = decoded_body(response.head, response.body, PARSED_BYTES)
    return RobotsReply(response.status, response.failure, content, is_passing(response))
