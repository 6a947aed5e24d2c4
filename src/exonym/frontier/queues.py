"""The waiting links of one group, level by level, partly on disk and partly in memory.

A `Queue` holds one level, first in first out: visits that were put back, then blocks on disk,
then the tail in memory. A `Waiting` is a group: its queues, and which of them is best.
"""

import heapq
from bisect import insort
from collections import deque
from collections.abc import Callable

from exonym.frontier.base import priority_of
from exonym.frontier.rows import Place, arrival_at, offsets, row_end, text_at, visit_at
from exonym.model import Visit

LoadBlock = Callable[[int], bytes]  # first arrival → rows


class Queue:
    """Links of one group and one level in order of arrival."""

    __slots__ = (
        "block_arrival",
        "blocks",
        "finished",
        "head",
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
        self.returned: list[tuple[int, Visit]] = []
        self.blocks: deque[int] = deque()  # first arrival of each block on disk
        self.head: bytes | None = None  # the first block's rows, while in the cache
        self.offset = 0  # how far the first block has been read
        self.block_arrival = -1  # of its next row, known even when the block is not in the cache
        self.tail = bytearray()
        self.tail_offset = 0
        self.popped = -1  # arrival of the last row taken from blocks or tail
        self.open: list[int] = []  # arrivals popped and not yet done
        self.loose: set[int] = set()  # those of them that stand in no block
        self.finished: list[tuple[int, int]] = []  # blocks read to their end: first and last arrival

    def first_arrival(self) -> int:
        """The arrival of the link that is next; -1 if nothing waits."""
        if self.returned and self._is_returned_next():
            return self.returned[0][0]
        if self.blocks:
            return self.block_arrival
        return arrival_at(self.tail, self.tail_offset) if self.tail_offset < len(self.tail) else -1

    def _is_returned_next(self) -> bool:
        # After a kill an older row may stand in a block that was kept for it.
        return not self.blocks or self.returned[0][0] < self.block_arrival

    @property
    def is_empty(self) -> bool:
        return not self.returned and not self.blocks and self.tail_offset >= len(self.tail)

    @property
    def watermark(self) -> int:
        """All rows up to this arrival are done with: a restart need not read them again."""
        return min(self.popped, min(self.open) - 1) if self.open else self.popped

    def take(self, place: Place, load: LoadBlock) -> Visit:
        """The next link; it stays open until `close`."""
        if self.returned and self._is_returned_next():
            return self.returned.pop(0)[1]._replace(score=priority_of(place.rank, self.level))
        visit = self._from_block(place, load) if self.blocks else self._from_tail(place)
        self.popped = visit.arrival
        self.open.append(visit.arrival)
        return visit

    def _from_block(self, place: Place, load: LoadBlock) -> Visit:
        rows = self._loaded(load)
        visit = visit_at(rows, self.offset, place)
        self.offset = row_end(rows, self.offset)
        self._step(rows, visit.arrival)
        return visit

    def _step(self, rows: bytes, last_arrival: int) -> None:
        if self.offset < len(rows):
            self.block_arrival = arrival_at(rows, self.offset)
            return
        self.finished.append((self.blocks.popleft(), last_arrival))
        self.head, self.offset = None, 0
        self.block_arrival = self.blocks[0] if self.blocks else -1

    def _from_tail(self, place: Place) -> Visit:
        visit = visit_at(self.tail, self.tail_offset, place)
        self.loose.add(visit.arrival)
        self.tail_offset = row_end(self.tail, self.tail_offset)
        if self.tail_offset >= len(self.tail):
            self.tail, self.tail_offset = bytearray(), 0
        return visit

    def _loaded(self, load: LoadBlock) -> bytes:
        if self.head is None:
            self.head = load(self.blocks[0])
        return self.head

    def add_block(self, first_arrival: int) -> None:
        """Another block on disk holds the newest rows."""
        self.blocks.append(first_arrival)
        if len(self.blocks) == 1:
            self.block_arrival = first_arrival

    def settle(self, load: LoadBlock) -> None:
        """After a restart: step over the rows of the first block that were done before."""
        while self.blocks and self.block_arrival <= self.popped:
            rows = self._loaded(load)
            self.offset = row_end(rows, self.offset)
            self._step(rows, self.popped)

    def put_back(self, visit: Visit) -> None:
        """Wait again, before all that arrived later."""
        insort(self.returned, (visit.arrival, visit), key=lambda pair: pair[0])

    def wait_again(self, visit: Visit) -> None:
        """After a restart: a visit from the log whose turn is before rows in blocks."""
        self.put_back(visit)
        self.open.append(visit.arrival)
        self.loose.add(visit.arrival)

    def close(self, arrival: int) -> None:
        """The visit with this arrival was made, or is not to be made."""
        if arrival in self.open:
            self.open.remove(arrival)
            self.loose.discard(arrival)

    def texts(self, name: str, load: LoadBlock) -> list[str]:
        """The URLs of all that waits here."""
        texts = [visit.text for _, visit in self.returned]
        for number, block in enumerate(self.blocks):
            rows = self._loaded(load) if number == 0 else load(block)
            texts += [text_at(rows, offset, name) for offset in offsets(rows, self.offset if number == 0 else 0)]
        return texts + [text_at(self.tail, offset, name) for offset in offsets(self.tail, self.tail_offset)]

    def clear(self) -> list[int]:
        """Forget all that waits; the blocks that can go from the disk."""
        gone = [*self.blocks, *(first for first, _ in self.finished)]
        for arrival, _ in self.returned:
            self.close(arrival)
        self.returned, self.finished = [], []
        self.blocks.clear()
        self.head, self.offset, self.block_arrival = None, 0, -1
        self.tail, self.tail_offset = bytearray(), 0
        return gone


class Waiting:
    """One group of the frontier."""

    __slots__ = ("dropped_until", "in_flight", "key", "levels", "name", "queues", "rank", "server", "waiting")

    def __init__(self, server: int, name: str) -> None:
        self.server = server
        self.name = name  # of the server: rows leave it out
        self.rank = 0.0
        self.queues: dict[int, Queue] = {}
        self.levels: list[int] = []  # a heap of negative levels that may have something waiting
        self.waiting = 0  # URLs, not rows: a link queued again is counted once
        self.in_flight = 0
        self.dropped_until = -1  # rows up to this arrival were dropped
        self.key: tuple[float, int] | None = None  # as advertised to the frontier's heap

    def queue(self, level: int) -> Queue:
        """The queue of one level, known from now on as one that may have something."""
        queue = self.queues.get(level)
        if queue is None:
            queue = self.queues[level] = Queue(level)
        if queue.is_empty:
            heapq.heappush(self.levels, -level)
        return queue

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
