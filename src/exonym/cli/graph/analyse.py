"""`exonym graph analyse GRAPH`: makes the papers' tables and figures for a web graph."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, FigureFile, GraphArgument, output
from exonym.cli.output import emit, harmless_lines, note
from exonym.cli.terminal.status_line import status_line
from exonym.system.extras import require

if TYPE_CHECKING:
    from exonym.nations.matching.matcher import Matcher
    from exonym.report.table import Table
    from exonym.webgraph import Graph


def analyse(
    graph: GraphArgument,
    output: Annotated[Path | None, output("DIR", "Write report.html, report.txt, CSV, SVG and PNG files here.")] = None,
    figure: FigureFile = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this analysis; may be given again.")
    ] = None,
    nation: Annotated[
        str | None,
        typer.Option(
            metavar="XX | FILE",
            help="Look for the names of this nation in links, in place of the nation that the graph was judged for.",
        ),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Show published figures beside those of the graph: thai2006, thai2014; may be given again.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Describe a web graph with the tables and figures of the papers.

    The analyses are facts, servers, languages, seed-distance, nearest-relevant, locality, anchors, segments, holdings,
    degrees and components. Which pages are relevant, and to which nation, is in the graph.
    """
    require("research")
    from exonym.report.figures import check_figure_file, write_figures
    from exonym.report.findings import Findings, write_findings
    from exonym.webgraph import Graph
    from exonym.webgraph.analyses.analyse import analysed, chosen_analyses
    from exonym.webgraph.analyses.graph_subject import subject_of

    names, opened, tables = chosen_analyses(only or ()), Graph.open(graph), list["Table"]()
    subject_of(opened.manifest, compare or ())  # raises before anything is done
    if figure is not None:
        check_figure_file(figure)
    results = analysed(opened, names, _matcher(opened, nation), compare or ())
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
    if figure is not None:
        write_figures(figure, {table.caption: table.figure for table in tables if table.figure})
        note(f"The figures are in {figure}")


def _matcher(graph: "Graph", nation: str | None) -> "Matcher | None":
    """What finds the names of the nation: the one named, else the one that the graph was judged for, if there is one.

    The graph may come from another machine, with a nation file that is not here: then no names are looked for.
    """
    from exonym.errors import ExonymError
    from exonym.nations import load_nation
    from exonym.nations.matching.matcher import matcher_of
    from exonym.webgraph.analyses.graph_subject import nation_of

    if nation is not None:
        return matcher_of(load_nation(nation))
    judged_for = nation_of(graph.manifest)
    try:
        return matcher_of(load_nation(judged_for)) if judged_for else None
    except ExonymError as error:
        note(f"The names of {judged_for} are not looked for: {error}")
        return None
