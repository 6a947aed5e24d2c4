"""The log of the disk frontier: each record holds, in columns, what changed between two commits."""

import struct
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids
from exonym.frontier.base import Levels
from exonym.frontier.seen import Marks, marks_of_old

Counts = NDArray[np.uint32]
LoggedRun = tuple[int, int, bytes]  # group, level, rows


class Changes(NamedTuple):
    """URLs whose level in the seen-set changed, with their new level and counters."""

    urls: Ids
    levels: Levels
    marks: Marks


class Sizes(NamedTuple):
    """How many URLs would wait in each of these groups after a kill, when those in flight wait again."""

    groups: Ids
    waiting: Counts


class Runs(NamedTuple):
    """Which rows belong to which group and level: a run is the next `length` bytes of the record's rows."""

    groups: Ids
    levels: Levels
    lengths: Counts


class Record(NamedTuple):
    """What one commit appends."""

    changes: Changes
    sizes: Sizes
    runs: Runs
    rows: bytes  # of all runs

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (len(self.changes.urls) or len(self.sizes.groups) or self.rows)


_COLUMNS = (("<u8", "<i2", "<u2"), ("<u8", "<u4"), ("<u8", "<i2", "<u4"))
_OLD_COLUMNS = (("<u8", "<i2", "u1"), *_COLUMNS[1:])  # of version 0.1.0
_LENGTHS = struct.Struct("<III")
_HAS_FOUR_COUNTERS = 1 << 31  # added to the first length, unless a record is of version 0.1.0
NO_CHANGES = Changes(np.empty(0, np.uint64), np.empty(0, np.int16), np.empty(0, np.uint16))
NO_SIZES = Sizes(np.empty(0, np.uint64), np.empty(0, np.uint32))
NO_RUNS = Runs(np.empty(0, np.uint64), np.empty(0, np.int16), np.empty(0, np.uint32))


def packed(record: Record) -> bytes:
    """A record as bytes."""
    tables = record[:3]
    columns = [column.tobytes() for table in tables for column in table]
    changes, sizes, runs = (len(table[0]) for table in tables)
    return b"".join([_LENGTHS.pack(changes | _HAS_FOUR_COUNTERS, sizes, runs), *columns, record.rows])


def unpacked(data: bytes) -> Record:
    """The opposite of `packed`."""
    tables, offset = [], _LENGTHS.size
    changes, sizes, runs = _LENGTHS.unpack_from(data)
    is_old = not changes & _HAS_FOUR_COUNTERS
    lengths = changes & ~_HAS_FOUR_COUNTERS, sizes, runs
    for length, types in zip(lengths, _OLD_COLUMNS if is_old else _COLUMNS, strict=True):
        table = []
        for name in types:
            table.append(np.frombuffer(data, name, length, offset))
            offset += table[-1].nbytes
        tables.append(table)
    urls, levels, marks = tables[0]
    changed = Changes(urls, levels, marks_of_old(marks) if is_old else marks)
    return Record(changed, Sizes(*tables[1]), Runs(*tables[2]), data[offset:])


def joined(runs: Iterable[Runs]) -> Runs:
    """Several tables of runs as one."""
    return Runs(*(np.concatenate(columns) for columns in zip(NO_RUNS, *runs, strict=True)))


def record_of(runs: list[LoggedRun]) -> Record:
    """A record with rows and nothing else."""
    groups = np.array([group for group, _, _ in runs], dtype=np.uint64)
    levels = np.array([level for _, level, _ in runs], dtype=np.int16)
    lengths = np.array([len(rows) for _, _, rows in runs], dtype=np.uint32)
    return Record(NO_CHANGES, NO_SIZES, Runs(groups, levels, lengths), b"".join([rows for _, _, rows in runs]))
