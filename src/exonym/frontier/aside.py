"""Links that were set aside because they are out of scope: on disk, in a table of their own, and in no order.

A commit appends what was set aside since the last one; links that come back are taken out by writing the table anew.
"""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from exonym.frontier.blocks import compressed, expanded
from exonym.frontier.link_rows import text_at
from exonym.store import Store, Transaction

_KEY = struct.Struct(">Q")
_HEAD = struct.Struct("<QhHI")  # group, level, length of the server's name, length of the row
_LINKS_A_RECORD = 2_000


class AsideLink(NamedTuple):
    """One link: its group, the name of its server, its level, and its row (`link_rows`)."""

    group: int
    name: str
    level: int
    row: bytes

    @property
    def text(self) -> str:
        """The URL."""
        return text_at(self.row, 0, self.name)


class AsideLinks:
    """The links that are set aside. Their URLs have the level ASIDE, so none of them is here twice."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = store.table("frontier-aside")
        self._count = sum(1 for _ in self._committed_links())
        self._new: list[AsideLink] = []  # since the last commit
        self._is_rewritten = False  # `_new` replaces all that is in the table

    def __len__(self) -> int:
        return self._count

    def add(self, link: AsideLink) -> None:
        """Set a link aside."""
        self._count += 1
        self._new.append(link)

    def take(self, is_wanted: Callable[[str], bool]) -> list[AsideLink]:
        """The links whose URLs are wanted, in the order in which they were set aside: they are aside no longer."""
        if not self._count:
            return []
        wanted, others = list[AsideLink](), list[AsideLink]()
        older = [] if self._is_rewritten else self._committed_links()
        for link in (*older, *self._new):
            (wanted if is_wanted(link.text) else others).append(link)
        if wanted:
            self._count = len(others)
            self._new, self._is_rewritten = others, True
        return wanted

    def servers(self) -> Iterator[str]:
        """The server of each link that the last commit had set aside."""
        return (link.name for link in self._committed_links())

    def links_of(self, server: str) -> Iterator[AsideLink]:
        """The links to a server that the last commit had set aside."""
        return (link for link in self._committed_links() if link.name == server)

    def commit(self, txn: Transaction) -> None:
        """Write what changed since the last commit into the caller's transaction."""
        if self._is_rewritten:
            txn.drop(self._table, delete=False)
        with txn.cursor(self._table) as cursor:
            number = _KEY.unpack(cursor.key())[0] + 1 if cursor.last() else 0
        for start in range(0, len(self._new), _LINKS_A_RECORD):
            record = compressed(b"".join(map(packed_link, self._new[start : start + _LINKS_A_RECORD])))
            txn.put(_KEY.pack(number), record, db=self._table, append=True)
            number += 1

    def committed(self) -> None:
        """Forget what the last commit wrote: its transaction is durable."""
        self._new, self._is_rewritten = [], False

    def _committed_links(self) -> Iterator[AsideLink]:
        with self._store.reading() as txn:
            for _, value in txn.cursor(self._table):
                yield from links_in(expanded(value))


def packed_link(link: AsideLink) -> bytes:
    """A link as bytes."""
    name = link.name.encode()
    return _HEAD.pack(link.group, link.level, len(name), len(link.row)) + name + link.row


def links_in(data: bytes) -> Iterator[AsideLink]:
    """The links that follow one another in these bytes."""
    start = 0
    while start < len(data):
        group, level, name_length, row_length = _HEAD.unpack_from(data, start)
        name_end = start + _HEAD.size + name_length
        name = data[start + _HEAD.size : name_end].decode()
        yield AsideLink(group, name, level, data[name_end : name_end + row_length])
        start = name_end + row_length
