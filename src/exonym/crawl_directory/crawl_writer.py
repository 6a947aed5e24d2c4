"""`CrawlWriter`: writes a crawl directory, in an order that survives a kill: archive first, then one transaction.

WARC records are written and flushed; then frontier, journal rows, known payloads and texts, aliases, totals and the
length of the WARC file are committed together. On start a WARC file that is longer than was committed is cut back. A
strategy may learn from links, which are not journaled: those changes (link updates) are written with every commit, and
deleted once a snapshot of the strategy contains them.
"""

import io
import itertools
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from exonym.archive import ArchiveOptions, Originals, Position, WarcWriter
from exonym.archive.exchange import ArchivePlace, Exchange, Original
from exonym.batches import Outcome
from exonym.crawl_directory.aliases import Aliases
from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.crawl_directory.outbox import Inbox, Outbox
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.journal import Journal, JournalRow
from exonym.metrics import Totals, failure_kind
from exonym.store import Store
from exonym.strategies.base import State

_POSITION, _TOTALS, _SNAPSHOT, _FINISHED = b"warc", b"totals", b"snapshot", b"finished"
OWNER_SECONDS = (
    1.0  # a process that was halted for longer looks, before it writes, whether the directory is still its own
)

_UPDATES = "lessons"  # the table of link updates, as it is called on disk
_RUNNING = b"running"  # b"1" from the first commit of a run until its last

# All that NumPy and zipfile raise for bytes that are no archive of arrays, as experiments showed.
_DAMAGE = (ValueError, KeyError, OSError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile, zlib.error)

Snapshot = Callable[[], dict[str, State]]
Fact = TypeVar("Fact")


class CrawlWriter:
    """The crawl directory of a running crawl; a directory has one writer at a time."""

    def __init__(self, directory: Path, options: ArchiveOptions) -> None:
        if is_cluster(directory):
            raise DirectoryError(
                f"{directory} is divided into partitions. Go on with: exonym crawl {directory} --cluster"
            )
        self.directory = directory
        self.store = Store.open(directory / "state")
        try:
            self._facts = self.store.table("facts")
            self.journal = Journal(self.store, directory / "journal")
            self._updates = self.store.table(_UPDATES)
            with self.store.reading() as txn:
                cursor = txn.cursor(db=self._updates)
                self._next_update = int(cursor.key()) + 1 if cursor.last() else 0
            self.payloads = Originals(self.store)
            self.texts = Originals(self.store, "texts")
            self.aliases = Aliases(self.store)
            self.outbox = Outbox(self.store)
            self.inbox = Inbox(self.store)
            self.was_cut_off = self._get(_RUNNING) == b"1"
            self._totals = read_totals(self.store)
            position = self._get(_POSITION)
            written = _decoded(position, Position) if position else Position()
            self._warc = WarcWriter(directory / "warc", options, written, self.payloads.find)
            self.next_row = self.journal.count()
        except BaseException:
            self.store.close()
            raise
        self._checked = time.monotonic()  # when it was last known that nobody has taken the directory over
        self._rows: list[JournalRow] = []  # since the last commit
        self._uncounted: list[JournalRow] = []  # not yet in the totals: counted together, they cost little

    def _get(self, key: bytes) -> bytes | None:
        return self.store.get(self._facts, key)

    # During the crawl

    def archive(self, exchange: Exchange) -> ArchivePlace:
        """Write one exchange to the archive; it is durable from the next commit on."""
        if time.monotonic() - self._checked >= OWNER_SECONDS:
            self._check_owner()
        place = self._warc.write(exchange)
        if place.is_original:
            self.payloads.add(place.digest, Original(exchange.url, exchange.started_epoch_seconds))
        return place

    def _check_owner(self) -> None:
        """Raise if another process has taken the directory over: records of two processes would be mixed."""
        self.store.check_owner()
        self._checked = time.monotonic()

    def add(self, row: JournalRow) -> None:
        """Add one row to the journal; it is durable from the next commit on."""
        self._rows.append(row)
        self._uncounted.append(row)
        self.next_row += 1

    @property
    def totals(self) -> Totals:
        """What the crawl has done so far."""
        if self._uncounted:
            self._totals = counted(self._totals, self._uncounted)
            self._uncounted = []
        return self._totals

    @property
    def waiting_rows(self) -> int:
        """How many rows there are since the last commit."""
        return len(self._rows)

    def commit(
        self,
        frontier: DiskFrontier,
        snapshot: Snapshot,
        totals: Totals,
        finished: str | None = None,
        link_updates: dict[str, State] | None = None,
    ) -> None:
        """Make all that happened since the last commit durable, atomically.

        `finished` ends a run, with the reason for which the crawl ended ("" if it is to go on another time): then the
        journal is sealed as well.
        """
        self._totals = totals
        self._check_owner()
        # First the archive, then the transaction that counts its length: a kill in between leaves records that the next
        # start cuts off, and never a row without a record.
        self._warc.flush()
        with self.store.writing() as txn:
            frontier.commit(txn)
            self.journal.append(txn, self._rows)
            self.payloads.commit(txn)
            self.texts.commit(txn)
            self.aliases.commit(txn)
            self.outbox.commit(txn)
            self.inbox.commit(txn)
            if finished is not None or self.journal.seal_due(txn):
                self.journal.seal(txn)
                txn.put(_SNAPSHOT, packed_state(snapshot()), db=self._facts)
                txn.drop(self._updates, delete=False)
            elif link_updates:
                txn.put(b"%020d" % self._next_update, packed_state(link_updates), db=self._updates)
            txn.put(_POSITION, msgspec.msgpack.encode(self._warc.position), db=self._facts)
            txn.put(_TOTALS, msgspec.msgpack.encode(self._totals), db=self._facts)
            txn.put(_FINISHED, (finished or "").encode(), db=self._facts)
            txn.put(_RUNNING, b"1" if finished is None else b"0", db=self._facts)
        frontier.committed()
        self.outbox.committed()
        self.inbox.committed()
        self._rows.clear()
        self._next_update += 1

    # After a restart

    def snapshot(self) -> dict[str, State] | None:
        """What the crawl had learned when the journal was last sealed."""
        return read_snapshot(self.store)

    def link_updates(self) -> Iterator[dict[str, State]]:
        """The changes that links made to the strategy since the last snapshot, commit by commit."""
        return read_link_updates(self.store)

    def rows_since_snapshot(self) -> list[JournalRow]:
        """The rows since the last snapshot."""
        with self.store.reading() as txn:
            return self.journal.tail(txn)

    def all_rows(self) -> Iterator[list[JournalRow]]:
        """Every row, some thousands at a time."""
        rows = self.journal.rows()
        while batch := list(itertools.islice(rows, 10_000)):
            yield batch

    def page_urls(self) -> Iterator[list[str]]:
        """The URLs of all pages fetched, some thousands at a time."""
        for table in self.journal.tables(["url", "outcome"]):
            is_page = np.isin(table["outcome"].to_numpy(), (Outcome.PAGE, Outcome.FAILED))
            yield table["url"].filter(is_page).to_pylist()

    def rows_left_out(self) -> Iterator[tuple[str, str]]:
        """The URLs and rules of all rows that say what the scope left out."""
        for table in self.journal.tables(["url", "outcome", "rule"]):
            is_left_out = (table["outcome"].to_numpy() == Outcome.FORBIDDEN) & (table["rule"].to_numpy() != "")
            chosen = table.filter(is_left_out)
            yield from zip(chosen["url"].to_pylist(), chosen["rule"].to_pylist(), strict=True)

    def archive_size(self) -> tuple[int, int]:
        """How many WARC files there are, and their bytes."""
        files = list((self.directory / "warc").glob("*.warc.gz"))
        return len(files), sum(file.stat().st_size for file in files)

    @property
    def position(self) -> Position:
        """The end of the archive."""
        return self._warc.position

    def close(self) -> None:
        """Close archive and store; the directory may be opened again."""
        self._warc.close()
        self.store.close()


