"""The dashboard as an ASGI application: which function answers which address, and what errors look like."""

import hashlib
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from exonym.dashboard.access import AccessGuard, AccessRules
from exonym.dashboard.api_operations import EVENTS, OPERATIONS, RowsQuery, checked_parts
from exonym.dashboard.live_events import event_stream
from exonym.dashboard.operations import Call, NoSuchThingError, Operation, body_of, query_of
from exonym.dashboard.served_crawls import ServedCrawl, ServedCrawls
from exonym.dashboard.web_pages import WebPages, base_of
from exonym.errors import ConfigError, ExonymError, UrlError
from exonym.report.uplot import chart_css, chart_script

MOST_BODY_BYTES = 64 * 1024
_STATIC = Path(__file__).parent / "static"
# What a form of a page does: an operation of the API, by its name.
_FORMS = {operation.name: operation for operation in OPERATIONS if operation.changes}

Answer = Callable[[Request], Awaitable[Response]]


def dashboard(crawls: ServedCrawls, rules: AccessRules, is_ending: Callable[[], bool] = lambda: False) -> ASGIApp:
    """The application; `is_ending` says when streams of events, which go on for ever, have to end."""
    return AccessGuard(_App(crawls, rules, is_ending).starlette(), rules)


class _App:
    """Turns requests into calls of operations and pages."""

    def __init__(self, crawls: ServedCrawls, rules: AccessRules, is_ending: Callable[[], bool]) -> None:
        self._crawls = crawls
        self._rules = rules
        self._is_ending = is_ending
        self._assets = _assets()
        self._version = hashlib.sha256(b"".join(content.encode() for content, _ in self._assets.values())).hexdigest()[
            :12
        ]

    def starlette(self) -> Starlette:
        """The routes, and what is done when the server ends."""

        @asynccontextmanager
        async def lifespan(app: Starlette) -> Any:
            yield
            await run_in_threadpool(self._crawls.close)

        pages: dict[str, Callable[[WebPages, Request], str]] = {
            "/crawls/{crawl}/": lambda pages, request: pages.overview(self._crawl(request)),
            "/crawls/{crawl}/live": lambda pages, request: pages.live(self._crawl(request)),
            "/crawls/{crawl}/tables/{view}": self._table,
            "/crawls/{crawl}/visits/{number}": lambda pages, request: pages.visit(
                self._crawl(request), checked_parts(request.path_params)["number"]
            ),
            "/crawls/{crawl}/servers/{server}": lambda pages, request: pages.server(
                self._crawl(request), request.path_params["server"]
            ),
            "/crawls/{crawl}/scope": lambda pages, request: pages.scope(
                self._crawl(request), request.query_params.get("url", "")[:4_000]
            ),
            "/crawls/{crawl}/quality": lambda pages, request: pages.quality(self._crawl(request)),
            "/crawls/{crawl}/settings": lambda pages, request: pages.settings(self._crawl(request)),
            "/api/": lambda pages, request: pages.api(),
        }
        routes = [
            Route("/", self._home),
            Route("/static/{name}", self._static),
            Route("/favicon.ico", self._no_icon),
            Route("/crawls/{crawl}/do/{form}", self._form, methods=["POST"]),
            *(Route(path, self._shown(show)) for path, show in pages.items()),
            *_api_routes(self._answer),
        ]
        return Starlette(
            routes=routes,
            lifespan=lifespan,
            exception_handlers={ExonymError: self._refused, HTTPException: self._refused},
        )

    def _crawl(self, request: Request) -> ServedCrawl:
        crawl = self._crawls.get(request.path_params["crawl"])
        if crawl is None:
            raise NoSuchThingError("There is no crawl of this name here.")
        return crawl

    # Pages

    def _pages(self, request: Request) -> WebPages:
        return WebPages(self._crawls, self._rules.has_token(request), self._version)

    def _shown(self, show: Callable[[WebPages, Request], str]) -> Answer:
        async def answer(request: Request) -> Response:
            html = await run_in_threadpool(show, self._pages(request), request)
            return HTMLResponse(html, headers={"cache-control": "no-store"})

        return answer

    def _table(self, pages: WebPages, request: Request) -> str:
        query = query_of(request, _TableQuery)
        return pages.table(self._crawl(request), request.path_params["view"], query, bool(query.alone))

    async def _home(self, request: Request) -> Response:
        if self._crawls.is_single:
            return RedirectResponse(base_of(self._crawls.all()[0]) + "/", 303)
        return HTMLResponse(await run_in_threadpool(self._pages(request).crawls), headers={"cache-control": "no-store"})

    async def _static(self, request: Request) -> Response:
        found = self._assets.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        content, kind = found
        return Response(content, media_type=kind, headers={"cache-control": "public, max-age=86400, immutable"})

    async def _no_icon(self, request: Request) -> Response:
        return Response(status_code=204)

    async def _form(self, request: Request) -> Response:
        """Do what a form asks for, and go back to the page that it was on."""
        operation = _FORMS.get(request.path_params["form"])
        if operation is None or operation.body is None:
            raise NoSuchThingError("There is no form of this name.")
        fields = dict(parse_qsl((await _body(request)).decode("utf-8", "replace"), keep_blank_values=True))
        crawl, back, number = self._crawl(request), fields.pop("back", ""), fields.pop("visit", "")
        parts = checked_parts({"number": number} if "{number}" in operation.path else {})
        # An empty field of a form is one that the reader left out.
        given = {name: value for name, value in fields.items() if value or operation.name == "label"}
        if given.get("relevant") == "":
            given["relevant"] = None  # type: ignore[assignment]
        try:
            body = msgspec.convert(given, operation.body, strict=False)
        except msgspec.ValidationError as error:
            raise ConfigError(f"The form is not filled in rightly: {error}.") from None
        await run_in_threadpool(operation.answer, Call(self._crawls, crawl, parts, body=body))
        return RedirectResponse(back if _is_here(back) else base_of(crawl) + "/", 303)

    # The API

    async def _answer(self, operation: Operation, request: Request) -> Response:
        parts = checked_parts({name: value for name, value in request.path_params.items() if name != "crawl"})
        crawl = self._crawl(request) if "crawl" in request.path_params else None
        if operation is EVENTS:
            assert crawl is not None, "the path names a crawl"
            return event_stream(crawl, self._is_ending)
        query = query_of(request, operation.query) if operation.query else None
        body = None
        if operation.body is not None:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise HTTPException(415, "The body must be JSON: content-type: application/json.")
            body = body_of(await _body(request), operation.body)
        document = await run_in_threadpool(operation.answer, Call(self._crawls, crawl, parts, query, body))
        return Response(
            msgspec.json.encode(document), media_type="application/json", headers={"cache-control": "no-store"}
        )

    # Errors

    async def _refused(self, request: Request, error: Exception) -> Response:
        status, message = _status_of(error), str(getattr(error, "detail", error))
        headers = dict(getattr(error, "headers", None) or {})
        if request.url.path.startswith("/api/") and request.url.path != "/api/":
            return JSONResponse({"error": message}, status, headers)
        return HTMLResponse(self._pages(request).error(status, message), status, headers)


