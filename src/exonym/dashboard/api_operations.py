"""Every operation of the HTTP API. Scripts rely on the names in answers: more may be added, none may be removed."""

import dataclasses
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from exonym.config import CONFIG_NAME, load
from exonym.crawl_progress import document_of
from exonym.crawl_views.crawl_facts import crawl_facts
from exonym.crawl_views.quality import quality_of
from exonym.crawl_views.timeline import timeline_of
from exonym.crawl_views.timeline_charts import CHARTS
from exonym.crawl_views.view import FARTHEST_ROW, MOST_ROWS, ViewRequest
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.why import archived_text, page_story, server_story
from exonym.dashboard.controls import LimitChanges, act, set_limits
from exonym.dashboard.curation import LabelChange, RuleChange, change_rule, label_page, labels_of, scope_of
from exonym.dashboard.live_events import progress_document
from exonym.dashboard.operations import ApiDocument, Call, NoSuchThingError, Operation, openapi_document
from exonym.dashboard.served_crawls import ServedCrawl, summary_of
from exonym.errors import ConfigError
from exonym.urls import url_from

LARGEST_NUMBER = 2**53 - 1  # that JavaScript counts to


class NoQuery(msgspec.Struct, forbid_unknown_fields=True):
    """No parameters."""


class TimelineQuery(msgspec.Struct, forbid_unknown_fields=True):
    """How finely a crawl is divided."""

    points: Annotated[int, msgspec.Meta(ge=2, le=2_000, description="How many moments, at most.")] = 300


class RowsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which rows of a view are wanted."""

    sort: Annotated[
        str, msgspec.Meta(max_length=60, description="A column to sort by; with - before it, the largest first.")
    ] = ""
    search: Annotated[str, msgspec.Meta(max_length=200, description="A text that rows must have.")] = ""
    only: Annotated[str, msgspec.Meta(max_length=60, description="One of the view's filters.")] = ""
    where: Annotated[
        tuple[str, ...],
        msgspec.Meta(max_length=10, description="COLUMN:VALUE: rows with this value; may be given again."),
    ] = ()
    first: Annotated[int, msgspec.Meta(ge=0, le=FARTHEST_ROW, description="Rows to leave out before.")] = 0
    rows: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROWS, description="Rows to return, at most.")] = 50

    def request(self) -> ViewRequest:
        """The same as a request to the index."""
        pairs = [text.partition(":") for text in self.where]
        if not all(colon for _, colon, _ in pairs):
            raise ConfigError("where must be COLUMN:VALUE, as in language:th.")
        where = {column: value for column, _, value in pairs}
        return ViewRequest(self.sort, self.search, self.only, where, self.first, self.rows)


class TextQuery(msgspec.Struct, forbid_unknown_fields=True):
    """How much text is wanted."""

    most: Annotated[int, msgspec.Meta(ge=1, le=1_000_000, description="Letters to return, at most.")] = 20_000


class ScopeQuery(msgspec.Struct, forbid_unknown_fields=True):
    """An address to test."""

    url: Annotated[str, msgspec.Meta(max_length=4_000, description="An address: what do the rules say about it?")] = ""


class ActionRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What a crawl is to do."""

    action: Literal["start", "pause", "resume", "stop"]


# Reading


def _crawls(call: Call) -> ApiDocument:
    return {"crawls": [summary_of(crawl) for crawl in call.crawls.all()]}


def crawl_document(crawl: ServedCrawl) -> ApiDocument:
    """A crawl with its facts and, while it runs, its progress."""
    process, running = crawl.process, crawl.running()
    return {
        "name": crawl.name,
        "state": str(crawl.state()),
        "process": process,
        "reading": dataclasses.asdict(crawl.reading) if crawl.reading else None,
        "progress": document_of(running.progress) if running else None,
        "facts": crawl_facts(crawl.directory).document() if crawl.has_begun else None,
    }


def _crawl(call: Call) -> ApiDocument:
    return crawl_document(call.one)


def _progress(call: Call) -> ApiDocument:
    return progress_document(call.one)


def _timeline(call: Call) -> ApiDocument:
    return timeline_of(call.one.index(), call.query.points).document()


def _chart(call: Call) -> ApiDocument:
    chart = CHARTS.get(call.parts["chart"])
    if chart is None:
        raise NoSuchThingError(f"there is no chart of this name. There are {', '.join(CHARTS)}.")
    return chart(timeline_of(call.one.index(), call.query.points)).document()


def _views(call: Call) -> ApiDocument:
    return {
        "views": [
            {
                "name": view.name,
                "caption": view.caption,
                "columns": [column.name for column in view.columns],
                "filters": list(view.filters),
            }
            for view in VIEWS.values()
        ]
    }


def _rows(call: Call) -> ApiDocument:
    name, crawl = call.parts["view"], call.one
    if name not in VIEWS:
        raise NoSuchThingError(f"there is no view of this name. There are {', '.join(VIEWS)}.")
    page = crawl.view(name, call.query.request())
    return {**page.document(), "reading": dataclasses.asdict(crawl.reading) if crawl.reading else None}


def visit_document(crawl: ServedCrawl, number: int) -> ApiDocument:
    """Everything that is known of a visit; raises NoSuchThingError if there is none."""
    story = page_story(crawl.index(), number) if number <= LARGEST_NUMBER else None
    if story is None:
        raise NoSuchThingError("there is no visit of this number.")
    return {**story, "label": labels_of(crawl).get(story["url"])}


def _visit(call: Call) -> ApiDocument:
    return visit_document(call.one, call.parts["number"])


