"""Divides the journal of a crawl among new partitions: which row goes where, and the parts of the new journals."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from exonym.batches import FOREIGN_ROW, Ids, Outcome, RowNumbers, Rows
from exonym.cluster.own_state import GroupOwners
from exonym.cluster.undivided import OwnerOf, UndividedCrawl
from exonym.crawl_directory.crawl_writer import counted
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.link_rows import text_at
from exonym.journal import JournalRow
from exonym.journal.journal import SEAL_ROWS
from exonym.journal.parts import TYPES, check_part, name_of, write_part
from exonym.metrics import Totals
from exonym.progress import Progress
from exonym.readers.link_ids import all_ids_of
from exonym.system.files import disk_errors
from exonym.urls import id_of, site_of

if TYPE_CHECKING:
    import pyarrow

# Rows of all journals in memory at a time; a part has no fewer rows than it takes to see which servers were just asked.
_ROWS_IN_MEMORY = 400_000
_LEAST_PART_ROWS = 2_500
_COUNTED = ("outcome", "language", "inherited", "relevant", "length", "copy", "failure")
_UNKNOWN = -1


class SeenOwners:
    """Who owns the URLs that a frontier has seen: of most it is known, of some only the hash is known."""

    def __init__(self, frontier: DiskFrontier) -> None:
        ids, levels, marks = frontier.seen_urls()
        order = np.argsort(ids)
        self.ids, self.levels, self.marks = ids[order], levels[order], marks[order]
        self.owners = np.full(len(ids), _UNKNOWN, dtype=np.int16)

    def know(self, urls: Ids, owners: Rows) -> None:
        """Note who owns URLs."""
        if len(self.ids):
            places = np.minimum(np.searchsorted(self.ids, urls), len(self.ids) - 1)
            is_seen = self.ids[places] == urls
            self.owners[places[is_seen]] = owners[is_seen]

    def of(self, partition: int) -> RowNumbers:
        """The places of URLs that a partition owns, or may own; the latter first."""
        return np.concatenate([np.flatnonzero(self.owners == _UNKNOWN), np.flatnonzero(self.owners == partition)])

    @property
    def unknown(self) -> int:
        """How many URLs every partition has to know, because any may own them."""
        return int(np.count_nonzero(self.owners == _UNKNOWN))


@dataclass(slots=True)
class NewJournals:
    """The new journals: of each partition the lengths of its parts, and what its rows count."""

    numbers: Rows  # by row of the whole: (partition + 1) * FOREIGN_ROW + row
    group_owners: GroupOwners  # of servers, segments and sites that have rows, or links that wait
    lengths: list[list[int]]
    totals: list[Totals]
    archived: dict[str, int] = field(default_factory=dict)  # by WARC file: the last offset that a row names

    def sources(self, of_whole: Rows, partition: int) -> Rows:
        """Rows of the whole as the journal of a partition names them."""
        if not len(self.numbers):
            return of_whole
        known = self.numbers[np.maximum(of_whole, 0)]
        own = known // FOREIGN_ROW == partition + 1
        return np.where(of_whole < 0, of_whole, np.where(own, known % FOREIGN_ROW, known))


def number_rows(
    crawl: UndividedCrawl, owner_of: OwnerOf, partitions: int, seen: list[SeenOwners], progress: Progress
) -> NewJournals:
    """Decide which row goes where: rows keep their order."""
    numbers = np.zeros(crawl.rows, dtype=np.int64)
    next_rows = np.zeros(partitions, dtype=np.int64)
    group_owners: GroupOwners = {}
    done = 0
    for table in crawl.tables(["url"]):
        texts = table["url"].to_pylist()
        urls, servers, segments = all_ids_of(texts)
        owners = np.array([owner_of(text) for text in texts], dtype=np.int64)
        for groups in (servers, segments):
            group_owners.update(zip(groups.tolist(), owners.tolist(), strict=True))
        # All servers of a site have one owner.
        for place in np.unique(servers, return_index=True)[1].tolist():
            group_owners[id_of(site_of(texts[place]))] = int(owners[place])
        for known in seen:
            known.know(urls, owners)
        for partition in np.unique(owners).tolist():
            chosen = np.flatnonzero(owners == partition)
            rows = np.arange(next_rows[partition], next_rows[partition] + len(chosen))
            numbers[table["row"].to_numpy()[chosen]] = (partition + 1) * FOREIGN_ROW + rows
            next_rows[partition] += len(chosen)
        done += len(texts)
        progress("numbering rows", done, crawl.rows)
    return NewJournals(numbers, group_owners, [[] for _ in range(partitions)], [Totals() for _ in range(partitions)])


def waiting_by_owner(
    crawl: UndividedCrawl, seen: list[SeenOwners], owner_of: OwnerOf, journals: NewJournals
) -> list[int]:
    """How many links wait for each new partition; notes the owners of their URLs and groups."""
    counts = [0] * len(journals.totals)
    for part, known in zip(crawl.parts, seen, strict=True):
        for queue in part.frontier.waiting_queues(lambda server: True):
            owner = owner_of(f"http://{queue.name}/")
            urls = np.array([id_of(text_at(row, 0, queue.name)) for row in queue.rows], dtype=np.uint64)
            known.know(urls, np.full(len(urls), owner))
            counts[owner] += len(urls)
            journals.group_owners[queue.group] = journals.group_owners[id_of(queue.name)] = owner
    return counts


def write_journals(crawl: UndividedCrawl, journals: NewJournals, folders: list[Path], progress: Progress) -> None:
    """Write the parts of the new journals into `folders`; parts that are there already are left as they are."""
    partitions = len(folders)
    part_rows = max(_LEAST_PART_ROWS, min(SEAL_ROWS, _ROWS_IN_MEMORY // partitions))
    writers = [_JournalWriter(folder, part_rows) for folder in folders]
    done = 0
    for table in crawl.tables(list(TYPES)):
        numbers = journals.numbers[table["row"].to_numpy()]
        owners = numbers // FOREIGN_ROW - 1
        _note_archives(table, journals.archived)
        for partition in np.unique(owners).tolist():
            chosen = np.flatnonzero(owners == partition)
            own = table.take(chosen)
            sources = journals.sources(own["source"].to_numpy(), partition)
            own = _with(_with(own, "row", numbers[chosen] % FOREIGN_ROW), "source", sources)
            journals.totals[partition] = counted(journals.totals[partition], _rows_to_count(own))
            writers[partition].add(own.select(list(TYPES)))
        done += len(table)
        progress("writing journals", done, crawl.rows)
    for partition, writer in enumerate(writers):
        writer.write_rest()
        journals.lengths[partition] = writer.lengths


class _JournalWriter:
    """Writes the parts of one journal. The last one is the longest: a restart looks there for recent visits."""

    def __init__(self, folder: Path, part_rows: int) -> None:
        self._folder = folder
        self._part_rows = part_rows
        self._held: list[pyarrow.Table] = []
        self._rows = 0
        self.lengths: list[int] = []

    def add(self, table: pyarrow.Table) -> None:
        self._held.append(table)
        self._rows += len(table)
        while self._rows >= 2 * self._part_rows:
            self._write(self._part_rows)

    def write_rest(self) -> None:
        if self._rows:
            self._write(self._rows)

    def _write(self, rows: int) -> None:
        import pyarrow

        table = pyarrow.concat_tables(self._held).combine_chunks()
        part, rest = table.slice(0, rows), table.slice(rows)
        path = self._folder / name_of(len(self.lengths))
        if not _is_part(path, rows):
            with disk_errors(self._folder):
                self._folder.mkdir(parents=True, exist_ok=True)
            write_part(path, part)
        self.lengths.append(rows)
        self._held, self._rows = [rest], len(rest)


def _is_part(path: Path, rows: int) -> bool:
    try:
        check_part(path, rows)
    except DirectoryError:
        return False
    return True


def _with(table: pyarrow.Table, name: str, values: Rows) -> pyarrow.Table:
    import pyarrow

    return table.set_column(table.column_names.index(name), name, pyarrow.array(values, pyarrow.int64()))


def _rows_to_count(table: pyarrow.Table) -> list[JournalRow]:
    columns = [table[name].to_pylist() for name in _COUNTED]
    return [
        JournalRow(
            0,
            "",
            0.0,
            Outcome(outcome),
            language=language,
            inherited=inherited,
            relevant=relevant,
            length=length,
            copy=copy,
            failure=failure,
        )
        for outcome, language, inherited, relevant, length, copy, failure in zip(*columns, strict=True)
    ]


def _note_archives(table: pyarrow.Table, archived: dict[str, int]) -> None:
    grouped = table.group_by("warc_file").aggregate([("warc_offset", "max")])
    for file, offset in zip(grouped["warc_file"].to_pylist(), grouped["warc_offset_max"].to_pylist(), strict=True):
        if file:
            archived[file] = max(offset, archived.get(file, 0))
