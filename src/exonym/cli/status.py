"""`exonym status DIR`: what the crawl in a directory has done so far; the crawl may be running."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import emit
from exonym.cli.terminal.crawl_summary import languages_line

if TYPE_CHECKING:
    from exonym.crawl_directory.reading import CrawlStatus


def status(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl; it may be running.")],
    as_json: AsJson = False,
) -> None:
    """Show what the crawl in DIR has done so far."""
    from exonym.crawl_directory.reading import CrawlDirectory

    facts = CrawlDirectory(directory).status
    totals = facts.totals
    document = {
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest_rate": totals.harvest_rate,
        "servers": totals.servers,
        "relevant_servers": totals.relevant_servers,
        "frontier": totals.frontier,
        "failures": totals.failures,
        "redirects": totals.redirects,
        "forbidden": totals.forbidden,
        "bytes": totals.bytes,
        "seconds": totals.seconds,
        "languages": {code or "unknown": pages for code, pages in totals.languages.items()},
        "strategy": facts.strategy,
        "finished": facts.finished,
        "reason": facts.reason,
    }
    emit(document, [_rows(facts)], as_json)


def _rows(facts: "CrawlStatus") -> list[tuple[str, str]]:
    totals = facts.totals
    return [
        ("pages fetched", f"{totals.pages:,}"),
        ("relevant", f"{totals.relevant:,}"),
        ("harvest rate", f"{totals.harvest_rate:.1%}"),
        ("servers", f"{totals.servers:,}, of which {totals.relevant_servers:,} relevant"),
        ("frontier", f"{totals.frontier:,} links waiting"),
        ("failures", f"{totals.failures:,}"),
        ("languages", languages_line(totals.languages)),
        ("strategy", facts.strategy),
        ("finished", "yes" if facts.finished else "no"),
    ]
