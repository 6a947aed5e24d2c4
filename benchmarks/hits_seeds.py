"""Coverage of crawls that begin with hubs or authorities (HITS), and with random relevant pages, the same number.

Webs are generated; each is crawled by every strategy from every set of seeds. Random seeds are drawn ten times; printed
are means, and the smallest and largest coverage at 5 % of the pages. HITS has seen the whole graph that is then
crawled, which is more than anybody has before a crawl: the figures are the best case for it.

    python benchmarks/hits_seeds.py --pages 50_000 --seeds 20 --webs 7 0 11
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Outcome
from exonym.seeds.seed import Seed
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.analyses.link_parts import relevant_pages
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import DEFAULT, load_profile
from exonym.webgraph.hits import AUTHORITIES, HUBS, HitsChoice, hits_seeds
from exonym.webgraph.url_spelling import nodes_of

SHARES = (1, 2, 5, 10, 20)  # per cent of the pages
DRAWS = 10


def seed_sets(graph: Graph, count: int) -> Iterator[tuple[str, list[list[int]]]]:
    """Sets of seeds by their names, as nodes."""
    for by in (HUBS, AUTHORITIES):
        found = hits_seeds(graph, HitsChoice(count, by, relevant_only=True), lambda _: None)
        urls = [one.url for one in found if isinstance(one, Seed)]
        yield f"{by}, one per server", [list(nodes_of(graph, urls).values())]
    rng, pool = np.random.default_rng(0), np.flatnonzero(relevant_pages(graph))
    yield "random", [rng.choice(pool, count, replace=False).tolist() for _ in range(DRAWS)]
    draws = []
    for _ in range(DRAWS):
        order = rng.permutation(pool)
        first = np.unique(graph.server[order], return_index=True)[1]
        draws.append(rng.permutation(order[first])[:count].tolist())
    yield "random, one per server", draws


def coverages(graph: Graph, seeds: list[int], strategy: str) -> NDArray[np.float64]:
    """The coverage after each of the shares, and at the end."""
    relevant = relevant_pages(graph)
    nodes = simulate(graph, strategy_of(strategy, graph), Plan(k=1, seeds=tuple(seeds))).nodes
    found = np.cumsum(relevant[nodes])
    pages = int(np.count_nonzero(graph.outcome == Outcome.PAGE))
    ends = [min(len(found), max(1, pages * share // 100)) - 1 for share in SHARES]
    coverage: NDArray[np.float64] = found[[*ends, -1]] / np.count_nonzero(relevant)
    return coverage


def main() -> None:
    """Print a table for every web."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=50_000)
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--webs", type=int, nargs="+", default=[7, 0, 11], help="random seeds of the webs")
    options.add_argument("--strategies", nargs="+", default=["bfs", "hard"])
    given = options.parse_args()
    heads = " ".join(f"{head:>6}" for head in (*(f"{share}%" for share in SHARES), "end"))
    for seed in given.webs:
        with tempfile.TemporaryDirectory() as name:
            order = Order(given.pages, seed, DEFAULT, load_profile(DEFAULT), "benchmark")
            generate(Path(name) / "web", order, lambda _: None)
            graph = Graph.open(Path(name) / "web")
            sets = dict(seed_sets(graph, given.seeds))
            for strategy in given.strategies:
                print(f"web {seed}, {strategy}: coverage when a share of the pages is fetched")
                print(f"  {'seeds':<28} {heads}   at 5%: from, to")
                for label, draws in sets.items():
                    rows = np.array([coverages(graph, seeds, strategy) for seeds in draws])
                    means = " ".join(f"{mean:6.1%}" for mean in rows.mean(axis=0))
                    print(f"  {label:<28} {means}   {rows[:, 2].min():.1%} {rows[:, 2].max():.1%}")


if __name__ == "__main__":
    main()
