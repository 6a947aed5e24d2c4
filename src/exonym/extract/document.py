"""A page once it has been parsed: text, links and a few facts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from exonym.urls import SESSION_PARAMETERS


class FoundLink(NamedTuple):
    """One row of `LinkColumns`."""

    url: str
    anchor: str
    before: str
    after: str
    place: str
    kind: str


@dataclass(frozen=True, slots=True)
class LinkColumns:
    """The links of a page, each target once: one list per field, all of one length. Iterating gives rows.

    Columns, because a page has dozens of links and their users (readers, importers) work on columns.
    """

    urls: list[str] = field(default_factory=list)  # in normal form
    anchors: list[str] = field(default_factory=list)  # this column and the next three hold "" where not wanted
    befores: list[str] = field(default_factory=list)  # up to 100 characters of visible text
    afters: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # tag paths, as in "html/body/div/p/a"
    kinds: list[str] = field(default_factory=list)  # a, area, frame, iframe, alternate, next, canonical, refresh
    hreflangs: list[str] = field(default_factory=list)  # as written; [] if not wanted, or if no link has any

    def __len__(self) -> int:
        return len(self.urls)

    def __iter__(self) -> Iterator[FoundLink]:
        columns = (self.urls, self.anchors, self.befores, self.afters, self.places, self.kinds)
        return map(FoundLink, *columns)

    @property
    def around(self) -> list[str]:
        """The words before and after each link as one text."""
        return [f"{before} {after}".strip() for before, after in zip(self.befores, self.afters, strict=True)]


@dataclass(frozen=True, slots=True)
class Document:
    """A page as judges and strategies see it. Lines of `blocks` are the page's blocks, spaced as they were written."""

    url: str
    title: str
    blocks: str
    language_tag: str = ""  # <html lang>, as written
    charset: str = ""
    charset_evidence: str = ""
    links: LinkColumns = field(default_factory=LinkColumns)
    nofollow: bool = False
    noindex: bool = False
    is_frameset: bool = False
    parent_language: str = ""  # of the page that linked here: the only clue to the language of a page without text
    charset_label: str = ""  # the charset that the header or the page claims, which may be wrong; "" if none
    html: str = field(default="", repr=False)  # decoded; "" if the page is not HTML
    files: int = 0  # links to files that were left out
    digest: bytes = b""  # of title, text and links (`page_digest`): copies have the same; b"": too little text to tell

    @property
    def text(self) -> str:
        """The visible text with single spaces, one block per line; computed on demand."""
        lines = (" ".join(line.split()) for line in self.blocks.split("\n"))
        return "\n".join(filter(None, lines))


@dataclass(frozen=True, slots=True)
class Wants:
    """Which fields of a page's links to compute, and how much of a page to read."""

    around: bool = True
    place: bool = True
    most_links: int = 10_000
    longest_text: int = 1_000_000
    anchor: bool = True
    session_parameters: frozenset[str] = SESSION_PARAMETERS  # left out of the links' URLs
    files: bool = True  # also links whose tags say that they lead to files: `download`, or `type` of another type
    anchor_language: bool = False  # identified from the anchors, so it needs `anchor`; and what `hreflang` says
