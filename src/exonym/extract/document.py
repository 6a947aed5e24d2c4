"""What is left of a page once it has been read: text, links and a few facts."""

from dataclasses import dataclass
from typing import NamedTuple


class FoundLink(NamedTuple):
    """A link found on a page: where it leads, what it says, what stands around it, where it is.

    A tuple, not a dataclass: pages have dozens, and a frozen dataclass takes 2.5 times as long to make.
    """

    url: str  # in normal form
    anchor: str
    before: str  # up to 100 characters of visible text; "" where not wanted
    after: str
    place: str  # tag path, as in "html/body/div/p/a"; "" where not wanted
    kind: str  # a, area, frame, iframe, alternate, next, canonical, refresh


@dataclass(frozen=True, slots=True)
class Document:
    """A page as judges and strategies see it. Lines of `text` are the page's blocks."""

    url: str
    title: str
    text: str
    language_tag: str  # <html lang>, as written
    charset: str
    charset_evidence: str
    links: tuple[FoundLink, ...]
    nofollow: bool
    noindex: bool
    is_frameset: bool


@dataclass(frozen=True, slots=True)
class Wants:
    """What of a page's links is worth its time: what nobody asks for is not computed."""

    around: bool = True
    place: bool = True
    most_links: int = 10_000
    longest_text: int = 1_000_000
