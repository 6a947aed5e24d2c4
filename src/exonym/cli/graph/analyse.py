"""`exonym graph analyse GRAPH`: the papers' tables and figures for a web graph."""

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exonym.nations.matching.matcher import Matcher
    from exonym.report.table import Table


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
    nation: Annotated[
        str | None,
        typer.Option(metavar="XX | FILE", help="Whose names links and URLs may have, for segments: TH, or a file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Tell what a web graph looks like, in the tables and figures of the papers.

    The analyses are facts, languages, seed-distance, nearest-relevant, locality, anchors, segments, holdings, degrees
    and components.
    """
    require("research")
    from exonym.report.findings import Findings, write_findings
    from exonym.webgraph import Graph
    from exonym.webgraph.analyses.run import analysed, chosen_analyses

    tables: list[Table] = []
    names = chosen_analyses(only or ())
    opened, finder = Graph.open(graph), _finder(nation)
    with _progress(names) as tell:
        for name, found in analysed(opened, names, finder):
            tables += found
            tell(name, [] if as_json else found)
    if as_json:
        print(json.dumps({"graph": str(graph), "tables": [table.values() for table in tables]}, ensure_ascii=False))
    if output is not None:
        page = write_findings(output, Findings(f"Web graph {graph.resolve().name}", tuple(tables)))
        print(clean(f"The report is in {page}"), file=sys.stderr)


def _finder(nation: str | None) -> "Matcher | None":
    """What finds the nation's names."""
    if nation is None:
        return None
    from exonym.nations import load_nation
    from exonym.nations.matching.matcher import matcher_of

    return matcher_of(load_nation(nation))


@contextmanager
def _progress(names: list[str]) -> "Iterator[Callable[[str, list[Table]], None]]":
    """Prints tables as they are done; on a terminal also what is being worked out."""
    if not sys.stderr.isatty():
        yield lambda done, tables: _print(tables)
        return
    from rich.console import Console
    from rich.status import Status

    with Status(f"{names[0]} (1 of {len(names)})", console=Console(stderr=True)) as status:

        def tell(done: str, tables: list["Table"]) -> None:
            status.stop()  # its line must not run into the tables
            _print(tables)
            following = names.index(done) + 1
            if following < len(names):
                status.update(f"{names[following]} ({following + 1} of {len(names)})")
                status.start()

        yield tell


def _print(tables: list["Table"]) -> None:
    for table in tables:
        # Names of domains come from the web.
        print("\n".join(_harmless_line(line) for line in table.text().splitlines()), flush=True)
        print()


def _harmless_line(line: str) -> str:
    """A line without what could harm a terminal, its columns kept."""
    return "".join(letter if letter == " " else clean(letter) for letter in line)