class _TableQuery(RowsQuery, forbid_unknown_fields=True):
    """As for rows; `alone`: without the page around them."""

    alone: int = 0


def _api_routes(answer: Callable[[Operation, Request], Awaitable[Response]]) -> list[Route]:
    """A route for each path, so that a method that it lacks is refused as such."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation

    def endpoint(operations: dict[str, Operation]) -> Answer:
        async def asked(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            return await answer(operations[method], request)

        return asked

    return [Route(path, endpoint(operations), methods=list(operations)) for path, operations in by_path.items()]


def _status_of(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, NoSuchThingError):
        return 404
    return 400 if isinstance(error, ConfigError | UrlError) else 409


async def _body(request: Request) -> bytes:
    """The body of a request; one that is too long is refused before it is read to the end."""
    content = b""
    try:
        async for piece in request.stream():
            content += piece
            if len(content) > MOST_BODY_BYTES:
                raise HTTPException(413, "The body is too long.")
    except ClientDisconnect:
        raise HTTPException(400, "The body is not complete.") from None
    return content


def _is_here(address: str) -> bool:
    """Whether an address is one of this dashboard."""
    return address.startswith("/crawls/") and "\\" not in address and not any(ord(letter) < 33 for letter in address)


def _assets() -> dict[str, tuple[str, str]]:
    """The files that pages load, by name, each with its type."""
    script, style = "text/javascript", "text/css"
    return {
        "charts.js": (chart_script(), script),
        "charts.css": (chart_css(), style),
        "dashboard.js": ((_STATIC / "dashboard.js").read_text("utf-8"), script),
        "dashboard.css": ((_STATIC / "dashboard.css").read_text("utf-8"), style),
    }
