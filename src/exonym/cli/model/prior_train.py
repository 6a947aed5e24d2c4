"""`exonym model prior train GRAPH…`: learns what the strategy `adaptive` may know before the first page of a crawl."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.options import AsJson, output
from exonym.cli.output import emit
from exonym.cli.terminal.status_line import status_line
from exonym.system.extras import require


def train_prior_of(
    graphs: Annotated[
        list[Path], typer.Argument(metavar="GRAPH…", help="Directories of web graphs with judged pages and seeds.")
    ],
    output: Annotated[Path, output("FILE", "The file to write.")],
    as_json: AsJson = False,
) -> None:
    """Learn what `adaptive` may know before its first page, from simulated crawls of several graphs.

    Exonym ships such a prior. One that was learned from earlier crawls of your own nation is better for the next
    crawl: `exonym graph import` makes graphs of them. Use it with `prior = "FILE"` in crawl.toml, section
    [strategy], or `--strategy adaptive:prior=FILE`. Never learn from a graph that you report results on.
    """
    require("research")
    from exonym.models.prior_file import save_prior
    from exonym.simulation.engine.warm_up import is_cold, warm_up
    from exonym.training.prior import train_prior
    from exonym.training.provenance import storable
    from exonym.webgraph import Graph

    opened = [Graph.open(path) for path in graphs]
    with status_line("Learning") as show:
        if is_cold():
            warm_up(show)
        prior = train_prior(opened, storable(shlex.join(["exonym", *sys.argv[1:]])), show)
    save_prior(prior, output)
    weights = sum(map(len, prior.weights.values()))
    document = {"prior": str(output), "graphs": [str(path) for path in graphs], "weights": weights}
    shown = [
        f"{output}: {weights:,} weights, learned on {len(graphs)} graphs.",
        "Use it: --strategy adaptive:prior=FILE",
    ]
    emit(document, shown, as_json)
