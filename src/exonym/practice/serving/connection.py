"""One HTTP/1.1 connection to the practice server: keep-alive, pipelining, any Host header.

Small on purpose: it reads GET and HEAD requests and answers in order. It is fast, so that benchmarks measure the
crawler and not the server.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

_LONGEST_HEAD = 65_536
_HOST = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*?)[ \t]*(?:\r\n|$)", re.IGNORECASE)
_CLOSES = re.compile(rb"\r\nconnection:[^\r\n]*close", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ScheduledAnswer:
    """Bytes to send after a delay (None: close the connection instead), and how many of them are the HTTP head."""

    wire: bytes | None
    head_bytes: int
    delay_seconds: float


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """A request: the whole URL, its host, and whether only the head is wanted."""

    url: str
    host: str
    is_head: bool


class ServedSite(NamedTuple):
    """What a connection calls: `answer` for each request, and `done` with its host when the answer was sent."""

    answer: Callable[[PracticeRequest], ScheduledAnswer]
    done: Callable[[str], None]


class Connection(asyncio.Protocol):
    """Reads requests from one client and answers them in order."""

    def __init__(self, site: ServedSite, scheme: str, connections: "set[Connection]") -> None:
        self._site = site
        self._scheme = scheme
        self._connections = connections
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._waiting: asyncio.TimerHandle | None = None
        self._host = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection."""
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the answer that still waits: the client is gone."""
        self._transport = None
        self._connections.discard(self)
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
            self._site.done(self._host)

    def data_received(self, data: bytes) -> None:
        """Answer every request that has arrived completely."""
        self._unread += data
        self._advance()

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()

    def _advance(self) -> None:
        while self._transport is not None and self._waiting is None and not self._transport.is_closing():
            end = self._unread.find(b"\r\n\r\n")
            if end < 0:
                if len(self._unread) > _LONGEST_HEAD:
                    self._refuse(b"431 Request Header Fields Too Large")
                return
            head = bytes(self._unread[:end])
            del self._unread[: end + 4]
            self._take(head)

    def _take(self, head: bytes) -> None:
        parts = head.partition(b"\r\n")[0].split(b" ")
        host = _HOST.search(head)
        if len(parts) != 3 or not parts[2].startswith(b"HTTP/1.") or host is None:
            return self._refuse(b"400 Bad Request")
        if parts[0] not in (b"GET", b"HEAD"):
            return self._refuse(b"405 Method Not Allowed")
        # A host with its default port is the same host; a request to a proxy has a whole URL.
        name = host[1].decode("latin-1").lower().removesuffix(":80" if self._scheme == "http" else ":443")
        target = parts[1].decode("latin-1")
        url = target if target.startswith(("http://", "https://")) else f"{self._scheme}://{name}{target}"
        request = PracticeRequest(url, url.split("/", 3)[2].lower(), parts[0] == b"HEAD")
        answer = self._site.answer(request)
        self._host = request.host
        closes = parts[2] == b"HTTP/1.0" or _CLOSES.search(head) is not None
        if answer.delay_seconds > 0:
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(answer.delay_seconds, self._send_late, answer, request.is_head, closes)
        else:
            self._send(answer, request.is_head, closes)
        return None

    def _send_late(self, answer: ScheduledAnswer, is_head: bool, closes: bool) -> None:
        self._waiting = None
        self._send(answer, is_head, closes)
        self._advance()

    def _send(self, answer: ScheduledAnswer, is_head: bool, closes: bool) -> None:
        assert self._transport is not None
        if answer.wire is not None:
            self._transport.write(answer.wire[: answer.head_bytes] if is_head else answer.wire)
        self._site.done(self._host)
        if closes or answer.wire is None:
            self._transport.close()

    def _refuse(self, status: bytes) -> None:
        assert self._transport is not None
        self._transport.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self._transport.close()
