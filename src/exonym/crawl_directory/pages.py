"""The pages of a crawl directory: what its journal says of them, and their words from its archive.

Reads the last commit and lets go of the store; a crawl that is running is not disturbed and goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exonym.archive.exchange import ArchivePlace
from exonym.archive.reading import ArchivedResponse, read_response
from exonym.batches import Flags, Floats, Outcome, Rows
from exonym.errors import ExonymError
from exonym.extract.content_kind import LONGEST_BODY, is_html
from exonym.extract.document import Wants
from exonym.extract.html import extract
from exonym.fetch.body import decoded_body
from exonym.fetch.messages import header_value
from exonym.journal import Journal
from exonym.models.terms import Fields
from exonym.store import Store

if TYPE_CHECKING:
    import pyarrow

LONGEST_TEXT = 200_000  # of a page, as it is kept with a label
_COLUMNS = ["url", "outcome", "language", "relevance", "relevant", "why", "title", "content_type", "length", "digest"]
_PLACES = ["warc_file", "warc_offset"]
_WANTS = Wants(around=False, place=False, longest_text=LONGEST_TEXT)
_MOST_COPIES = 8  # of one payload that are tried


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
    """What a page says; where it says nothing, why."""

    fields: Fields
    problem: str = ""


class CrawlPages:
    """All visits of a crawl up to one moment, by their row in the journal."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        with Store.open(directory / "state", read_only=True) as store:
            self._table: pyarrow.Table = Journal(store, directory / "journal").table([*_COLUMNS, *_PLACES])
        self._outcomes = self._table["outcome"].to_numpy()
        self.relevant: Flags = self._table["relevant"].to_numpy().astype(bool)
        self.relevance: Floats = self._table["relevance"].to_numpy()

    def __len__(self) -> int:
        return len(self._outcomes)

    @property
    def pages(self) -> Rows:
        """The rows of pages that came; failures, redirects and sitemaps are none."""
        return np.flatnonzero(self._outcomes == Outcome.PAGE).astype(np.int64)

    @property
    def failures(self) -> int:
        """Requests that failed: they count as pages fetched, and nothing is in them."""
        return int(np.count_nonzero(self._outcomes == Outcome.FAILED))

    def column(self, name: str) -> list[str]:
        """A column of the journal for all rows."""
        values: list[str] = self._table[name].to_pylist()
        return values

    def urls(self, rows: Sequence[int]) -> list[str]:
        """The URLs of some rows."""
        found: list[str] = self._table["url"].take(list(rows)).to_pylist()
        return found

    def facts(self, row: int) -> PageFacts:
        """What the journal says of a page."""
        values = {name: self._table[name][row].as_py() for name in PageFacts._fields if name != "row"}
        return PageFacts(row=row, **values)

    def words(self, row: int) -> PageWords:
        """What the page says, from the archive. Nothing that a page or an archive holds makes this raise."""
        try:
            response = self._response(row)
        except ExonymError as error:
            return PageWords(Fields("", "", ""), str(error))
        if response is None:
            return PageWords(Fields("", "", ""), "the archive has no text of it")
        return _words_of(response, str(self._table["url"][row].as_py()))

    def _response(self, row: int) -> ArchivedResponse | None:
        """The response, or that of the page which it repeats."""
        response = self._response_at(row)
        if response is not None and not response.is_revisit:
            return response
        for other in self._copies.get(self._table["digest"][row].as_py(), ())[:_MOST_COPIES]:
            found = self._response_at(other)
            if found is not None and not found.is_revisit:
                return found
        return None

    def _response_at(self, row: int) -> ArchivedResponse | None:
        file, offset = (self._table[name][row].as_py() for name in _PLACES)
        if not file or Path(file).name != file:
            return None
        return read_response(self.directory / "warc", ArchivePlace(file, offset, 0, b"", False))

    @cached_property
    def _copies(self) -> dict[str, list[int]]:
        """Rows by their payload, in order: the first is most likely the original."""
        copies: dict[str, list[int]] = {}
        for row, digest in enumerate(self.column("digest")):
            if digest:
                copies.setdefault(digest, []).append(row)
        return copies


def _words_of(response: ArchivedResponse, url: str) -> PageWords:
    nothing = Fields("", "", "")
    content_type = header_value(response.head, "content-type") or b""
    try:
        body = decoded_body(response.head, response.body, LONGEST_BODY)
        if not is_html(content_type, body):
            return PageWords(nothing, f"no HTML ({content_type.decode('latin-1') or 'of no type'})")
        document = extract(body, url, content_type.decode("latin-1"), _WANTS)
        anchors = "\n".join(filter(None, document.links.anchors))[:LONGEST_TEXT]
        fields = Fields(document.title, document.text, anchors)
    except Exception as error:  # no page may end the session, whatever it finds in a parser
        return PageWords(nothing, f"the page cannot be read: {type(error).__name__}")
    return PageWords(fields, "" if fields.body else "the page has no text")
