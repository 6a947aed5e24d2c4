"""One request under way: an easy handle of libcurl and what it has received.

Everything that must never depend on the environment is switched off here: proxies, netrc, redirects, other protocols,
curl's own decoding. Handles are reused, so everything but the URL, the address and the times is set once.
"""

import os
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass

import pycurl

from exonym.config import Settings, user_agent
from exonym.fetch.addresses import is_public
from exonym.fetch.failures import failure_text
from exonym.fetch.messages import Request, Response, Truncation, media_type

_BLANK = (b"\r\n", b"\n")
_HTTPS = b"https://"
_BUFFER_BYTES = 256 * 1024
# libcurl gives up on a head of 300 KiB or 5,000 lines, but calls it a lost connection.
_LARGE_HEAD_BYTES = 200 * 1024


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How to fetch: user agent, connections, limits of time and size."""

    user_agent: str
    connections: int = 100
    connect_seconds: float = 20.0
    total_seconds: float = 120.0
    low_speed_bytes: int = 100  # a second, on average over `low_speed_seconds`
    low_speed_seconds: int = 30
    max_bytes: int = 10_000_000
    allow_private: bool = False
    connect_to: str | None = None  # "127.0.0.1:8080": every request goes there, whatever its host
    connect_to_tls: bool = True  # False: `connect_to` speaks plain HTTP, and gets requests for https URLs so
    wanted_type: Callable[[str], bool] | None = None  # of media types ("text/html"; "" if unknown); None: all
    verify_tls: bool = False  # pages behind broken certificates are part of a nation's web
    http2: bool = False
    kept_connections: int | None = None  # idle and busy; None: twice `connections`


def fetch_options(settings: Settings) -> FetchOptions:
    """How to fetch by the settings of a crawl; bodies of all types are wanted."""
    network = settings.network
    return FetchOptions(
        user_agent=user_agent(settings),
        connections=network.connections,
        connect_seconds=network.connect_seconds,
        total_seconds=network.total_seconds,
        low_speed_bytes=network.low_speed_bytes,
        low_speed_seconds=network.low_speed_seconds,
        max_bytes=network.page_bytes,
        allow_private=network.allow_private,
        connect_to=network.connect_to or None,
        connect_to_tls=network.connect_to_tls,
    )


class _OpenSocket:
    """A descriptor lent to libcurl, which takes a copy of it."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def __del__(self) -> None:
        os.close(self._fd)


