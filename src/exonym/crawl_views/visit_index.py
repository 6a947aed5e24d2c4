"""All visits of a crawl in a DuckDB database, so that any table of them is sorted, filtered and paged in a moment.

The database is made of the journal and can be deleted at any time. It is kept in the crawl directory, or in a temporary
file if that is not possible: another process has it open, or the directory cannot be written. `refresh` adds the rows
that the journal has gained; if the journal has lost or changed rows (a power cut, a crawl begun or divided anew), the
database is made again.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.config import CONFIG_NAME
from exonym.crawl_directory.crawl_parts import CrawlPart, home_of, layout_of, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_views import index_tables, server_counts
from exonym.crawl_views.index_file import INDEX_NAME, connected, in_transaction, is_of, make_tables, opened
from exonym.crawl_views.index_tables import COLUMNS, PARTITION_ROWS
from exonym.crawl_views.minds import Minds
from exonym.crawl_views.occasion import Occasion
from exonym.crawl_views.waiting_links import count_waiting
from exonym.errors import ConfigError, DirectoryError
from exonym.journal import JournalRow
from exonym.nations.country import Countries
from exonym.partitions import home_of as home_of_row
from exonym.progress import Progress, no_progress
from exonym.seeds.seeds_file import seed_urls
from exonym.system.files import FileStamp, stamp_of
from exonym.urls import host_of, site_of_host, top_level_domain_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow

_BATCH_ROWS = 240_000  # nearly two row groups of DuckDB, one for each core: a larger batch needs more memory
_MOST_LOGGED = 500_000  # visits whose counts wait to be merged
_MOST_RENEWED = 20_000  # visits whose servers are counted apart


class VisitIndex:
    """The database of one crawl; it may be asked by several threads, each with its own `cursor`."""

    def __init__(self, directory: Path, in_directory: bool = True) -> None:
        """Open or make the database; with `in_directory`, in the crawl's directory if that is possible."""
        self.directory = directory
        self._lock = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._parts: list[CrawlPart] = []
        self._seeds: list[str] | None = None
        self._seed_files: list[Path] = []
        self._seeds_read: list[FileStamp | None] = []  # their stamps when the seeds were read
        self._is_checked = False  # against the journal, since it was opened
        self._logged = 0  # rows of counts since the last merge
        self._segments_counted, self._waiting_counted = Occasion(), Occasion()
        self._countries = Countries()
        self.minds = Minds(directory)
        CrawlDirectory.open(directory)  # raises for what is no crawl, before a file is made
        crawl = _crawl_of(directory)
        found = opened(directory / INDEX_NAME) if in_directory else None
        if found is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="exonym-")
            found = connected(Path(self._temporary.name) / INDEX_NAME)
        self._connection = found
        if not is_of(found, crawl):
            make_tables(found, crawl)
        self._has_new_segments = found.execute("select 1 from fresh_segments limit 1").fetchone() is not None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection for one thread."""
        return self._connection.cursor()

    @property
    def rows(self) -> int:
        """How many visits it has."""
        (count,) = self.cursor().execute("select coalesce(sum(visits), 0) from parts").fetchone() or (0,)
        return int(count)

    @property
    def partitions(self) -> int:
        """How many partitions have visits."""
        (count,) = self.cursor().execute("select count(*) from parts where visits > 0").fetchone() or (0,)
        return int(count)

    # Growing

    def refresh(self, progress: Progress = no_progress) -> int:
        """Add the rows that the journal has gained; returns how many. Large tables follow now and then."""
        with self._lock:
            # Partitions with damaged journals are left out; to look for damage once is enough.
            self._parts = parts_of(self.directory, with_journals=not self._parts).parts
            crawl, cursor = _crawl_of(self.directory), self.cursor()
            if not is_of(cursor, crawl) or not self._is_true(cursor):
                make_tables(cursor, crawl)
                self._seeds, self._logged = None, 0
            self._is_checked = True
            cursor.execute("create or replace temp table touched(server ubigint)")
            self._find_seeds(cursor)
            added = self._add_missing(cursor, progress)
            self._describe_servers(cursor)
            if self._logged > _MOST_LOGGED:
                in_transaction(cursor, *index_tables.MERGE_COUNTS)
                self._logged = 0
            self._count_servers(cursor, added)
            self._has_new_segments |= added > 0
            cursor.close()
        self.count_large_tables()
        return added

    def _known(self, cursor: duckdb.DuckDBPyConnection) -> dict[int, int]:
        """How many rows of each partition are in the database."""
        return {int(number): int(rows) for number, rows in cursor.execute("from parts").fetchall()}

    def _is_true(self, cursor: duckdb.DuckDBPyConnection) -> bool:
        """Whether the journal still has the last rows that are in the database."""
        known = self._known(cursor)
        for part in self._parts:
            own = known.get(part.number, 0)
            with part.journal() as journal:
                count = journal.count()
                if not own or (self._is_checked and count == own):
                    continue
                row = journal.row(own - 1) if count >= own else None
            number = part.number * PARTITION_ROWS + own - 1
            last = cursor.execute('select url, "when" from visits where id = ?', [number]).fetchone()
            if row is None or last != (row.url, row.when):
                return False
        return True

    def _add_missing(self, cursor: duckdb.DuckDBPyConnection, progress: Progress) -> int:
        known, counts = self._known(cursor), {}
        for part in self._parts:
            with part.journal() as journal:
                counts[part.number] = journal.count()
        missing = sum(counts[number] - known.get(number, 0) for number in counts)
        added = 0
        for part in self._parts:
            first = known.get(part.number, 0)
            if counts[part.number] == first:
                continue
            with part.journal() as journal:
                tables = journal.tables(COLUMNS, first)
            for batch in _read_ahead(_batches(tables)):
                self._add(cursor, batch, part.number, first)
                first += len(batch)
                added += len(batch)
                progress("reading the journal", added, max(missing, added))
        return added

    def _add(self, cursor: duckdb.DuckDBPyConnection, batch: pyarrow.Table, partition: int, first: int) -> None:
        cursor.register("fresh", batch)
        cursor.execute(index_tables.NAMED, {"part": partition})
        cursor.execute("begin")
        cursor.execute(index_tables.ADD_VISITS, {"part": partition})
        cursor.execute(index_tables.FIND_FRESH_SEEDS, {"part": partition})
        for query in index_tables.ADD_COUNTS:
            cursor.execute(query)
        cursor.execute("delete from parts where number = ?", [partition])
        cursor.execute("insert into parts values (?, ?)", [partition, first + len(batch)])
        cursor.execute("commit")
        self._logged += len(batch)
        cursor.unregister("fresh")
        cursor.execute("drop table named")

    def _count_servers(self, cursor: duckdb.DuckDBPyConnection, added: int) -> None:
        """Bring the counts of servers up to date: all of them if there is much new, or if a process died meanwhile."""
        if 0 < added <= _MOST_RENEWED:
            in_transaction(cursor, *server_counts.RENEW)
        counted = (
            "select (select coalesce(sum(rows), 0) from server_counts) = (select coalesce(sum(visits), 0) from parts)"
        )
        if cursor.execute(counted).fetchone() != (True,):
            in_transaction(cursor, *server_counts.MAKE)

    def _find_seeds(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Take over the seeds of the crawl if they have changed."""
        import pyarrow

        home = home_of(self.directory)
        if self._seeds is not None and self._seeds_read == list(map(stamp_of, self._seed_files)):
            return
        seeds: list[str] = []
        self._seed_files = [home / CONFIG_NAME]
        with suppress(ConfigError, DirectoryError):  # crawl.toml or the file of seeds is gone: the visits remain
            settings = CrawlDirectory(self.directory).settings
            self._seed_files += [home / settings.seeds.file] if settings.seeds.file else []
            seeds = list(dict.fromkeys(seed_urls(settings, home)))
        self._seeds_read = list(map(stamp_of, self._seed_files))
        if seeds == self._seeds:
            return
        self._seeds = seeds
        if [url for (url,) in cursor.execute("select url from seed_urls").fetchall()] == seeds:
            return
        cursor.register("given", pyarrow.table({"url": pyarrow.array(seeds, pyarrow.string())}))
        fill = "insert into seed_urls select url, null from given"
        in_transaction(cursor, "delete from seed_urls", fill, index_tables.FIND_SEEDS)

    def _describe_servers(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Look up site, top-level domain and country of servers that are new."""
        import pyarrow

        new = cursor.execute("select id, name, address from servers where site is null").fetchall()
        if not new:
            return
        columns: dict[str, list[Any]] = {"id": [], "site": [], "domain": [], "country": []}
        for number, name, address in new:
            columns["id"].append(number)
            columns["site"].append(site_of_host(host_of(name)))
            columns["domain"].append(top_level_domain_of(name))
            columns["country"].append(self._countries.country_of(address, name).code)
        texts = [(name, pyarrow.string()) for name in ("site", "domain", "country")]
        cursor.register("described", pyarrow.table(columns, schema=pyarrow.schema([("id", pyarrow.uint64()), *texts])))
        cursor.execute(
            "update servers set site = d.site, domain = d.domain, country = d.country from described d "
            "where servers.id = d.id"
        )
        cursor.execute("insert into touched select id from described")

    def count_large_tables(self, at_once: bool = False) -> None:
        """Count anew what takes long to count, segments and waiting links; without `at_once`, only now and then."""
        with self._lock:
            if self._has_new_segments and (at_once or self._segments_counted.is_due):
                with self._segments_counted.taken(), self.cursor() as cursor:
                    # Rows that were renewed leave gaps in the table of servers: it is made anew at the same time.
                    in_transaction(cursor, *index_tables.MERGE_SEGMENTS, *server_counts.MAKE)
                    self._has_new_segments = False
            if at_once or self._waiting_counted.is_due:
                # A frontier or settings that are damaged do not hide the visits.
                with self._waiting_counted.taken(), self.cursor() as cursor, suppress(ConfigError, DirectoryError):
                    count_waiting(cursor, self.directory, self._parts)

    # Single rows

    def journal_row(self, number: int) -> JournalRow | None:
        """The journal's row of a visit, with its evidence; None if there is none. `source` is an id."""
        partition, row_number = divmod(number, PARTITION_ROWS)
        for part in self._parts or parts_of(self.directory).parts:
            if part.number == partition:
                with part.journal() as journal:
                    row = journal.row(row_number)
                if row is not None:
                    row.source = id_of_source(row.source, partition)
                return row
        return None

    def close(self) -> None:
        """Close the database; a temporary one is deleted."""
        self._connection.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def __enter__(self) -> VisitIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def id_of_source(source: int, partition: int) -> int:
    """The id of the visit that a partition's journal or frontier names as a source; negative numbers stay as they are.

    >>> id_of_source(7, 2) == 2 * PARTITION_ROWS + 7, id_of_source(-1, 2)
    (True, -1)
    """
    if source < 0:
        return source
    home, row = home_of_row(source, partition)
    return home * PARTITION_ROWS + row


def _crawl_of(directory: Path) -> str:
    """What distinguishes a crawl from one that was in the same directory before it was divided anew."""
    layout = layout_of(directory)
    return layout.crawl_id if layout else ""


def _read_ahead(batches: Iterator[pyarrow.Table]) -> Iterator[pyarrow.Table]:
    """Read each batch while the one before it is used: a second core does that."""
    with ThreadPoolExecutor(1, thread_name_prefix="journal") as reader:
        following = reader.submit(next, batches, None)
        while (batch := following.result()) is not None:
            following = reader.submit(next, batches, None)
            yield batch


def _batches(tables: Iterator[pyarrow.Table]) -> Iterator[pyarrow.Table]:
    """Tables joined to larger ones: a part of the journal is small for a database."""
    import pyarrow

    held: list[pyarrow.Table] = []
    for table in tables:
        held.append(table)
        if sum(map(len, held)) >= _BATCH_ROWS:
            yield pyarrow.concat_tables(held)
            held = []
    if any(map(len, held)):
        yield pyarrow.concat_tables(held)
