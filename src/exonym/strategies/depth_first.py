"""Depth first: the links of a page before those of the pages that led to it. Somboonviwat et al. (2006) name it."""

import numpy as np

from exonym.batches import NO_ROW, Floats, Ids, LinkBatch
from exonym.frontier.base import LARGEST_LEVEL, LEVELS_PER_UNIT, NOT_FOLLOWED
from exonym.strategies.base import Rule

_SHALLOWEST = NOT_FOLLOWED + 1  # the level of a seed
DEEPEST = LARGEST_LEVEL - _SHALLOWEST  # clicks from a seed: what lies deeper is visited first found first


class DepthFirst(Rule):
    """`dfs`: the deepest links first, those of one page in their order.

    The depth of a link is the number of clicks from a seed on the path by which the crawl found it. Only the links of
    one page wait at the greatest depth, and a link that is found again deeper moves there: so this is the order in
    which a recursive search visits pages, down to `DEEPEST` clicks. A redirect counts as a click.
    """

    needs = frozenset(["source_note"])

    def score(self, links: LinkBatch) -> Floats:
        return (_SHALLOWEST + np.minimum(self.note(links), DEEPEST).astype(np.float64)) / LEVELS_PER_UNIT

    def note(self, links: LinkBatch) -> Ids:
        """The depth of each link."""
        assert links.source_note is not None
        return np.where(links.source == NO_ROW, np.uint64(0), links.source_note + np.uint64(1))
