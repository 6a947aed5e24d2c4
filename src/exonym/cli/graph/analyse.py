"""`exonym graph analyse GRAPH`: makes the papers' tables and figures for a web graph."""

from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.options import AsJson, GraphArgument, output
from exonym.cli.output import emit, harmless_lines, note
from exonym.cli.terminal.status_line import status_line
from exonym.system.extras import require


def analyse(
    graph: GraphArgument,
    output: Annotated[Path | None, output("DIR", "Write report.html, report.txt, CSV, SVG and PNG files here.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this analysis; may be given again.")
    ] = None,
    nation: Annotated[
        str | None,
        typer.Option(
            metavar="XX | FILE", help="A nation whose names are looked for in links, for the analysis of segments."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Describe a web graph with the tables and figures of the papers.

    The analyses are facts, languages, seed-distance, nearest-relevant, locality, anchors, segments, holdings, degrees
    and components.
    """
    require("research")
    from exonym.nations import load_nation
    from exonym.nations.matching.matcher import matcher_of
    from exonym.report.findings import Findings, write_findings
    from exonym.report.table import Table
    from exonym.webgraph import Graph
    from exonym.webgraph.analyses.analyse import analysed, chosen_analyses

    names = chosen_analyses(only or ())
    matcher = matcher_of(load_nation(nation)) if nation is not None else None
    results, tables = analysed(Graph.open(graph), names, matcher), list[Table]()
    for number, name in enumerate(names, 1):
        with status_line(f"{name} ({number} of {len(names)})"):
            _, made = next(results)
        tables += made
        for table in () if as_json else made:
            # Names of domains come from the web.
            print("\n".join(harmless_lines(table.text())), end="\n\n", flush=True)
    if as_json:
        emit({"graph": str(graph), "tables": [table.values() for table in tables]}, (), as_json)
    if output is not None:
        page = write_findings(output, Findings(f"Web graph {graph.resolve().name}", tuple(tables)))
        note(f"The report is in {page}")