def counted(totals: Totals, rows: Sequence[JournalRow]) -> Totals:
    """The totals with more rows added."""
    outcomes = Counter(row.outcome for row in rows)
    languages = Counter(row.language for row in rows if row.outcome == Outcome.PAGE)
    inherited = [row for row in rows if row.inherited]
    return replace(
        totals,
        inherited=dict(Counter(totals.inherited) + Counter(row.language for row in inherited)),
        relevant_inherited=totals.relevant_inherited + sum(row.relevant for row in inherited),
        languages=dict(Counter(totals.languages) + languages),
        pages=totals.pages + outcomes[Outcome.PAGE] + outcomes[Outcome.FAILED],
        relevant=totals.relevant + sum(row.relevant for row in rows),
        failures=totals.failures + outcomes[Outcome.FAILED],
        redirects=totals.redirects + outcomes[Outcome.REDIRECT],
        forbidden=totals.forbidden + outcomes[Outcome.FORBIDDEN],
        bytes=totals.bytes + sum(row.length for row in rows),
        copies=totals.copies + sum(row.copy for row in rows),
        failure_kinds=dict(
            Counter(totals.failure_kinds)
            + Counter(failure_kind(row.failure) for row in rows if row.outcome == Outcome.FAILED)
        ),
    )


def read_totals(store: Store) -> Totals:
    """The totals of the last commit."""
    facts = store.table("facts")
    with store.reading() as txn:
        value = txn.get(_TOTALS, db=facts)
    return _decoded(value, Totals) if value else Totals()


def read_snapshot(store: Store) -> dict[str, State] | None:
    """What the crawl had learned when the journal was last sealed; None: it was never sealed."""
    value = store.get(store.table("facts"), _SNAPSHOT)
    return unpacked_state(value) if value else None


def read_link_updates(store: Store) -> Iterator[dict[str, State]]:
    """The changes that links made to the strategy since then, commit by commit; the store is read at once."""
    updates = store.table(_UPDATES)
    with store.reading() as txn:
        values = [bytes(value) for _, value in txn.cursor(db=updates)]
    return map(unpacked_state, values)


def _decoded(value: bytes, kind: type[Fact]) -> Fact:
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except msgspec.MsgspecError as error:
        raise DirectoryError(f"The crawl's facts are damaged ({error}). Restore state/ from a copy.") from error


def read_finished(store: Store) -> str:
    """Why the crawl ended; "" if it did not."""
    facts = store.table("facts")
    with store.reading() as txn:
        return bytes(txn.get(_FINISHED, db=facts) or b"").decode()


def packed_state(state: dict[str, State]) -> bytes:
    """Named arrays as bytes; no pickle, so that a directory from elsewhere is safe to open."""
    file = io.BytesIO()
    arrays = {f"{part}/{name}": array for part, named in state.items() for name, array in named.items()}
    np.savez(file, allow_pickle=False, parts=np.array(list(state), dtype=np.str_), **arrays)
    return file.getvalue()


def unpacked_state(value: bytes) -> dict[str, State]:
    """What `packed_state` packed."""
    try:
        with np.load(io.BytesIO(value), allow_pickle=False) as arrays:
            state: dict[str, State] = {str(part): {} for part in arrays["parts"]}
            for key in arrays.files:
                part, slash, name = key.partition("/")
                if slash:
                    state[part][name] = arrays[key]
            return state
    except _DAMAGE as error:
        raise DirectoryError(f"The crawl's snapshot is damaged ({error}). Restore state/ from a copy.") from error
