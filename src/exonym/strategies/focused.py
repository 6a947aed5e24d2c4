"""Focused crawling in its two classic modes: trust the page on which a link was found."""

import numpy as np

from exonym.batches import Floats, LinkBatch
from exonym.strategies.base import NOT_FOLLOWED, Rule


class HardFocused(Rule):
    """`hard`: follow links of relevant pages only."""

    facts = frozenset(["source_relevant"])

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source_relevant, 0.0, NOT_FOLLOWED)


class SoftFocused(Rule):
    """`soft`: follow all; links of relevant pages first."""

    facts = frozenset(["source_relevant"])

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source_relevant, 1.0, 0.0)
