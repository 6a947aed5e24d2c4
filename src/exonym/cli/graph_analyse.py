"""`exonym graph analyse GRAPH`: the papers' tables and figures for a web graph."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.cleaning import clean

if TYPE_CHECKING:
    from exonym.webgraph.analyses.table import Table


def analyse(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Write report.html, report.txt, CSV, SVG and PNG files here."
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="This analysis alone; may be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Tell what a web graph looks like, in the tables and figures of the papers.

    The analyses are facts, languages, seed-distance, nearest-relevant, locality, anchors, segments, holdings, degrees
    and components.
    """
    from exonym.webgraph import Graph
    from exonym.webgraph.analysis import analysed
    from exonym.webgraph.report import values_of, write_report

    tables: list[Table] = []
    for _, found in analysed(Graph.open(graph), only or ()):
        tables += found
        if not as_json:
            _print(found)
    if as_json:
        print(json.dumps({"graph": str(graph), "tables": [values_of(table) for table in tables]}, ensure_ascii=False))
    if output is not None:
        page = write_report(output, f"Web graph {graph.resolve().name}", tables)
        print(clean(f"The report is in {page}"), file=sys.stderr)


def _print(tables: list["Table"]) -> None:
    from exonym.webgraph.report import text_of

    for table in tables:
        # Names of domains come from the web.
        print("\n".join(_harmless_line(line) for line in text_of(table).splitlines()), flush=True)
        print()


def _harmless_line(line: str) -> str:
    """A line without what could harm a terminal, its columns kept."""
    return "".join(letter if letter == " " else clean(letter) for letter in line)
