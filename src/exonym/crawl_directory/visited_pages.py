"""All visits of a crawl by their row: its facts from the journal, and the words on its page from the archive."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Outcome, Rows
from exonym.crawl_directory.crawl_reader import CrawlDirectory, first_payload
from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.fetch.messages import header_value
from exonym.models.terms import Fields
from exonym.readers.parsing import document_in_reply

if TYPE_CHECKING:
    import pyarrow

LONGEST_TEXT = 200_000  # characters of a page that are kept with a label
_COLUMNS = [
    "url",
    "outcome",
    "language",
    "relevance",
    "relevant",
    "why",
    "title",
    "content_type",
    "length",
    "digest",
    "copy",
]
_PLACES = ["warc_file", "warc_offset"]
PAGE_WANTS = Wants(around=False, place=False, longest_text=LONGEST_TEXT)
_NOTHING = Fields("", "", "")


class PageFacts(NamedTuple):
    """A page as the journal knows it. URL, title and evidence come from the web: clean them before printing."""

    row: int
    url: str
    title: str
    language: str
    relevance: float
    relevant: bool
    why: str
    content_type: str
    length: int


class PageWords(NamedTuple):
    """The words on a page; if there are none, why."""

    fields: Fields
    problem: str = ""


def words_of(url: str, head: bytes, body: bytes) -> PageWords:
    """The words on the page that a server sent. Nothing that a page holds makes this raise."""
    try:
        document = document_in_reply(url, head, body, PAGE_WANTS)
        if document is None:
            content_type = (header_value(head, "content-type") or b"").decode("latin-1")
            return PageWords(_NOTHING, f"no HTML ({content_type or 'of no type'})")
        anchors = "\n".join(filter(None, document.links.anchors))[:LONGEST_TEXT]
        fields = Fields(document.title, document.text, anchors)
    except Exception as error:  # no page may end the session, whatever it does to a parser
        return PageWords(_NOTHING, f"the page cannot be read: {type(error).__name__}")
    return PageWords(fields, "" if fields.body else "the page has no text")


class CrawlPages:
    """All visits of a crawl up to one moment, by their row in the journal."""

    has_verdicts = True  # of the crawl's judge

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        crawl = CrawlDirectory(directory)
        self._folder_of = crawl.archive_folder
        self._table: pyarrow.Table = crawl.journal([*_COLUMNS, *_PLACES])
        self._outcomes = self._table["outcome"].to_numpy()
        self._copies_of_others: Flags = self._table["copy"].to_numpy().astype(bool)
        self.relevant: Flags = self._table["relevant"].to_numpy().astype(bool)
        self.relevance: Floats = self._table["relevance"].to_numpy()

    def __len__(self) -> int:
        return len(self._outcomes)

    @property
    def pages(self) -> Rows:
        """The rows that are pages; copies, failures, redirects, sitemaps and forbidden visits are not."""
        is_page = (self._outcomes == Outcome.PAGE) & ~self._copies_of_others
        return np.flatnonzero(is_page).astype(np.int64)

    @property
    def failures(self) -> int:
        """How many requests failed or brought a copy: they count as pages fetched, and find nothing."""
        return int(np.count_nonzero((self._outcomes == Outcome.FAILED) | self._copies_of_others))

    def column(self, name: str) -> list[str]:
        """A column of the journal for all rows."""
        values: list[str] = self._table[name].to_pylist()
        return values

    def urls(self, rows: Sequence[int]) -> list[str]:
        """The URLs of some rows."""
        urls: list[str] = self._table["url"].take(list(rows)).to_pylist()
        return urls

    def facts(self, row: int) -> PageFacts:
        """What the journal has about a page."""
        values = {name: self._table[name][row].as_py() for name in PageFacts._fields if name != "row"}
        return PageFacts(row=row, **values)

    def words(self, row: int) -> PageWords:
        """The words on a page, from the archive. Nothing that a page or an archive holds makes this raise."""
        try:
            response = first_payload(self._folder_of, self._places(row))
        except ExonymError as error:
            return PageWords(_NOTHING, str(error))
        if response is None:
            return PageWords(_NOTHING, "the archive has no text of it")
        return words_of(self.urls([row])[0], response.head, response.body)

    def _places(self, row: int) -> Iterator[tuple[str, int]]:
        """Where the payload of a page may be: in its own record, or in that of a page with the same payload."""
        for copy in itertools.chain([row], self._copies.get(self._table["digest"][row].as_py(), ())):
            file, offset = (self._table[name][copy].as_py() for name in _PLACES)
            yield file, offset

    @cached_property
    def _copies(self) -> dict[str, list[int]]:
        """Rows by their payload, in order: the first is most likely the original."""
        copies: dict[str, list[int]] = {}
        for row, digest in enumerate(self.column("digest")):
            if digest:
                copies.setdefault(digest, []).append(row)
        return copies
