"""A web of a few URLs with the answers that a test gives: real sockets, any host name; it records all requests.

>>> answers = {"http://a.example/": page("<a href=/b>"), "/b": [status(503), page("at last")]}
>>> with ScriptedWeb(answers) as web:                                # doctest: +SKIP
...     crawl_something(connect_to=web.address)

For what a `PracticeWeb` lacks or has only by chance. A key is a URL, or a path for all hosts; the answers of a list are
given in turn, the last one from then on. All other URLs, robots.txt included, are not found (404).
"""

import asyncio
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Self

from exonym.practice.pages import PracticeResponse
from exonym.practice.serving.connection import Connection, PracticeRequest, ScheduledAnswer, ServedSite
from exonym.practice.serving.counts import RequestCounts
from exonym.practice.serving.server import framed

Answers = Mapping[str, PracticeResponse | Sequence[PracticeResponse]]


def page(body: str, content_type: str = "text/html; charset=utf-8", delay_seconds: float = 0.0) -> PracticeResponse:
    """A page, with status 200; slow, if wanted."""
    return PracticeResponse(200, (("Content-Type", content_type),), body.encode(), delay_seconds)


def status(code: int, **headers: str) -> PracticeResponse:
    """An answer with another status; `Retry_After="1"` is a header."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return PracticeResponse(code, (("Content-Type", "text/html"), *named), b"<p>no</p>")


def redirect(target: str) -> PracticeResponse:
    """A redirect to `target`."""
    return PracticeResponse(302, (("Location", target),), b"")


class ReceivedRequest(NamedTuple):
    """One request: when (on the monotonic clock), and for what."""

    seconds: float
    url: str


class ScriptedWeb:
    """Answers on a loopback port, in a thread of its own, during the `with` block."""

    def __init__(self, answers: Answers, tls: ssl.SSLContext | None = None) -> None:
        self._answers = {url: [it] if isinstance(it, PracticeResponse) else list(it) for url, it in answers.items()}
        self._tls = tls
        self._connections: set[Connection] = set()
        self._ready = threading.Event()
        self.asked: list[ReceivedRequest] = []
        self.counts = RequestCounts()
        self.address = ""

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(),))
        self._thread.start()
        self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def urls(self) -> list[str]:
        """The URLs that were requested, in order."""
        return [request.url for request in self.asked]

    def gaps(self, host: str = "") -> list[float]:
        """Seconds between the starts of successive requests, of one host or of all."""
        requests = [request for request in self.asked if not host or request.url.split("/")[2] == host]
        return [later - earlier for earlier, later in pairwise(request.seconds for request in requests)]

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        site, scheme = ServedSite(self._answer, self.counts.end), "https" if self._tls else "http"
        server = await self._loop.create_server(
            lambda: Connection(site, scheme, self._connections), "127.0.0.1", 0, ssl=self._tls
        )
        self.address = "{}:{}".format(*server.sockets[0].getsockname())
        self._ready.set()
        await self._over.wait()
        # A connection that is being accepted, in a task of its own, when the server closes would never be closed.
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0)
        server.close()
        while self._connections:
            for connection in list(self._connections):
                connection.close()
            await asyncio.sleep(0)

    def _answer(self, request: PracticeRequest) -> ScheduledAnswer:
        now = time.monotonic()
        self.asked.append(ReceivedRequest(now, request.url))
        before = self.counts.begin(request.url, request.host, now)
        path = "/" + request.url.split("/", 3)[3]
        answers = self._answers.get(request.url) or self._answers.get(path) or [status(404)]
        return framed(answers[min(before, len(answers) - 1)])
