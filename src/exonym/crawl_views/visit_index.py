"""All visits of a crawl in a DuckDB database, so that any table of them is sorted, filtered and paged in a moment.

The database is made of the journal and can be deleted at any time. It is kept in the crawl directory, or in a temporary
file if that is not possible: another process has it open, or the directory cannot be written. `refresh` adds the rows
that the journal has gained.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.batches import FOREIGN_ROW
from exonym.crawl_directory.crawl_parts import CrawlPart, parts_of
from exonym.journal import JournalRow
from exonym.nations.country import Countries
from exonym.progress import Progress, no_progress
from exonym.urls import site_of_host, top_level_domain_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow

INDEX_NAME = "index.duckdb"
FORMAT = 1

_BATCH_ROWS = 200_000
_SEGMENTS_SECONDS = 30.0  # the least time between two counts of the segments, …
_SEGMENTS_SHARE = 20  # … and so many times as long as the last count took
_COLUMNS = (
    *("row", "url", "when", "outcome", "status", "content_type", "length", "seconds", "language", "relevance"),
    *("relevant", "distance", "score", "rank", "source", "failure", "title", "copy", "inherited", "rule", "address"),
)
# Row r of partition p has the id p * 2**40 + r, whatever other partitions have.
_ID = f'? * {FOREIGN_ROW} + "row"'
_SOURCE = (
    f"case when source < 0 then source when source < {FOREIGN_ROW} then ? * {FOREIGN_ROW} + source "
    f"else source - {FOREIGN_ROW} end"
)
_KIND = """case when outcome <> 1 then '' when failure = '' then 'http ' || status
    when starts_with(failure, 'http:') then 'http ' || left(trim(substr(failure, 6)), 3)
    else split_part(failure, ':', 1) end"""
_TABLES = """
create table visits(
    id bigint, url varchar, "when" double, outcome utinyint, status smallint, content_type varchar, length bigint,
    seconds float, language varchar, relevance float, relevant bool, distance integer, score float, "rank" float,
    source bigint, failure varchar, title varchar, "copy" bool, inherited bool, rule varchar, kind varchar,
    server ubigint, segment ubigint, words varchar);
create table servers(id ubigint, name varchar, site varchar, domain varchar, country varchar, address varchar);
create table segments(id ubigint, server ubigint, visits bigint, pages bigint, relevant bigint, failures bigint,
    sample bigint);
create table facts(format integer, library varchar, crawl varchar);
"""
_INSERT = f"""
insert into visits select {_ID}, url, "when", outcome, status, content_type, length, seconds, language, relevance,
    relevant, distance, score, "rank", {_SOURCE}, failure, title, "copy", inherited, rule, {_KIND}, hash(name),
    hash(left(path, length(path) - strpos(reverse(path), '/') + 1)), lower(url || ' ' || title) from named
