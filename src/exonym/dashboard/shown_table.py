"""A page of a view as a table on a web page: headings that sort, cells that lead on, and the way to other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from exonym.crawl_views.view import ViewColumn, ViewPage, ViewRequest, time_text
from exonym.language_names import name_of
from exonym.report.number_text import byte_size
from exonym.web_text import readable_address

_NUMERIC = frozenset(["count", "share", "number", "bytes"])


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell: its text and where it leads."""

    text: str
    href: str = ""
    is_number: bool = False
    is_time: bool = False
    is_outside: bool = False  # the address is one of the web
    share: float | None = None  # drawn as a bar
    title: str = ""
    is_long: bool = False  # a text that may be long: only its first lines are shown


@dataclass(frozen=True, slots=True)
class ShownHeading:
    """A heading: a click sorts by its column."""

    text: str
    href: str
    direction: str  # "ascending", "descending" or "none"
    is_number: bool


@dataclass(frozen=True, slots=True)
class ShownFilter:
    """One of a view's filters, as a link."""

    text: str
    href: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as the template shows it."""

    name: str
    caption: str
    note: str
    headings: list[ShownHeading]
    rows: list[list[ShownCell]]
    filters: list[ShownFilter]
    wheres: list[ShownFilter]  # conditions that a click takes back
    request: ViewRequest
    counted: str
    previous: str  # addresses; "": there are none
    following: str
    can_search: bool
    search_fields: list[tuple[str, str]]  # what a search keeps


def shown_table(page: ViewPage, base: str) -> ShownTable:
    """A page of a view; `base` is the address of its crawl."""
    view, request = page.view, page.request
    address = f"{base}/tables/{view.name}"
    columns = [(place, column) for place, column in enumerate(view.columns) if column.is_shown]
    names = [column.name for column in view.columns]

    def link(**changes: Any) -> str:
        return address_of(address, replace(request, first=0, **changes))

    sort = request.sort or view.order
    last = request.first + len(page.rows)
    total = f"{page.total:,}" if page.is_total_exact else f"more than {page.total:,}"
    return ShownTable(
        view.name,
        view.caption,
        view.note,
        [_heading(column, sort, link(sort=_next_sort(column, sort))) for _, column in columns],
        [
            [shown_cell(column, row[place], dict(zip(names, row, strict=True)), base) for place, column in columns]
            for row in page.rows
        ],
        [
            ShownFilter(name, link(only="" if name == request.only else name), name == request.only)
            for name in view.filters
        ],
        [
            ShownFilter(
                f"{view.column(name).heading}: {value}",
                link(where={other: text for other, text in request.where.items() if other != name}),
                True,
            )
            for name, value in request.where.items()
        ],
        request,
        f"{request.first + 1:,}–{last:,} of {total}" if page.rows else "no rows",
        address_of(address, replace(request, first=max(request.first - request.rows, 0))) if request.first else "",
        address_of(address, replace(request, first=last)) if last < page.total or not page.is_total_exact else "",
        bool(view.searched),
        _parameters(replace(request, search="", first=0)),
    )


def address_of(address: str, request: ViewRequest) -> str:
    """The address of some rows of a view."""
    parameters = _parameters(request)
    return f"{address}?{urlencode(parameters)}" if parameters else address


def _parameters(request: ViewRequest) -> list[tuple[str, str]]:
    usual = ViewRequest()
    parameters = [
        (name, str(value))
        for name in ("sort", "search", "only", "first", "rows")
        if (value := getattr(request, name)) != getattr(usual, name)
    ]
    return parameters + [("where", f"{name}:{value}") for name, value in request.where.items()]


def _next_sort(column: ViewColumn, sort: str) -> str:
    """Numbers are first sorted with the largest first, texts from the beginning of the alphabet."""
    first, second = column.name, f"-{column.name}"
    if column.kind in _NUMERIC or column.kind == "time":
        first, second = second, first
    return second if sort == first else first


def _heading(column: ViewColumn, sort: str, href: str) -> ShownHeading:
    direction = {column.name: "ascending", f"-{column.name}": "descending"}.get(sort, "none")
    return ShownHeading(column.heading, href, direction, column.kind in _NUMERIC)


def shown_cell(column: ViewColumn, value: Any, row: Mapping[str, Any], base: str) -> ShownCell:
    """A value of a view, with where it leads."""
    if value is None or value != value:  # NaN
        return ShownCell("–", is_number=column.kind in _NUMERIC)
    if column.kind == "share":
        return ShownCell(f"{value:.1%}", is_number=True, share=min(max(float(value), 0.0), 1.0))
    if column.kind == "bytes":
        return ShownCell(byte_size(int(value)), is_number=True)
    if column.kind == "count":
        return ShownCell(f"{int(value)}" if column.name == "status" else f"{int(value):,}", is_number=True)
    if column.kind == "number":
        return ShownCell(f"{value:,.2f}", is_number=True)
    if column.kind == "time":
        return ShownCell(time_text(value), is_time=True)
    if column.kind == "flag":
        return ShownCell("yes" if value else "no")
    text = str(value)
    if column.name == "segment":
        return ShownCell(readable_address(text), scope_address(base, text), title=f"A rule for {text}", is_long=True)
    if column.kind == "url":
        shown = readable_address(text)
        if row.get("id") is not None:
            return ShownCell(shown, f"{base}/visits/{row['id']}", title=text, is_long=True)
        href = text if text.startswith(("http://", "https://")) else ""
        return ShownCell(shown, href, is_outside=True, title=text, is_long=True)
    if column.name in ("title", "failure"):
        return ShownCell(text, title=text, is_long=True)
    return ShownCell(text, _leads_to(column.name, text, base), title=_full_name(column.name, text))


def _leads_to(column: str, text: str, base: str) -> str:
    if column == "server" and text:
        return server_address(base, text)
    if column in ("language", "kind") and text:
        value = "" if text == "unknown" else text
        return address_of(f"{base}/tables/visits", ViewRequest(where={column: value}))
    return ""


def _full_name(column: str, text: str) -> str:
    return name_of(text) if column == "language" and text and text != "unknown" else ""


def scope_address(base: str, url: str) -> str:
    """What the scope says about an address, and a form for a rule about it."""
    return f"{base}/scope?{urlencode({'url': url})}"


def server_address(base: str, server: str) -> str:
    """The page of a server."""
    return f"{base}/servers/{quote(server, safe='')}"
