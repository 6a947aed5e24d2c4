"""Which payloads the archive already has, and the page that had each first: what revisit records refer to.

Kept in the store, so that it grows with the same commits as the journal. Payloads written since the last commit are
known as well: if a kill cuts them off, it cuts off their copies too.
"""

import struct

from exonym.archive.exchange import Original
from exonym.store import Store, Transaction

_DATE = struct.Struct(">d")


class Originals:
    """Digests of payloads, each with the first page that had it.

    A WarcWriter calls `find`; `add` follows every ArchivePlace that is an original; `commit` goes into the transaction
    of the batch.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = store.table("payloads")
        self._pending: dict[bytes, Original] = {}

    def find(self, digest: bytes) -> Original | None:
        """The page that had this payload first, if any."""
        if digest in self._pending:
            return self._pending[digest]
        value = self._store.get(self._table, digest)
        if value is None:
            return None
        return Original(value[_DATE.size :].decode(), _DATE.unpack_from(value)[0])

    def add(self, digest: bytes, original: Original) -> None:
        """Make a payload known from now on."""
        self._pending.setdefault(digest, original)

    def commit(self, transaction: Transaction) -> None:
        """Write what was added since the last commit into the caller's transaction."""
        for digest, original in sorted(self._pending.items()):
            value = _DATE.pack(original.started_epoch_seconds) + original.url.encode("utf-8", "replace")
            transaction.put(digest, value, db=self._table, overwrite=False)
        self._pending.clear()
