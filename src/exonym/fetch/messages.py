"""A request to a server and its response, byte for byte.

A page that cannot be fetched is a Response too: `status` is 0 and `failure` has the reason, one of a few stable texts
("connect: refused", "timeout: response" …) that can be counted and compared.
"""

import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Literal

from exonym.batches import Outcome
from exonym.errors import UrlError
from exonym.urls import normal_form

# WARC-Truncated reasons, and "type": cut after the head because bodies of this type are not wanted.
Truncation = Literal["", "length", "time", "disconnect", "type"]

# How failures begin that may be over when the same request is sent again.
_PASSING = ("connect", "timeout", "dns: no answer", "disconnect", "tls", "protocol")
_DELTA_SECONDS = re.compile(r"[0-9]{1,10}")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")


@dataclass(frozen=True, slots=True)
class Request:
    """A request for one URL in normal form; redirects are not followed."""

    key: int
    url: str
    address: str | None = None  # connect here instead of looking the host up again
    max_bytes: int | None = None  # of body; None: as FetchOptions says
    any_type: bool = False  # keep the body whatever its type (robots.txt, sitemaps)


@dataclass(frozen=True, slots=True)
class Response:
    """What a server sent, as it sent it, or why it sent nothing."""

    key: int
    url: str
    status: int = 0  # 0: no reply, see `failure`
    head: bytes = b""  # status line and header lines, with the blank line that ends them
    body: bytes = b""  # transfer and content encoding still on
    request_head: bytes = b""
    address: str = ""
    started: float = 0.0  # seconds since 1970
    seconds: float = 0.0
    truncated: Truncation = ""
    failure: str = ""

    def header(self, name: str) -> str | None:
        """The first value of a header, as Latin-1; None if the reply has none of that name."""
        value = header_value(self.head, name)
        return None if value is None else value.decode("latin-1")

    @property
    def content_type(self) -> str:
        """The media type in lower case without parameters (`text/html`), or ""."""
        return media_type(self.head)

    @property
    def location(self) -> str | None:
        """Where a redirect points, as written by the server: it may be relative."""
        value = header_value(self.head, "location")
        return None if value is None else location_text(value)

    def retry_after_seconds(self, now: float) -> float | None:
        """How long the server asks us to wait, counted from `now` (seconds since 1970)."""
        value = self.header("retry-after")
        if not value:
            return None
        if _DELTA_SECONDS.fullmatch(value):
            return float(value)
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - now)
        except (ValueError, TypeError, OverflowError, IndexError):
            return None


def is_passing(response: Response) -> bool:
    """Whether the same request may succeed later: the server is busy, broken or unreachable for now."""
    return response.status == 429 or response.status >= 500 or response.failure.startswith(_PASSING)


def redirect_target(response: Response) -> str | None:
    """Where a redirect leads, in normal form; None if it is no redirect or leads to no http(s) URL."""
    return outcome_of_reply(response.status, header_value(response.head, "location"), response.url)[1] or None


def outcome_of(response: Response) -> Outcome:
    """The outcome of a visit with this response, before the page is read."""
    return outcome_of_reply(response.status, header_value(response.head, "location"), response.url)[0]


def outcome_of_reply(status: int, location: bytes | None, url: str) -> tuple[Outcome, str]:
    """The outcome of a visit to `url` by its reply, and where the reply leads ("" if it is no redirect)."""
    if 300 <= status < 400 and location:
        try:
            return Outcome.REDIRECT, normal_form(location_text(location), url)
        except UrlError:
            return Outcome.FAILED, ""
    return (Outcome.PAGE if 200 <= status < 300 else Outcome.FAILED), ""


@lru_cache(maxsize=64)
def _line_of(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"^" + re.escape(name.encode("latin-1", "replace")) + rb"[ \t]*:([^\r\n]*)", re.I | re.M)


def location_text(value: bytes) -> str:
    """The value of a Location header as text."""
    try:  # servers write foreign letters unescaped, mostly in UTF-8
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def header_value(head: bytes, name: str) -> bytes | None:
    """The first value of a header in a raw head, without surrounding white space."""
    found = _line_of(name).search(head)
    return found[1].strip() if found else None


def status_of(head: bytes) -> int:
    """The status code in a raw head; 0 if it has no status line."""
    found = _STATUS.match(head)
    return int(found[1]) if found else 0


def media_type(head: bytes) -> str:
    """The media type that a raw head names, in lower case without parameters, or ""."""
    value = header_value(head, "content-type") or b""
    return value.partition(b";")[0].strip().lower().decode("latin-1")
