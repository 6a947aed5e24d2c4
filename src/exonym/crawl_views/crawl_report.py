"""The report of a crawl: one HTML file that needs no other, and the tables as CSV."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_views.crawl_facts import CrawlFacts, crawl_facts
from exonym.crawl_views.report_tables import SHOWN, budget_table, rest_table, sample_tables
from exonym.crawl_views.timeline import Timeline, timeline_of
from exonym.crawl_views.timeline_charts import charts_of
from exonym.crawl_views.view import ViewRequest, page_of
from exonym.crawl_views.view_files import write_csv
from exonym.crawl_views.views import STATUSES_BY_SERVER, VIEWS
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ConfigError
from exonym.labelling.audit import METHODS, Audit, answers_in, audit_of, meaning_of, read_draw
from exonym.progress import Progress, no_progress
from exonym.report.findings import PAGE, json_text, write_files
from exonym.report.html_page import Facts, PagePart, Part, ShellLines, page
from exonym.report.number_text import byte_size, duration
from exonym.report.table import Table
from exonym.scope.scope_file import readable_scope
from exonym.system.files import disk_errors

AUDIT_NAME = "audit.jsonl"
# In this order: the heading, and the views under it, each with a filter, and the caption that it then has.
_SECTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Languages and places": (("languages", "", ""), ("countries", "", ""), ("domains", "", "")),
    "Servers": (
        ("servers", "best", "Best servers"),
        ("servers", "worst", "Servers without relevant pages"),
        ("servers", "blocking", "Servers that turn us away"),
    ),
    "Segments": (("segments", "best", "Best segments"), ("segments", "worst", "Segments without relevant pages")),
    "Status codes": (("statuses", "", ""), ("statuses-by-server", "", "")),
    "Failures": (("failures", "", ""), ("seeds", "dead", "Dead seeds")),
}
_SORTED = {"worst": "-pages", "blocking": "-blocked"}
_FILES = [name for name in VIEWS if name != "visits"]  # all visits are in the journal, as Parquet


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """What a report shows."""

    facts: CrawlFacts
    curve: Timeline
    sections: dict[str, list[Table]]
    audit: Audit | None = None

    def document(self) -> dict[str, Any]:
        """The report for JSON. Scripts rely on these names: more may be added, none may be removed."""
        tables = [table.values() for tables in self.sections.values() for table in tables]
        return {
            "facts": self.facts.document(),
            "timeline": self.curve.document(),
            "tables": tables,
            "audit": audit_document(self.audit),
        }


def audit_document(audit: Audit | None) -> dict[str, Any] | None:
    """An audit for JSON. Scripts rely on these names: more may be added, none may be removed."""
    if audit is None:
        return None
    measures = {name: getattr(audit, name) for name in ("harvest_rate", "precision", "recall", "missed", "agreement")}
    shares = {name: value._asdict() if value else None for name, value in measures.items()}
    return {**shares, "labelled": audit.labelled, "meaning": meaning_of(audit)}


def write_report(
    directory: Path, folder: Path, audit: Path | None = None, progress: Progress = no_progress
) -> CrawlReport:
    """Write report.html, report.json and a CSV file for each table into a folder."""
    with VisitIndex(directory) as index:
        index.refresh(progress)
        index.count_large_tables(at_once=True)
        report = report_of(index, audit)
        files = {PAGE: page(f"Report of the crawl {report.facts.name}", _parts(report))}
        files["report.json"] = json_text(report.document())
        own = (table for tables in report.sections.values() for table in tables if table.name not in VIEWS)
        files |= {f"{table.name}.csv": table.csv() for table in own if not _is_of_view(table)}
        write_files(folder, files)
        for number, name in enumerate(_FILES):
            progress("writing tables", number, len(_FILES))
            write_csv(index.cursor(), VIEWS[name], folder / f"{name}.csv")
    return report


def report_of(index: VisitIndex, audit: Path | None = None) -> CrawlReport:
    """Everything that the report of a crawl shows."""
    directory, cursor = index.directory, index.cursor()
    facts, settings = crawl_facts(directory), CrawlDirectory(directory).settings
    scope = readable_scope(home_of(directory), settings.scope.rules).scope
    sections = {
        heading: [
            _named(
                page_of(cursor, VIEWS[name], ViewRequest(only=only, rows=SHOWN, sort=_SORTED.get(only, ""))).table(),
                only,
                caption,
            )
            for name, only, caption in views
        ]
        for heading, views in _SECTIONS.items()
    }
    sections["Servers"] += [budget_table(index, settings, scope), rest_table(index, facts)]
    sections["Sample pages"] = sample_tables(index)
    return CrawlReport(facts, timeline_of(index), sections, audit_found(directory, audit))


def _named(table: Table, only: str, caption: str) -> Table:
    name = f"{table.name}-{only}" if only else table.name
    note = table.note if table.rows else "There are none."
    return _without_unused(replace(table, name=name, caption=caption or table.caption, note=note))


def _without_unused(table: Table) -> Table:
    """A table without the status codes that no server shown has answered with."""
    codes = {column.heading for column in STATUSES_BY_SERVER.columns if column.name.startswith("status_")}
    kept = [
        place
        for place, name in enumerate(table.columns)
        if table.name != STATUSES_BY_SERVER.name or name not in codes or any(row[place] for row in table.rows)
    ]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[place] for place in kept), rows=rows)


def _is_of_view(table: Table) -> bool:
    return any(table.name == name or table.name.startswith(f"{name}-") for name in VIEWS)


def audit_found(directory: Path, labels: Path | None = None) -> Audit | None:
    """The audit in a file of labels; without one, that in the crawl's directory or the current one, if there is any."""
    from exonym.crawl_directory.visited_pages import CrawlPages

    found = [labels] if labels else [directory / AUDIT_NAME, Path(AUDIT_NAME)]
    with disk_errors(directory):
        found = [path for path in found if labels or path.exists()]
    for path in found:
        pages = CrawlPages(directory)
        try:
            draw = read_draw(path, pages)
        except ConfigError:
            if labels:
                raise
            continue  # the audit of another crawl
        if draw is not None:
            answers = answers_in(path, draw, pages, lambda line: None)
            return audit_of(draw, answers, {row: bool(pages.relevant[row]) for row in draw.sample})
    if labels:
        raise ConfigError(f"{labels} holds no labels. Begin an audit with: exonym audit {directory}")
    return None