"""
_NAMED = """create or replace temp table named as
    select *, split_part(url, '/', 3) as name, split_part(url, '?', 1) as path from fresh"""
_NEW_SERVERS = """insert into servers select hash(name), name, null, null, null, max(address) from named
    where hash(name) not in (select id from servers) group by name"""
_SEGMENTS = """create or replace table segments as select segment as id, any_value(server) as server,
    count(*) as visits, count(*) filter (outcome <= 1) as pages, count(*) filter (relevant) as relevant,
    count(*) filter (outcome = 1) as failures, min(id) as sample from visits group by segment"""


class VisitIndex:
    """The database of one crawl; it may be asked by several threads, each with its own `cursor`."""

    def __init__(self, directory: Path, in_directory: bool = True) -> None:
        """Open or make the database; with `in_directory`, in the crawl's directory if that is possible."""
        self.directory = directory
        self._lock = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._connection = self._opened(in_directory)
        self._parts: list[CrawlPart] = []
        self._has_new_segments = True
        self._segments_made, self._segments_seconds = float("-inf"), 0.0
        self._countries = Countries()

    def _opened(self, in_directory: bool) -> duckdb.DuckDBPyConnection:
        import duckdb

        crawl = _crawl_of(self.directory)
        if in_directory:
            path = self.directory / INDEX_NAME
            for _ in range(2):
                with suppress(duckdb.Error, OSError):
                    connection = _connected(path)
                    if _is_usable(connection, crawl, self.directory):
                        return connection
                    connection.close()
                    path.unlink()  # of another version, or of another crawl
        self._temporary = tempfile.TemporaryDirectory(prefix="exonym-")
        connection = _connected(Path(self._temporary.name) / INDEX_NAME)
        _is_usable(connection, crawl, self.directory)
        return connection

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection for one thread."""
        return self._connection.cursor()

    @property
    def rows(self) -> int:
        """How many visits it has."""
        (count,) = self.cursor().execute("select count(*) from visits").fetchone() or (0,)
        return int(count)

    # Growing

    def refresh(self, progress: Progress = no_progress) -> int:
        """Add the rows that the journal has gained; returns how many."""
        with self._lock:
            # Partitions with damaged journals are left out; to look for damage once is enough.
            crawl = parts_of(self.directory, with_journals=not self._parts)
            self._parts = crawl.parts
            known = self._known_rows()
            counts = {}
            for part in crawl.parts:
                with part.journal() as journal:
                    counts[part.number] = journal.count()
            missing = sum(counts[number] - known.get(number, 0) for number in counts)
            added = 0
            for part in crawl.parts:
                with part.journal() as journal:
                    tables = journal.tables(_COLUMNS, known.get(part.number, 0))
                for batch in _batches(tables):
                    self._add(batch, part.number)
                    added += len(batch)
                    progress("reading the journal", added, missing)
            self._describe_servers()
            self._has_new_segments |= added > 0
            return added

    def _known_rows(self) -> dict[int, int]:
        """How many rows of each partition are in the database."""
        query = f"select id // {FOREIGN_ROW}, max(id) % {FOREIGN_ROW} + 1 from visits group by 1"
        return {int(number): int(rows) for number, rows in self.cursor().execute(query).fetchall()}

    def _add(self, table: pyarrow.Table, partition: int) -> None:
        cursor = self.cursor()
        cursor.register("fresh", table)
        cursor.execute("begin")
        cursor.execute(_NAMED)
        cursor.execute(_NEW_SERVERS)
        cursor.execute(_INSERT, [partition, partition])
        cursor.execute("commit")
        cursor.close()

    def _describe_servers(self) -> None:
        """Look up site, top-level domain and country of servers that are new."""
        import pyarrow

        cursor = self.cursor()
        new = cursor.execute("select id, name, address from servers where site is null").fetchall()
        if not new:
            return
        columns: dict[str, list[Any]] = {
            "id": [number for number, _, _ in new],
            "site": [],
            "domain": [],
            "country": [],
        }
        for _, name, address in new:
            host = name.rpartition(":")[0] or name
            columns["site"].append(site_of_host(host))
            columns["domain"].append(top_level_domain_of(name))
            columns["country"].append(self._countries.country_of(address, name).code)
        cursor.register("described", pyarrow.table(columns, schema=_described_schema()))
        cursor.execute(
            "update servers set site = d.site, domain = d.domain, country = d.country from described d "
            "where servers.id = d.id"
        )

    def count_segments(self, at_once: bool = False) -> None:
        """Count the pages of segments anew if visits were added; without `at_once`, only now and then."""
        due = self._segments_made + max(_SEGMENTS_SECONDS, _SEGMENTS_SHARE * self._segments_seconds)
        if not self._has_new_segments or not (at_once or time.monotonic() >= due):
            return
        began = time.monotonic()
        self._has_new_segments = False
        self.cursor().execute(_SEGMENTS)
        self._segments_made = time.monotonic()
        self._segments_seconds = self._segments_made - began

    # Single rows

    def journal_row(self, number: int) -> JournalRow | None:
        """The journal's row of a visit, with its evidence; None if there is none. `source` is an id."""
        partition, row_number = divmod(number, FOREIGN_ROW)
        for part in self._parts or parts_of(self.directory).parts:
            if part.number == partition:
                with part.journal() as journal:
                    row = journal.row(row_number)
                if row is not None and row.source >= 0:
                    own = row.source < FOREIGN_ROW
                    row.source = row.source + partition * FOREIGN_ROW if own else row.source - FOREIGN_ROW
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


def _connected(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb

    # Queries come from the outside only as values, and still nothing in them may open a file or load a program.
    settings = {"enable_external_access": "false", "memory_limit": "1GB", "autoinstall_known_extensions": "false"}
    return duckdb.connect(str(path), config=settings)  # type: ignore[arg-type,unused-ignore]


def _is_usable(connection: duckdb.DuckDBPyConnection, crawl: str, directory: Path) -> bool:
    """Whether the database is of this crawl and version; an empty one is prepared."""
    import duckdb

    wanted = (FORMAT, duckdb.__version__, crawl)
    tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    if not tables:
        connection.execute(_TABLES)
        connection.execute("insert into facts values (?, ?, ?)", list(wanted))
        return True
    if connection.execute("select * from facts").fetchall() != [wanted]:
        return False
    return all(
        row is not None and row.url == url and row.when == when for row, url, when in _last_rows(connection, directory)
    )


def _last_rows(
    connection: duckdb.DuckDBPyConnection, directory: Path
) -> Iterator[tuple[JournalRow | None, str, float]]:
    """The last row of each partition, as the journal has it, and as the database does."""
    query = f"select max(id) from visits group by id // {FOREIGN_ROW}"
    for (number,) in connection.execute(query).fetchall():
        url, when = connection.execute('select url, "when" from visits where id = ?', [number]).fetchall()[0]
        partition, row = divmod(number, FOREIGN_ROW)
        for part in parts_of(directory).parts:
            if part.number == partition:
                with part.journal() as journal:
                    yield journal.row(row), url, when


def _crawl_of(directory: Path) -> str:
    """What distinguishes a crawl from one that was in the same directory before it was divided anew."""
    layout = parts_of(directory).layout
    return layout.crawl_id if layout else ""


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


def _described_schema() -> Any:
    import pyarrow

    texts = [(name, pyarrow.string()) for name in ("site", "domain", "country")]
    return pyarrow.schema([("id", pyarrow.uint64()), *texts])
