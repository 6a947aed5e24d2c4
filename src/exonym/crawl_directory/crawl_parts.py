"""The directories that make up a crawl: one, or those of its partitions, read as if they were one.

Rows of the whole are numbered partition by partition. What is missing or damaged is left out with a warning, so that
one lost disk does not hide what the other disks have.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from exonym.batches import FOREIGN_ROW, LOST_ROW, Rows
from exonym.config.other_crawls import other_crawl
from exonym.crawl_directory.cluster_layout import PARTITION_NAME, ClusterLayout, is_cluster
from exonym.errors import DirectoryError, PartialCrawlWarning
from exonym.journal import Journal, JournalRow
from exonym.store import Store

if TYPE_CHECKING:
    import pyarrow

_MOST_NAMED = 10  # partitions in a warning
_one_at_a_time = threading.Lock()  # LMDB cannot open a directory twice in one process


class CrawlPart(NamedTuple):
    """A directory with state/, journal/ and warc/: a partition, or a whole crawl."""

    path: Path
    number: int = 0  # of the partition

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store, for as long as an answer is read from it."""
        with _one_at_a_time, Store.open(self.path / "state", read_only=True) as store:
            yield store

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The journal; iterators that it returns may be used after it is closed."""
        with self.store() as store:
            yield Journal(store, self.path / "journal")

    @property
    def has_begun(self) -> bool:
        """Whether there is anything to read."""
        return any((self.path / name).exists() for name in ("state", "journal", "warc"))


@dataclass(frozen=True, slots=True)
class ReadableParts:
    """The parts of a crawl that can be read now, in order."""

    path: Path
    parts: list[CrawlPart]
    layout: ClusterLayout | None = None  # None: the crawl is not divided
    missing: tuple[int, ...] = ()  # partitions that cannot be read

    def archives(self) -> Iterator[Path]:
        """The WARC files of the crawl, partition by partition."""
        if self.layout and self.path == self.layout.directory:
            # A crawl that was divided anew leaves its older files where they are.
            older = sorted((self.path / "warc").glob("*.warc.gz"))
            yield from (path for path in older if self.layout.archive_folder(path.name) == path.parent)
        for part in self.parts:
            yield from sorted((part.path / "warc").glob("*.warc.gz"))

    def tables(self, columns: Sequence[str] | None) -> Iterator[pyarrow.Table]:
        """All rows of all parts that are committed now, part by part."""
        if self.layout is None:
            with self.parts[0].journal() as journal:
                return journal.tables(columns)
        return self._renumbered_tables(self.numbering(), columns)

    def numbering(self) -> RowNumbering:
        """Where the rows of each partition are in the whole, as of now."""
        counts = {}
        for part in self.parts:
            with part.journal() as journal:
                counts[part.number] = journal.count()
        return RowNumbering(counts)

    def _renumbered_tables(self, numbering: RowNumbering, columns: Sequence[str] | None) -> Iterator[pyarrow.Table]:
        for part in self.parts:
            with part.journal() as journal:
                tables = journal.tables(columns)
            left = numbering.counts[part.number]  # a crawl that runs has more rows by now
            for table in tables:
                yield numbering.renumbered(table.slice(0, left), part.number)
                left = max(left - len(table), 0)

    def find(self, column: str, value: str) -> Iterator[JournalRow]:
        """The rows of all parts that have `value` in a column."""
        for part in self.parts:
            with part.journal() as journal:
                rows = journal.find(column, value)
            if self.layout is None:
                yield from rows
            else:
                yield from (self.numbering().renumbered_row(row, part.number) for row in rows)


class RowNumbering:
    """The numbers that the rows of partitions have in the whole crawl."""

    def __init__(self, counts: dict[int, int]) -> None:
        """`counts` has the number of rows of each partition, in order; of partitions not in it no row is known."""
        self.counts = counts
        self._first = np.zeros(max(counts, default=0) + 2, dtype=np.int64)
        self._rows = np.zeros_like(self._first)
        self._rows[list(counts)] = list(counts.values())
        self._first[1:] = np.cumsum(self._rows)[:-1]

    def in_whole(self, sources: Rows, number: int) -> Rows:
        """Sources that the journal of partition `number` names, as rows of the whole.

        NO_ROW stays as it is. A source that no partition has becomes LOST_ROW: its partition is missing, or has fetched
        it a moment ago.
        """
        is_own = sources < FOREIGN_ROW
        homes = np.where(is_own, number, np.minimum(sources // FOREIGN_ROW - 1, len(self._rows) - 1))
        rows = np.where(is_own, sources, sources % FOREIGN_ROW)
        known = np.where(rows < self._rows[homes], self._first[homes] + rows, LOST_ROW)
        return np.where(sources < 0, sources, known)

    def renumbered(self, table: pyarrow.Table, number: int) -> pyarrow.Table:
        """A table of rows of partition `number`, numbered as in the whole."""
        import pyarrow

        for name in {"row", "source"} & set(table.column_names):
            column = self.in_whole(table[name].to_numpy(), number)
            table = table.set_column(table.column_names.index(name), name, pyarrow.array(column))
        return table

    def renumbered_row(self, row: JournalRow, number: int) -> JournalRow:
        """A row of partition `number`, numbered as in the whole."""
        own, source = self.in_whole(np.array([row.row, row.source]), number).tolist()
        return msgspec.structs.replace(row, row=own, source=source)


def layout_of(path: Path) -> ClusterLayout | None:
    """The layout of the crawl in `path`, or around the partition in it; None if it is not divided."""
    if is_cluster(path):
        return ClusterLayout.open(path, read_only=True)
    return ClusterLayout.around(path)[0] if (path / PARTITION_NAME).exists() else None


def home_of(path: Path) -> Path:
    """The directory of the whole crawl, which has crawl.toml; `path` may be one of its partitions."""
    layout = layout_of(path)
    return layout.directory if layout else path


def parts_of(path: Path, with_journals: bool = False) -> ReadableParts:
    """The parts of the crawl in `path`, or of the single partition in it.

    Warns of partitions that cannot be read (or whose journals cannot), and raises DirectoryError if none can.
    """
    if is_cluster(path):
        return _parts_of_cluster(ClusterLayout.open(path, read_only=True), with_journals)
    if (path / PARTITION_NAME).exists():
        layout, number = ClusterLayout.around(path)
        return ReadableParts(path, [CrawlPart(path, number)], layout)
    if not path.exists():
        raise DirectoryError(f"{path} does not exist. {other_crawl(path)}")
    return ReadableParts(path, [CrawlPart(path)])


def _parts_of_cluster(layout: ClusterLayout, with_journals: bool) -> ReadableParts:
    parts, problems, begun = [], dict[int, DirectoryError](), False
    for number in range(layout.partitions):
        try:
            part = CrawlPart(layout.check_partition(number), number)
            if part.has_begun:
                begun = True
                with part.journal() as journal:
                    if with_journals:
                        journal.check_parts()
                parts.append(part)
        except DirectoryError as error:
            problems[number] = error
    if not parts:
        if begun or len(problems) == layout.partitions:
            raise next(iter(problems.values()))
        raise DirectoryError(
            f"{layout.directory} has no crawl in it yet. Run `exonym crawl {layout.directory} --cluster` first."
        )
    if problems:
        _warn(layout, problems)
    return ReadableParts(layout.directory, parts, layout, tuple(problems))


def _warn(layout: ClusterLayout, problems: dict[int, DirectoryError]) -> None:
    names = [f"{number:04d}" for number in problems]
    named = ", ".join(names[:_MOST_NAMED] + ["…"] * (len(names) > _MOST_NAMED))
    which = "partition" if len(names) == 1 else "partitions"
    text = f"{layout.directory} is read without {which} {named} (of {layout.partitions}): "
    warnings.warn(text + str(next(iter(problems.values()))), PartialCrawlWarning, stacklevel=2)
