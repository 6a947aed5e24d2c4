"""The disk frontier's tables: groups, blocks, log; and how they become a frontier again."""

import struct
from collections.abc import Iterable, Iterator

import numpy as np

from exonym.errors import DirectoryError
from exonym.frontier.base import Levels
from exonym.frontier.queues import LoadBlock, Queue, Waiting
from exonym.frontier.rows import (
    PLACED,
    Place,
    arrival_at,
    compressed,
    expanded,
    offsets,
    packed_row,
    row_end,
    visit_at,
)
from exonym.frontier.seen import Marks, SeenSet
from exonym.model import Ids, Visit
from exonym.store import Store, Transaction
from exonym.urls import id_of

Entries = tuple[Ids, Levels, Marks]

# Four blocks fill a page of LMDB's tree, key and node included: larger ones save a few bytes a row, but are
# written anew more often, and above half a page they would take whole pages of their own.
BLOCK_BYTES = 980
_BLOCK_ROWS_BYTES = 4_500
_FULL = 0.6
_LOG_PART_BYTES = 4_000_000

_BLOCK_KEY = struct.Struct(">QHQ")
_GROUP = struct.Struct("<qIH")  # dropped until, waiting, name length
_WATERMARK = struct.Struct("<hq")
_NUMBER = struct.Struct(">Q")
_COUNT = struct.Struct("<I")
_ARRIVALS = b"arrivals"


class FrontierTables:
    """Reads and writes; decides nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._groups = store.table("frontier-groups")
        self._blocks = store.table("frontier-blocks")
        self._log = store.table("frontier-log")
        self._facts = store.table("frontier-facts")
        with store.reading() as txn, txn.cursor(self._log) as cursor:
            self._next_log = _NUMBER.unpack(cursor.key())[0] + 1 if cursor.last() else 0

    # Blocks

    def block(self, group: int, level: int, first_arrival: int) -> bytes:
        """The rows of one block."""
        return _rows_of(self._store.get(self._blocks, _block_key(group, level, first_arrival)))

    def loader(self, group: int, level: int) -> LoadBlock:
        """How one queue's blocks are read."""
        return lambda first_arrival: self.block(group, level, first_arrival)

    def delete_block(self, txn: Transaction, group: int, level: int, first_arrival: int) -> None:
        """Drop one block."""
        txn.delete(_block_key(group, level, first_arrival), db=self._blocks)

    def write_blocks(self, txn: Transaction, queues: list[tuple[int, Queue]]) -> None:
        """Move the tails of these queues to disk, in the order of their keys: the tree likes that."""
        for group, queue in sorted(queues, key=lambda pair: (pair[0], pair[1].level)):
            rows = self._rows_to_fill_up(txn, group, queue) + bytes(queue.tail[queue.tail_offset :])
            for first, block in _blocks(rows):
                txn.put(_block_key(group, queue.level, first), block, db=self._blocks)
                queue.add_block(first)
                queue.last_block_bytes = len(block)
            queue.tail, queue.tail_offset = b"", 0

    def _rows_to_fill_up(self, txn: Transaction, group: int, queue: Queue) -> bytes:
        """The rows of a newest block that is not full: it is written again, so that small groups have few blocks."""
        if not 0 < queue.last_block_bytes < BLOCK_BYTES * _FULL or not queue.is_last_block_untouched:
            return b""
        return _rows_of(txn.get(_block_key(group, queue.level, queue.blocks.pop()), db=self._blocks))

    # Groups

    def put_group(self, txn: Transaction, group: int, waiting: Waiting) -> None:
        """Write a group's facts, and remove its blocks that are read to the end."""
        name = waiting.name.encode()
        parts = [_GROUP.pack(waiting.dropped_until, waiting.waiting_or_in_flight(), len(name)), name]
        for level, queue in waiting.queues.items():
            watermark = queue.watermark
            parts.append(_WATERMARK.pack(level, watermark))
            if queue.finished:
                self._delete_finished(txn, group, queue, watermark)
        txn.put(_NUMBER.pack(group), b"".join(parts), db=self._groups)

    def _delete_finished(self, txn: Transaction, group: int, queue: Queue, watermark: int) -> None:
        for first, last in queue.finished:
            if last <= watermark:
                self.delete_block(txn, group, queue.level, first)
        queue.finished = tuple((first, last) for first, last in queue.finished if last > watermark)

    def delete_group(self, txn: Transaction, group: int) -> None:
        """Forget a group in which nothing waits."""
        txn.delete(_NUMBER.pack(group), db=self._groups)

    def put_arrivals(self, txn: Transaction, arrivals: int) -> None:
        """Arrival numbers go on where they stopped."""
        txn.put(_ARRIVALS, _NUMBER.pack(arrivals), db=self._facts)

    # Log

    def append_log(self, txn: Transaction, rows: bytes, entries: Entries) -> None:
        """One record: the seen-set's changes and the new rows."""
        ids, levels, marks = entries
        if not len(ids) and not rows:
            return
        record = _COUNT.pack(len(ids)) + ids.tobytes() + levels.tobytes() + marks.tobytes() + rows
        txn.put(_NUMBER.pack(self._next_log), compressed(record, for_keeps=False), db=self._log, append=True)
        self._next_log += 1

    def renew_log(
        self, txn: Transaction, groups: dict[int, Waiting], in_flight: Iterable[Visit], entries: Entries
    ) -> None:
        """Begin the log anew with all that is in no block."""
        txn.drop(self._log, delete=False)
        self.append_log(txn, b"", entries)
        part = bytearray()
        for rows in _unblocked(groups, in_flight):
            part += rows
            if len(part) > _LOG_PART_BYTES:
                self.append_log(txn, bytes(part), _NO_ENTRIES)
                part = bytearray()
        self.append_log(txn, bytes(part), _NO_ENTRIES)

    # Restart

    def restore(self, groups: dict[int, Waiting], seen: SeenSet) -> int:
        """Fill `groups` and `seen` with what was committed; the next arrival number."""
        with self._store.reading() as txn:
            for key, value in txn.cursor(self._groups):
                groups[_NUMBER.unpack(key)[0]] = _group_from(value)
            for key, _ in txn.cursor(self._blocks):
                group, level, first = _BLOCK_KEY.unpack(key)
                groups[group].queue(level - 32_768).add_block(first)
            for _, value in txn.cursor(self._log):
                self._replay(expanded(value), groups, seen)
            arrivals = txn.get(_ARRIVALS, db=self._facts)
        for group, waiting in groups.items():
            for level, queue in waiting.queues.items():
                queue.settle(self.loader(group, level))
        return _NUMBER.unpack(arrivals)[0] if arrivals else 0

    def _replay(self, record: bytes, groups: dict[int, Waiting], seen: SeenSet) -> None:
        (count,) = _COUNT.unpack_from(record)
        start = _COUNT.size
        ids = np.frombuffer(record, dtype=np.uint64, count=count, offset=start)
        levels = np.frombuffer(record, dtype=np.int16, count=count, offset=start + 8 * count)
        marks = np.frombuffer(record, dtype=np.uint8, count=count, offset=start + 10 * count)
        seen.put_again(ids, levels, marks)
        offset = start + 11 * count
        while offset < len(record):
            group, level, length = PLACED.unpack_from(record, offset)
            offset += PLACED.size
            rows = record[offset : offset + length]
            for start in offsets(rows):
                _wait_again(groups[group], level, rows[start : row_end(rows, start)])
            offset += length


