"""`exonym status DIR`: what the crawl in a directory has done so far; the crawl may be running."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from exonym.crawl_directory.reading import CrawlStatus


def status(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl's directory.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Show what the crawl in DIR has done so far."""
    from exonym.crawl_directory.reading import CrawlDirectory

    facts = CrawlDirectory(directory).status
    if as_json:
        print(json.dumps(_json_of(facts), ensure_ascii=False))
    else:
        _print(facts)


def _json_of(facts: "CrawlStatus") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    totals = facts.totals
    return {
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


def _print(facts: "CrawlStatus") -> None:
    from exonym.cli.terminal.crawl_summary import languages_line
    from exonym.cli.terminal.numbers import print_rows

    totals = facts.totals
    print_rows(
        [
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
    )
