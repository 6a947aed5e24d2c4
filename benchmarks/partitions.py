"""Partitions: what a crawl that is divided among machines finds, and when, beside one that is not.

    python benchmarks/partitions.py [--graph GRAPH] [--pages 200000] [--strategy NAME …] [--division P/L/M …]
        [--k 128] [--max-pages 0] [--runs DIR] [--figure FILE] [--json]

A generated web (profile thai2006, seed 7), or a web graph of your own, is crawled by each strategy in each division
P/L/M: P partitions, links to other partitions under way for L rounds of k pages, and an exchange of what partitions
have learned every M rounds (0: they learn as one). 1/0/0 is a crawl that is not divided. Relevance is the truth of the
web (an oracle). With `--figure`, the coverage of all crawls is drawn; in `--runs`, crawls are kept for the next call.
"""

import argparse
import json
import tempfile
from pathlib import Path

from exonym.experiments.simulations import save, saved
from exonym.report.figures import Figure, Line, write_figures
from exonym.simulation.plan import Plan
from exonym.simulation.results import Finished
from exonym.simulation.side_by_side import simulate_one, strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

SEED, PROFILE = 7, "thai2006"
STRATEGIES = ["lswc:S=1,T=1", "soft", "bfs"]
DIVISIONS = ["1/0/0", "8/0/0", "64/0/0", "64/5/0", "64/60/0"]
PERCENTS = ("1%", "5%", "10%", "25%")


def crawled(graph: Graph, strategy: str, division: str, asked: argparse.Namespace) -> Finished:
    """One crawl, or the one that was kept."""
    partitions, lag, model_lag = map(int, division.split("/"))
    plan = Plan(k=asked.k, budget=asked.max_pages, partitions=partitions, lag=lag, model_lag=model_lag)
    label, mark = f"{strategy} {division}", f"{graph.manifest.columns['targets'].digest} {plan}"
    kept = saved(asked.runs, mark, label) if asked.runs else None
    if kept is not None:
        return kept
    finished = simulate_one(graph, strategy_of(strategy, graph), label, plan)
    if asked.runs:
        save(asked.runs, mark, finished)
    return finished


def row_of(finished: Finished) -> str:
    """One line of the table."""
    result = finished.result
    rates = "".join(f"{result.harvest_at[percent]:8.1%}" for percent in PERCENTS)
    idle = "" if result.idle is None else f"{result.idle:8.1%}"
    return f"{result.strategy:<28}{result.pages:>12,}{rates}{result.area:8.3f}{result.coverage:10.1%}{idle:>8}"


def figure_of(crawls: list[Finished]) -> Figure:
    """Coverage against pages: a colour for each strategy, a kind of line for each division."""
    lines = []
    for one in crawls:
        strategy, division = one.result.strategy.split()
        look = f"{strategy.partition(':')[0]}:{division}"
        lines.append(Line(one.result.strategy, one.trace.pages, one.trace.coverage, look))
    return Figure("partitions", tuple(lines), "pages crawled", "coverage", shares=True, y_end=1.02)


def main() -> None:
    """Print the table."""
    asked = _options()
    with tempfile.TemporaryDirectory(prefix="exonym-bench-") as place:
        directory = asked.graph or Path(place) / "web"
        if asked.graph is None:
            generate(directory, Order(asked.pages, SEED, PROFILE, load_profile(PROFILE)))
        graph = Graph.open(directory)
        pairs = [(name, division) for name in asked.strategy or STRATEGIES for division in asked.division or DIVISIONS]
        crawls = [crawled(graph, name, division, asked) for name, division in pairs]
    if asked.figure:
        write_figures(asked.figure, {"": figure_of(crawls)})
    if asked.json:
        print(json.dumps({"k": asked.k, "rows": [one.result.values() for one in crawls]}))
        return
    print(f"harvest over the first … of as many pages as the web has, area under the curve of coverage; k {asked.k}")
    shares = "".join(f"{percent:>8}" for percent in PERCENTS)
    print(f"{'crawl':<28}{'pages':>12}{shares}{'area':>8}{'coverage':>10}{'idle':>8}")
    print("\n".join(map(row_of, crawls)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path, help="a web graph to crawl instead of a generated one")
    parser.add_argument("--pages", type=int, default=200_000, help="pages of the generated web")
    parser.add_argument("--strategy", action="append", help="may be given again")
    parser.add_argument("--division", metavar="P/L/M", action="append", help="may be given again")
    parser.add_argument("--k", type=int, default=128, help="pages of a round")
    parser.add_argument("--max-pages", type=int, default=0, help="pages of each crawl; 0 is no limit")
    parser.add_argument("--runs", type=Path, help="keep crawls here, and use those that are there")
    parser.add_argument("--figure", type=Path, help="draw coverage against pages into a file: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
