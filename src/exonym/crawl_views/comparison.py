"""Several crawls side by side: their curves in one chart, their totals, and their pages by language.

Pages by language are shown as in Table 4 of Chan and Yamana (2010), with their shares.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.crawl_views.crawl_facts import CrawlFacts, crawl_facts
from exonym.crawl_views.language_comparison import OTHER, grouped, most_frequent
from exonym.crawl_views.timeline import Timeline, timeline_of
from exonym.crawl_views.timeline_charts import compared_charts
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ConfigError
from exonym.language_names import name_of
from exonym.progress import Progress, no_progress
from exonym.report.findings import PAGE, json_text, write_files
from exonym.report.html_page import PagePart, Part, page
from exonym.report.table import TOTAL, Cell, Table, share


@dataclass(frozen=True, slots=True)
class CrawlComparison:
    """Crawls with their facts and curves, by their names."""

    facts: dict[str, CrawlFacts]
    curves: dict[str, Timeline]
    tables: tuple[Table, ...]

    @property
    def looks(self) -> dict[str, str]:
        """Whose look the line of each crawl has: that of its strategy, unless other crawls have the same one."""
        strategies = Counter(one.strategy for one in self.facts.values())
        return {name: one.strategy for name, one in self.facts.items() if strategies[one.strategy] == 1}

    def document(self) -> dict[str, Any]:
        """The comparison for JSON. Scripts rely on these names: more may be added, none may be removed."""
        crawls = {
            name: {"facts": facts.document(), "timeline": self.curves[name].document()}
            for name, facts in self.facts.items()
        }
        return {"crawls": crawls, "tables": [table.values() for table in self.tables]}


def write_comparison(directories: Sequence[Path], folder: Path, progress: Progress = no_progress) -> CrawlComparison:
    """Write report.html, report.json and the tables as CSV into a folder."""
    comparison = compared(directories, progress)
    parts: list[Part] = [
        "Curves end where a crawl ended. The CSV files beside this page have the tables.",
        PagePart("How they went", compared_charts(comparison.curves, comparison.looks) or ["No page was fetched yet."]),
        *comparison.tables,
    ]
    files: dict[str, str | bytes] = {f"{table.name}.csv": table.csv() for table in comparison.tables}
    files |= {PAGE: page("Crawls side by side", parts), "report.json": json_text(comparison.document())}
    write_files(folder, files)
    return comparison


def compared(directories: Sequence[Path], progress: Progress = no_progress) -> CrawlComparison:
    """The crawls in some directories."""
    names = _names_of(directories)
    facts, curves = dict[str, CrawlFacts](), dict[str, Timeline]()
    for name, directory in names.items():
        facts[name] = crawl_facts(directory)
        with VisitIndex(directory) as index:
            index.refresh(progress)
            curves[name] = timeline_of(index)
    return CrawlComparison(facts, curves, (_totals_table(facts), _language_table(facts)))


def _names_of(directories: Sequence[Path]) -> dict[str, Path]:
    """Crawls by the names of their directories; if these are the same, by as much of their paths as differs."""
    resolved = list(dict.fromkeys(path.resolve() for path in directories))
    if len(resolved) < len(directories):
        raise ConfigError("The same crawl is named twice. Name each crawl once.")
    short = [path.name for path in resolved]
    if len(set(short)) == len(short):
        return dict(zip(short, directories, strict=True))
    common = os.path.commonpath([path.parent for path in resolved])
    return {str(path.relative_to(common)): given for path, given in zip(resolved, directories, strict=True)}


def _totals_table(facts: dict[str, CrawlFacts]) -> Table:
    columns = (
        *("crawl", "target", "strategy", "pages", "relevant", "harvest rate", "servers", "relevant servers"),
        *("failures", "copies", "waiting", "seconds", "bytes", "how it ended"),
    )
    rows = tuple(_totals_row(name, one) for name, one in facts.items())
    return Table("totals", "Totals", columns, rows)


def _totals_row(name: str, facts: CrawlFacts) -> tuple[Cell, ...]:
    counted = ("pages", "relevant", "harvest_rate", "servers", "relevant_servers", "failures", "copies", "frontier")
    totals = [facts.totals[key] for key in counted]
    return (name, facts.target, facts.strategy, *totals, round(facts.seconds), facts.bytes, facts.how_it_ended)


def _language_table(facts: dict[str, CrawlFacts]) -> Table:
    """Pages by language of each crawl, with their shares: the languages with most pages, all others, and totals.

    With two crawls, the last column is by how many points the share is larger in the second.
    """
    counts = [
        {"" if code == "unknown" else code: pages for code, pages in one.totals["languages"].items()}
        for one in facts.values()
    ]
    languages = most_frequent(counts)
    columns = ["language", *(heading for name in facts for heading in (name, f"{name}, share"))]
    both = len(counts) == 2
    rows = []
    pages = [grouped(one, languages) for one in counts]
    for code in (*languages, OTHER):
        shares = [share(one[code], sum(one.values())) for one in pages]
        cells: list[Cell] = [OTHER if code == OTHER else name_of(code)]
        cells += [cell for one, part in zip(pages, shares, strict=True) for cell in (one[code], part)]
        if both:
            before, after = shares
            cells.append("–" if before is None or after is None else f"{100 * (after - before):+.2f}")
        rows.append(tuple(cells))
    totals = [cell for one in pages for cell in (sum(one.values()), share(sum(one.values()), sum(one.values())))]
    rows.append((TOTAL, *totals, *["–"] * both))
    note = "Other: every other language, and pages of unknown language." + " Differences in points." * both
    return Table("languages", "Pages by language", (*columns, *["difference"] * both), tuple(rows), note)
