"""The bytes of a page that a person names: a file, standard input, or a web address that is asked for once.

One page asked for by a person is what a browser fetches too: robots.txt, which is for crawlers, is not asked.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.errors import ConfigError, ExonymError

if TYPE_CHECKING:
    from exonym.fetch import Fetcher, Response

LONGEST = 16 * 1024 * 1024  # as much as of a page in a crawl
_MOST_REDIRECTS = 5
_POLL_SECONDS = 1.0
_HTML_ENDINGS = frozenset([".html", ".htm", ".xhtml", ".shtml", ".php", ".asp"])


@dataclass(frozen=True, slots=True)
class PageBytes:
    """A page as it was found: where, its bytes, and the Content-Type that came with it ("" none)."""

    url: str  # in normal form; made up for files
    body: bytes
    content_type: str


def is_address(source: str) -> bool:
    """Whether a source is to be fetched."""
    return source.lower().startswith(("http://", "https://"))


def read_page_bytes(source: str, charset: str, allow_private: bool) -> PageBytes:
    """What `source` holds: `-` is standard input. `charset` is what a server would have said of a file."""
    if is_address(source):
        return _fetched(source, allow_private)
    said = f"; charset={charset}" if charset else ""
    if source == "-":
        return PageBytes("http://file.invalid/", sys.stdin.buffer.read(LONGEST), said)
    kind = "text/html" if Path(source).suffix.lower() in _HTML_ENDINGS else ""
    return PageBytes("http://file.invalid/", _read_file(source), kind + said)


def _read_file(source: str) -> bytes:
    try:
        with Path(source).open("rb") as file:
            return file.read(LONGEST)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        advice = "Name a file, a web address that begins with http:// or https://, or - for standard input."
        raise ExonymError(f"{source[:200]} cannot be read: {reason}. {advice}") from None


def _fetched(source: str, allow_private: bool) -> PageBytes:
    from exonym.config import Settings, user_agent
    from exonym.fetch import Fetcher, FetchOptions, decoded_body
    from exonym.urls import normal_form

    url = normal_form(source)
    fetcher = Fetcher(FetchOptions(user_agent(Settings()), connections=1, allow_private=allow_private))
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            response = _response(fetcher, url, allow_private)
            if not 300 <= response.status < 400 or not response.location:
                break
            url = normal_form(response.location, url)
        else:
            raise ExonymError(f"{source} redirects more than {_MOST_REDIRECTS} times. Name the page that it leads to.")
    finally:
        fetcher.close()
    _check(url, response)
    return PageBytes(url, decoded_body(response.head, response.body, LONGEST), response.header("content-type") or "")


def _response(fetcher: "Fetcher", url: str, allow_private: bool) -> "Response":
    """What the server of `url` sends, asked at an address that was checked."""
    from exonym.fetch import Request
    from exonym.fetch.addresses import literal_address, looked_up
    from exonym.urls import host_of, server_of

    host = host_of(server_of(url))
    resolution = looked_up(literal_address(host) or host)
    address = resolution.chosen(allow_private)
    if address is None and resolution.addresses:
        raise ConfigError(
            f"{url} is at the private address {resolution.addresses[0]}. Add --allow-private if that is what you want."
        )
    if address is None:
        raise ExonymError(f"{url} cannot be fetched: {resolution.refusal}. Check the address.")
    fetcher.start(Request(0, url, address))
    while not (responses := fetcher.poll(_POLL_SECONDS)):
        pass  # the fetcher gives up by its own times
    return responses[0]


def _check(url: str, response: "Response") -> None:
    if response.failure:
        raise ExonymError(f"{url} cannot be fetched: {response.failure}. Check the address.")
    if response.status >= 300:
        raise ExonymError(f"{url} cannot be fetched: its server answers {response.status}. Check the address.")
    kind = response.content_type
    if kind and not kind.startswith("text/") and kind not in ("application/xhtml+xml", "unknown/unknown"):
        raise ExonymError(f"{url} is {kind}, not a page of text. Name an HTML page.")
