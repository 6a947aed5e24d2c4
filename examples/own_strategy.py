"""A strategy of your own in ten lines, checked against the laws and compared with others on a practice web.

python examples/own_strategy.py
"""

import numpy as np

from exonym.crawl import Bounds
from exonym.metrics import harvest_trace
from exonym.model import Floats, LinkBatch, Outcome
from exonym.strategies import STRATEGIES
from exonym.strategies.base import Rule, Strategy
from exonym.testing import check_strategy
from exonym.testing.practice import PracticeOptions, PracticeWeb
from exonym.testing.simulation import Simulation


class OftenLinked(Rule):
    """Links that were found on many relevant pages first; each irrelevant page that has them counts against them."""

    def score(self, links: LinkBatch) -> Floats:
        return links.found_relevant / 16 - links.found_irrelevant / 64


def harvest(strategy: Strategy, web: PracticeWeb, pages: int) -> float:
    """The harvest rate after so many pages. The judge is the web's own truth: an oracle."""
    rows = Simulation(web.graph(), strategy, Bounds(pages=pages)).run()
    fetched = np.array([row.relevant for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)])
    return float(harvest_trace(fetched)[-1])


def main() -> None:
    check_strategy(OftenLinked)
    web = PracticeWeb(seed=3, pages=1_000, options=PracticeOptions(traps=False))
    for name, strategy in {
        "often-linked": OftenLinked(),
        "bfs": STRATEGIES["bfs"](),
        "soft": STRATEGIES["soft"](),
    }.items():
        print(
            f"{name:14} harvest rate {harvest(strategy, web, 300):.1%} after 300 of 1,000 pages (seed 3, oracle judge)"
        )


if __name__ == "__main__":
    main()
