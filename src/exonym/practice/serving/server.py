"""Serves a practice web or a web graph on a loopback address, whatever the Host header says.

`serve` blocks this process; `process.running_practice_web` serves from a process of its own.
`http://practice.invalid/_stats` returns the counts of requests as JSON, `/_reset` sets them to zero.
"""

import asyncio
import json
import signal
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from exonym.errors import ConfigError
from exonym.practice.pages import PracticeResponse
from exonym.practice.serving.connection import Connection, PracticeRequest, ScheduledAnswer, ServedSite
from exonym.practice.serving.counts import RequestCounts

CONTROL_HOST = "practice.invalid"
_CHUNK = 4_096
_CLOSED = ScheduledAnswer(None, 0, 0.0)


class ServedWeb(Protocol):
    """A web that can be served: a `PracticeWeb` or a `GraphWeb`."""

    @property
    def page_count(self) -> int:
        """How many pages there are."""
        ...

    def url(self, page_id: int, /) -> str:
        """The URL of a page, in normal form."""
        ...

    def respond(self, url: str, asked_before: int = 0) -> PracticeResponse:
        """The response to any URL, which was requested `asked_before` times already."""
        ...


@dataclass(frozen=True, slots=True)
class ServingOptions:
    """How a practice web is served; TLS on a second port if both files are given."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any free one
    tls_port: int = 0
    certificate_file: str | None = None
    key_file: str | None = None
    cached_responses: int = 2_000
    prewarm: bool = False


@dataclass(frozen=True, slots=True)
class BoundTo:
    """The host and ports that a server listens on; `tls_port` is 0 without TLS."""

    host: str
    port: int
    tls_port: int


class PracticeServer:
    """Answers requests for a web, from a cache where it can, and counts them."""

    def __init__(self, web: ServedWeb, options: ServingOptions | None = None) -> None:
        self.web = web
        self.options = options or ServingOptions()
        self.counts = RequestCounts()
        self._cache: OrderedDict[str, ScheduledAnswer] = OrderedDict()
        self._connections: set[Connection] = set()

    def prewarm(self) -> None:
        """Fill the cache with pages, in the order of their ids."""
        for page in range(min(self.web.page_count, self.options.cached_responses)):
            url = self.web.url(page)
            self._remember(url, self.web.respond(url))

    def answer(self, request: PracticeRequest) -> ScheduledAnswer:
        """The answer to a request; the request counts as active until `counts.end`."""
        if request.host == CONTROL_HOST:
            return self._control(request)
        asked_before = self.counts.begin(request.url, request.host, time.monotonic())
        ready = self._cache.get(request.url)
        if ready is not None:
            self._cache.move_to_end(request.url)
            return ready
        return self._remember(request.url, self.web.respond(request.url, asked_before))

    def _remember(self, url: str, response: PracticeResponse) -> ScheduledAnswer:
        answer = framed(response)
        if response.is_lasting and self.options.cached_responses:
            self._cache[url] = answer
            if len(self._cache) > self.options.cached_responses:
                self._cache.popitem(last=False)
        return answer

    def _control(self, request: PracticeRequest) -> ScheduledAnswer:
        is_known = request.url.endswith(("/_stats", "/_reset"))
        if request.url.endswith("/_reset"):
            self.counts.reset()
        body = json.dumps(self.counts.as_dict()).encode() if is_known else b"{}"
        return framed(PracticeResponse(200 if is_known else 404, (("Content-Type", "application/json"),), body))

    async def run(self, until: asyncio.Event, ready: Callable[[BoundTo], None]) -> None:
        """Serve until the event is set; calls `ready` with the ports once they are open."""
        if self.options.prewarm:
            self.prewarm()
        loop = asyncio.get_running_loop()
        site = ServedSite(self.answer, self.counts.end)
        plain = await self._listen(loop, site, "http", self.options.port, None)
        context = self._tls_context()
        secure = await self._listen(loop, site, "https", self.options.tls_port, context) if context else None
        servers = [plain, secure] if secure else [plain]
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        ready(BoundTo(self.options.host, ports[0], ports[1] if secure else 0))
        await until.wait()
        for server in servers:
            server.close()
        for connection in list(self._connections):
            connection.close()

    async def _listen(
        self, loop: asyncio.AbstractEventLoop, site: ServedSite, scheme: str, port: int, context: ssl.SSLContext | None
    ) -> asyncio.Server:
        try:
            return await loop.create_server(
                lambda: Connection(site, scheme, self._connections), self.options.host, port, ssl=context, backlog=1024
            )
        except OSError as error:
            where = f"{self.options.host}:{port}"
            raise ConfigError(
                f"The practice web cannot listen on {where}: {error.strerror}. Choose another port."
            ) from None

    def _tls_context(self) -> ssl.SSLContext | None:
        certificate, key = self.options.certificate_file, self.options.key_file
        if not certificate or not key:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(Path(certificate), Path(key))
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(f"{certificate} and {key} cannot be used as certificate and key: {error}.") from None
        return context


def framed(response: PracticeResponse) -> ScheduledAnswer:
    """A response as bytes of HTTP/1.1."""
    if response.is_dead:
        return _CLOSED
    lines = [f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}", "Server: practice"]
    lines += [f"{name}: {value}" for name, value in response.headers]
    is_chunked = response.is_chunked and response.body
    lines.append("Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {len(response.body)}")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    body = _chunks(response.body) if is_chunked else response.body
    return ScheduledAnswer(head + body, len(head), response.delay_seconds)


def _chunks(body: bytes) -> bytes:
    pieces = (body[start : start + _CHUNK] for start in range(0, len(body), _CHUNK))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def serve(
    web: ServedWeb,
    options: ServingOptions | None = None,
    ready: Callable[[BoundTo], None] = lambda _: None,
    parent_pipe: int | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, or until the pipe from the parent process ends."""
    new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):  # asyncio's own loop works too, but takes twice the time for a request
        import uvloop

        new_loop = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(PracticeServer(web, options), ready, parent_pipe))


async def _serve(server: PracticeServer, ready: Callable[[BoundTo], None], parent_pipe: int | None) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if parent_pipe is not None:
        # The parent writes nothing more: the pipe becomes readable when the parent is gone.
        loop.add_reader(parent_pipe, stop.set)
    try:
        await server.run(stop, ready)
    finally:
        if parent_pipe is not None:
            loop.remove_reader(parent_pipe)
