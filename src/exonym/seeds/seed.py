"""Seeds: addresses where a crawl may begin, each with its origin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from exonym.errors import UrlError
from exonym.urls import url_from
from exonym.web_text import one_line

LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Seed:
    """An address in normal form, with its provenance."""

    url: str
    source: str  # the file or address that has it
    category: str = ""  # in a web directory
    title: str = ""
    checked: str = ""  # the evidence on the language of its page, if it was fetched


class SkippedSeed(NamedTuple):
    """Something in a source that is no seed, and why."""

    why: str


FoundSeed = Seed | SkippedSeed
TellLine = Callable[[int], None]  # receives how many bytes of a file have been read


def seed_from(text: str, source: str, category: str = "", title: str = "") -> FoundSeed:
    """The seed that a text names; one without a scheme is taken to be a server, as in a seeds file."""
    text = text.strip()
    if not text:
        return SkippedSeed("no address")
    try:
        url = url_from(text)
    except UrlError:
        return SkippedSeed("no http(s) URL")
    return Seed(url, source, one_line(category), one_line(title)[:LONGEST_TITLE])