# The page


def _parts(report: CrawlReport) -> list[Part]:
    facts = report.facts
    made = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    parts: list[Part] = [
        f"The crawl {facts.how_it_ended}. This report was made on {made}. Tables show their first {SHOWN} rows; the "
        "CSV files beside this page have all. Times in tables are in UTC.",
        PagePart("What was asked", [Facts(_asked(facts))]),
        PagePart("What was done", [Facts(_done(facts))]),
        PagePart("How it went", charts_of(report.curve) or ["No page was fetched yet."]),
    ]
    parts += [PagePart(heading, tables) for heading, tables in report.sections.items()]
    parts.append(PagePart("Audit", _audit_parts(report.audit)))
    parts.append(PagePart("Versions and settings", [Facts(facts.versions), ShellLines(facts.settings)]))
    return parts


def _asked(facts: CrawlFacts) -> dict[str, str]:
    options = ", ".join(f"{name} = {value}" for name, value in facts.strategy_options.items())
    limits = ", ".join(f"{name} {value:,}" for name, value in facts.limits.items())
    return {
        "target": facts.target,
        "strategy": f"{facts.strategy} ({options})" if options else facts.strategy,
        "seeds": f"{facts.seeds:,}",
        "limits": limits or "none",
        "rules of the scope": f"{facts.scope_rules:,}",
        "operator": facts.operator or "not named",
        "directory": facts.directory,
    }


def _done(facts: CrawlFacts) -> dict[str, str]:
    totals = facts.totals
    return {
        "began": _date(facts.began),
        "last commit": _date(facts.ended),
        "running time": duration(facts.seconds),
        "how it ended": facts.how_it_ended,
        "pages fetched": f"{totals['pages']:,}",
        "relevant": f"{totals['relevant']:,}",
        "harvest rate": f"{totals['harvest_rate']:.1%}",
        **({"found, by the estimate of the crawl itself": totals["coverage"]["words"]} if totals["coverage"] else {}),
        "servers": f"{totals['servers']:,}, of which {totals['relevant_servers']:,} relevant",
        "failures": f"{totals['failures']:,}",
        "copies": f"{totals['copies']:,}",
        "links that wait": f"{totals['frontier']:,}",
        "links left out by the scope": f"{totals['aside']:,}",
        "bytes received": byte_size(facts.bytes),
        "archive": f"{facts.warc_files:,} WARC files, {byte_size(facts.warc_bytes)}",
        "partitions": f"{facts.partitions:,}",
    }


def _date(when: float | None) -> str:
    return datetime.fromtimestamp(when).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z") if when else "unknown"


def _audit_parts(audit: Audit | None) -> list[Part]:
    if audit is None:
        return ["There is none. `exonym audit DIR` shows a person a random sample, which gives the true harvest rate."]
    names = {"harvest_rate": "true harvest rate", "precision": "precision", "recall": "recall"}
    shown = {"labelled": f"{audit.labelled:,} pages of {len(audit.draw.sample):,}"}
    shown["harvest rate as counted"] = f"{audit.draw.counted_harvest_rate:.1%}"
    for name, words in names.items():
        found = getattr(audit, name)
        shown[words] = f"{found.share:.1%} ({found.low:.1%} to {found.high:.1%})" if found else "unknown"
    return [meaning_of(audit), Facts(shown), f"Intervals, 95 %: {METHODS[audit.draw.of]}."]
