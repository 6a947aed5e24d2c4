"""Every URL ever met, 12 bytes each: its id, four counters of 4 bits, and the level at which it waits.

A `SeenTable` is a hash table with open addressing in flat arrays, in memory or in a mapped file; it is used for many
URLs at a time. A `SeenSet` is a big table in a file, plus a small one in memory with all that has changed since the
last commit. The file only ever holds what the committed log can rebuild, so a kill leaves no URL "seen" whose link was
lost.
"""

import mmap
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, FoundCounters, Ids
from exonym.errors import DirectoryError
from exonym.frontier.base import NOT_FOLLOWED, Levels
from exonym.system.files import disk_errors

Slots = NDArray[np.intp]
Marks = NDArray[np.uint16]  # the four counters of `FoundCounters`, the first in the highest bits

_MAGIC = b"exonym-seen-2\0\0\0"
_OLD_MAGIC = b"exonym-seen-1\0\0\0"  # of version 0.1.0: the first two counters alone, in one byte
_HEADER_BYTES = 4096
_FULLEST = 0.75
_BYTES_PER_SLOT, _OLD_BYTES_PER_SLOT = 12, 11
_SHIFTS = (12, 8, 4, 0)


def counters_in(marks: Marks) -> FoundCounters:
    """The counters that marks hold."""
    return FoundCounters(*[(marks >> shift & 15).astype(np.uint8) for shift in _SHIFTS])


def marks_of(counters: FoundCounters) -> Marks:
    """The opposite of `counters_in`."""
    wide = [column.astype(np.uint16) << np.uint16(shift) for column, shift in zip(counters, _SHIFTS, strict=True)]
    marks: Marks = np.bitwise_or.reduce(wide)
    return marks


def marks_of_old(marks: NDArray[np.uint8]) -> Marks:
    """The marks of version 0.1.0 as they are now."""
    wide: Marks = marks.astype(np.uint16) << np.uint16(8)
    return wide


class SeenTable:
    """A hash table with a fixed number of slots; its owner makes sure that it never fills up."""

    def __init__(self, buffer: "mmap.mmap | bytearray | bytes", capacity: int, offset: int = 0) -> None:
        self.capacity = capacity
        self.keys: Ids = np.frombuffer(buffer, dtype=np.uint64, count=capacity, offset=offset)
        self.levels: Levels = np.frombuffer(buffer, dtype=np.int16, count=capacity, offset=offset + 8 * capacity)
        self.marks: Marks = np.frombuffer(buffer, dtype=np.uint16, count=capacity, offset=offset + 10 * capacity)
        self._mask = np.uint64(capacity - 1)
        # Single look-ups through memoryviews take a quarter of the time of array items.
        self.quick_keys = memoryview(self.keys)  # type: ignore[arg-type]
        self.quick_levels = memoryview(self.levels)  # type: ignore[arg-type]
        self.quick_marks = memoryview(self.marks)  # type: ignore[arg-type]

    @classmethod
    def in_memory(cls, capacity: int) -> "SeenTable":
        """An empty table that is not in a file."""
        return cls(bytearray(capacity * _BYTES_PER_SLOT), capacity)

    def find(self, ids: Ids) -> Slots:
        """The slot of each id, -1 where it is absent."""
        slots = (ids & self._mask).astype(np.intp)
        keys = self.keys[slots]
        result = np.where(keys == ids, slots, -1)
        open_ones = np.flatnonzero((keys != ids) & (keys != 0))
        while len(open_ones):
            probes = (slots[open_ones] + 1) & (self.capacity - 1)
            slots[open_ones] = probes
            keys = self.keys[probes]
            hit = keys == ids[open_ones]
            result[open_ones[hit]] = probes[hit]
            open_ones = open_ones[~hit & (keys != 0)]
        return result

    def claim(self, ids: Ids) -> tuple[Slots, Slots]:
        """The slot of each id (all distinct), added where it was absent; and which positions were absent."""
        slots = (ids & self._mask).astype(np.intp)
        fresh = np.zeros(len(ids), dtype=np.bool_)
        open_ones = np.arange(len(ids))
        while len(open_ones):
            probes, wanted = slots[open_ones], ids[open_ones]
            empty = self.keys[probes] == 0
            # Two ids may want one empty slot: the last to write gets it, the other tries the next slot.
            self.keys[probes[empty]] = wanted[empty]
            settled = self.keys[probes] == wanted
            fresh[open_ones[empty & settled]] = True
            open_ones = open_ones[~settled]
            slots[open_ones] = (slots[open_ones] + 1) & (self.capacity - 1)
        return slots, np.flatnonzero(fresh)

    def slot(self, url: int) -> int:
        """The slot of one id, or the empty slot where it belongs."""
        keys, mask = self.quick_keys, self.capacity - 1
        slot = url & mask
        while (key := keys[slot]) != url and key != 0:
            slot = (slot + 1) & mask
        return slot

    def put(self, ids: Ids, levels: Levels, marks: Marks) -> int:
        """Set the values of distinct ids; how many were new."""
        slots, fresh = self.claim(ids)
        self.levels[slots] = levels
        self.marks[slots] = marks
        return len(fresh)

    def entries(self) -> tuple[Ids, Levels, Marks]:
        """All ids with their levels and counters."""
        used = np.flatnonzero(self.keys)
        return self.keys[used], self.levels[used], self.marks[used]


