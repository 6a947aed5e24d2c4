"""The tables of a crawl's report that are no views: sample pages with evidence, servers that get no more requests."""

from __future__ import annotations

from exonym.config import Settings
from exonym.crawl_directory.progress_file import read_progress
from exonym.crawl_views.crawl_facts import CrawlFacts
from exonym.crawl_views.visit_index import VisitIndex
from exonym.journal import JournalRow
from exonym.report.table import Table, WebLink
from exonym.scope import CrawlScope
from exonym.scope.scope_rule import Verb

SHOWN = 50
SAMPLED = 10  # pages of each kind

_KINDS = {
    "relevant": "relevant and not copy",
    "irrelevant": "outcome = 0 and not relevant and not copy",
    "failed": "outcome = 1",
}
# The same ids come in the same order whenever and wherever the report is made.
_DRAWN = "order by ((id & 4294967295)::ubigint * 2654435761 + 2246822519) & 4294967295, id limit ?"


def sample_tables(index: VisitIndex) -> list[Table]:
    """Some pages of each kind, drawn at random but always the same ones, with the evidence of the judge."""
    return [_sample(kind, [row for _, row in visits]) for kind, visits in sampled_visits(index).items()]


def sampled_visits(index: VisitIndex, most: int = SAMPLED) -> dict[str, list[tuple[int, JournalRow]]]:
    """By kind, some visits with their ids, drawn at random but always the same ones."""
    return {kind: _drawn(index, condition, most) for kind, condition in _KINDS.items()}


def _drawn(index: VisitIndex, condition: str, most: int) -> list[tuple[int, JournalRow]]:
    drawn = index.cursor().execute(f"select id from visits where {condition} {_DRAWN}", [most]).fetchall()
    return [(number, row) for (number,) in drawn if (row := index.journal_row(number)) is not None]


def _sample(kind: str, rows: list[JournalRow]) -> Table:
    cells = tuple(
        (WebLink(row.url, row.title), row.language or "unknown", float(row.relevance), row.why or row.failure)
        for row in rows
    )
    note = "Drawn at random; the same crawl gives the same sample." if cells else "There are none."
    columns = ("page", "language", "relevance", "evidence")
    return Table(f"sample-{kind}", f"Sample of {kind} pages", columns, cells, note, formats={"relevance": ".2f"})


def budget_table(index: VisitIndex, settings: Settings, scope: CrawlScope) -> Table:
    """The servers of which as many pages were fetched as limits allow."""
    usual = settings.limits.pages_per_server
    has_rules = any(rule.verb is Verb.LIMIT for rule in scope.rules)
    least = 0 if has_rules else usual
    found = index.cursor().execute(
        "select name, pages, relevant from server_counts where pages >= ? and ? order by relevant desc, name",
        [least, has_rules or usual > 0],
    )
    rows = list[tuple[str, int, int, int]]()
    while batch := found.fetchmany(10_000):
        for name, pages, relevant in batch:
            rule = scope.server_decision(name).limit if has_rules else None
            limit = int(rule.number) if rule else usual
            if (limit or rule) and pages >= limit:
                rows.append((name, pages, relevant, limit))
    note = f"And {len(rows) - SHOWN:,} more." if len(rows) > SHOWN else "" if rows else "There are none."
    columns = ("server", "pages", "relevant", "limit")
    return Table("budget-reached", "Servers whose budget is reached", columns, tuple(rows[:SHOWN]), note)


def rest_table(index: VisitIndex, facts: CrawlFacts) -> Table:
    """The servers that rest now, while the crawl runs."""
    running = read_progress(index.directory) if facts.is_running else None
    rests = running.progress.rests if running else ()
    rows = tuple((rest.server, round(rest.seconds), rest.why) for rest in rests[:SHOWN])
    note = "" if rows else "There are none." if facts.is_running else "The crawl does not run: no server rests."
    return Table("resting", "Servers that rest", ("server", "seconds left", "why"), rows, note)
