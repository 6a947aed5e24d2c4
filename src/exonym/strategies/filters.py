"""Filtering by server or directory (Tamura 2006, as described by Chan and Yamana 2010): by the share of relevant pages.

For every server (or segment), the crawl counts the pages fetched, Na, and the relevant ones, Nr. Links to servers with
Nr / Na below the threshold are not followed. That is decided when a link is found: links that wait already are not
dropped, and a link that was not followed may be followed when it is found again.

The description's step 5, "drop the hyperlink that top-level domain is not Thai", is left out: more than half of the
pages that we look for are outside the national domain.
"""

import numpy as np

from exonym.batches import Floats, Group, Integers, LinkBatch
from exonym.errors import ConfigError
from exonym.strategies.base import NOT_FOLLOWED, Counting, Standings

MODES = ("aggressive", "conservative")

_UNKNOWN, _ABOVE, _BELOW = range(3)  # standings: no page yet, share of relevant pages above or below the threshold
_HIGH_QUEUE, _LOW_QUEUE = 1.0, 0.0


class _Filter(Counting):
    """The base of both filters: links of relevant pages wait in the high queue, others in the low queue."""

    facts = frozenset(["source_relevant", "standing"])
    standings = 3

    def __init__(self, threshold: float, follows_into_the_unknown: bool) -> None:
        super().__init__()
        if not 0 <= threshold <= 1:
            raise ConfigError(f"threshold must be from 0 to 1, got {threshold}.")
        self.threshold = threshold
        self._follows_into_the_unknown = follows_into_the_unknown

    def standing(self, pages: Integers, relevant: Integers) -> Standings:
        # A quotient, not a product: 3 / 30 reaches the threshold 0.1, but 3 < 0.1 * 30 after rounding.
        is_above = relevant / np.maximum(pages, 1) >= self.threshold
        return np.where(pages == 0, _UNKNOWN, np.where(is_above, _ABOVE, _BELOW)).astype(np.uint8)

    def score_of(self, links: LinkBatch, standings: Standings) -> Floats:
        may_explore = links.source_relevant | self._follows_into_the_unknown
        followed = (standings == _ABOVE) | ((standings == _UNKNOWN) & may_explore)
        return np.where(followed, np.where(links.source_relevant, _HIGH_QUEUE, _LOW_QUEUE), NOT_FOLLOWED)


class ServerFilter(_Filter):
    """`server-filter`: follow links to servers that reach the threshold; to new ones always, or from relevant pages."""

    def __init__(self, mode: str = "aggressive", threshold: float = 0.5) -> None:
        if mode not in MODES:
            raise ConfigError(f"mode must be {' or '.join(MODES)}, got {mode[:60]!r}.")
        super().__init__(threshold, follows_into_the_unknown=mode == "aggressive")
        self.mode = mode


class DirectoryFilter(_Filter):
    """`directory-filter`: follow links to segments that reach the threshold, to new ones only from relevant pages."""

    group = Group.SEGMENT

    def __init__(self, threshold: float = 0.5) -> None:
        super().__init__(threshold, follows_into_the_unknown=False)
