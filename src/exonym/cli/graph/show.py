"""`exonym graph show GRAPH` and `exonym graph export GRAPH`: what a graph contains, and its tables as Parquet."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, GraphArgument, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.manifest import Manifest

_LONGEST = 100  # characters of a fact, for people


def show(
    graph: GraphArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Compare every column with its digest and the others; reads all.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a graph holds and where it comes from."""
    import msgspec

    from exonym.webgraph import Graph

    found = Graph.open(graph)
    if check:
        found.check()
    emit(msgspec.to_builtins(found.manifest), _shown(found.manifest), as_json)


def _shown(manifest: "Manifest") -> Iterator[OutputRows]:
    from exonym.judges.settings import described

    judge = manifest.provenance.get("judge")
    made = [(clean(str(key)), _shortened(clean(str(value)))) for key, value in manifest.provenance.items()]
    yield [
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


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… (all of it with --json)"


def export(
    graph: GraphArgument,
    output: Annotated[Path, output("DIR", "Where to write the tables.")],
    as_json: AsJson = False,
) -> None:
    """Write a graph's pages and links as Parquet tables for other programs."""
    from exonym.webgraph import Graph
    from exonym.webgraph.exporting import export_tables

    found = Graph.open(graph)
    with status_line("reading") as tell, closing(export_tables(found, output)) as parts:
        for done in parts:
            tell("writing rows", done, found.manifest.nodes + found.manifest.links)
    pages, links = output / "pages.parquet", output / "links.parquet"
    counts = {"nodes": found.manifest.nodes, "links": found.manifest.links}
    emit({"files": [str(pages), str(links)], **counts}, [clean(f"Wrote {pages} and {links}.")], as_json)