_NO_ENTRIES: Entries = (np.empty(0, np.uint64), np.empty(0, np.int16), np.empty(0, np.uint8))


def _rows_of(block: bytes | None) -> bytes:
    if block is None:
        raise DirectoryError("The frontier lacks a block that it wrote. Put back a copy of state/.")
    return expanded(block)


def _block_key(group: int, level: int, first_arrival: int) -> bytes:
    return _BLOCK_KEY.pack(group, level + 32_768, first_arrival)


def _blocks(rows: bytes) -> Iterator[tuple[int, bytes]]:
    """Rows in blocks, each with its first arrival."""
    start = 0
    while start < len(rows):
        end = _last_row_end(rows, start, start + _BLOCK_ROWS_BYTES)
        block = compressed(rows[start:end], for_keeps=True)
        if len(block) > BLOCK_BYTES:
            end = _last_row_end(rows, start, start + (end - start) * BLOCK_BYTES // len(block) * 9 // 10)
            block = compressed(rows[start:end], for_keeps=True)
        yield arrival_at(rows, start), block
        start = end


def _last_row_end(rows: bytes, start: int, limit: int) -> int:
    """Where the last row ends that begins at `start` or later and ends by `limit`; one row at least."""
    if len(rows) <= limit:
        return len(rows)
    end = row_end(rows, start)
    while (next_end := row_end(rows, end)) <= limit:
        end = next_end
    return end


def _unblocked(groups: dict[int, Waiting], in_flight: Iterable[Visit]) -> Iterable[bytes]:
    """For the log: all rows that are in memory only, in flight, put back or in tails, queue by queue."""
    flying: dict[tuple[int, int], list[Visit]] = {}
    for visit in in_flight:
        group = visit.server if visit.server in groups else visit.segment
        flying.setdefault((group, visit.level), []).append(visit)
    for group, waiting in groups.items():
        for level, queue in waiting.queues.items():
            open_visits = _open_visits(queue, flying.get((group, level), []))
            rows = b"".join([packed_row(visit, waiting.name) for visit in open_visits])
            rows += queue.tail[queue.tail_offset :]
            if rows:
                yield PLACED.pack(group, level, len(rows)) + rows


def _open_visits(queue: Queue, flying: list[Visit]) -> list[Visit]:
    visits = [*queue.returned, *flying]
    loose = [visit for visit in visits if visit.arrival in queue.loose]
    return sorted(loose, key=lambda visit: visit.arrival)


def _group_from(value: bytes) -> Waiting:
    dropped_until, count, name_length = _GROUP.unpack_from(value)
    names_end = _GROUP.size + name_length
    name = bytes(value[_GROUP.size : names_end]).decode()
    waiting = Waiting(id_of(name), name)
    waiting.waiting, waiting.dropped_until = count, dropped_until
    for level, popped in _WATERMARK.iter_unpack(value[names_end:]):
        waiting.queue(level).popped = popped
    return waiting


def _wait_again(waiting: Waiting, level: int, row: bytes) -> None:
    queue = waiting.queue(level)
    arrival = arrival_at(row, 0)
    if arrival <= max(queue.popped, waiting.dropped_until):
        return
    if queue.blocks and arrival < queue.blocks[-1]:
        # It was in flight or put back when newer rows became blocks: its turn is before theirs.
        queue.wait_again(visit_at(row, 0, Place(waiting.server, waiting.name, level, waiting.rank)))
    else:
        queue.append(row)
