"""The waiting links of one group, level by level, partly on disk and partly in memory.

A `Queue` holds one level, first in first out: visits that were put back, then blocks on disk,
then the tail in memory. A `WaitingGroup` is a group: its queues, and which of them is best.
"""

import heapq
from array import array
from collections.abc import Callable

from exonym.batches import Visit
from exonym.frontier.base import priority_of
from exonym.frontier.rows import WaitingPlace, arrival_at, offsets, row_end, text_at, visit_at

Block = int  # the arrival of its first row << SPILL_BITS | the spill that wrote it
LoadBlock = Callable[[Block], bytes]

SPILL_BITS = 20
_NO_BLOCKS: "array[Block]" = array("Q")  # shared, never changed


class Queue:
    """Links of one group and one level in order of arrival.

    A big crawl has millions of these, nearly all of them idle: what an idle one does not need takes no memory.
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
        self.open: tuple[int, ...] = ()  # arrivals popped and not yet done
        self.loose: tuple[int, ...] = ()  # those of them that stand in no block
        self.finished: tuple[tuple[Block, int], ...] = ()  # blocks read to their end, and their last arrival

    def append(self, row: bytes) -> None:
        """One more link, the newest."""
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
        # After a kill an older row may stand in a block that was kept for it.
        return not self.blocks or self.returned[0].arrival < self.block_arrival

    @property
    def is_empty(self) -> bool:
        return not self.returned and not self.blocks and self.tail_offset >= len(self.tail)

    @property
    def watermark(self) -> int:
        """All rows up to this arrival are done with: a restart need not read them again."""
        return min(self.popped, min(self.open) - 1) if self.open else self.popped

    def take(self, place: WaitingPlace, load: LoadBlock) -> Visit:
        """The next link; it stays open until `close`."""
        if self.returned and self._is_returned_next():
            visit, self.returned = self.returned[0], self.returned[1:]
            return visit._replace(score=priority_of(place[3], self.level))
        visit = self._from_block(place, load) if self.blocks else self._from_tail(place)
        self.popped = visit.arrival
        self.open += (visit.arrival,)
        return visit

    def _from_block(self, place: WaitingPlace, load: LoadBlock) -> Visit:
        rows = load(self.blocks[0])
        visit = visit_at(rows, self.offset, place)
        self._step(rows, visit.arrival)
        return visit

    def _step(self, rows: bytes, arrival: int) -> None:
        """Go behind the row with this arrival, which is the first that was not read."""
        self.offset = end = row_end(rows, self.offset)
        if end < len(rows):
            self.block_arrival = arrival_at(rows, end)
            return
        self.finished += ((self.blocks.pop(0), arrival),)
        self.offset = 0
        self.block_arrival = self.blocks[0] >> SPILL_BITS if self.blocks else -1

    def _from_tail(self, place: WaitingPlace) -> Visit:
        visit = visit_at(self.tail, self.tail_offset, place)
        self.loose += (visit.arrival,)
        self.tail_offset = row_end(self.tail, self.tail_offset)
        if self.tail_offset >= len(self.tail):
            self.tail, self.tail_offset = b"", 0
        return visit

    def add_block(self, block: Block) -> None:
        """Another block on disk holds the newest rows."""
        if self.blocks:
            self.blocks.append(block)
        else:
            self.blocks, self.block_arrival = array("Q", (block,)), block >> SPILL_BITS

    def settle(self, load: LoadBlock) -> None:
        """After a restart: step over the rows of the first block that were done before."""
        while self.blocks and self.block_arrival <= self.popped:
            self._step(load(self.blocks[0]), self.popped)

    def put_back(self, visit: Visit) -> None:
        """Wait again, before all that arrived later."""
        self.returned = tuple(sorted((*self.returned, visit), key=lambda one: one.arrival))

    def wait_again(self, visit: Visit) -> None:
        """After a restart: a visit from the log whose turn is before rows in blocks."""
        self.put_back(visit)
        self.open += (visit.arrival,)
        self.loose += (visit.arrival,)

    def close(self, arrival: int) -> None:
        """The visit with this arrival was made, or is not to be made."""
        self.open = _without(self.open, arrival)
        self.loose = _without(self.loose, arrival)

    def texts(self, name: str, load: LoadBlock) -> list[str]:
        """The URLs of all that waits here."""
        texts = [visit.text for visit in self.returned]
        for number, block in enumerate(self.blocks):
            rows = load(block)
            texts += [text_at(rows, offset, name) for offset in offsets(rows, self.offset if number == 0 else 0)]
        return texts + [text_at(self.tail, offset, name) for offset in offsets(self.tail, self.tail_offset)]

    def clear(self) -> list[Block]:
        """Forget all that waits; the blocks that can go from the disk."""
        gone = [*self.blocks, *(block for block, _ in self.finished)]
        for visit in self.returned:
            self.close(visit.arrival)
        self.returned, self.finished, self.blocks = (), (), _NO_BLOCKS
        self.offset, self.block_arrival = 0, -1
        self.tail, self.tail_offset = b"", 0
        return gone


def _without(arrivals: tuple[int, ...], gone: int) -> tuple[int, ...]:
    if gone not in arrivals:
        return arrivals
    return tuple([arrival for arrival in arrivals if arrival != gone]) if len(arrivals) > 1 else ()


class WaitingGroup:
    """One group of the frontier."""

    __slots__ = ("dropped_until", "in_flight", "levels", "name", "queues", "rank", "server", "turn", "waiting")

    def __init__(self, server: int, name: str) -> None:
        self.server = server
        self.name = name  # of the server: rows leave it out
        self.rank = 0.0
        self.queues: dict[int, Queue] = {}
        self.levels: list[int] = []  # a heap of negative levels that may have something waiting
        self.waiting = 0  # URLs, not rows: a link queued again is counted once
        self.in_flight = 0
        self.dropped_until = -1  # rows up to this arrival were dropped
        self.turn: bytes | None = None  # as it stands in the frontier's heap

    def queue(self, level: int) -> Queue:
        """The queue of one level, known from now on as one that may have something."""
        queue = self.queues.get(level)
        if queue is None:
            queue = self.queues[level] = Queue(level)
        if queue.is_empty:
            heapq.heappush(self.levels, -level)
        return queue

    def append(self, level: int, row: bytes) -> bool:
        """One more link, the newest; whether the group may now have a better one than before."""
        queue = self.queues.get(level)
        if queue is not None and queue.tail:
            queue.tail += row  # the usual case: nothing else changes
            return False
        self.queue(level).append(row)
        return True

    def best(self) -> Queue | None:
        """The highest level's queue that has something."""
        while self.levels:
            queue = self.queues.get(-self.levels[0])
            if queue is not None and (queue.tail_offset < len(queue.tail) or queue.blocks or queue.returned):
                return queue
            heapq.heappop(self.levels)
        return None

    def waiting_or_in_flight(self) -> int:
        """How many URLs wait if the crawl is killed now: those in flight wait again."""
        queues = self.queues.values()
        if self.in_flight == 0:
            return self.waiting
        flying = sum(arrival > self.dropped_until for queue in queues for arrival in queue.open)
        return self.waiting + flying - sum(len(queue.returned) for queue in queues)
