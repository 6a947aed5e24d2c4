"""Which servers are aliases: other names of a server that is known already (www and bare host, http and https …).

A proof is a page that repeats, word for word, the page at the same path of the other server; a counterproof is a page
that differs from it. Proofs must differ from each other, so one error page at every path is one proof. Names that
differ in `www.` or the scheme alone need fewer proofs than others. Other names must lead to the same address: else a
server that copies some pages of another would be sent the requests for all of the other's pages. A server is named by
its origin here (scheme, host and port), because http and https may differ. Kept in the store, so that proofs are
committed with the journal rows that they come from. Memory: some 500 bytes for each server that repeats a page of
another.
"""

import re
from collections.abc import Callable

import msgspec

from exonym.archive.exchange import Original
from exonym.errors import DirectoryError
from exonym.store import Store, Transaction
from exonym.urls import id_of, path_of

PROOFS_OF_TWINS = 2  # names that differ in `www.` or the scheme
PROOFS = 4
PROOFS_FOR_COUNTERPROOF = 10  # pages with a date or a counter differ each time they are fetched
_INDEX = re.compile(r"(?<=/)(?:index|default)\.[a-z]{3,5}$")  # the page of a directory, by its own name
_MOST_PROOFS = 100
_MOST_SUSPECTS = 100  # of one server: pages of a domain market are the same on thousands of servers


class Suspicion(msgspec.Struct, array_like=True):
    """A server that may be an alias of `other`; proofs are the digests of the pages that both have."""

    origin: str
    other: str
    proofs: list[bytes] = []
    counterproofs: int = 0

    @property
    def is_proved(self) -> bool:
        """Whether there are proofs enough."""
        enough = PROOFS_OF_TWINS if _name_of(self.origin) == _name_of(self.other) else PROOFS
        return len(self.proofs) >= enough + PROOFS_FOR_COUNTERPROOF * self.counterproofs


class Aliases:
    """The servers that are aliases, or may be. Call `commit` in the transaction of the batch."""

    def __init__(self, store: Store) -> None:
        self._table = store.table("aliases")
        self._suspicions: dict[str, Suspicion] = {}  # by origin
        self._suspects: dict[str, list[str]] = {}  # origins by the origin that they may be aliases of
        self._changed: set[str] = set()
        with store.reading() as txn, txn.cursor(db=self._table) as cursor:
            values = list(cursor.iternext(keys=False, values=True))
        try:
            for value in values:
                self._add(msgspec.msgpack.decode(value, type=Suspicion))
        except msgspec.MsgspecError as error:
            raise DirectoryError(f"The list of aliases is damaged ({error}). Restore state/ from a copy.") from error

    def __len__(self) -> int:
        """How many servers are aliases."""
        return sum(suspicion.is_proved for suspicion in self._suspicions.values())

    def twin_of(self, url: str) -> str:
        """The URL of the same page at the server that this one's is an alias of; "" if its server is none."""
        if not self._suspicions:
            return ""
        origin = _origin_of(url)
        other = self._root_of(origin)
        return other + path_of(url) if other != origin else ""

    def see_copy(self, url: str, original: Original, digest: bytes, address: str) -> None:
        """Take notice that the page at `url`, which came from `address`, repeats `original`."""
        origin, first = _origin_of(url), _origin_of(original.url)
        other = self._root_of(first)
        if _page_at(url) != _page_at(original.url) or origin == other:
            return
        if _name_of(origin) != _name_of(first) and (not address or address != original.address):
            return
        suspicion = self._suspicions.get(origin)
        if suspicion is None or suspicion.other != other:
            of_other = self._suspicions.get(other)
            if of_other is not None and of_other.other == origin:  # this page was fetched first from the alias
                suspicion = of_other
            elif suspicion is None:
                suspicion = self._add(Suspicion(origin, other))
            else:
                return
        if digest not in suspicion.proofs and len(suspicion.proofs) < _MOST_PROOFS:
            suspicion.proofs.append(digest)
            self._changed.add(suspicion.origin)

    def see_page(self, url: str, is_visited: Callable[[str], bool]) -> None:
        """Take notice of a page that repeats no other; `is_visited` says whether a URL was visited before."""
        origin = _origin_of(url)
        own = [(self._suspicions[origin], self._suspicions[origin].other)] if origin in self._suspicions else []
        others = [(self._suspicions[suspect], suspect) for suspect in self._suspects.get(origin, ())]
        for suspicion, twin in own + others:
            if not suspicion.is_proved and is_visited(twin + path_of(url)):
                suspicion.counterproofs += 1
                self._changed.add(suspicion.origin)

    def suspicions(self) -> list[Suspicion]:
        """All servers that are aliases, or may be."""
        return list(self._suspicions.values())

    def adopt(self, suspicion: Suspicion) -> None:
        """Take over what another partition knew about a server."""
        self._changed.add(self._add(suspicion).origin)

    def commit(self, transaction: Transaction) -> None:
        """Write what has changed since the last commit into the caller's transaction."""
        for origin in sorted(self._changed):
            key = id_of(origin).to_bytes(8)
            transaction.put(key, msgspec.msgpack.encode(self._suspicions[origin]), db=self._table)
        self._changed.clear()

    def _add(self, suspicion: Suspicion) -> Suspicion:
        self._suspicions[suspicion.origin] = suspicion
        suspects = self._suspects.setdefault(suspicion.other, [])
        if len(suspects) < _MOST_SUSPECTS:
            suspects.append(suspicion.origin)
        return suspicion

    def _root_of(self, origin: str) -> str:
        """The server that `origin` is an alias of, over several steps; `origin` itself if it is none."""
        passed = {origin}
        while (suspicion := self._suspicions.get(origin)) is not None and suspicion.is_proved:
            origin = suspicion.other
            if origin in passed:
                break
            passed.add(origin)
        return origin


def _page_at(url: str) -> str:
    """The path of a URL; that of a directory for the directory's page."""
    return _INDEX.sub("", path_of(url))


def _origin_of(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def _name_of(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")
