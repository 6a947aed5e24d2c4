"""Which contents the crawl already has, and the page that had each first.

There are two tables: payloads, which revisit records refer to, and texts, by which copies with other bytes are
recognised. Both are in the store, so that they grow with the same commits as the journal. What was added since the last
commit is known as well: if a kill cuts it off, it cuts off its copies too.
"""

import struct
from collections.abc import Iterable, Iterator

from exonym.archive.exchange import Original
from exonym.store import Store, Transaction

_DATE = struct.Struct(">d")


class Originals:
    """Digests of payloads or texts, each with the first page that had it; `commit` is part of a batch's transaction."""

    def __init__(self, store: Store, table: str = "payloads") -> None:
        self._store = store
        self._table = store.table(table)
        self._pending: dict[bytes, Original] = {}

    def find(self, digest: bytes) -> Original | None:
        """The page that had this content first, if any."""
        if digest in self._pending:
            return self._pending[digest]
        value = self._store.get(self._table, digest)
        return None if value is None else original_in(value)

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        """All committed contents and their pages, as they are stored, in the order of the store."""
        with self._store.reading() as transaction, transaction.cursor(db=self._table) as cursor:
            yield from cursor

    def add_entries(self, transaction: Transaction, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Write what `entries` of another table gave into the caller's transaction."""
        for digest, value in entries:
            transaction.put(digest, value, db=self._table, overwrite=False)

    def add(self, digest: bytes, original: Original) -> None:
        """Make a content known from now on."""
        self._pending.setdefault(digest, original)

    def commit(self, transaction: Transaction) -> None:
        """Write what was added since the last commit into the caller's transaction."""
        for digest, original in sorted(self._pending.items()):
            page = f"{original.url}\n{original.address}" if original.address else original.url
            value = _DATE.pack(original.started_epoch_seconds) + page.encode("utf-8", "replace")
            transaction.put(digest, value, db=self._table, overwrite=False)
        self._pending.clear()


def original_in(value: bytes) -> Original:
    """A page as it is stored."""
    url, _, address = value[_DATE.size :].decode().partition("\n")
    return Original(url, _DATE.unpack_from(value)[0], address)
