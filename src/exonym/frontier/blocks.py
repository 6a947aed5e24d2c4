"""The tables of the disk frontier in its store (groups, blocks, log), and how a restart reads them."""

import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pyarrow
import xxhash

from exonym.batches import Visit
from exonym.errors import DirectoryError
from exonym.frontier.link_rows import arrival_at, offsets, packed_row, row_end, visit_at
from exonym.frontier.log import NO_RUNS, Changes, LoggedRun, Record, Sizes, packed, record_of, unpacked
from exonym.frontier.queues import SPILL_BITS, Block, Queue, WaitingGroup
from exonym.frontier.seen import SeenSet
from exonym.store import Store, Transaction
from exonym.urls import id_of

# Blocks are small because a pop from a server with rare turns expands a whole block for one row, and because LMDB
# stores a value of more than half a page in separate pages.
BLOCK_BYTES = 980
_BLOCK_ROWS_BYTES = 2_000
_LOG_PART_BYTES = 4_000_000

_BLOCK_KEY = struct.Struct(">IQHQ")  # spill, group, level, first arrival
_GROUP = struct.Struct("<qH")  # dropped until, name length
_WATERMARK = struct.Struct("<hq")
_NUMBER = struct.Struct(">Q")
_ARRIVALS = b"arrivals"
_LAST_SPILL = (1 << SPILL_BITS) - 1


class GroupSize(NamedTuple):
    """A group of waiting links: the name of its server, its URLs, and the arrival up to which its rows were dropped."""

    name: str
    waiting: int
    dropped_until: int


