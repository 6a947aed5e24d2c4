"""The DuckDB file of a crawl's index: opened, or made anew if it is of another crawl or version, or damaged."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.crawl_views.index_tables import TABLES

if TYPE_CHECKING:
    import duckdb

INDEX_NAME = "index.duckdb"
FORMAT = 5

_MOST_THREADS = 4


def opened(path: Path) -> duckdb.DuckDBPyConnection | None:
    """The database at a path, a new one if what is there cannot be read; None if it cannot be used now."""
    import duckdb

    try:
        with _alone(path.parent):
            try:
                return connected(path)
            except duckdb.IOException as error:
                if "lock" in str(error).lower() or not path.exists():
                    return None  # another process has it open, or the directory cannot be written
            except duckdb.Error:
                pass  # of a later version, or damaged
            for own in (path, path.with_name(f"{path.name}.wal")):
                own.unlink(missing_ok=True)
            return connected(path)
    except (duckdb.Error, OSError):
        return None


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """No other process opens or replaces a database in the directory meanwhile."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def connected(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb

    # Queries come from the outside only as values, and still nothing in them may open a file or load a program.
    settings: dict[str, Any] = {
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "memory_limit": "1GB",
        "threads": min(os.cpu_count() or 1, _MOST_THREADS),
        "preserve_insertion_order": "false",  # queries say by what they order; the first matches may then be any
    }
    return duckdb.connect(str(path), config=settings)


def is_of(connection: duckdb.DuckDBPyConnection, crawl: str) -> bool:
    """Whether the database is of this crawl, and was made by this version."""
    import duckdb

    tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    wanted = (FORMAT, duckdb.__version__, crawl)
    return set(TABLES) <= tables and connection.execute("from facts").fetchall() == [wanted]


def make_tables(connection: duckdb.DuckDBPyConnection, crawl: str) -> None:
    """Make all tables anew, without rows."""
    import duckdb

    in_transaction(connection, *(f"create or replace table {name}({columns})" for name, columns in TABLES.items()))
    connection.execute("insert into facts values (?, ?, ?)", [FORMAT, duckdb.__version__, crawl])


def in_transaction(connection: duckdb.DuckDBPyConnection, *queries: str) -> None:
    connection.execute("begin")
    try:
        for query in queries:
            connection.execute(query)
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")
