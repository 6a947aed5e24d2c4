"""An oracle: a strategy that knows what others guess. It shows what a perfect guess would achieve."""

import numpy as np

from exonym.batches import NO_ROW, Floats, LinkBatch
from exonym.strategies.base import NOT_FOLLOWED, Rule


class Perfect(Rule):
    """`perfect`: oracle, for simulations only: follow only links that lead to relevant pages, first found first.

    Relevant pages behind irrelevant ones are not found, so it is no upper bound of coverage. Seeds are always followed.
    """

    needs = frozenset(["target_relevant"])
    facts = frozenset(["target_relevant"])

    def score(self, links: LinkBatch) -> Floats:
        assert links.target_relevant is not None
        return np.where(links.target_relevant | (links.source == NO_ROW), 0.0, NOT_FOLLOWED)
