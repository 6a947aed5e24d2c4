"""A weight table that learns while a crawl runs: the pages found relevant take the place of documents.

The table that the crawl was given stays as it is; the crawl's own is kept beside it and says how many pages it has
learned from, so that a crawl that was killed goes on from there. Pages are taken in the order of the journal, so many
at a time, whenever they were committed: the same pages make the same table.
"""

import copy
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from exonym.batches import Outcome
from exonym.crawl_directory.reading import first_payload
from exonym.errors import ConfigError
from exonym.extract.document import Document, Wants
from exonym.journal import JournalRow
from exonym.judges.settings import Plain, parts_of
from exonym.models.weight_table import TermCounts, WeightTable, grown
from exonym.models.weight_table_file import load_table, save_table
from exonym.models.weight_table_words import WordReader
from exonym.readers.document import document_in_reply

GROWN_NAME = "grown.table"
_LEARNED_FROM = "relevant pages learned from"
_LONGEST_TEXT = 50_000  # characters of one page
_WANTS = Wants(around=False, place=False, most_links=2_000, longest_text=_LONGEST_TEXT)


class TableGrowth:
    """Collects relevant pages, and makes the next judge of them."""

    def __init__(self, directory: Path, judge: Plain, pages_at_a_time: int) -> None:
        """Readers have to begin anew after so many pages: let them be some dozens, or more."""
        self._own = directory / GROWN_NAME
        self._archive = directory / "warc"
        self.judge = copy.deepcopy(judge)
        self._part = next(part for part in parts_of(self.judge) if part["kind"] == "table")
        self._table = load_table(self._own if self._own.exists() else Path(self._part["file"]))
        if self._own.exists():
            self._part["file"] = str(self._own)
        self._pages_at_a_time = pages_at_a_time
        self._to_skip = _learned_from(self._table)
        self._waiting: list[tuple[str, str, int]] = []

    def see(self, rows: Iterable[JournalRow]) -> None:
        """Take in rows of the journal, in their order; on a restart all of them again."""
        for row in rows:
            if row.relevant and row.outcome == Outcome.PAGE and row.warc_file:
                if self._to_skip:
                    self._to_skip -= 1
                else:
                    self._waiting.append((row.url, row.warc_file, row.warc_offset))

    @property
    def is_due(self) -> bool:
        """Whether there are pages enough to learn from. They must have been committed."""
        return len(self._waiting) >= self._pages_at_a_time

    def grow(self) -> Plain:
        """Learn from the pages that wait; the judge with the new table."""
        taken, self._waiting = self._waiting[: self._pages_at_a_time], self._waiting[self._pages_at_a_time :]
        table, step = self._table, self._table.settings.documents
        documents = self._documents(taken)
        for at in range(0, len(documents), step):
            table = grown(table, documents[at : at + step])
        learned = {_LEARNED_FROM: str(_learned_from(table) + len(taken))}
        self._table = replace(table, provenance={**table.provenance, **learned})
        save_table(self._table, self._own)
        self._part["file"] = str(self._own)
        return self.judge

    def _documents(self, pages: list[tuple[str, str, int]]) -> list[TermCounts]:
        reader = WordReader(self._table.reading)
        read = [document for page in pages if (document := self._document(*page)) is not None]
        return [reader.counts(f"{document.title}\n{document.blocks[:_LONGEST_TEXT]}") for document in read]

    def _document(self, url: str, file: str, offset: int) -> Document | None:
        """The page, if its record can be read, is no copy of another page's, and has words."""
        try:
            response = first_payload(self._archive, [(file, offset)])
            document = document_in_reply(url, response.head, response.body, _WANTS) if response else None
        except Exception:  # no page may end the crawl, whatever it does to a parser
            return None
        return document if document and (document.title.strip() or document.blocks.strip()) else None


def _learned_from(table: WeightTable) -> int:
    told = table.provenance.get(_LEARNED_FROM, "0")
    if not told.isdecimal() or len(told) > 15:
        raise ConfigError(f"{GROWN_NAME} says it has learned from {told[:30]!r} pages, which is no number. Delete it.")
    return int(told)