class FrontierTables:
    """Reads and writes the tables; `DiskFrontier` decides what."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._groups = store.table("frontier-groups")
        self._blocks = store.table("frontier-blocks")
        self._log = store.table("frontier-log")
        self._facts = store.table("frontier-facts")
        with store.reading() as txn:
            with txn.cursor(self._log) as cursor:
                self._next_log = _NUMBER.unpack(cursor.key())[0] + 1 if cursor.last() else 0
            with txn.cursor(self._blocks) as cursor:
                self._spills = _BLOCK_KEY.unpack(cursor.key())[0] if cursor.last() else 0

    # Blocks

    def block(self, group: int, level: int, block: Block) -> bytes:
        """The rows of one block."""
        rows = self._store.get(self._blocks, _block_key(group, level, block))
        if rows is None:
            raise DirectoryError("The frontier lacks a block that it wrote. Restore state/ from a copy.")
        return expanded(rows)

    def delete_block(self, txn: Transaction, group: int, level: int, block: Block) -> None:
        """Delete one block."""
        txn.delete(_block_key(group, level, block), db=self._blocks)

    def write_blocks(self, txn: Transaction, queues: list[tuple[int, Queue]]) -> None:
        """Move the tails of these queues to disk. Their keys follow all older keys, so that LMDB fills its pages."""
        # From the last spill number on, keys fall between older keys: slower, but correct.
        self._spills = min(self._spills + 1, _LAST_SPILL)
        in_order = self._spills < _LAST_SPILL
        for group, queue in sorted(queues, key=lambda pair: (pair[0], pair[1].level)):
            for first, data in _blocks(bytes(queue.tail[queue.tail_offset :])):
                block = first << SPILL_BITS | self._spills
                is_put = txn.put(_block_key(group, queue.level, block), data, db=self._blocks, append=in_order)
                assert is_put, "blocks are written in the order of their keys"
                queue.add_block(block)
            queue.tail, queue.tail_offset = b"", 0

    # Groups

    def put_group(self, txn: Transaction, group: int, waiting: WaitingGroup) -> None:
        """Write the facts of a group, and delete its blocks whose rows are all done."""
        name = waiting.name.encode()
        parts = [_GROUP.pack(waiting.dropped_until, len(name)), name]
        for level, queue in waiting.queues.items():
            watermark = queue.watermark
            parts.append(_WATERMARK.pack(level, watermark))
            if queue.finished:
                for block, last in queue.finished:
                    if last <= watermark:
                        self.delete_block(txn, group, level, block)
                queue.finished = tuple((block, last) for block, last in queue.finished if last > watermark)
        txn.put(_NUMBER.pack(group), b"".join(parts), db=self._groups)

    def delete_group(self, txn: Transaction, group: int) -> None:
        """Forget a group in which nothing waits."""
        txn.delete(_NUMBER.pack(group), db=self._groups)

    def put_arrivals(self, txn: Transaction, arrivals: int) -> None:
        """Write how many arrival numbers were given out: after a restart the next one follows."""
        txn.put(_ARRIVALS, _NUMBER.pack(arrivals), db=self._facts)

    # Log

    def append_log(self, txn: Transaction, record: Record) -> None:
        """Append a record to the log, unless it is empty."""
        if record.is_empty:
            return
        txn.put(_NUMBER.pack(self._next_log), compressed(packed(record)), db=self._log, append=True)
        self._next_log += 1

    def renew_log(self, txn: Transaction, changes: Changes, sizes: Sizes, runs: Iterable[LoggedRun]) -> None:
        """Replace the log by one that has all rows that are in no block."""
        txn.drop(self._log, delete=False)
        self.append_log(txn, Record(changes, sizes, NO_RUNS, b""))
        part: list[LoggedRun] = []
        part_bytes = 0
        for run in runs:
            part.append(run)
            part_bytes += len(run[2])
            if part_bytes > _LOG_PART_BYTES:
                self.append_log(txn, record_of(part))
                part, part_bytes = [], 0
        self.append_log(txn, record_of(part))

    # For those who only look: without a restart

    def records(self) -> Iterator[Record]:
        """What each commit appended since the log was begun anew."""
        with self._store.reading() as txn:
            for _, value in txn.cursor(self._log):
                yield unpacked(expanded(value))

    def sizes(self) -> dict[int, GroupSize]:
        """How many URLs wait in each group."""
        waiting: dict[int, int] = {}
        for record in self.records():
            waiting.update(zip(*(column.tolist() for column in record.sizes), strict=True))
        sizes = {}
        with self._store.reading() as txn:
            for key, value in txn.cursor(self._groups):
                number, group = _NUMBER.unpack(key)[0], _group_from(value)
                sizes[number] = GroupSize(group.name, waiting.get(number, 0), group.dropped_until)
        return sizes

    def waiting_by_server(self) -> Counter[str]:
        """How many URLs wait at each server."""
        waiting = Counter[str]()
        for size in self.sizes().values():
            if size.waiting:
                waiting[size.name] += size.waiting
        return waiting

    def rows_in_blocks(self, group: int) -> Iterator[tuple[int, bytes]]:
        """The rows of one group that are in blocks, with their levels; some are of visits that are over."""
        with self._store.reading() as txn, txn.cursor(self._blocks) as cursor:
            wanted = 0, group, 0, 0
            while cursor.set_range(_BLOCK_KEY.pack(*wanted)):
                spill, owner, level, first = _BLOCK_KEY.unpack(cursor.key())
                if owner == group:
                    rows = expanded(cursor.value())
                    yield from ((level - 32_768, rows[start : row_end(rows, start)]) for start in offsets(rows))
                    wanted = spill, group, level, first + 1
                else:  # keys are ordered by spill, then by group
                    wanted = spill + (owner > group), group, 0, 0

    # Restart

    def restore(self, groups: dict[int, WaitingGroup], seen: SeenSet) -> int:
        """Fill `groups` and `seen` with what was committed; the next arrival number."""
        with self._store.reading() as txn:
            for key, value in txn.cursor(self._groups):
                groups[_NUMBER.unpack(key)[0]] = _group_from(value)
            for key, _ in txn.cursor(self._blocks):
                spill, group, level, first = _BLOCK_KEY.unpack(key)
                groups[group].queue(level - 32_768).add_block(first << SPILL_BITS | spill)
            for _, value in txn.cursor(self._log):
                self._replay(unpacked(expanded(value)), groups, seen)
            arrivals = txn.get(_ARRIVALS, db=self._facts)
        for group, waiting in groups.items():
            for level, queue in waiting.queues.items():
                queue.settle(partial(self.block, group, level))
        return _NUMBER.unpack(arrivals)[0] if arrivals else 0

    def _replay(self, record: Record, groups: dict[int, WaitingGroup], seen: SeenSet) -> None:
        """Repeat what one commit changed."""
        seen.put_again(*record.changes)
        for group, waiting in zip(*(column.tolist() for column in record.sizes), strict=True):
            groups[group].waiting = waiting
        end = 0
        for group, level, length in zip(*(column.tolist() for column in record.runs), strict=True):
            rows = record.rows[end : end + length]
            end += length
            for start in offsets(rows):
                _queue_again(groups[group], level, rows[start : row_end(rows, start)])


def _block_key(group: int, level: int, block: Block) -> bytes:
    return _BLOCK_KEY.pack(block & _LAST_SPILL, group, level + 32_768, block >> SPILL_BITS)


def _blocks(rows: bytes) -> Iterator[tuple[int, bytes]]:
    """Rows cut into compressed blocks, each with the arrival of its first row."""
    start = 0
    while start < len(rows):
        end = _last_row_end(rows, start, start + _BLOCK_ROWS_BYTES)
        block = compressed(rows[start:end])
        if len(block) > BLOCK_BYTES:
            end = _last_row_end(rows, start, start + (end - start) * BLOCK_BYTES // len(block) * 9 // 10)
            block = compressed(rows[start:end])
        yield arrival_at(rows, start), block
        start = end


def _last_row_end(rows: bytes, start: int, limit: int) -> int:
    """The end of the last row that begins at `start` or later and ends by `limit`; at least one row is taken."""
    if len(rows) <= limit:
        return len(rows)
    end = row_end(rows, start)
    while (next_end := row_end(rows, end)) <= limit:
        end = next_end
    return end


def loose_rows(queue: Queue, flying: list[Visit], server_name: str) -> bytes:
    """The rows of a queue that are in no block: in flight, put back, or in its tail."""
    visits = [visit for visit in (*queue.returned, *flying) if visit.arrival in queue.loose]
    visits.sort(key=lambda visit: visit.arrival)
    return b"".join([packed_row(visit, server_name) for visit in visits]) + queue.tail[queue.tail_offset :]


def _group_from(value: bytes) -> WaitingGroup:
    dropped_until, name_length = _GROUP.unpack_from(value)
    names_end = _GROUP.size + name_length
    name = bytes(value[_GROUP.size : names_end]).decode()
    waiting = WaitingGroup(id_of(name), name)
    waiting.dropped_until = dropped_until
    for level, popped in _WATERMARK.iter_unpack(value[names_end:]):
        waiting.queue(level).popped = popped
    return waiting


def _queue_again(waiting: WaitingGroup, level: int, row: bytes) -> None:
    """Queue a row of the log, unless its visit was made or dropped before the kill."""
    queue = waiting.queue(level)
    arrival = arrival_at(row, 0)
    if arrival <= max(queue.popped, waiting.dropped_until):
        return
    if queue.blocks and arrival < queue.blocks[-1] >> SPILL_BITS:
        # The visit was in flight or put back when newer rows were written as blocks: it precedes them.
        queue.wait_again(visit_at(row, 0, (waiting.server, waiting.name, level, waiting.rank)))
    else:
        queue.append(row)


# Blocks and log records are compressed with LZ4, and guarded by a checksum. A block of some dozens of rows takes less
# than half of their size, and is expanded in about a microsecond. The codec is that of pyarrow, and opens no file.

_LZ4 = pyarrow.Codec("lz4_raw")
# Two numbers precede the compressed bytes: a checksum of all that follows, then the size of the expanded data.
_UINT32 = struct.Struct("<I")


def compressed(data: bytes | bytearray) -> bytes:
    """The data compressed, after a checksum."""
    body: bytes = _UINT32.pack(len(data)) + _LZ4.compress(data, asbytes=True)
    return _UINT32.pack(xxhash.xxh32_intdigest(body)) + body


def expanded(data: bytes) -> bytes:
    """The opposite of `compressed`."""
    body = data[_UINT32.size :]
    if len(body) < _UINT32.size or _UINT32.unpack_from(data)[0] != xxhash.xxh32_intdigest(body):
        raise DirectoryError("The frontier has a damaged record. Restore state/ from a copy.")
    result: bytes = _LZ4.decompress(body[_UINT32.size :], _UINT32.unpack_from(body)[0], asbytes=True)
    return result
