"""The waiting links of one group, level by level, partly on disk and partly in memory.

A `Queue` holds the links of one level, first in, first out: visits that were put back, then blocks on disk, then the
tail in memory. A `WaitingGroup` holds the queues of a group. Its turn (`turn_of`) is the place of its best link in the
order of all groups.
"""

import heapq
import struct
from array import array
from collections.abc import Callable
from functools import lru_cache

from exonym.batches import Visit
from exonym.frontier.base import priority_of
from exonym.frontier.link_rows import WaitingPlace, arrival_at, offsets, packed_row, row_end, text_at, visit_at

Block = int  # the arrival of its first row << SPILL_BITS | the spill that wrote it
LoadBlock = Callable[[Block], bytes]

SPILL_BITS = 20
_NO_BLOCKS: "array[Block]" = array("Q")  # shared, never changed

_FLOAT = struct.Struct(">d")
_BITS = struct.Struct(">Q")
_ARRIVAL_AND_GROUP = struct.Struct(">QQ")
_SIGN, _ALL = 1 << 63, (1 << 64) - 1


class Queue:
    """Links of one group and one level in order of arrival.

    A big crawl has millions of queues, nearly all of them idle: attributes of an idle queue are shared constants.
    """

    __slots__ = (
        "block_arrival",
        "blocks",
        "finished",
        "level",
        "loose",
        "offset",
        "open",
        "popped",
        "returned",
        "tail",
        "tail_offset",
    )

    def __init__(self, level: int) -> None:
        self.level = level
        self.returned: tuple[Visit, ...] = ()  # in order of arrival
        self.blocks = _NO_BLOCKS  # on disk
        self.offset = 0  # how far the first block has been read
        self.block_arrival = -1  # of its next row
        self.tail: bytes | bytearray = b""
        self.tail_offset = 0
        self.popped = -1  # arrival of the last row taken from blocks or tail
        self.open: tuple[int, ...] = ()  # arrivals popped and not yet done; those put back are among them
        self.loose: tuple[int, ...] = ()  # arrivals in `open` whose rows are in no block
        self.finished: tuple[tuple[Block, int], ...] = ()  # blocks read to their end, and their last arrival

    def append(self, row: bytes) -> None:
        """Append a link, the newest."""
        if self.tail:
            self.tail += row
        else:
            self.tail = bytearray(row)

    def first_arrival(self) -> int:
        """The arrival of the link that is next; -1 if nothing waits."""
        if self.returned and self._is_returned_next():
            return self.returned[0].arrival
        if self.blocks:
            return self.block_arrival
        return arrival_at(self.tail, self.tail_offset) if self.tail_offset < len(self.tail) else -1

    def _is_returned_next(self) -> bool:
        # After a kill, a block may hold rows that are older than a returned visit.
        return not self.blocks or self.returned[0].arrival < self.block_arrival

    @property
    def is_empty(self) -> bool:
        return not self.returned and not self.blocks and self.tail_offset >= len(self.tail)

    @property
    def watermark(self) -> int:
        """The arrival up to which all rows are done: a restart skips them."""
        return min(self.popped, min(self.open) - 1) if self.open else self.popped

    def take(self, place: WaitingPlace, load: LoadBlock) -> Visit:
        """Take the next link; it stays open until `close`."""
        if self.returned and self._is_returned_next():
            visit, self.returned = self.returned[0], self.returned[1:]
            return visit._replace(score=priority_of(place[3], self.level))
        if self.blocks:
            rows = load(self.blocks[0])
            visit = visit_at(rows, self.offset, place)
            self._step(rows, visit.arrival)
        else:
            visit = visit_at(self.tail, self.tail_offset, place)
            self.loose += (visit.arrival,)
            self.tail_offset = row_end(self.tail, self.tail_offset)
            if self.tail_offset >= len(self.tail):
                self.tail, self.tail_offset = b"", 0
        self.popped = visit.arrival
        self.open += (visit.arrival,)
        return visit

    def _step(self, rows: bytes, arrival: int) -> None:
        """Step over the first unread row, which has this arrival."""
        self.offset = end = row_end(rows, self.offset)
        if end < len(rows):
            self.block_arrival = arrival_at(rows, end)
            return
        self.finished += ((self.blocks.pop(0), arrival),)
        self.offset = 0
        self.block_arrival = self.blocks[0] >> SPILL_BITS if self.blocks else -1

    def add_block(self, block: Block) -> None:
        """Add a block on disk that holds the newest rows."""
        if self.blocks:
            self.blocks.append(block)
        else:
            self.blocks, self.block_arrival = array("Q", (block,)), block >> SPILL_BITS

    def settle(self, load: LoadBlock) -> None:
        """After a restart: step over the rows of the first block that were done before."""
        while self.blocks and self.block_arrival <= self.popped:
            self._step(load(self.blocks[0]), self.popped)

    def put_back(self, visit: Visit) -> None:
        """Queue a visit again, before all links that arrived later."""
        self.returned = tuple(sorted((*self.returned, visit), key=lambda returned: returned.arrival))

    def wait_again(self, visit: Visit) -> None:
        """After a restart: queue a visit from the log that is older than the rows in blocks."""
        self.put_back(visit)
        self.open += (visit.arrival,)
        self.loose += (visit.arrival,)

    def close(self, arrival: int) -> None:
        """Note that the visit with this arrival was made, or will not be made."""
        self.open = _without(self.open, arrival)
        self.loose = _without(self.loose, arrival)

    def texts(self, name: str, load: LoadBlock) -> list[str]:
        """The URLs of all waiting links."""
        return [text_at(row, 0, name) for row in self.rows(name, load)]

    def rows(self, name: str, load: LoadBlock) -> list[bytes]:
        """All waiting links as rows, in order of arrival."""
        rows = [packed_row(visit, name) for visit in self.returned]
        for number, block in enumerate(self.blocks):
            data = load(block)
            rows += [data[at : row_end(data, at)] for at in offsets(data, self.offset if number == 0 else 0)]
        tail = bytes(self.tail)
        rows += [tail[at : row_end(tail, at)] for at in offsets(tail, self.tail_offset)]
        return sorted(rows, key=lambda row: arrival_at(row, 0)) if self.returned else rows

    def clear(self) -> list[Block]:
        """Forget all waiting links, and return the blocks that can be deleted."""
        blocks = [*self.blocks, *(block for block, _ in self.finished)]
        for visit in self.returned:
            self.close(visit.arrival)
        self.returned, self.finished, self.blocks = (), (), _NO_BLOCKS
        self.offset, self.block_arrival = 0, -1
        self.tail, self.tail_offset = b"", 0
        return blocks


