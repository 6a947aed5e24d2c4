"""`CrawlDirectory`: the settings, status, journal and pages of a crawl, while it runs too.

Every answer describes the last commit. The store is open only while an answer is read from it, so that a running crawl
is not disturbed, and so that one answer may be read while another is iterated over.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.archive.archived_responses import ArchivedResponse, read_response
from exonym.config import CONFIG_NAME, Settings, load
from exonym.crawl_directory.crawl_writer import read_finished, read_totals
from exonym.errors import DirectoryError
from exonym.extract.content_kind import LONGEST_BODY
from exonym.extract.document import Document, Wants
from exonym.fetch.body import decoded_body
from exonym.journal import Journal, JournalRow
from exonym.metrics import Totals
from exonym.readers.parsing import document_in_reply
from exonym.store import Store
from exonym.urls import normal_form

if TYPE_CHECKING:
    import pyarrow

_EVERYTHING = Wants()
_MOST_PLACES = 9  # at which a payload is looked for: the page's own, and those of pages with the same payload
_one_at_a_time = threading.Lock()  # LMDB cannot open a directory twice in one process


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """The totals of the last commit, and why the crawl ended."""

    totals: Totals
    strategy: str
    finished: bool
    reason: str  # one of `metrics.STOP_REASONS`; "" if the crawl is to go on

    @property
    def harvest_rate(self) -> float:
        """Relevant pages fetched / pages fetched."""
        return self.totals.harvest_rate


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """One visit of a crawl: its row in the journal, and the response that the archive has.

    The content of a page is not trustworthy: clean it (`exonym.web_text.clean`) before printing it to a terminal.
    """

    row: JournalRow
    response: ArchivedResponse | None  # None: the visit left no record, or only one that refers to a lost one

    @property
    def url(self) -> str:
        """The address, in normal form."""
        return self.row.url

    @property
    def why(self) -> str:
        """Why the page was judged as it was."""
        return self.row.why

    @property
    def head(self) -> bytes:
        """Status line and headers as received; b"" without a response."""
        return self.response.head if self.response else b""

    @property
    def body(self) -> bytes:
        """The content, without transfer and content encoding; b"" without a response."""
        return decoded_body(self.head, self.response.body, LONGEST_BODY) if self.response else b""

    def document(self, wants: Wants = _EVERYTHING) -> Document | None:
        """The page read again: title, text, links, charset. None if there is no HTML."""
        return document_in_reply(self.url, self.head, self.response.body, wants) if self.response else None

    @property
    def text(self) -> str:
        """The visible text, a block a line; "" if there is no HTML."""
        document = self.document()
        return document.text if document else ""


class CrawlDirectory:
    """A crawl directory, for reading: nothing here changes it.

    >>> crawl = CrawlDirectory.open("thai")                             # doctest: +SKIP
    >>> crawl.status.harvest_rate                                       # doctest: +SKIP
    0.61
    >>> [crawl.page(row).text for row in crawl.rows() if row.relevant]  # doctest: +SKIP
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Check nothing yet: the methods that read the directory raise what is wrong with it."""
        self.path = Path(path)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> CrawlDirectory:
        """The crawl in `path`; raises DirectoryError for what is no crawl, is damaged or is from another version."""
        crawl = cls(path)
        if not crawl.path.is_dir():
            raise DirectoryError(f"{crawl.path} is no directory. Name a crawl directory, as `exonym new` makes it.")
        if not (crawl.path / CONFIG_NAME).exists() and not (crawl.path / "state").exists():
            raise DirectoryError(
                f"{crawl.path} is no crawl directory: it has no {CONFIG_NAME} and no state/. "
                "Make one with: exonym new DIR --language th"
            )
        with crawl._store():
            return crawl

    def __repr__(self) -> str:
        return f"CrawlDirectory({str(self.path)!r})"

    @property
    def settings(self) -> Settings:
        """What crawl.toml asks for."""
        return load(self.path / CONFIG_NAME)

    @property
    def status(self) -> CrawlStatus:
        """Totals, harvest rate, and why the crawl ended."""
        strategy = self.settings.strategy.name
        with self._store() as store:
            reason = read_finished(store)
            return CrawlStatus(read_totals(store), strategy, bool(reason), reason)

    def journal(self, columns: Sequence[str] | None = None) -> pyarrow.Table:
        """All visits so far, a row each, as an Arrow table of the `columns` named (docs/reference/journal.md)."""
        with self._journal() as journal:
            return journal.table(columns)

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pyarrow.Table]:
        """The same part by part, for journals larger than memory."""
        with self._journal() as journal:
            return journal.tables(columns)

    def rows(self) -> Iterator[JournalRow]:
        """All visits so far, one by one: simple, and slower than `journal`."""
        with self._journal() as journal:
            return journal.rows()

    def page(self, which: str | JournalRow) -> CrawledPage:
        """A visit with its response; named by its URL (looked up in the journal) or by its row."""
        row = self._row(which) if isinstance(which, str) else which
        return CrawledPage(row, first_payload(self.path / "warc", self._places(row)))

    def _row(self, url: str) -> JournalRow:
        with self._journal() as journal:
            visits = journal.find("url", normal_form(url))
        row = next(visits, None)
        if row is None:
            raise DirectoryError(f"{self.path} has not visited {url[:200]}. Look at journal(['url']) for what it has.")
        return row

    def _places(self, row: JournalRow) -> Iterator[tuple[str, int]]:
        """Where the payload of a page may be: in its own record or, if that repeats another, in that of a copy."""
        yield row.warc_file, row.warc_offset
        if row.digest:
            with self._journal() as journal:
                copies = journal.find("digest", row.digest)
            yield from ((copy.warc_file, copy.warc_offset) for copy in copies)

    @contextmanager
    def _journal(self) -> Iterator[Journal]:
        with self._store() as store:
            yield Journal(store, self.path / "journal")

    @contextmanager
    def _store(self) -> Iterator[Store]:
        with _one_at_a_time, Store.open(self.path / "state", read_only=True) as store:
            yield store


def first_payload(archive: Path, places: Iterable[tuple[str, int]]) -> ArchivedResponse | None:
    """The first response with a payload, by file and offset; None if all are revisits or outside of the archive."""
    for file, offset in itertools.islice(places, _MOST_PLACES):
        if file and Path(file).name == file:
            response = read_response(archive, file, offset)
            if not response.is_revisit:
                return response
    return None
