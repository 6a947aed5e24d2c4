"""Growth of a weight table while a crawl runs: relevant pages replace the documents that the table was made from.

The file that crawl.toml names stays unchanged. The crawl writes a table of its own, which records how many pages it has
learned from, so that a crawl that was killed goes on from there. The table learns from pages in the order of the
journal and in batches of one size, independent of commits: the same pages make the same table.
"""

import copy
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory, first_payload
from exonym.errors import ConfigError
from exonym.extract.document import Document, Wants
from exonym.journal import JournalRow
from exonym.judges.judge_settings import Plain, parts_of
from exonym.models.weight_table import WeightTable, grown
from exonym.models.weight_table_file import load_table, save_table
from exonym.models.weight_table_words import WordReader
from exonym.readers.parsing import document_in_reply

GROWN_NAME = "grown.table"
_LEARNED_FROM = "relevant pages learned from"
_LONGEST_TEXT = 50_000  # characters of one page
_WANTS = Wants(around=False, place=False, most_links=2_000, longest_text=_LONGEST_TEXT)


class TableGrowth:
    """Collects relevant pages, makes the next weight table from them, and so the next judge."""

    def __init__(self, directory: Path, judge: Plain, pages_at_a_time: int) -> None:
        """Learn from `pages_at_a_time` pages at once: dozens or more, because readers restart with each new table."""
        self._grown = directory / GROWN_NAME
        self._folder_of = CrawlDirectory(directory).archive_folder
        self.judge = copy.deepcopy(judge)
        self._part = next(part for part in parts_of(self.judge) if part["kind"] == "table")
        self._table = load_table(self._grown if self._grown.exists() else Path(self._part["file"]))
        if self._grown.exists():
            self._part["file"] = str(self._grown)
        self._pages_at_a_time = pages_at_a_time
        self._to_skip = _learned_from(self._table)
        self._waiting: list[tuple[str, str, int]] = []

    def see(self, rows: Iterable[JournalRow]) -> None:
        """Collect the relevant pages among journal rows, in their order; after a restart, from the first row again."""
        for row in rows:
            if row.relevant and row.outcome == Outcome.PAGE and row.warc_file:
                if self._to_skip:
                    self._to_skip -= 1
                else:
                    self._waiting.append((row.url, row.warc_file, row.warc_offset))

    @property
    def is_due(self) -> bool:
        """Whether there are enough pages to learn from; the caller has to commit them before `grow`."""
        return len(self._waiting) >= self._pages_at_a_time

    def grow(self) -> Plain:
        """Learn from the next batch of pages, and save the table; the settings of a judge with the new table."""
        pages, self._waiting = self._waiting[: self._pages_at_a_time], self._waiting[self._pages_at_a_time :]
        table, step = self._table, self._table.settings.documents
        reader = WordReader(table.reading)
        read = [document for page in pages if (document := self._document(*page)) is not None]
        documents = [reader.counts(f"{document.title}\n{document.blocks[:_LONGEST_TEXT]}") for document in read]
        for at in range(0, len(documents), step):
            table = grown(table, documents[at : at + step])
        learned = {_LEARNED_FROM: str(_learned_from(table) + len(pages))}
        self._table = replace(table, provenance={**table.provenance, **learned})
        save_table(self._table, self._grown)
        self._part["file"] = str(self._grown)
        return self.judge

    def _document(self, url: str, file: str, offset: int) -> Document | None:
        """The page as a document; None if its record cannot be read, repeats another page's, or has no words."""
        try:
            response = first_payload(self._folder_of, [(file, offset)])
            document = document_in_reply(url, response.head, response.body, _WANTS) if response else None
        except Exception:  # a page that breaks a parser must not end the crawl
            return None
        return document if document and (document.title.strip() or document.blocks.strip()) else None


def _learned_from(table: WeightTable) -> int:
    pages = table.provenance.get(_LEARNED_FROM, "0")
    if not pages.isdecimal() or len(pages) > 15:
        raise ConfigError(
            f"{GROWN_NAME} says it has learned from {pages[:30]!r} pages, which is not a number. Delete it."
        )
    return int(pages)
