"""A uniform sample of the links that wait in a frontier on disk, from which some are drawn.

The links whose mixed id is below a threshold are kept in memory with their present rows, and in a table of their own.
Links that were popped stay in the sample until their visits were made: after a kill they wait again.
"""

from collections.abc import Callable, Collection

import numpy as np

from exonym.batches import Flags, Ids
from exonym.frontier.aside import AsideLink, links_in, packed_link
from exonym.frontier.base import ALL_IDS, mixed
from exonym.store import Store, Transaction

_THRESHOLD = b"threshold"
_ID_BYTES = 8


class LinkSample:
    """The links of the sample by URL id; nothing is kept before `keep`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = store.table("frontier-sample")
        self._most = 0
        self._threshold = ALL_IDS
        self._links: dict[int, AsideLink] = {}
        self._changed: dict[int, AsideLink | None] = {}  # since the last commit; None: no longer in the sample
        self.is_kept = False
        with store.reading() as txn:
            self._is_in_table = txn.get(_THRESHOLD, db=self._table) is not None
        self._is_threshold_written = self._is_in_table

    def __len__(self) -> int:
        return len(self._links)

    def keep(self, most: int) -> bool:
        """From now on, keep links; at a call of `least`, at most `most` that wait. Whether the table has none yet."""
        self._most, self.is_kept = most, True
        with self._store.reading() as txn:
            for key, value in txn.cursor(self._table):
                if key == _THRESHOLD:
                    self._threshold = int.from_bytes(value, "big")
                else:
                    (self._links[int.from_bytes(key, "big")],) = links_in(bytes(value))
        return not self._is_in_table

    def put(self, urls: Ids, drawable: Flags, link_at: Callable[[int], AsideLink]) -> None:
        """Note how links are queued now: those that are drawable enter the sample or stay, others leave."""
        for place in np.flatnonzero(mixed(urls) <= self._threshold).tolist():
            url = int(urls[place])
            if drawable[place]:
                self._links[url] = self._changed[url] = link_at(place)
            else:
                self.discard(url)

    def discard(self, url: int) -> None:
        """Note that a link waits no more."""
        if self._links.pop(url, None) is not None:
            self._changed[url] = None

    def least(self, flying: Collection[int]) -> list[AsideLink]:
        """The links that wait, none of them in flight, in the order of their mixed ids: at most as many as may be.

        The threshold falls to the last of them if there are more; links above it leave, also those in flight.
        """
        urls = np.fromiter(self._links, dtype=np.uint64, count=len(self._links))
        numbers = mixed(urls)
        is_waiting = np.array([url not in flying for url in urls.tolist()], dtype=np.bool_)
        waiting = np.flatnonzero(is_waiting)[np.argsort(numbers[is_waiting])]
        if len(waiting) > self._most:
            waiting = waiting[: self._most]
            self._threshold = int(numbers[waiting[-1]])
            self._is_threshold_written = False
            for url in urls[numbers > self._threshold].tolist():
                self.discard(url)
        return [self._links[url] for url in urls[waiting].tolist()]

    def commit(self, txn: Transaction) -> None:
        """Write what changed since the last commit into the caller's transaction."""
        if self.is_kept and not self._is_threshold_written:
            txn.put(_THRESHOLD, self._threshold.to_bytes(_ID_BYTES, "big"), db=self._table)
        if self._is_in_table and not self.is_kept:  # it would be outdated when a sample is kept again
            txn.drop(self._table, delete=False)
        for url, link in self._changed.items():
            key = url.to_bytes(_ID_BYTES, "big")
            if link is None:
                txn.delete(key, db=self._table)
            else:
                txn.put(key, packed_link(link), db=self._table)

    def committed(self) -> None:
        """Forget what the last commit wrote: its transaction is durable."""
        self._changed = {}
        self._is_in_table = self._is_threshold_written = self.is_kept
