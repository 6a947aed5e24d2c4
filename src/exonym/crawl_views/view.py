"""A view: a table of a crawl whose rows the database sorts, filters and pages.

Names of columns are looked up in the view, and everything else that a user gives is a value: no text from outside ever
becomes a part of a query.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from exonym.errors import ConfigError
from exonym.report.table import Cell, Table, WebLink

if TYPE_CHECKING:
    import duckdb

MOST_ROWS = 1_000  # of a page
FARTHEST_ROW = 10_000  # that can be paged to in a large view: who wants more of it filters, or reads the whole
_LAST_ROW = 2**31
MOST_COUNTED = 10_000  # rows of a large view that match a filter

Kind = Literal["text", "count", "share", "number", "time", "url", "flag", "bytes", "id"]
_SQL_TYPES = {
    **dict.fromkeys(("count", "bytes", "id"), "bigint"),
    **dict.fromkeys(("share", "number", "time"), "double"),
    "flag": "boolean",
}


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """A column of a view: its name, what to call it, and what its values are."""

    name: str
    sql: str
    kind: Kind = "text"
    title: str = ""
    is_shown: bool = True  # on screens; files have all columns
    matches: str = ""  # the condition for a given value, if that is not simply that the column has it

    @property
    def heading(self) -> str:
        """What the column is called on screens."""
        return self.title or self.name.replace("_", " ")

    @property
    def condition(self) -> str:
        """When the column has a value that is given as text; a text that can be no such value matches nothing."""
        number = _SQL_TYPES.get(self.kind)
        return self.matches or f"{self.sql} = " + (f"try_cast(? as {number})" if number else "?")


@dataclass(frozen=True, slots=True)
class View:
    """A table: columns over a source of rows.

    Filters of a view are about its own columns if it has `group_by`, and about columns of its source if not.
    """

    name: str
    caption: str
    columns: tuple[ViewColumn, ...]
    source: str  # what follows "from"
    order: str  # the column by which rows are sorted unless the user says otherwise; "-pages": the largest first
    searched: str = ""  # a text in small letters, in which a text filter looks
    filters: Mapping[str, str] = field(default_factory=dict)  # conditions by name
    note: str = ""
    group_by: str = ""
    key: str = "rowid"  # of the rows of the source, where they are not grouped
    tie: str = "1"  # what orders rows that are equal in the sorted column
    is_large: bool = False  # it may have millions of rows: those that match a filter are counted up to MOST_COUNTED

    def column(self, name: str) -> ViewColumn:
        """The column of a name; ConfigError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(column.name for column in self.columns)
        raise ConfigError(f"{self.name} has no column {name[:40]!r}. It has {names}.")


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """Which rows of a view are wanted."""

    sort: str = ""  # a column; "-name": the largest first; "": as the view is usually sorted
    search: str = ""  # rows that have this text in a searched column, in small or capital letters
    only: str = ""  # one of the view's filters
    where: Mapping[str, str] = field(default_factory=dict)  # by column: the value that it must have
    first: int = 0
    rows: int = 50

    def check(self) -> None:
        """Raise if there cannot be such rows."""
        if not 1 <= self.rows <= MOST_ROWS:
            raise ConfigError(f"rows must be from 1 to {MOST_ROWS}, got {self.rows}.")
        if not 0 <= self.first <= _LAST_ROW:
            raise ConfigError(f"first must be from 0 to {_LAST_ROW}, got {self.first}.")