def _without(arrivals: tuple[int, ...], gone: int) -> tuple[int, ...]:
    if gone not in arrivals:
        return arrivals
    return tuple([arrival for arrival in arrivals if arrival != gone]) if len(arrivals) > 1 else ()


class WaitingGroup:
    """The waiting links of one group of the frontier."""

    __slots__ = ("dropped_until", "in_flight", "levels", "name", "queues", "rank", "server", "turn", "waiting")

    def __init__(self, server: int, name: str) -> None:
        self.server = server
        self.name = name  # of the server: rows do not repeat it
        self.rank = 0.0
        self.queues: dict[int, Queue] = {}
        self.levels: list[int] = []  # a heap of negative levels whose queues may have links
        self.waiting = 0  # URLs, not rows: a URL that was queued twice counts once
        self.in_flight = 0
        self.dropped_until = -1  # rows up to this arrival were dropped
        self.turn: bytes | None = None  # its entry in the frontier's heap

    def queue(self, level: int) -> Queue:
        """The queue of one level, for a caller that is about to add a link."""
        queue = self.queues.get(level)
        if queue is None:
            queue = self.queues[level] = Queue(level)
        if queue.is_empty:
            heapq.heappush(self.levels, -level)
        return queue

    def append(self, level: int, row: bytes) -> bool:
        """Append a link, the newest; whether the group's best link may have changed."""
        queue = self.queues.get(level)
        if queue is not None and queue.tail:
            queue.tail += row  # the usual case: nothing else changes
            return False
        self.queue(level).append(row)
        return True

    def best(self) -> Queue | None:
        """The queue of the highest level at which a link waits."""
        while self.levels:
            queue = self.queues.get(-self.levels[0])
            if queue is not None and (queue.tail_offset < len(queue.tail) or queue.blocks or queue.returned):
                return queue
            heapq.heappop(self.levels)
        return None

    def waiting_or_in_flight(self) -> int:
        """How many URLs wait after a kill now: those in flight wait again."""
        queues = self.queues.values()
        if self.in_flight == 0:
            return self.waiting
        flying = sum(arrival > self.dropped_until for queue in queues for arrival in queue.open)
        return self.waiting + flying - sum(len(queue.returned) for queue in queues)


def turn_of(priority: float, arrival: int, group: int) -> bytes:
    """The turn of a group whose best link has this priority and arrival.

    Turns are bytes that sort like (higher priority, earlier arrival): a heap compares bytes fastest.
    """
    return _sortable(-priority) + _ARRIVAL_AND_GROUP.pack(arrival, group)


def is_below(turn: bytes, priority: float) -> bool:
    """Whether the best link of the group that has this turn has a lower priority."""
    return turn[:8] > _sortable(-priority)


def group_of_turn(turn: bytes) -> int:
    """The group that has this turn."""
    group: int = _ARRIVAL_AND_GROUP.unpack_from(turn, 8)[1]
    return group


@lru_cache(maxsize=4096)
def _sortable(number: float) -> bytes:
    # IEEE 754 numbers sort like their bits, but negative numbers in reverse. Adding 0.0 makes 0.0 of -0.0.
    bits = _BITS.unpack(_FLOAT.pack(number + 0.0))[0]
    return _BITS.pack(bits ^ _ALL if bits & _SIGN else bits | _SIGN)
