"""The pages of the dashboard for people: HTML made by the templates. Everything from the web is shown as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec

from exonym.config import CONFIG_NAME, load
from exonym.crawl_progress import ending_words
from exonym.crawl_views.crawl_facts import crawl_facts
from exonym.crawl_views.promise import chance_words
from exonym.crawl_views.timeline_charts import CAPTIONS
from exonym.crawl_views.view import ViewRequest, time_text
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.why import archived_text
from exonym.dashboard.api_operations import OPERATIONS, RowsQuery, quality_document, server_document, visit_document
from exonym.dashboard.curation import LABELS_NAME, MOST_TARGET_LETTERS, labels_of, scope_of
from exonym.dashboard.operations import ApiDocument, NoSuchThingError, openapi_document
from exonym.dashboard.served_crawls import ServedCrawl, ServedCrawls, ServedState, summary_of
from exonym.dashboard.shown_table import ShownTable, scope_address, server_address, shown_table
from exonym.errors import ExonymError
from exonym.language_names import name_of
from exonym.probes.completeness import completeness_document
from exonym.report.number_text import about, byte_size, clock_time, duration
from exonym.report.rendering import environment_of
from exonym.urls import url_from

_OVERVIEW = {"servers": 8, "languages": 8, "failures": 6}  # views on the first page, and how many rows of each
_SHOWN_EVENTS = 12
_SHOWN_RULES = 500  # the last ones: later rules win
_MEASURES = {
    "harvest_rate": "true harvest rate",
    "precision": "relevant pages of those taken as relevant",
    "recall": "relevant pages that were taken as such",
    "missed": "relevant pages of those not taken",
    "agreement": "judge and person agree",
}


@cache
def _environment() -> Any:
    environment = environment_of("exonym.dashboard")
    filters: dict[str, Callable[..., str]] = {
        "count": lambda number: "–" if number is None else f"{number:,}",
        "share": lambda share: "–" if share is None else f"{share:.1%}",
        "bytes": lambda number: "–" if number is None else byte_size(int(number)),
        "duration": duration,
        "about": about,
        "time": lambda when: time_text(when) if when else "–",
        "clock": clock_time,
        "language": name_of,
        "part": lambda text: quote(str(text), safe=""),
    }
    environment.filters.update(filters)
    environment.globals.update(server_address=server_address, scope_address=scope_address)
    environment.globals.update(ending_words=ending_words, chance_words=chance_words)
    return environment


class WebPages:
    """Makes the pages; `can_change` says whether the reader may change anything."""

    def __init__(self, crawls: ServedCrawls, can_change: bool, asset_version: str) -> None:
        self._crawls = crawls
        self._values = {"can_change": can_change, "assets": asset_version, "single": crawls.is_single}

    def _page(self, template: str, **values: Any) -> str:
        return str(_environment().get_template(template).render(**self._values, **values))

    def _crawl_page(self, template: str, crawl: ServedCrawl, here: str, **values: Any) -> str:
        base = base_of(crawl)
        common = {"crawl": crawl, "base": base, "state": str(crawl.state()), "here": here, "views": VIEWS.values()}
        return self._page(template, **common, reading=crawl.reading, scope_problem=scope_of(crawl).problem, **values)

    def crawls(self) -> str:
        """All crawls of a folder."""
        return self._page("crawls.html", crawls=[summary_of(crawl) for crawl in self._crawls.all()])

    def overview(self, crawl: ServedCrawl) -> str:
        """How a crawl goes, what it has found, and what can be done with it."""
        if not crawl.has_begun:
            settings = load(crawl.directory / CONFIG_NAME)
            return self._crawl_page("not_begun.html", crawl, "overview", settings=settings)
        facts = crawl_facts(crawl.directory)
        tables = [
            shown_table(crawl.view(name, ViewRequest(rows=rows)), base_of(crawl)) for name, rows in _OVERVIEW.items()
        ]
        dead = crawl.view("seeds", ViewRequest(only="dead", rows=1)).total
        return self._crawl_page(
            "overview.html",
            crawl,
            "overview",
            facts=facts,
            tables=tables,
            dead_seeds=dead,
            charts=CAPTIONS,
            **self._live_values(crawl),
        )

    def live(self, crawl: ServedCrawl) -> str:
        """The part of the overview that changes every second."""
        values = {"crawl": crawl, "base": base_of(crawl), "state": str(crawl.state())}
        return self._page("live.html", **values, **self._live_values(crawl))

    def _live_values(self, crawl: ServedCrawl) -> dict[str, Any]:
        progress = crawl.progress()
        return {
            "progress": progress,
            "totals": progress.totals,
            "coverage": completeness_document(progress.totals.missing),
            "pages_limit": progress.limits.get("pages", 0),
            "events": list(reversed(progress.events))[:_SHOWN_EVENTS],
            "is_live": crawl.state() in (ServedState.RUNNING, ServedState.PAUSED),
        }

    def table(self, crawl: ServedCrawl, name: str, query: RowsQuery, alone: bool = False) -> str:
        """A view; `alone`, only its rows, to be put into a page that shows it already."""
        if name not in VIEWS:
            raise NoSuchThingError(f"There is no table of this name. There are {', '.join(VIEWS)}.")
        shown: ShownTable = shown_table(crawl.view(name, query.request()), base_of(crawl))
        if alone:
            return self._page("table_alone.html", table=shown)
        return self._crawl_page("table.html", crawl, name, table=shown)

    def visit(self, crawl: ServedCrawl, number: int) -> str:
        """One page: why it was visited, what it is, and its text."""
        story = visit_document(crawl, number)
        text = archived_text(crawl.directory, crawl.index(), number)
        return self._crawl_page("visit.html", crawl, "visits", visit=story, text=text, labels_name=LABELS_NAME)

    def server(self, crawl: ServedCrawl, name: str) -> str:
        """One server: what it gave, and how it is treated."""
        story = server_document(crawl, name)
        recent = shown_table(crawl.view("visits", ViewRequest(where={"server": name}, rows=20)), base_of(crawl))
        return self._crawl_page("server.html", crawl, "servers", server=story, recent=recent)

    def quality(self, crawl: ServedCrawl) -> str:
        """What is known of the quality of a crawl: audit, samples, budgets."""
        return self._crawl_page("quality.html", crawl, "quality", quality=quality_document(crawl), measures=_MEASURES)

    def scope(self, crawl: ServedCrawl, tested: str) -> str:
        """The rules in force, and what they say about an address."""
        scope, test, problem, target = scope_of(crawl).scope, None, "", ""
        if tested:
            try:
                url = url_from(tested)
                test = {"url": url, **scope.decide(url).document()}
                target = url if len(url) <= MOST_TARGET_LETTERS else ""
            except ExonymError as error:
                problem = str(error)
        rules = [rule.document() | {"target": rule.text.split()[-1]} for rule in scope.rules[-_SHOWN_RULES:]]
        aside, older = crawl.status.totals.aside if crawl.has_begun else 0, len(scope.rules) - len(rules)
        values = {
            "target": target,
            "rules": rules,
            "older": older,
            "tested": tested,
            "test": test,
            "problem": problem,
            "aside": aside,
        }
        return self._crawl_page("scope.html", crawl, "scope", **values)

    def settings(self, crawl: ServedCrawl) -> str:
        """What was asked, when and by whom; the limits; versions; crawl.toml."""
        limits = msgspec.structs.asdict(load(crawl.directory / CONFIG_NAME).limits)
        facts = crawl_facts(crawl.directory) if crawl.has_begun else None
        labels = labels_of(crawl)
        return self._crawl_page("settings.html", crawl, "settings", facts=facts, limits=limits, labels=len(labels))

    def api(self) -> str:
        """The operations of the API."""
        document: ApiDocument = openapi_document(OPERATIONS)
        return self._page("api.html", operations=OPERATIONS, document=document)

    def error(self, status: int, message: str) -> str:
        """What went wrong, and the way back."""
        return self._page("error.html", status=status, message=message)


def base_of(crawl: ServedCrawl) -> str:
    """The address of a crawl's pages."""
    return f"/crawls/{quote(crawl.name, safe='')}"
