"""The journal of a crawl: an open tail in the store, and sealed Parquet parts in files.

A row can be read as soon as the transaction that appended it is committed. Rows are numbered without gaps, so the
first row and the length determine which rows a part has.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from exonym.batches import Outcome
from exonym.errors import DirectoryError
from exonym.journal.parts import TYPES, check_part, name_of, read_part, table_of, write_part
from exonym.journal.row import JournalRow, decoded, encoded
from exonym.store import Store, Transaction
from exonym.system.files import disk_errors

if TYPE_CHECKING:
    import pyarrow

SEAL_ROWS = 20_000

_ROW_KEY = struct.Struct(">Q")
_PART_KEY = struct.Struct(">I")


class SealedPart(msgspec.Struct, frozen=True, array_like=True):
    """A sealed part, as the store records it."""

    first_row: int
    rows: int


class Journal:
    """One row per visit.

    Readers see a single commit: its parts and its tail.
    """

    def __init__(self, store: Store, directory: Path, seal_rows: int = SEAL_ROWS) -> None:
        self._store = store
        self._directory = directory
        self._seal_rows = seal_rows
        self._tail = store.table("journal-tail")
        self._parts = store.table("journal-parts")

    def append(self, transaction: Transaction, rows: Sequence[JournalRow]) -> None:
        """Add rows, numbered from `next_row` on, in the caller's transaction."""
        expected = self.next_row(transaction)
        for number, row in enumerate(rows, expected):
            if row.row != number:
                raise ValueError(f"row {row.row} cannot follow row {number - 1}")
        pairs = [(_ROW_KEY.pack(row.row), encoded(row)) for row in rows]
        with transaction.cursor(db=self._tail) as cursor:
            cursor.putmulti(pairs, append=True)

    def next_row(self, transaction: Transaction) -> int:
        """The number of the next row: how many there are."""
        with transaction.cursor(db=self._tail) as cursor:
            if cursor.last():
                return int(_ROW_KEY.unpack(cursor.key())[0]) + 1
        parts = self._sealed_parts(transaction)
        return parts[-1].first_row + parts[-1].rows if parts else 0

    def count(self) -> int:
        """How many rows there are, by the last commit."""
        with self._store.reading() as transaction:
            return self.next_row(transaction)

    def tail(self, transaction: Transaction, first_row: int = 0) -> list[JournalRow]:
        """The rows since the last seal, from `first_row` on: what a strategy learns again."""
        with transaction.cursor(db=self._tail) as cursor:
            if not cursor.set_range(_ROW_KEY.pack(first_row)):
                return []
            return [decoded(value) for value in cursor.iternext(keys=False, values=True)]

    def seal_due(self, transaction: Transaction) -> bool:
        """Whether the tail is long enough to be sealed."""
        return int(transaction.stat(self._tail)["entries"]) >= self._seal_rows

    def seal(self, transaction: Transaction) -> None:
        """Move the tail into a Parquet part, in the caller's transaction.

        If the process is killed before the commit, a file is left that is not recorded: it is never read, and the
        next seal overwrites it.
        """
        rows = self.tail(transaction)
        if not rows:
            return
        with disk_errors(self._directory):
            self._directory.mkdir(parents=True, exist_ok=True)
        number = len(self._sealed_parts(transaction))
        write_part(self._directory / name_of(number), table_of(rows))
        part = msgspec.msgpack.encode(SealedPart(rows[0].row, len(rows)))
        transaction.put(_PART_KEY.pack(number), part, db=self._parts)
        transaction.drop(self._tail, delete=False)

    def adopt_parts(self, transaction: Transaction, lengths: Sequence[int]) -> None:
        """Make the first parts of an empty journal of files that were written already, and have so many rows."""
        first = 0
        for number, rows in enumerate(lengths):
            part = msgspec.msgpack.encode(SealedPart(first, rows))
            transaction.put(_PART_KEY.pack(number), part, db=self._parts)
            first += rows

    def tables(self, columns: Sequence[str] | None = None, first_row: int = 0) -> Iterator[pyarrow.Table]:
        """All rows of the last commit from `first_row` on, part by part, the tail last; only the `columns` named.

        The store is read at once and not again: it may be closed before the tables are.
        """
        _check_names(columns)
        parts, tail = self._last_commit(first_row)
        sealed = (
            read_part(self._directory / name_of(number), part.rows, columns).slice(max(first_row - part.first_row, 0))
            for number, part in enumerate(parts)
            if part.first_row + part.rows > first_row
        )
        return itertools.chain(sealed, (table_of(tail, columns) for _ in (None,)))

    def table(self, columns: Sequence[str] | None = None) -> pyarrow.Table:
        """All rows as one table."""
        import pyarrow

        return pyarrow.concat_tables(self.tables(columns))

    def rows(self) -> Iterator[JournalRow]:
        """All rows in order, one by one: simple, and slower than `tables`."""
        return itertools.chain.from_iterable(map(rows_in, self.tables()))

    def find(self, column: str, value: str) -> Iterator[JournalRow]:
        """The rows that have `value` in a column, in order. Reads that column of every part, and no other."""
        _check_names([column])
        parts, tail = self._last_commit()
        return itertools.chain(
            self._find_sealed(parts, column, value), (row for row in tail if getattr(row, column) == value)
        )

    def row(self, number: int) -> JournalRow | None:
        """One row; None if there is no such row. Reads the part that has it, or the tail from there on."""
        parts, tail = self._last_commit(number)
        for place, part in enumerate(parts):
            if part.first_row <= number < part.first_row + part.rows:
                table = read_part(self._directory / name_of(place), part.rows)
                return next(rows_in(table.slice(number - part.first_row, 1)))
        return tail[0] if tail and tail[0].row == number else None

    def _find_sealed(self, parts: Sequence[SealedPart], column: str, value: str) -> Iterator[JournalRow]:
        from pyarrow import compute

        for number, part in enumerate(parts):
            path = self._directory / name_of(number)
            has_value = compute.equal(read_part(path, part.rows, [column])[column], value)
            if compute.any(has_value).as_py():
                yield from rows_in(read_part(path, part.rows).filter(has_value))

    def first_time(self) -> float | None:
        """When the first request was sent, in seconds since 1970; None if there are no rows."""
        parts, tail = self._last_commit()
        if parts:
            return float(read_part(self._directory / name_of(0), parts[0].rows, ["when"])["when"][0].as_py())
        return tail[0].when if tail else None

    def check_parts(self) -> None:
        """Raise DirectoryError if a sealed part is missing or has another length than was recorded."""
        with self._store.reading() as transaction:
            parts = self._sealed_parts(transaction)
        for number, part in enumerate(parts):
            check_part(self._directory / name_of(number), part.rows)

    def latest(self) -> list[JournalRow]:
        """The newest rows: the tail, or the last part if the tail is empty."""
        parts, tail = self._last_commit()
        if tail or not parts:
            return tail
        return list(rows_in(read_part(self._directory / name_of(len(parts) - 1), parts[-1].rows)))

    def _last_commit(self, first_row: int = 0) -> tuple[list[SealedPart], list[JournalRow]]:
        with self._store.reading() as transaction:
            return self._sealed_parts(transaction), self.tail(transaction, first_row)

    def _sealed_parts(self, transaction: Transaction) -> list[SealedPart]:
        with transaction.cursor(db=self._parts) as cursor:
            values = list(cursor.iternext(keys=False, values=True))
        try:
            return [msgspec.msgpack.decode(value, type=SealedPart) for value in values]
        except msgspec.MsgspecError as error:
            raise DirectoryError(
                f"the journal's list of parts is damaged ({error}). Restore it from a copy."
            ) from error


def rows_in(table: pyarrow.Table) -> Iterator[JournalRow]:
    """The rows of a table that has all columns."""
    for values in table.to_pylist():
        yield JournalRow(**{**values, "outcome": Outcome(values["outcome"])})


def _check_names(columns: Sequence[str] | None) -> None:
    for name in columns or ():
        if name not in TYPES:
            raise ValueError(f"the journal has no column {name!r}. It has {', '.join(TYPES)}.")
