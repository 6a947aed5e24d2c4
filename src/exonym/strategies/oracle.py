"""Oracles, for simulations only: strategies that know what others guess. They show what a perfect guess achieves."""

import numpy as np

from exonym.batches import NO_ROW, Floats, LinkBatch
from exonym.strategies.base import NOT_FOLLOWED, Rule


class Perfect(Rule):
    """`perfect`: oracle, for simulations only: follow the paths of a breadth-first crawl that end in relevant pages.

    Irrelevant pages on these paths are fetched too, so the oracle finds every relevant page that a breadth-first crawl
    finds; its harvest rate is below 1 and no upper bound. First found first. Seeds are always followed.
    """

    needs = frozenset(["on_path"])
    facts = frozenset(["on_path"])

    def score(self, links: LinkBatch) -> Floats:
        assert links.on_path is not None
        return np.where(links.on_path | (links.source == NO_ROW), 0.0, NOT_FOLLOWED)


class RelevantOnly(Rule):
    """`relevant-only`: oracle, for simulations only: follow only links that lead to relevant pages, first found first.

    Its harvest rate is 1 by construction, seeds aside. Its coverage is a result: the share of relevant pages that can
    be reached from the seeds over relevant pages alone.
    """

    needs = frozenset(["target_relevant"])
    facts = frozenset(["target_relevant"])

    def score(self, links: LinkBatch) -> Floats:
        assert links.target_relevant is not None
        return np.where(links.target_relevant | (links.source == NO_ROW), 0.0, NOT_FOLLOWED)