class SeenSet:
    """A table in a file, and a table in memory with what is not committed yet."""

    def __init__(self, path: Path, capacity: int = 1 << 16) -> None:
        self._path = path
        with disk_errors(path):
            if not path.exists():
                # The file gets its name when it is complete: a kill before that must not leave a damaged file.
                draft = path.with_suffix(".new")
                _create(draft, capacity)
                os.replace(draft, path)
            _renew_old(path)
            self._map, capacity = _mapped(path)
            self._table = SeenTable(self._map, capacity, _HEADER_BYTES)
            self.count = int(np.count_nonzero(self._table.keys))
        self._clear_recent(1 << 12)

    def _clear_recent(self, capacity: int) -> None:
        self._recent = SeenTable.in_memory(capacity)
        self._recent_count = 0
        # By slot of the recent table: the URL's slot in the file's table, -1 if none, and its level there.
        self._homes: Slots = np.full(capacity, -1, dtype=np.intp)
        self._committed: Levels = np.full(capacity, NOT_FOLLOWED, dtype=np.int16)

    def claim(self, ids: Ids) -> Slots:
        """The slots of distinct ids in the recent table; new slots are filled from the file."""
        if self._recent_count + len(ids) > self._recent.capacity * _FULLEST:
            self._widen_recent(len(ids))
        slots, fresh = self._recent.claim(ids)
        self._recent_count += len(fresh)
        if len(fresh):
            homes = self._table.find(ids[fresh])
            self._recent.levels[slots[fresh]] = NOT_FOLLOWED
            known, homes = slots[fresh][homes >= 0], homes[homes >= 0]
            self._recent.levels[known] = self._committed[known] = self._table.levels[homes]
            self._recent.marks[known] = self._table.marks[homes]
            self._homes[known] = homes
        return slots

    def _widen_recent(self, more: int) -> None:
        old, homes, committed = self._recent, self._homes, self._committed
        capacity = old.capacity
        while (self._recent_count + more) > capacity * _FULLEST / 2:
            capacity *= 2
        self._clear_recent(capacity)
        used = np.flatnonzero(old.keys)
        slots, _ = self._recent.claim(old.keys[used])
        self._recent_count = len(used)
        self._recent.levels[slots], self._recent.marks[slots] = old.levels[used], old.marks[used]
        self._homes[slots], self._committed[slots] = homes[used], committed[used]

    @property
    def marks(self) -> Marks:
        """Counters by slot of the recent table."""
        return self._recent.marks

    @property
    def levels(self) -> Levels:
        """Levels by slot of the recent table."""
        return self._recent.levels

    def level(self, url: int) -> int:
        """The best level at which a URL was queued; NOT_FOLLOWED if it never was."""
        # Written out rather than through `slot`: this runs for every pop.
        for table in (self._recent, self._table):
            keys, mask = table.quick_keys, table.capacity - 1
            slot = url & mask
            while (key := keys[slot]) != url and key:
                slot = (slot + 1) & mask
            if key:
                return table.quick_levels[slot]
        return NOT_FOLLOWED

    def set_level(self, url: int, level: int) -> None:
        """Change the level of one URL."""
        if self._recent_count >= self._recent.capacity * _FULLEST:
            self._widen_recent(1)
        slot = self._recent.slot(url)
        if not self._recent.quick_keys[slot]:
            self._recent.quick_keys[slot] = url
            self._recent_count += 1
            home = self._table.slot(url)
            if self._table.quick_keys[home]:
                self._homes[slot] = home
                self._committed[slot] = self._table.quick_levels[home]
                self._recent.quick_marks[slot] = self._table.quick_marks[home]
        self._recent.quick_levels[slot] = level

    def recent(self) -> tuple[Ids, Levels, Marks]:
        """What a commit logs: URLs whose level changed, because they were queued, visited or dropped.

        URLs of which only the counters changed are left out: their counters reach the file right after the commit, and
        a power cut before that costs a count, never a link.
        """
        # An empty slot has level 0, which differs from the committed one.
        changed = np.flatnonzero((self._recent.levels != self._committed) & (self._recent.keys != 0))
        return self._recent.keys[changed], self._recent.levels[changed], self._recent.marks[changed]

    def absorb(self) -> None:
        """After the commit: write the recent table into the file, and clear it."""
        used = np.flatnonzero(self._recent.keys)
        homes = self._homes[used]
        is_known = homes >= 0
        fresh, known = used[~is_known], used[is_known]
        self._table.levels[homes[is_known]] = self._recent.levels[known]
        self._table.marks[homes[is_known]] = self._recent.marks[known]
        # Last, because the table may grow, which moves its slots.
        self.put(self._recent.keys[fresh], self._recent.levels[fresh], self._recent.marks[fresh])
        # As large as was needed this time: a steady crawl neither widens the table nor clears one that is too large.
        needed = 1 << 12
        while needed * _FULLEST / 2 < self._recent_count:
            needed *= 2
        self._clear_recent(needed)

    def put(self, ids: Ids, levels: Levels, marks: Marks) -> None:
        """Write committed values into the file."""
        if self.count + len(ids) > self._table.capacity * _FULLEST:
            self._grow(self.count + len(ids))
        self.count += self._table.put(ids, levels, marks)

    def put_again(self, ids: Ids, levels: Levels, marks: Marks) -> None:
        """Write values from the log; counters that are higher in the file stay."""
        slots = self._table.find(ids)
        now = counters_in(np.where(slots >= 0, self._table.marks[slots], np.uint16(0)))
        higher = FoundCounters(*map(np.maximum, now, counters_in(marks)))
        self.put(ids, levels, marks_of(higher))

    def _grow(self, needed: int) -> None:
        capacity = self._table.capacity
        while needed > capacity * _FULLEST:
            capacity *= 2
        wider = self._path.with_suffix(".new")
        with disk_errors(wider):
            _create(wider, capacity)
        grown_map, _ = _mapped(wider)
        grown = SeenTable(grown_map, capacity, _HEADER_BYTES)
        step = 1 << 20
        for start in range(0, self._table.capacity, step):
            part = slice(start, start + step)
            used = np.flatnonzero(self._table.keys[part]) + start
            grown.put(self._table.keys[used], self._table.levels[used], self._table.marks[used])
        grown_map.flush()
        os.replace(wider, self._path)
        self._map, self._table = grown_map, grown

    def entries(self) -> tuple[Ids, Levels, Marks]:
        """All committed ids with their levels and counters."""
        return self._table.entries()

    def flush(self) -> None:
        """Make the file durable."""
        self._map.flush()


