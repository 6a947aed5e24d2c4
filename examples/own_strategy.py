"""A strategy of your own in ten lines, checked against the laws and compared with others on a generated web.

python examples/own_strategy.py
"""

import tempfile
from pathlib import Path

from exonym.batches import Floats, LinkBatch
from exonym.metrics import pages_for_coverage
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan
from exonym.strategies.base import Rule, Strategy
from exonym.strategies.by_name import strategy_from
from exonym.testing import check_strategy
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile


class OftenLinked(Rule):
    """Links that were found on many relevant pages first; each irrelevant page that has them counts against them."""

    def score(self, links: LinkBatch) -> Floats:
        return links.found_relevant / 16 - links.found_irrelevant / 64


def pages_needed(strategy: Strategy, graph: Graph, percent: int) -> int | None:
    """How many pages it fetches to find so much of what is relevant. The judge is the graph's own truth: an oracle."""
    run = simulate(graph, strategy, Plan(k=4))
    return pages_for_coverage(run.relevant[run.is_page], int(graph.relevant.sum()), percent)


def main() -> None:
    check_strategy(OftenLinked)
    with tempfile.TemporaryDirectory() as place:
        generate(Path(place) / "web", Order(5_000, 3, "thai2009", load_profile("thai2009")))
        graph = Graph.open(Path(place) / "web")
        print("pages needed for 90 % coverage (5,000 pages, profile thai2009, seed 3, k 4, oracle judge)")
        print(f"often-linked  {pages_needed(OftenLinked(), graph, 90)}")
        for text in ("bfs", "soft", "lswc:S=3,T=5"):
            print(f"{text:12}  {pages_needed(strategy_from(text, 'th'), graph, 90)}")


if __name__ == "__main__":
    main()
