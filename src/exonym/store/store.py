"""The state of a crawl on disk: one LMDB environment, so that one transaction commits everything.

Frontier, journal and facts each have named tables in it. A commit is on the disk when `writing` ends; a kill at any
moment leaves the last commit. One process writes; others may read at the same time.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import lmdb

from exonym.errors import DirectoryError, DiskFullError
from exonym.store.environment import (
    LARGEST_MAP_BYTES,
    can_map,
    damaged,
    is_whole,
    open_environment,
    size_of,
    translation,
)
from exonym.store.lock import DirectoryLock

FORMAT = b"2"  # 1: the frontier before its blocks were LZ4

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]
    Table = lmdb._Database
else:  # LMDB's classes are generic, or public, only to type checkers
    Transaction = lmdb.Transaction
    Table = object

_FORMAT_KEY = b"format"


class Store:
    """The tables of one crawl and their transactions.

    There is one writer: a second one is refused while the first lives. Ask for tables before opening a transaction. A
    process has one Store for a directory at a time: LMDB cannot open a directory twice.
    """

    def __init__(self, path: Path, environment: lmdb.Environment, lock: DirectoryLock | None) -> None:
        self.path = path
        self._environment = environment
        self._lock = lock
        self._tables: dict[str, Table] = {}
        self._must_grow = False
        self._open_transactions = 0
        self._view: Transaction | None = None

    @classmethod
    def open(cls, path: Path, read_only: bool = False, map_bytes: int = LARGEST_MAP_BYTES) -> Self:
        """The store in directory `path` (a crawl's `state/`), made if it does not exist and may be written."""
        with ExitStack() as undo:
            lock = None if read_only else DirectoryLock(path)
            if lock:
                undo.callback(lock.release)
            environment = open_environment(path, read_only, map_bytes)
            undo.callback(environment.close)
            store = cls(path, environment, lock)
            store._check()
            undo.pop_all()  # nothing failed: both stay open
            return store

    def table(self, name: str) -> Table:
        """The handle of a named table, made at first use."""
        if name not in self._tables:
            if self._open_transactions:
                raise ValueError(f"table {name!r} must be opened before a transaction begins")
            self._close_view()  # a view does not know tables that are younger than itself
            with self._translated():
                try:
                    self._tables[name] = self._environment.open_db(name.encode(), create=self._lock is not None)
                except (lmdb.NotFoundError, lmdb.ReadonlyError):
                    raise DirectoryError(
                        f"{self.path} has no table {name!r} yet. Run `exonym crawl {self.path.parent}` first."
                    ) from None
        return self._tables[name]

    def check_owner(self) -> None:
        """Raise FencedError if another process, perhaps on another machine, has taken the store over."""
        if self._lock:
            self._lock.check()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction that is committed, and on the disk, at the end; undone by any error."""
        self.check_owner()
        self._close_view()
        self._grow_if_due()
        try:
            with self._counted(), self._translated(), self._environment.begin(write=True) as transaction:
                yield transaction
        finally:
            self._close_view()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A view of the last commit, which writes in the meantime do not change."""
        with self._counted(), self._translated(), self._begin_reading() as transaction:
            yield transaction

    def get(self, table: Table, key: bytes) -> bytes | None:
        """One value of the last commit. Fast: the view that is read stays open until the next commit."""
        try:
            if self._view is None:
                self._view = self._begin_reading()
            return self._view.get(key, db=table)
        except lmdb.Error as error:
            raise translation(error, self.path) or error from error

    def _close_view(self) -> None:
        # An old view would keep pages from being used again, and the map from growing.
        if self._view is not None:
            self._view.abort()
            self._view = None

    def _begin_reading(self) -> Transaction:
        try:
            return self._environment.begin()
        except lmdb.MapResizedError:  # the crawl that writes has outgrown the map that we opened
            self._environment.set_mapsize(0)
            return self._environment.begin()

    @property
    def map_bytes(self) -> int:
        """How large the store may become before its map has to grow."""
        return self._environment.info()["map_size"]

    @property
    def used_bytes(self) -> int:
        """How much of the map is in use, free pages inside it included."""
        return (self._environment.info()["last_pgno"] + 1) * self._environment.stat()["psize"]

    def close(self) -> None:
        """Close the environment and release the lock; may be called twice."""
        self._close_view()
        self._environment.close()
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self) -> None:
        # LMDB reads pages through a memory map: reading past the end of a shortened file raises SIGBUS, not an error.
        # Free pages at the end may be missing in a sound file, so only a walk over all pages in use shows damage.
        if self.used_bytes > size_of(self.path / "data.mdb") and not is_whole(self.path):
            raise damaged(self.path, "its data file is cut short")
        meta = self.table("meta")
        with self.reading() as transaction:
            written = transaction.get(_FORMAT_KEY, db=meta)
        if written is None and self._lock:
            with self.writing() as transaction:
                transaction.put(_FORMAT_KEY, FORMAT, db=meta)
        elif written is None:  # read before the first commit of the crawl
            raise DirectoryError(f"{self.path} has no crawl in it yet. Run `exonym crawl {self.path.parent}` first.")
        elif written != FORMAT:
            text = written.decode("ascii", "backslashreplace")[:20]
            raise DirectoryError(
                f"{self.path} has format {text}, this Exonym reads {FORMAT.decode()}. "
                "Use the Exonym that made it, or start in a new directory."
            )

    def _grow_if_due(self) -> None:
        """Double a map that is half full: a transaction that reaches the end of the map cannot be saved."""
        size = self.map_bytes
        if not self._must_grow and self.used_bytes * 2 <= size:
            return
        # LMDB has no map at all after a refused growth: ask the system beforehand.
        if not self._open_transactions and can_map(size * 2):
            self._environment.set_mapsize(size * 2)
            self._must_grow = False

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._open_transactions += 1
        try:
            yield
        finally:
            self._open_transactions -= 1

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except lmdb.MapFullError as error:
            self._must_grow = True
            raise DiskFullError(
                f"{self.path} has filled its {self.map_bytes} bytes of address space. Go on to try with twice as many."
            ) from error
        except lmdb.Error as error:
            translated = translation(error, self.path)
            if translated is None:
                raise  # an error of the caller, not of the disk
            raise translated from error
