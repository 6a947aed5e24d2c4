"""How many visits a site may take before it has paid for them with relevant pages.

Whoever owns a domain can name any number of hosts in it, each of them new to the strategy, and fill them with links and
words that promise much. So a site, all hosts of a registered domain, has a credit: its first pages, and a share of all
pages of the crawl. A site that has used up its credit gets no more visits while it gives hardly any relevant page.
"""

from collections.abc import Sequence

import numpy as np

from exonym.batches import Flags, Ids
from exonym.strategies.base import State, Tally
from exonym.urls import id_of, site_of

FIRST_PAGES = 30
SHARE_OF_PAGES = 100  # one page in so many of the crawl
PAGES_FOR_ONE = 50  # a site pays with one relevant page in so many


class SiteCredit:
    """Pages and relevant pages of each site."""

    def __init__(self) -> None:
        self._sites = Tally()
        self._pages = 0

    def is_used_up(self, urls: Sequence[str]) -> Flags:
        """Whether the sites of these URLs get no more visits."""
        pages, relevant = self._sites.of(_sites_of(urls))
        used: Flags = pages >= max(FIRST_PAGES, self._pages // SHARE_OF_PAGES)
        return used & (relevant * PAGES_FOR_ONE < pages)

    def add(self, urls: Sequence[str], relevant: Flags) -> None:
        """Count pages that were fetched."""
        self._sites.add(_sites_of(urls), relevant)
        self._pages += len(urls)

    def state(self) -> State:
        """The counts as arrays."""
        return self._sites.state()

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._sites.restore(state)
        self._pages = int(state["counts"][:, 0].sum())

    def merge(self, state: State) -> None:
        """Add the counts of another copy, as its `state` gives them."""
        self._sites.merge(state)
        self._pages += int(state["counts"][:, 0].sum())


def _sites_of(urls: Sequence[str]) -> Ids:
    return np.array([id_of(site_of(url)) for url in urls], dtype=np.uint64)