def levels_on_disk(path: Path, ids: Ids) -> tuple[Flags, Levels]:
    """Which URLs were met, and their levels (NOT_FOLLOWED for others), by a file that a running crawl may be changing.

    The file is as of the last commit, but for the last batch before a kill.
    """
    with disk_errors(path):
        if not path.exists():  # no link was ever found
            return np.zeros(len(ids), dtype=np.bool_), np.full(len(ids), NOT_FOLLOWED, dtype=np.int16)
    table = read_seen(path)
    slots = table.find(ids)
    return slots >= 0, np.where(slots >= 0, table.levels[slots], np.int16(NOT_FOLLOWED))


def read_seen(path: Path) -> SeenTable:
    """The table in a file, for reading: a crawl may have the file open, and it stays as it is."""
    with disk_errors(path):
        old = _old_slots(path)
        return SeenTable(*old) if old else SeenTable(*_mapped(path, mmap.ACCESS_READ), _HEADER_BYTES)


def _create(path: Path, capacity: int) -> None:
    header = _MAGIC + capacity.to_bytes(8, "little")
    with path.open("wb") as file:
        file.write(header.ljust(_HEADER_BYTES, b"\0"))
        file.flush()
        # Reserved, not sparse: a full disk raises an error here, not a fault in mapped memory later.
        os.posix_fallocate(file.fileno(), 0, _HEADER_BYTES + capacity * _BYTES_PER_SLOT)
        os.fsync(file.fileno())


def _renew_old(path: Path) -> None:
    """Write a file of version 0.1.0 anew; a kill leaves the old one."""
    old = _old_slots(path)
    if old is None:
        return
    slots, capacity = old
    draft = path.with_suffix(".new")
    _create(draft, capacity)
    with draft.open("r+b") as file:
        file.seek(_HEADER_BYTES)
        file.write(slots)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _old_slots(path: Path) -> tuple[bytes, int] | None:
    """The slots of a file of version 0.1.0 as they are now, and their number; None if it is no such file."""
    with path.open("rb") as file:
        if file.read(len(_OLD_MAGIC)) != _OLD_MAGIC:
            return None
        capacity = int.from_bytes(file.read(8), "little")
        file.seek(_HEADER_BYTES)
        data = file.read()
    if capacity.bit_count() != 1 or len(data) != capacity * _OLD_BYTES_PER_SLOT:
        raise _damaged(path)
    return data[: 10 * capacity] + marks_of_old(np.frombuffer(data, np.uint8, offset=10 * capacity)).tobytes(), capacity


def _damaged(path: Path) -> DirectoryError:
    return DirectoryError(f"{path} is damaged. Restore it from a copy, or start a new crawl.")


def _mapped(path: Path, access: int = mmap.ACCESS_WRITE) -> tuple[mmap.mmap, int]:
    with path.open("rb" if access == mmap.ACCESS_READ else "r+b") as file:
        header = file.read(len(_MAGIC) + 8)
        capacity = int.from_bytes(header[len(_MAGIC) :], "little")
        size = os.fstat(file.fileno()).st_size  # a running crawl may have replaced the file meanwhile
        is_ours = header.startswith(_MAGIC) and capacity.bit_count() == 1
        if not is_ours or size != _HEADER_BYTES + capacity * _BYTES_PER_SLOT:
            raise _damaged(path)
        return mmap.mmap(file.fileno(), 0, access=access), capacity
