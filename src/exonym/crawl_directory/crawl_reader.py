"""`CrawlDirectory`: the settings, status, journal and pages of a crawl, while it runs too.

Every answer describes the last commit. The store is open only while an answer is read from it, so that a running crawl
is not disturbed, and so that one answer may be read while another is iterated over.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.archive.archived_responses import ArchivedResponse, read_response
from exonym.config import CONFIG_NAME, Settings, load
from exonym.config.other_crawls import other_crawl
from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.crawl_directory.crawl_parts import home_of, layout_of, parts_of
from exonym.crawl_directory.crawl_writer import read_finished, read_totals
from exonym.errors import DirectoryError
from exonym.extract.content_kind import LONGEST_BODY
from exonym.extract.document import Document, Wants
from exonym.fetch.body import decoded_body
from exonym.journal import JournalRow
from exonym.journal.journal import rows_in
from exonym.metrics import Totals, sum_of
from exonym.readers.parsing import document_in_reply
from exonym.urls import normal_form

if TYPE_CHECKING:
    import pyarrow

FolderOf = Callable[[str], Path]

_EVERYTHING = Wants()
_MOST_PLACES = 9  # at which a payload is looked for: the page's own, and those of pages with the same payload


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """The totals of the last commit, and why the crawl ended."""

    totals: Totals
    strategy: str
    finished: bool  # nothing waits: with the same settings, the crawl would do no more
    reason: str  # one of `metrics.STOP_REASONS`; "" if the crawl is to go on
    partitions: int = 1
    missing_partitions: tuple[int, ...] = ()  # not counted in the totals: they are not on this machine, or damaged

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
            raise DirectoryError(f"{crawl.path} is no directory. {other_crawl(crawl.path)}")
        is_crawl = any((crawl.path / name).exists() for name in (CONFIG_NAME, "state")) or is_cluster(crawl.path)
        if not is_crawl:
            raise DirectoryError(
                f"{crawl.path} is no crawl directory: it has no {CONFIG_NAME} and no state/. {other_crawl(crawl.path)}"
            )
        with parts_of(crawl.path).parts[0].store():
            return crawl

    def __repr__(self) -> str:
        return f"CrawlDirectory({str(self.path)!r})"

    @property
    def settings(self) -> Settings:
        """What crawl.toml asks for."""
        return load(home_of(self.path) / CONFIG_NAME)

    @property
    def status(self) -> CrawlStatus:
        """Totals, harvest rate, and why the crawl ended: a divided crawl has ended when all its partitions have."""
        strategy, crawl = self.settings.strategy.name, parts_of(self.path)
        totals, reasons = [], []
        for part in crawl.parts:
            with part.store() as store:
                totals.append(read_totals(store))
                reasons.append(read_finished(store))
        has_ended = all(reasons) and not crawl.missing
        # Partitions without links wait for those of others: the whole ended because of a partition that had some.
        reason = min(reasons, key=lambda reason: reason == "empty frontier") if has_ended else ""
        partitions, whole = crawl.layout.partitions if crawl.layout else 1, sum_of(totals)
        is_finished = has_ended and (not whole.frontier or reason == "floor")
        return CrawlStatus(whole, strategy, is_finished, reason, partitions, crawl.missing)

    def journal(self, columns: Sequence[str] | None = None) -> pyarrow.Table:
        """All visits so far, a row each, as an Arrow table of the `columns` named (docs/reference/journal.md)."""
        import pyarrow

        return pyarrow.concat_tables(self.tables(columns))

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pyarrow.Table]:
        """The same part by part, for journals larger than memory."""
        return parts_of(self.path, with_journals=True).tables(columns)

    def rows(self) -> Iterator[JournalRow]:
        """All visits so far, one by one: simple, and slower than `journal`."""
        return itertools.chain.from_iterable(map(rows_in, self.tables()))

    def page(self, which: str | JournalRow) -> CrawledPage:
        """A visit with its response; named by its URL (looked up in the journal) or by its row."""
        row = self._row(which) if isinstance(which, str) else which
        return CrawledPage(row, first_payload(self.archive_folder, self._places(row)))

    @cached_property
    def archive_folder(self) -> FolderOf:
        """A function that gives the folder of a WARC file of this crawl, which the journal names without it."""
        layout = layout_of(self.path)
        return layout.archive_folder if layout else partial(_only_folder, self.path / "warc")

    def archives(self) -> list[Path]:
        """All WARC files of the crawl."""
        return list(parts_of(self.path).archives())

    def stores(self) -> list[Path]:
        """The files that every commit changes, by which one may see whether the crawl has gone on."""
        return [part.path / "state" / "data.mdb" for part in parts_of(self.path).parts]

    def _row(self, url: str) -> JournalRow:
        row = next(parts_of(self.path, with_journals=True).find("url", normal_form(url)), None)
        if row is None:
            raise DirectoryError(f"{self.path} has not visited {url[:200]}. Look at journal(['url']) for what it has.")
        return row

    def _places(self, row: JournalRow) -> Iterator[tuple[str, int]]:
        """Where the payload of a page may be: in its own record or, if that repeats another, in that of a copy."""
        yield row.warc_file, row.warc_offset
        if row.digest:
            copies = parts_of(self.path, with_journals=True).find("digest", row.digest)
            yield from ((copy.warc_file, copy.warc_offset) for copy in copies)


def _only_folder(folder: Path, file: str) -> Path:
    return folder


def first_payload(folder_of: FolderOf, places: Iterable[tuple[str, int]]) -> ArchivedResponse | None:
    """The first response with a payload, by file and offset; None if all are revisits or outside of the archive.

    `folder_of` a file is the folder that has it.
    """
    for file, offset in itertools.islice(places, _MOST_PLACES):
        if file and Path(file).name == file:
            response = read_response(folder_of(file), file, offset)
            if not response.is_revisit:
                return response
    return None
