"""`exonym graph show GRAPH` and `exonym graph export GRAPH`: what a graph is, and its tables for other programs."""

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.terminal.status_line import telling
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.manifest import Manifest

_LONGEST = 100  # characters of a fact, for people


def show(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")],
    check: Annotated[
        bool, typer.Option("--check", help="Compare every column with its digest and the others; reads all.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")] = False,
) -> None:
    """Show what a graph holds and where it comes from."""
    import msgspec

    from exonym.webgraph import Graph

    found = Graph.open(graph)
    if check:
        found.check()
    if as_json:
        print(json.dumps(msgspec.to_builtins(found.manifest), ensure_ascii=False))
    else:
        _print(found.manifest)


def _print(manifest: "Manifest") -> None:
    from exonym.cli.terminal.numbers import print_rows
    from exonym.judges.settings import described

    judge = manifest.provenance.get("judge")
    made = [(clean(str(key)), _shortened(clean(str(value)))) for key, value in manifest.provenance.items()]
    print_rows(
        [
            ("pages fetched", f"{manifest.fetched:,}"),
            ("pages in all", f"{manifest.nodes:,}, those included that are only known from links"),
            ("links", f"{manifest.links:,}"),
            ("servers", f"{manifest.servers:,}"),
            ("segments", f"{manifest.segments:,}"),
            ("relevant if", clean(described(judge if isinstance(judge, dict) else {"languages": manifest.languages}))),
            ("columns", ", ".join(map(clean, manifest.columns))),
            ("licence", clean(manifest.licence) or "–"),
            *made,
        ]
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… (all of it with --json)"


def export(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where to write the tables.")],
) -> None:
    """Write a graph's pages and links as Parquet tables for other programs."""
    from exonym.webgraph import Graph
    from exonym.webgraph.exporting import export_tables

    found = Graph.open(graph)
    with telling("reading") as tell, closing(export_tables(found, output)) as parts:
        for done in parts:
            tell(f"{done:,} of {found.manifest.nodes + found.manifest.links:,} rows")
    print(clean(f"Wrote {output / 'pages.parquet'} and {output / 'links.parquet'}."))
