"""`exonym graph show GRAPH` and `exonym graph export GRAPH`: show a graph, and write its tables as Parquet files."""

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
    from exonym.webgraph.analyses.link_parts import RelevantCounts
    from exonym.webgraph.manifest import Manifest

_LONGEST = 100  # characters of a fact


def show(
    graph: GraphArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Read all columns and check their digests and consistency.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a graph contains and where it comes from."""
    import msgspec

    from exonym.webgraph import Graph
    from exonym.webgraph.analyses.link_parts import count_relevant

    opened = Graph.open(graph)
    if check:
        opened.check()
    counts = count_relevant(opened)
    document = msgspec.to_builtins(opened.manifest) | counts._asdict()
    emit(document, _shown(opened.manifest, counts), as_json)


def _shown(manifest: "Manifest", counts: "RelevantCounts") -> Iterator[OutputRows]:
    from exonym.judges.judge_settings import described

    judge = manifest.provenance.get("judge")
    inherited = f", of which {counts.relevant_inherited:,} inherited their language" * bool(counts.relevant_inherited)
    facts = {clean(str(key)): clean(str(value)) for key, value in manifest.provenance.items()}
    yield [
        ("pages fetched", f"{manifest.fetched:,}"),
        ("relevant", f"{counts.relevant:,}{inherited}"),
        ("pages in all", f"{manifest.nodes:,}, including pages known only from links"),
        ("links", f"{manifest.links:,}"),
        ("servers", f"{manifest.servers:,}"),
        ("segments", f"{manifest.segments:,}"),
        ("relevant if", clean(described(judge if isinstance(judge, dict) else {"languages": manifest.languages}))),
        ("columns", ", ".join(map(clean, manifest.columns))),
        ("licence", clean(manifest.licence) or "–"),
        *(
            (key, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… (in full with --json)")
            for key, text in facts.items()
        ),
    ]


def export(
    graph: GraphArgument,
    output: Annotated[Path, output("DIR", "The directory to write the tables into.")],
    as_json: AsJson = False,
) -> None:
    """Write a graph's pages and links as Parquet tables for other programs."""
    from exonym.webgraph import Graph
    from exonym.webgraph.exporting import export_tables

    opened = Graph.open(graph)
    counts = {"nodes": opened.manifest.nodes, "links": opened.manifest.links}
    with status_line("reading") as tell, closing(export_tables(opened, output)) as parts:
        for done in parts:
            tell("writing rows", done, sum(counts.values()))
    pages, links = output / "pages.parquet", output / "links.parquet"
    emit({"files": [str(pages), str(links)], **counts}, [clean(f"Wrote {pages} and {links}.")], as_json)
