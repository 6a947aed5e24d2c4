"""A whole view as a CSV file: all its rows and columns, however many there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exonym.crawl_views.view import View, ViewColumn
from exonym.system.files import disk_errors, replacing

if TYPE_CHECKING:
    import duckdb

_BATCH_ROWS = 100_000


def write_csv(cursor: duckdb.DuckDBPyConnection, view: View, path: Path) -> None:
    """Write all rows of a view, in its usual order; shares are of 1, times are in Coordinated Universal Time."""
    from pyarrow import csv

    column = view.column(view.order.removeprefix("-"))
    direction = "desc" if view.order.startswith("-") else "asc"
    columns = ", ".join(f'{_in_file(column)} as "{column.name}"' for column in view.columns)
    groups = f"group by {view.group_by}" if view.group_by else ""
    query = f"select {columns} from {view.source} {groups} order by {column.sql} {direction} nulls last, {view.tie}"
    rows = cursor.sql(query).to_arrow_reader(_BATCH_ROWS)
    options = csv.WriteOptions(quoting_style="needed")
    with disk_errors(path), replacing(path) as draft, csv.CSVWriter(draft, rows.schema, write_options=options) as file:
        for batch in rows:
            file.write(batch)


def _in_file(column: ViewColumn) -> str:
    if column.kind == "time":
        return f"strftime(make_timestamp(({column.sql} * 1e6)::bigint), '%Y-%m-%d %H:%M:%S')"
    return column.sql
