"""Which partition owns a link: the servers of a crawl are divided among partitions by their registered domain.

All servers of a site have one owner, so the site's politeness, budget and verdict need no agreement between machines.
"""

import numpy as np

from exonym.batches import FOREIGN_ROW, NO_ROW, Integers, LinkBatch, Rows
from exonym.urls import partition_of, server_of

_MOST_REMEMBERED = 1_000_000  # servers, about 100 MB


class Partition:
    """One share of a crawl's servers, of `count` in all."""

    def __init__(self, number: int, count: int) -> None:
        self.number = number
        self.count = count
        self._owners: dict[int, int] = {}  # by server

    def owners(self, links: LinkBatch) -> Integers:
        """The partition that owns the target of each link."""
        assert links.text is not None, "a partition is known by the texts of URLs"
        servers, known = links.server.tolist(), self._owners
        if len(known) > _MOST_REMEMBERED:
            known.clear()
        for server, text in zip(servers, links.text, strict=True):
            if server not in known:
                known[server] = partition_of(server_of(text), self.count)
        return np.array([known[server] for server in servers], dtype=np.int64)

    def abroad(self, sources: Rows) -> Rows:
        """Row numbers of this partition's journal as other partitions know them."""
        is_own = (sources != NO_ROW) & (sources < FOREIGN_ROW)
        return np.where(is_own, sources + (self.number + 1) * FOREIGN_ROW, sources)


def home_of(source: int, number: int) -> tuple[int, int]:
    """Partition and row of a source that the journal of partition `number` names; NO_ROW stays as it is.

    >>> home_of(7, 2), home_of(3 * 2**40 + 5, 0)
    ((2, 7), (2, 5))
    """
    return (number, source) if source < FOREIGN_ROW else (source // FOREIGN_ROW - 1, source % FOREIGN_ROW)