@dataclass(frozen=True, slots=True)
class ViewPage:
    """Some rows of a view, and how many there are in all."""

    view: View
    rows: list[tuple[Any, ...]]
    total: int
    request: ViewRequest
    is_total_exact: bool = True  # if not, there are more rows than `total`

    def document(self) -> dict[str, Any]:
        """The page for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "view": self.view.name,
            "caption": self.view.caption,
            "note": self.view.note,
            "columns": [
                {"name": column.name, "title": column.heading, "kind": column.kind, "shown": column.is_shown}
                for column in self.view.columns
            ],
            "rows": [[plain_value(value) for value in row] for row in self.rows],
            "total": self.total,
            "total_is_exact": self.is_total_exact,
            "first": self.request.first,
            "sort": self.request.sort or self.view.order,
            "search": self.request.search,
            "only": self.request.only,
            "filters": list(self.view.filters),
        }

    def table(self, all_columns: bool = False) -> Table:
        """The page as a table of a report."""
        chosen = [place for place, column in enumerate(self.view.columns) if all_columns or column.is_shown]
        columns = [self.view.columns[place] for place in chosen]
        rows = tuple(
            tuple(cell_of(column.kind, row[place]) for place, column in zip(chosen, columns, strict=True))
            for row in self.rows
        )
        formats = {column.heading: ",.2f" for column in columns if column.kind == "number"}
        headings = tuple(column.heading for column in columns)
        return Table(self.view.name, self.view.caption, headings, rows, self._note(), formats=formats)

    def _note(self) -> str:
        left = self.total - self.request.first - len(self.rows)
        more = f"And {left:,} more rows: in {self.view.name}.csv." if left > 0 else ""
        return " ".join(filter(None, (self.view.note, more)))


def page_of(cursor: duckdb.DuckDBPyConnection, view: View, request: ViewRequest) -> ViewPage:
    """Some rows of a view."""
    request.check()
    sort = request.sort or view.order
    column = view.column(sort.removeprefix("-"))
    direction = f"{'desc' if sort.startswith('-') else 'asc'} nulls last"
    if view.group_by:
        return _page_of_groups(cursor, view, request, f'"{column.name}" {direction}')
    if view.is_large and request.first > FARTHEST_ROW:
        raise ConfigError(
            f"first must be from 0 to {FARTHEST_ROW} in {view.name}, got {request.first}. Filter the rows."
        )
    cursor.execute("begin transaction read only")  # keys stay those of the same rows, whatever is added meanwhile
    try:
        return _page_of_rows(cursor, view, request, f"{column.sql} {direction}")
    finally:
        cursor.execute("rollback")


def _page_of_groups(cursor: duckdb.DuckDBPyConnection, view: View, request: ViewRequest, order: str) -> ViewPage:
    conditions, given = _conditions(view, request)
    columns = ", ".join(f'{column.sql} as "{column.name}"' for column in view.columns)
    searched = f", {view.searched} as searched" if view.searched else ""
    without = " exclude (searched)" if view.searched else ""
    chosen = f"from (select {columns}{searched} from {view.source} group by {view.group_by}) {conditions}"
    end = f"order by {order}, {view.tie} limit {request.rows} offset {request.first}"
    found = cursor.execute(f"select *{without}, count(*) over () {chosen} {end}", given).fetchall()
    if not found and request.first:
        (total,) = cursor.execute(f"select count(*) {chosen}", given).fetchone() or (0,)
        return ViewPage(view, [], int(total), request)
    return ViewPage(view, [row[:-1] for row in found], int(found[0][-1]) if found else 0, request)


def _page_of_rows(cursor: duckdb.DuckDBPyConnection, view: View, request: ViewRequest, order: str) -> ViewPage:
    """First the keys of the rows are found, and then the rows: so few texts are read."""
    conditions, given = _conditions(view, request)
    is_exact = True
    if conditions and view.is_large:
        # Few matches need not be looked for again, and many are found at once.
        keys = f"select {view.key} from {view.source} {conditions} limit {MOST_COUNTED + 1}"
        matches = [key for (key,) in cursor.execute(keys, given).fetchall()]
        total, is_exact = min(len(matches), MOST_COUNTED), len(matches) <= MOST_COUNTED
        if is_exact:
            conditions, given = f"where {view.key} in (select unnest(?))", [matches]
    else:
        (total,) = cursor.execute(f"select count(*) from {view.source} {conditions}", given).fetchone() or (0,)
    end = f"order by {order}, {view.tie} limit {request.rows} offset {request.first}"
    places = cursor.execute(f"select {view.key} from {view.source} {conditions} {end}", given).fetchall()
    keys_wanted = [key for (key,) in places]
    columns = ", ".join(f'{column.sql} as "{column.name}"' for column in view.columns)
    query = f"select {view.key}, {columns} from {view.source} where {view.key} in (select unnest(?))"
    rows = {row[0]: row[1:] for row in cursor.execute(query, [keys_wanted]).fetchall()}
    return ViewPage(view, [rows[key] for key in keys_wanted], int(total), request, is_exact)


def _conditions(view: View, request: ViewRequest) -> tuple[str, list[Any]]:
    """What rows must fulfil, with `where` before it, and the values in it; "" if all rows are wanted."""
    conditions, given = list[str](), list[Any]()
    if request.search:
        if not view.searched:
            raise ConfigError(f"{view.name} has no column in which a text could be looked for.")
        conditions.append(f"contains({'searched' if view.group_by else view.searched}, ?)")
        given.append(request.search.lower())
    if request.only:
        if request.only not in view.filters:
            known = ", ".join(view.filters) or "none"
            raise ConfigError(f"{view.name} has no filter {request.only[:40]!r}. It has {known}.")
        conditions.append(f"({view.filters[request.only]})")
    for name, value in request.where.items():
        column = view.column(name)
        conditions.append(replace(column, sql=f'"{name}"').condition if view.group_by else column.condition)
        given.append(value)
    return f"where {' and '.join(conditions)}" if conditions else "", given


def plain_value(value: Any) -> Any:
    """A value for JSON: numbers that JSON lacks become null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def cell_of(kind: Kind, value: Any) -> Cell:
    """A value as a cell of a report's table."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if kind == "time":
        return time_text(value)
    if kind == "url":
        return WebLink(str(value))
    if kind in ("count", "bytes", "id"):
        return int(value)
    return value if isinstance(value, str | bool) else float(value)


def time_text(when: float) -> str:
    """A moment in seconds since 1970 as a date and time, in Coordinated Universal Time."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M:%S")
