"""The table of links that wait, by server: counted anew from the frontiers of a crawl now and then."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.crawl_directory.crawl_parts import CrawlPart, home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_views.index_file import in_transaction
from exonym.frontier.waiting_counts import WaitingCounts, waiting_counts
from exonym.scope.scope_file import readable_scope

if TYPE_CHECKING:
    import duckdb

_FILL = "insert into waiting select hash(name), name, links, left_out from counted"


def count_waiting(cursor: duckdb.DuckDBPyConnection, directory: Path, parts: Iterable[CrawlPart]) -> None:
    """Replace the table by what waits in the parts of a crawl as of their last commits."""
    import pyarrow

    counts = WaitingCounts()
    for part in parts:
        with part.store() as store:
            found = waiting_counts(store)
        counts.queued.update(found.queued)
        counts.aside.update(found.aside)
    scope = readable_scope(home_of(directory), CrawlDirectory(directory).settings.scope.rules).scope
    pages = dict(cursor.execute("select name, pages from server_counts").fetchall()) if scope.has_limits else {}
    names = list(counts.queued | counts.aside)
    links, left_out = list[int](), list[int]()
    for name in names:
        queued, aside = counts.queued[name], counts.aside[name]
        is_out = scope.leaves_out_server(name, pages.get(name, 0))
        links.append(0 if is_out else queued)
        left_out.append(aside + queued if is_out else aside)
    columns = {"name": pyarrow.array(names, pyarrow.string()), "links": links, "left_out": left_out}
    cursor.register("counted", pyarrow.table(columns))
    in_transaction(cursor, "delete from waiting", _FILL)
    cursor.unregister("counted")
