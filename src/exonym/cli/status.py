"""`exonym status DIR`: what the crawl in a directory has done so far; the crawl may be running."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer


def status(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl's directory.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Show what the crawl in DIR has done so far."""
    from exonym.drivers.status import read_status

    facts = read_status(directory)
    if as_json:
        print(json.dumps(_json_of(facts), ensure_ascii=False))
    else:
        _print(facts)


# Scripts rely on these names; more may be added, none may go.
_KEYS = (
    "pages",
    "relevant",
    "harvest_rate",
    "servers",
    "relevant_servers",
    "frontier",
    "failures",
    "languages",
    "strategy",
    "finished",
)


def _json_of(facts: Any) -> dict[str, Any]:
    return {key: getattr(facts if hasattr(facts, key) else facts.totals, key) for key in _KEYS}


def _print(facts: Any) -> None:
    from exonym.cli.summary import languages_line
    from exonym.cli.tables import print_rows

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
