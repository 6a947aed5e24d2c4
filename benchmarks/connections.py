"""Many connections: what crawls find with 2 and with 100 connections, how fast, and at which eagerness.

    python benchmarks/connections.py [--pages 100000] [--profile NAME …] [--graph GRAPH …] [--figure FILE] [--json]

Generated webs of several profiles, or web graphs of your own, are crawled in simulated time (2,500 pages, 300 of a
server at most, a delay of 2 seconds, 20 seeds) with 2 connections and every connection busy, then with 100 connections
at several values of `strategy.eagerness`. `found` is relative to 2 connections, `speed` in pages a second likewise.
Relevance is the truth of the webs (an oracle). With `--figure`, the harvest rate of the strategy `soft` on the first
web is drawn against the time that the crawl takes.
"""

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import Outcome
from exonym.report.figures import Figure, Line, write_figures
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

PROFILES = ("portals", "thai2006", "scattered", "dense", "korean2010")
STRATEGIES = ("soft", "best-page", "limited-distance:prioritized=true", "mean-segment", "best-segment", "lswc", "bfs")
EAGERNESS = (1.0, 0.25, 0.1, 0.05, 0.02, 0.0)
PLAN = Plan(budget=2_500, pages_per_server=300, connections=2, delay_seconds=2.0, eagerness=1.0)


def seeds_of(graph: Graph, count: int = 20) -> tuple[int, ...]:
    """The first seeds of a graph, or relevant pages drawn at random if it has none."""
    if len(graph.seeds):
        return tuple(graph.seeds[:count].tolist())
    relevant = np.flatnonzero(graph.relevant & (graph.outcome == Outcome.PAGE))
    return tuple(np.random.default_rng(1).choice(relevant, min(count, len(relevant)), replace=False).tolist())


def crawled(graph: Graph, strategy: str, plan: Plan) -> dict[str, Any]:
    """Pages, relevant pages and simulated seconds of one crawl."""
    run = simulate(graph, strategy_of(strategy, graph), plan)
    assert run.seconds is not None
    seconds = float(run.seconds[-1]) + plan.delay_seconds  # the last pages take their time too
    found = int(np.count_nonzero(run.relevant & run.is_page))
    return {"pages": run.pages, "relevant": found, "seconds": seconds}


def compared(name: str, graph: Graph, strategy: str) -> dict[str, Any]:
    """The crawls of one strategy on one web, with their ratios to the crawl with 2 connections."""
    plan = replace(PLAN, seeds=seeds_of(graph))
    two = crawled(graph, strategy, plan)
    hundred = {}
    for eagerness in EAGERNESS:
        one = crawled(graph, strategy, replace(plan, connections=100, eagerness=eagerness))
        one["ratio"] = one["relevant"] / two["relevant"] if two["relevant"] else None
        one["speed"] = one["pages"] / one["seconds"] / (two["pages"] / two["seconds"])
        hundred[f"{eagerness:g}"] = one
    return {"web": name, "strategy": strategy, "two_connections": two, "hundred_connections": hundred}


def figure_of(rows: list[dict[str, Any]]) -> Figure:
    """Harvest rate of the first strategy against simulated minutes: a line for each web, a point for each eagerness."""
    lines = []
    for row in (row for row in rows if row["strategy"] == STRATEGIES[0]):
        points = list(row["hundred_connections"].values())
        minutes = [one["seconds"] / 60 for one in points]
        harvest = [one["relevant"] / one["pages"] for one in points]
        lines.append(Line(row["web"], minutes, harvest, mark="o"))
    return Figure("eagerness", tuple(lines), "minutes for 2,500 pages", "harvest rate", shares=True)


def main() -> None:
    """Print the tables."""
    asked = _options()
    with tempfile.TemporaryDirectory(prefix="exonym-bench-") as place:
        graphs = {path.name: Graph.open(path) for path in asked.graph}
        if not graphs:
            for profile in asked.profile or PROFILES:
                directory = Path(place) / profile
                generate(directory, Order(asked.pages, 3, profile, load_profile(profile)))
                graphs[profile] = Graph.open(directory)
        rows = [compared(name, graph, strategy) for name, graph in graphs.items() for strategy in STRATEGIES]
    if asked.figure:
        write_figures(asked.figure, {"": figure_of(rows)})
    if asked.json:
        print(json.dumps({"pages": asked.pages, "rows": rows}))
        return
    print("found and speed with 100 connections, relative to 2 connections, by eagerness")
    print(f"{'web':<14}{'strategy':<35}{'found by 2':>10}  " + "".join(f"{value:>15g}" for value in EAGERNESS))
    for row in rows:
        cells = [f"{one['ratio'] or 0:8.2f} {one['speed']:5.1f}x" for one in row["hundred_connections"].values()]
        print(f"{row['web']:<14}{row['strategy']:<35}{row['two_connections']['relevant']:>10,}  " + " ".join(cells))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000, help="pages of each generated web")
    parser.add_argument("--profile", action="append", help="a profile of webs to generate; all five if none is named")
    parser.add_argument("--graph", type=Path, action="append", default=[], help="a web graph to crawl instead")
    parser.add_argument("--figure", type=Path, help="draw harvest against time into a file: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
