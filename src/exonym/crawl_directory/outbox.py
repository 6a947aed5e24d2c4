"""Links between partitions: an outbox for links that others own, an inbox that remembers which were taken.

Links are put into the outbox in the transaction of the visits that found them, in numbered batches for each receiver,
and leave it when the receiver has committed them. The receiver takes batches in the order of their numbers, and
commits the number of the last one together with the links. So each link is taken exactly once, whatever dies, and a
batch may be sent as often as its sender likes.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from exonym.batches import Integers, LinkBatch
from exonym.crawl_directory.link_bytes import packed_links
from exonym.store import Store, Transaction

_KEY = struct.Struct(">IQ")  # receiver, number of a batch from 1 on; 0: the last number that was given
_SENDER = struct.Struct(">I")
_NUMBER = struct.Struct(">Q")


class OutboxBatch(NamedTuple):
    """Links for one receiver, as they are stored and sent."""

    receiver: int
    number: int
    links: bytes  # of `packed_links`


class Outbox:
    """Links that other partitions own. Call `commit` in the transaction of the visits that found them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = store.table("outbox")
        self._found: list[tuple[LinkBatch, Integers]] = []  # since the last commit, with their owners
        self._last: dict[int, int] = {}  # by receiver: the last number that was given
        self._taken: dict[int, int] = {}  # by receiver: the last number that the receiver has committed
        self._written: list[OutboxBatch] = []  # by the transaction that is not yet known to be durable
        self._sizes: dict[int, dict[int, int]] = {}  # by receiver and number: bytes of durable batches
        self._bytes: Counter[int] = Counter()  # their sums by receiver
        with store.reading() as txn, txn.cursor(db=self._table) as cursor:
            for key, value in cursor:
                receiver, number = _KEY.unpack(key)
                if number:
                    self._sizes.setdefault(receiver, {})[number] = len(value)
                    self._bytes[receiver] += len(value)
                else:
                    self._last[receiver] = _NUMBER.unpack(value)[0]
        self._deleted = {receiver: min(sizes) - 1 for receiver, sizes in self._sizes.items()}

    @property
    def has_news(self) -> bool:
        """Whether there are links that are not yet committed."""
        return bool(self._found)

    @property
    def bytes(self) -> int:
        """How many bytes of durable batches wait."""
        return self._bytes.total()

    def bytes_for(self, receiver: int) -> int:
        """How many bytes of durable batches wait for one receiver."""
        return self._bytes[receiver]

    @property
    def sent(self) -> int:
        """How many batches were ever made durable, for all receivers."""
        return sum(self._last.values())

    @property
    def receivers(self) -> list[int]:
        """The partitions for which durable batches wait."""
        return sorted(receiver for receiver, sizes in self._sizes.items() if sizes)

    def add(self, links: LinkBatch, owners: Integers) -> None:
        """Put links into the outbox; they may be sent once they are committed."""
        self._found.append((links, owners))

    def waiting(self, receiver: int, after: int, most_bytes: int) -> Iterator[OutboxBatch]:
        """Durable batches for a receiver with numbers above `after`, in order, up to `most_bytes` (or one)."""
        for number in sorted(self._sizes.get(receiver, {})):
            if number <= after:
                continue
            links = self._store.get(self._table, _KEY.pack(receiver, number))
            assert links is not None, "a durable batch is in the table"
            yield OutboxBatch(receiver, number, links)
            most_bytes -= len(links)
            if most_bytes <= 0:
                return

    def acknowledge(self, receiver: int, number: int) -> None:
        """Forget the batches that a receiver has committed, up to `number`; the next commit deletes them."""
        sizes = self._sizes.get(receiver, {})
        for old in [known for known in sizes if known <= number]:
            self._bytes[receiver] -= sizes.pop(old)
            self._taken[receiver] = max(self._taken.get(receiver, 0), old)

    def commit(self, txn: Transaction) -> None:
        """Write new batches and delete those that were acknowledged."""
        if self._found:
            links = LinkBatch.join([found for found, _ in self._found])
            owners = np.concatenate([owners for _, owners in self._found])
            for receiver in np.unique(owners).tolist():
                number = self._last.get(receiver, 0) + 1
                batch = OutboxBatch(receiver, number, packed_links(links.pick(owners == receiver)))
                txn.put(_KEY.pack(receiver, number), batch.links, db=self._table)
                txn.put(_KEY.pack(receiver, 0), _NUMBER.pack(number), db=self._table)
                self._written.append(batch)
        for receiver, number in self._taken.items():
            for old in range(self._deleted.get(receiver, 0) + 1, number + 1):
                txn.delete(_KEY.pack(receiver, old), db=self._table)

    def committed(self) -> None:
        """Take note that the last `commit` is durable."""
        self._found.clear()
        for batch in self._written:
            self._last[batch.receiver] = batch.number
            self._sizes.setdefault(batch.receiver, {})[batch.number] = len(batch.links)
            self._bytes[batch.receiver] += len(batch.links)
        self._written.clear()
        self._deleted.update(self._taken)
        self._taken.clear()


class Inbox:
    """The numbers of the batches that this partition has taken from others."""

    def __init__(self, store: Store) -> None:
        self._table = store.table("inbox")
        with store.reading() as txn, txn.cursor(db=self._table) as cursor:
            self._committed: dict[int, int] = {
                _SENDER.unpack(key)[0]: _NUMBER.unpack(value)[0] for key, value in cursor
            }
        self._taken: dict[int, int] = {}  # by sender: since the last commit
        self._news: set[int] = set()

    @property
    def has_news(self) -> bool:
        """Whether batches were taken that are not yet committed."""
        return bool(self._taken)

    @property
    def received(self) -> int:
        """How many batches were ever taken and committed."""
        return sum(self._committed.values())

    def is_next(self, sender: int, number: int) -> bool:
        """Whether a batch is the next one of its sender; others must not be taken."""
        return number == self._taken.get(sender, self._committed.get(sender, 0)) + 1

    def take(self, sender: int, number: int) -> None:
        """Note that a batch is taken."""
        assert self.is_next(sender, number), "batches are taken in the order of their numbers"
        self._taken[sender] = number

    def committed_number(self, sender: int) -> int:
        """The number up to which the batches of a sender are committed."""
        return self._committed.get(sender, 0)

    def commit(self, txn: Transaction) -> None:
        """Write the numbers of batches taken since the last commit."""
        for sender, number in self._taken.items():
            txn.put(_SENDER.pack(sender), _NUMBER.pack(number), db=self._table)

    def committed(self) -> None:
        """Take note that the last `commit` is durable."""
        self._committed.update(self._taken)
        self._news.update(self._taken)
        self._taken.clear()

    def take_news(self) -> set[int]:
        """The senders of which batches were committed since the last call."""
        news, self._news = self._news, set()
        return news