class Transfer:
    """Carries one request at a time, from `begin` to `ended`, then the next."""

    __slots__ = (
        "_allow_private",
        "_cut",
        "_default_limit",
        "_head_rest",
        "_is_plain",
        "_limit",
        "_lines",
        "_parts",
        "_pinned",
        "_refused",
        "_request",
        "_size",
        "_started",
        "_ticks",
        "_wanted_type",
        "easy",
    )

    def __init__(self, options: FetchOptions) -> None:
        self._allow_private = options.allow_private
        self._is_plain = options.connect_to is not None and not options.connect_to_tls
        self._default_limit = options.max_bytes
        self._wanted_type = options.wanted_type
        self._lines: list[bytes] = []
        self._parts: list[bytes] = []
        self._request = Request(0, "")
        self._pinned: str | None = None
        self._cut: Truncation = ""
        self._refused = ""
        headers = request_headers(options)
        self._head_rest = "".join(f"{line}\r\n" for line in headers).encode() + b"\r\n"
        self.easy = pycurl.Curl()
        self.easy.setopt(pycurl.HTTPHEADER, [line.encode() for line in headers])
        self.easy.setopt(pycurl.HEADERFUNCTION, self._lines.append)
        self.easy.setopt(pycurl.WRITEFUNCTION, self._take)
        if options.connect_to:
            self.easy.setopt(pycurl.CONNECT_TO, [f"::{options.connect_to}"])
        else:
            self.easy.setopt(pycurl.OPENSOCKETFUNCTION, self._open_socket)
        self._set_options(options)

    def _set_options(self, options: FetchOptions) -> None:
        setopt = self.easy.setopt
        setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS if options.http2 else pycurl.CURL_HTTP_VERSION_1_1)
        setopt(pycurl.FOLLOWLOCATION, 0)
        setopt(pycurl.HTTP_TRANSFER_DECODING, 0)
        setopt(pycurl.HTTP09_ALLOWED, 0)
        setopt(pycurl.PATH_AS_IS, 1)
        setopt(pycurl.PROXY, "")  # not even the proxy that the environment names: it would connect anywhere
        setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
        setopt(pycurl.NOSIGNAL, 1)
        setopt(pycurl.CONNECTTIMEOUT_MS, max(1, int(options.connect_seconds * 1_000)))
        setopt(pycurl.TIMEOUT_MS, max(1, int(options.total_seconds * 1_000)))
        setopt(pycurl.LOW_SPEED_LIMIT, options.low_speed_bytes)
        setopt(pycurl.LOW_SPEED_TIME, options.low_speed_seconds)
        setopt(pycurl.BUFFERSIZE, _BUFFER_BYTES)
        setopt(pycurl.SSL_VERIFYPEER, int(options.verify_tls))
        setopt(pycurl.SSL_VERIFYHOST, 2 if options.verify_tls else 0)
        if options.verify_tls:
            setopt(pycurl.CAINFO, ssl.get_default_verify_paths().cafile or "")
        else:  # old servers with outdated TLS are to be archived too
            setopt(pycurl.SSLVERSION, pycurl.SSLVERSION_TLSv1_0)
            setopt(pycurl.SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0")

    def begin(self, request: Request, connect_to: bool) -> None:
        """Prepare the handle for `request`; with `connect_to`, all requests go to one address anyway."""
        self._request = request
        self._lines.clear()
        self._parts.clear()
        self._size = 0
        self._limit = self._default_limit if request.max_bytes is None else request.max_bytes
        self._cut = ""
        self._refused = ""
        url = request.url.encode()
        if self._is_plain and url.startswith(_HTTPS):
            url = b"http://" + url.removeprefix(_HTTPS)
        self.easy.setopt(pycurl.URL, url)
        if not connect_to and request.address != self._pinned:
            self._pinned = address = request.address
            if address is None:
                self.easy.unsetopt(pycurl.CONNECT_TO)  # an empty list would change nothing
            else:
                self.easy.setopt(pycurl.CONNECT_TO, [f"::[{address}]:" if ":" in address else f"::{address}:"])
        self._started = time.time()
        self._ticks = time.monotonic()

    @property
    def key(self) -> int:
        """That of the request."""
        return self._request.key

    def _take(self, data: bytes) -> int:
        if not self._size and not self._is_wanted():
            self._cut = "type"
            return 0
        self._parts.append(data)
        self._size += len(data)
        if self._size > self._limit:
            self._cut = "length"
            return 0
        return len(data)

    def _is_wanted(self) -> bool:
        if self._wanted_type is None or self._request.any_type:
            return True
        return self._wanted_type(media_type(last_head(self._lines)))

    def _open_socket(self, _purpose: int, wanted: tuple[int, int, int, tuple[str, int]]) -> _OpenSocket | int:
        family, kind, protocol, address = wanted
        if not self._allow_private and not is_public(address[0]):
            self._refused = address[0]
            return pycurl.SOCKET_BAD  # type: ignore[no-any-return]
        try:
            return _OpenSocket(socket.socket(family, kind, protocol).detach())
        except OSError:  # no descriptor is left, or this machine does not support the address family
            return pycurl.SOCKET_BAD  # type: ignore[no-any-return]

    def ended(self, code: int) -> Response:
        """The response, now that libcurl has ended the transfer with `code`."""
        head = last_head(self._lines)
        request = self._request
        seconds = time.monotonic() - self._ticks
        status = self.easy.getinfo(pycurl.RESPONSE_CODE)
        if not head or status < 200:
            failure = self._failure(code)
            return Response(request.key, request.url, started=self._started, seconds=seconds, failure=failure)
        _, _, server, *path = request.url.split("/", 3)
        request_line = f"GET /{path[0] if path else ''} HTTP/1.1\r\nHost: {server}\r\n"
        body = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        truncated: Truncation = ""
        if code != pycurl.E_OK:
            truncated = self._cut or ("time" if code == pycurl.E_OPERATION_TIMEDOUT else "disconnect")
        return Response(
            request.key,
            request.url,
            status,
            head,
            body[: self._limit] if len(body) > self._limit else body,
            request_line.encode() + self._head_rest,
            self.easy.getinfo(pycurl.PRIMARY_IP),
            self._started,
            seconds,
            truncated,
        )

    def _failure(self, code: int) -> str:
        if self._refused:
            return f"address refused: {self._refused}"
        if sum(map(len, self._lines)) >= _LARGE_HEAD_BYTES:
            return "protocol: head too large"
        return failure_text(self.easy, code)


def request_headers(options: FetchOptions) -> list[str]:
    """The header lines of every request, after `Host`."""
    return [
        f"User-Agent: {options.user_agent}",
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Accept-Language: *",
        "Accept-Encoding: gzip, deflate",  # only what `body` can decode
    ]


def last_head(lines: list[bytes]) -> bytes:
    """The final head among the header lines received: 1xx heads before and trailers after it are left out.

    b"" if the blank line that ends a head has not arrived.
    """
    first, last = 0, 0
    for position, line in enumerate(lines):
        if line in _BLANK:
            last = position + 1
        elif position == last and line[:5] == b"HTTP/":
            first = position
    if last <= first:
        return b""
    head = b"".join(lines[first:last])
    # Replay tools know no other version, and the lines are HTTP/1.1's anyway.
    return head if head[:7] != b"HTTP/2 " else b"HTTP/1.1" + head[6:]
