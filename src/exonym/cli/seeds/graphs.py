"""`exonym seeds hits`: seeds from a web graph, as Daneshpajouh, Mohammadi Nasiri and Ghodsi take them."""

from typing import Annotated

import typer

from exonym.cli.options import GraphArgument, number
from exonym.cli.seeds.writing import SeedsRequest, keep_seeds
from exonym.errors import ConfigError
from exonym.system.extras import require


def hits(
    graph: GraphArgument,
    count: Annotated[int, typer.Option("-n", "--count", min=1, metavar="N", help="How many pages to take.")] = 1_000,
    by: Annotated[
        str,
        typer.Option(
            metavar="hubs|authorities", help="Pages that link to many good ones, or that many good ones link to."
        ),
    ] = "hubs",
    per_server: Annotated[int, number("per-server", "Pages of one server at most; 0 for no limit.", 0)] = 1,
    relevant_only: Annotated[
        bool,
        typer.Option(
            "--relevant-only", help="Count only relevant pages and their neighbours, and take only the first."
        ),
    ] = False,
    *,
    request: SeedsRequest,
) -> None:
    """Take the best hubs, or authorities, of a web graph (HITS): pages from which a crawl soon reaches many others."""
    require("research")
    from exonym.webgraph import Graph
    from exonym.webgraph.hits import AUTHORITIES, HUBS, HitsChoice, hits_seeds

    if by not in (HUBS, AUTHORITIES):
        raise ConfigError(f"--by must be hubs or authorities, got {by[:60]!r}.")
    request.refuse_unused_language()
    opened = Graph.open(graph)
    opened.check_numbers()
    choice = HitsChoice(count, by, per_server, relevant_only, request.choice().domains)
    part = "relevant pages and their neighbours" if relevant_only else "all pages"
    about = f"graph {graph.name}: {by} by HITS over {part}, links inside a server left out"
    keep_seeds(request, about, lambda tell: hits_seeds(opened, choice, tell))
