"""What is left of a page once it has been read: text, links and a few facts."""

from dataclasses import dataclass
from typing import NamedTuple

from exonym.urls import SESSION_PARAMETERS


class FoundLink(NamedTuple):
    """A link found on a page: where it leads, what it says, what stands around it, where it is.

    A tuple, not a dataclass: pages have dozens, and a frozen dataclass takes 2.5 times as long to make.
    """

    url: str  # in normal form
    anchor: str  # this and the next three: "" where not wanted
    before: str  # up to 100 characters of visible text
    after: str
    place: str  # tag path, as in "html/body/div/p/a"
    kind: str  # a, area, frame, iframe, alternate, next, canonical, refresh


@dataclass(frozen=True, slots=True)
class Document:
    """A page as judges and strategies see it. Lines of `blocks` are the page's blocks, spaced as they were written."""

    url: str
    title: str
    blocks: str
    language_tag: str  # <html lang>, as written
    charset: str
    charset_evidence: str
    links: tuple[FoundLink, ...]
    nofollow: bool
    noindex: bool
    is_frameset: bool
    parent_language: str = ""  # of the page that linked here; it is all there is to go by where text is lacking
    charset_label: str = ""  # that header or page claim, which may be wrong; "" none

    @property
    def text(self) -> str:
        """The visible text with single spaces, a block a line. Worked out when asked for: counting letters need not."""
        lines = (" ".join(line.split()) for line in self.blocks.split("\n"))
        return "\n".join(filter(None, lines))


@dataclass(frozen=True, slots=True)
class Wants:
    """What of a page's links is worth its time: what nobody asks for is not computed."""

    around: bool = True
    place: bool = True
    most_links: int = 10_000
    longest_text: int = 1_000_000
    anchor: bool = True
    session_parameters: frozenset[str] = SESSION_PARAMETERS  # left out of the links' URLs
    anchor_language: bool = False  # told by the anchors: only where these are wanted too
