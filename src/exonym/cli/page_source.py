"""The bytes of a page that a person names: a file, standard input, or a web address, which is fetched once.

A person who names one page does what a browser does: robots.txt is for crawlers, and is not fetched here.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.errors import ConfigError, ExonymError

if TYPE_CHECKING:
    from exonym.extract.document import Document
    from exonym.fetch import Response

LONGEST = 16 * 1024 * 1024  # bytes, as for a page in a crawl
_SOURCES = "a file, a web address that begins with http:// or https://, or - for standard input"
_HTML_ENDINGS = frozenset([".html", ".htm", ".xhtml", ".shtml", ".php", ".asp"])


@dataclass(frozen=True, slots=True)
class PageBytes:
    """A page as received: its URL, its bytes, and its Content-Type ("" for none)."""

    url: str  # in normal form; made up for files
    body: bytes
    content_type: str


def is_address(source: str) -> bool:
    """Whether a source is to be fetched."""
    return source.lower().startswith(("http://", "https://"))


def read_document(source: str, charset: str = "", allow_private: bool = False) -> "Document":
    """A page as a crawl would read it; `source` is a file, an address, or - for standard input."""
    from exonym.extract.document import Wants
    from exonym.readers.parsing import document_in_file

    page = read_page_bytes(source, charset, allow_private)
    return document_in_file(page.url, page.body, page.content_type, Wants(around=False, place=False))


def read_page_bytes(source: str, charset: str, allow_private: bool) -> PageBytes:
    """The bytes of `source`; `-` is standard input. `charset` is what an HTTP header would name for a file."""
    from exonym.system.files import reading

    if is_address(source):
        return _fetch(source, allow_private)
    charset_parameter = f"; charset={charset}" if charset else ""
    if source == "-":
        return PageBytes("http://file.invalid/", sys.stdin.buffer.read(LONGEST), charset_parameter)
    path = Path(source)
    with reading(path, _SOURCES), path.open("rb") as file:
        body = file.read(LONGEST)
    kind = "text/html" if path.suffix.lower() in _HTML_ENDINGS else ""
    return PageBytes("http://file.invalid/", body, kind + charset_parameter)


def _fetch(source: str, allow_private: bool) -> PageBytes:
    from exonym.config import Settings
    from exonym.config.settings import Network, PolitenessSettings
    from exonym.fetch import decoded_body
    from exonym.fetch.one_by_one import fetching
    from exonym.urls import normal_form

    network = Network(allow_private=allow_private)
    # One person waits for one page: redirects on the same server are followed without a delay, as browsers do.
    settings = Settings(politeness=PolitenessSettings(delay_seconds=0.0), network=network)
    with fetching(settings) as fetcher:
        response = fetcher.answer(normal_form(source), network.page_bytes)
    _check_response(source, response)
    body = decoded_body(response.head, response.body, LONGEST)
    return PageBytes(response.url, body, response.header("content-type") or "")


@contextmanager
def polite_fetch(operator: str, allow_private: bool) -> Iterator[Callable[[str], bytes | str]]:
    """A function that fetches a page politely, as a crawl would: its bytes, or why it could not be fetched.

    Requests name the `operator`.
    """
    from exonym.config.settings import Network, PolitenessSettings, Settings
    from exonym.fetch.one_by_one import fetching

    polite, network = PolitenessSettings(operator=operator), Network(allow_private=allow_private)
    with fetching(Settings(politeness=polite, network=network)) as fetcher:
        yield fetcher.content


def _check_response(source: str, response: "Response") -> None:
    from exonym.fetch.one_by_one import TOO_MANY_REDIRECTS
    from exonym.politeness.permissions import MOST_REDIRECTS
    from exonym.urls import normal_form

    url, refused = response.url, response.failure.removeprefix("address refused: ")
    if response.failure == TOO_MANY_REDIRECTS:
        raise ExonymError(f"{source} redirects more than {MOST_REDIRECTS} times. Name the final page.")
    if refused != response.failure:
        raise ConfigError(f"{url} is at the private address {refused}. Add --allow-private if that is what you want.")
    if response.failure:
        raise ExonymError(f"{url} cannot be fetched: {response.failure}. Check the address.")
    if 300 <= response.status < 400 and response.location:
        normal_form(response.location, url)  # raises: `answer` has followed every redirect to an http(s) URL
    if response.status >= 300:
        raise ExonymError(f"{url} cannot be fetched: its server answers {response.status}. Check the address.")
    kind = response.content_type
    if kind and not kind.startswith("text/") and kind not in ("application/xhtml+xml", "unknown/unknown"):
        raise ExonymError(f"{url} is {kind}, not a page of text. Name an HTML page.")
