"""How many visits a site may take before it has paid for them with relevant pages.

Whoever owns a domain can name any number of hosts in it, each of them new to the strategy, and fill them with links and
words that promise much. So a site, all hosts of a registered domain, has a credit: its first pages, and a share of all
pages of the crawl. A site that has used up its credit gets no more visits while it gives hardly any relevant page.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from exonym.batches import Flags, Ids
from exonym.strategies.base import State, Tally
from exonym.urls import id_of, site_of

FIRST_PAGES = 30
SHARE_OF_PAGES = 100  # one page in so many of the crawl
PAGES_FOR_ONE = 50  # a site pays with one relevant page in so many
_MOST_REMEMBERED = 1_000_000  # servers, about 100 MB


class SiteCredit:
    """Pages and relevant pages of each site, and which sites get no more visits."""

    def __init__(self) -> None:
        self._sites = Tally()
        self._pages = 0
        self._credit = FIRST_PAGES
        self._doubtful: dict[int, int] = {}  # pages of sites that have not paid for them
        self._used_up: set[int] = set()
        self._site_of: dict[int, int] = {}  # by server

    def is_used_up(self, servers: Ids, urls: Sequence[str]) -> Flags:
        """Whether the sites of these servers get no more visits; `urls` are of pages there."""
        if not self._used_up:
            return np.zeros(len(servers), dtype=np.bool_)
        return np.array([site in self._used_up for site in self._sites_of(servers, urls)], dtype=np.bool_)

    def _sites_of(self, servers: Ids, urls: Sequence[str]) -> list[int]:
        known, keys = self._site_of, servers.tolist()
        if len(known) > _MOST_REMEMBERED:
            known.clear()
        for server, url in zip(keys, urls, strict=True):
            if server not in known:
                known[server] = id_of(site_of(url))
        return [known[server] for server in keys]

    def add(self, servers: Ids, urls: Sequence[str], relevant: Flags) -> None:
        """Count pages that were fetched."""
        sites = self._sites_of(servers, urls)
        self._sites.add(np.array(sites, dtype=np.uint64), relevant)
        self._pages += len(sites)
        self._judge(set(sites))

    def _judge(self, sites: Iterable[int]) -> None:
        """Decide again about sites with more pages, and about all if the credit has grown."""
        for site in sites:
            pages, relevant = self._sites.counts_of(site)
            if pages >= FIRST_PAGES and relevant * PAGES_FOR_ONE < pages:
                self._doubtful[site] = pages
            else:
                self._doubtful.pop(site, None)
                self._used_up.discard(site)
            if self._doubtful.get(site, 0) >= self._credit:
                self._used_up.add(site)
        credit = max(FIRST_PAGES, self._pages // SHARE_OF_PAGES)
        if credit != self._credit:
            self._credit = credit
            self._used_up = {site for site, pages in self._doubtful.items() if pages >= credit}

    def state(self) -> State:
        """The counts as arrays."""
        return self._sites.state()

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._sites, self._pages, self._credit = Tally(), 0, FIRST_PAGES
        self._doubtful, self._used_up = {}, set()
        self.merge(state)

    def merge(self, state: State) -> None:
        """Add the counts of another copy, as its `state` gives them."""
        self._sites.merge(state)
        self._pages += int(state["counts"][:, 0].sum())
        self._judge(state["ids"].tolist())