def _text(call: Call) -> ApiDocument:
    crawl, number = call.one, call.parts["number"]
    visit_document(crawl, number)
    return archived_text(crawl.directory, crawl.index(), number, call.query.most)


def server_document(crawl: ServedCrawl, name: str) -> ApiDocument:
    """Everything that is known of a server; raises NoSuchThingError if it has no visits."""
    story = server_story(crawl.index(), name)
    if story is None:
        raise NoSuchThingError("there is no server of this name among the visits.")
    return story


def _server(call: Call) -> ApiDocument:
    return server_document(call.one, call.parts["server"])


def quality_document(crawl: ServedCrawl) -> ApiDocument:
    """The audit, sample pages, and the servers whose budget is reached."""
    return quality_of(crawl.index(), load(crawl.directory / CONFIG_NAME), scope_of(crawl).scope)


def _quality(call: Call) -> ApiDocument:
    return quality_document(call.one)


def _scope(call: Call) -> ApiDocument:
    scope, problem = scope_of(call.one)
    document: ApiDocument = {"rules": [rule.document() for rule in scope.rules], "problem": problem}
    if call.query.url:
        url = url_from(call.query.url)
        document["test"] = {"url": url, **scope.decide(url).document()}
    return document


def _labels(call: Call) -> ApiDocument:
    return {"labels": [{"url": url, "relevant": relevant} for url, relevant in labels_of(call.one).items()]}


def _limits(call: Call) -> ApiDocument:
    return {"limits": msgspec.structs.asdict(load(call.one.directory / CONFIG_NAME).limits)}


def _description(call: Call) -> ApiDocument:
    return openapi_document(OPERATIONS)


# Changing


def _change_scope(call: Call) -> ApiDocument:
    rules = change_rule(call.one, call.body)
    return {"rules": [rule.document() for rule in rules], "removed": call.body.verb == "remove"}


def _change_label(call: Call) -> ApiDocument:
    url = label_page(call.one, call.parts["number"], call.body)
    return {"url": url, "relevant": call.body.relevant}


def _act(call: Call) -> ApiDocument:
    act(call.one, call.body.action)
    return {"state": str(call.one.state())}


def _change_limits(call: Call) -> ApiDocument:
    return {"limits": set_limits(Path(call.one.directory), call.body)}


def _stream(call: Call) -> ApiDocument:
    raise AssertionError("answered by live_events")


_CRAWL = "/api/crawls/{crawl}"
EVENTS = Operation(
    "GET",
    f"{_CRAWL}/events",
    "watch",
    "The progress of a crawl about once a second, as server-sent events",
    _stream,
    media_type="text/event-stream",
)
OPERATIONS: tuple[Operation, ...] = (
    Operation("GET", "/api/crawls", "crawls", "All crawls, with their state and figures", _crawls, NoQuery),
    Operation("GET", _CRAWL, "crawl", "What was asked of a crawl, what it did, and what it does now", _crawl, NoQuery),
    Operation("GET", f"{_CRAWL}/progress", "progress", "How a crawl goes: pace, rests, events", _progress, NoQuery),
    Operation("GET", f"{_CRAWL}/timeline", "timeline", "Harvest, pace and bytes over time", _timeline, TimelineQuery),
    Operation("GET", f"{_CRAWL}/charts/{{chart}}", "chart", "The lines of a chart", _chart, TimelineQuery),
    Operation("GET", "/api/views", "views", "The views that every crawl has", _views, NoQuery),
    Operation("GET", f"{_CRAWL}/views/{{view}}", "rows", "Rows of a view: sorted, filtered, paged", _rows, RowsQuery),
    Operation("GET", f"{_CRAWL}/visits/{{number}}", "visit", "Why a page was visited, and what it is", _visit, NoQuery),
    Operation("GET", f"{_CRAWL}/visits/{{number}}/text", "text", "The archived text of a page", _text, TextQuery),
    Operation("GET", f"{_CRAWL}/servers/{{server}}", "server", "What is known of a server", _server, NoQuery),
    Operation("GET", f"{_CRAWL}/quality", "quality", "Audit, sample pages, budgets reached", _quality, NoQuery),
    Operation("GET", f"{_CRAWL}/scope", "scope", "The rules, and what they say about an address", _scope, ScopeQuery),
    Operation("GET", f"{_CRAWL}/labels", "labels", "The labels that curators gave", _labels, NoQuery),
    Operation("GET", f"{_CRAWL}/limits", "limits", "The limits in crawl.toml", _limits, NoQuery),
    Operation("GET", "/api/openapi.json", "description", "This description, as OpenAPI", _description, NoQuery),
    EVENTS,
    Operation("POST", f"{_CRAWL}/scope", "change_scope", "Add or remove a rule", _change_scope, None, RuleChange),
    Operation(
        "POST", f"{_CRAWL}/visits/{{number}}/label", "label", "Say what a page is", _change_label, None, LabelChange
    ),
    Operation("POST", f"{_CRAWL}/run", "run", "Start, pause, resume or stop a crawl", _act, None, ActionRequest),
    Operation("PATCH", f"{_CRAWL}/limits", "change_limits", "Change limits", _change_limits, None, LimitChanges),
)


def checked_parts(parts: dict[str, Any]) -> dict[str, Any]:
    """The names in a path, with numbers as numbers; raises NoSuchThingError for a number that is none."""
    number = parts.get("number")
    if number is None:
        return parts
    if not number.isascii() or not number.isdigit() or len(number) > len(str(LARGEST_NUMBER)):
        raise NoSuchThingError("there is no visit of this number.")
    return {**parts, "number": int(number)}
