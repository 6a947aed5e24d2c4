"""The frontier of a live crawl, which survives a kill: a log of new links, and blocks of links that have waited long.

New links are appended to tails in memory and, at the next commit, to a log on disk as one record. When the tails take
more than `tail_bytes`, the longest of them are written as compressed blocks (a spill), and the log is rewritten with
the rest. So a commit writes a few kilobytes, a link is written about twice in all, and memory holds the tails, the
blocks being read (`open_blocks`), and one or two kilobytes a group.

`commit` writes into the caller's transaction; the caller calls `committed` once that transaction is durable.
"""

import heapq
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, FoundCounters, Group, Ids, LinkBatch, Visit
from exonym.frontier.aside import AsideLink, AsideLinks
from exonym.frontier.base import (
    ASIDE,
    MOST_SAMPLED,
    NO_FLOOR,
    NOT_FOLLOWED,
    VISITED,
    IsIn,
    IsOut,
    Levels,
    advanced_level,
    are_drawable,
    best_of_each,
    is_found,
    level_of,
    lowered_level,
    priority_of,
    raised_levels,
    saturated,
)
from exonym.frontier.blocks import FrontierTables, loose_rows
from exonym.frontier.link_rows import arrival_at, moved_row, packed_row, packed_rows, source_of, text_at, visit_at
from exonym.frontier.link_sample import LinkSample
from exonym.frontier.log import Changes, LoggedRun, Record, Runs, Sizes, joined
from exonym.frontier.queues import Block, Queue, WaitingGroup, group_of_turn, is_below, turn_of
from exonym.frontier.seen import Marks, SeenSet, Slots, counters_in, marks_of
from exonym.store import Store, Transaction
from exonym.urls import id_of, server_of


@dataclass(frozen=True, slots=True)
class DiskFrontierOptions:
    """How much memory the frontier may use in addition to the seen-set."""

    tail_bytes: int = 128_000_000
    open_blocks: int = 16_384


class WaitingQueue(NamedTuple):
    """The links that wait in one group at one level, in order of arrival, as rows of `link_rows`."""

    group: int
    name: str  # of the server
    level: int
    rows: list[bytes]


class DiskFrontier:
    """A `Frontier` in the tables of a store, and in a file of seen URLs."""

    def __init__(self, store: Store, seen_path: Path, group: Group, options: DiskFrontierOptions | None = None) -> None:
        self._group = group
        self._options = options or DiskFrontierOptions()
        self._seen = SeenSet(seen_path)
        self._tables = FrontierTables(store)
        self._groups: dict[int, WaitingGroup] = {}
        self._heap: list[bytes] = []  # turns; a turn that is not its group's current one is skipped
        self._parked: set[int] = set()
        self._stalled: dict[int, list[int]] = {}  # by parked server: its groups without a turn in the heap
        self._in_flight: dict[int, Visit] = {}
        self._touched: set[int] = set()  # groups popped from, dropped or created since the last commit
        self._grown: set[int] = set()  # groups that got more links since the last commit
        self._idle: set[int] = set()  # groups that may have empty queues
        self._dead_blocks: list[tuple[int, int, int]] = []  # group, level, block: to delete at the next commit
        self._open_blocks: OrderedDict[Block, bytes] = OrderedDict()
        self._new_runs: list[Runs] = []
        self._new_rows: list[bytes] = []
        self._tail_bytes = 0
        self._waiting = 0
        self._met: tuple[Ids, Slots] | None = None  # the URLs that were met last, and their slots in the seen-set
        self._is_out: IsOut = _all_in
        self._excluded: set[int] = set()  # groups that are out of the order
        self._waiting_outside = 0  # URLs that wait in them
        self._arrivals = self._tables.restore(self._groups, self._seen)
        self._aside = AsideLinks(store)
        self._sample = LinkSample(store)
        self._idle.update(self._groups)
        for group_id, waiting in self._groups.items():
            self._waiting += waiting.waiting
            self._tail_bytes += sum(len(queue.tail) for queue in waiting.queues.values())
            self._advertise(group_id, waiting)

    def __len__(self) -> int:
        return self._waiting - self._waiting_outside

    @property
    def aside(self) -> int:
        return self._waiting_outside + len(self._aside)

    @property
    def groups(self) -> Ids:
        """The groups in which something waits; after a restart their ranks must be set again."""
        return np.fromiter(self._groups, dtype=np.uint64, count=len(self._groups))

    # Finding and queueing

    def meet(self, links: LinkBatch, spoken: Flags | None = None) -> LinkBatch:
        urls, place = np.unique(links.url, return_inverse=True)
        slots = self._seen.claim(urls)
        known = counters_in(self._seen.marks[slots])
        more = [np.bincount(place, weights=flags, minlength=len(urls)) for flags in is_found(links, spoken)]
        counters = FoundCounters(*[saturated(np.add(*pair)) for pair in zip(known, more, strict=True)])
        self._seen.marks[slots] = marks_of(counters)
        self._met = links.url, slots[place]
        return links.counted(FoundCounters(*[column[place] for column in counters]))

    def counters_of(self, urls: Ids) -> FoundCounters:
        distinct, place = np.unique(urls, return_inverse=True)
        self._met = None  # `claim` may move its slots
        slots = self._seen.claim(distinct)  # which may make the table larger, so it comes first
        return counters_in(self._seen.marks[slots][place])

    def push(self, links: LinkBatch, scores: Floats, notes: Ids, ranks: Floats, scores_fall: bool = False) -> int:
        levels = level_of(scores)
        if self._met is not None and self._met[0] is links.url:
            slots = self._met[1]  # links that were just met (the usual case) need no second search
        else:
            distinct, place = np.unique(links.url, return_inverse=True)
            slots = self._seen.claim(distinct)[place]
        if scores_fall:
            levels = raised_levels(levels, self._seen.levels[slots])
        better = np.flatnonzero((levels > self._seen.levels[slots]) & ~np.isnan(ranks))
        if self._in_flight:
            flying = [url in self._in_flight for url in links.url[better].tolist()]
            better = better[~np.array(flying, dtype=np.bool_)]
        if not len(better):
            return 0
        chosen = best_of_each(links.url, levels, better)
        was_waiting = self._seen.levels[slots[chosen]] != NOT_FOLLOWED
        self._seen.levels[slots[chosen]] = levels[chosen]
        self._waiting += len(chosen) - int(np.count_nonzero(was_waiting))
        self._append(links.pick(chosen), levels[chosen], notes[chosen], ranks[chosen], was_waiting)
        return len(chosen)

    def _append(self, links: LinkBatch, levels: Levels, notes: Ids, ranks: Floats, was_waiting: Flags) -> None:
        """Append links to the tails of their groups, and to what the next commit writes to the log."""
        groups = links.server if self._group == Group.SERVER else links.segment
        rows = packed_rows(links, notes, self._arrivals)
        changed = {}  # the groups whose turn may have changed
        known = self._groups.get
        columns = (groups.tolist(), levels.tolist(), rows, ranks.tolist(), was_waiting.tolist())
        for position, (group, level, row, rank, is_old) in enumerate(zip(*columns, strict=True)):
            waiting = known(group) or self._new_group(group, links, position)
            waiting.waiting += not is_old
            if group in self._excluded:
                self._waiting_outside += not is_old
            if waiting.append(level, row) or waiting.rank != rank:
                waiting.rank = rank
                changed[group] = waiting
        lengths = np.array([len(row) for row in rows], dtype=np.uint32)
        self._new_runs.append(Runs(groups, levels, lengths))
        self._new_rows += rows
        if self._sample.is_kept:
            link_at = partial(self._link_at, columns)
            self._sample.put(links.url, are_drawable(levels, links.source), link_at)
        self._arrivals += len(rows)
        self._tail_bytes += int(lengths.sum())
        self._grown.update(columns[0])
        for group, waiting in changed.items():
            self._advertise(group, waiting)

    def _link_at(self, columns: tuple[list[int], list[int], list[bytes], object, object], place: int) -> AsideLink:
        group, level, row = columns[0][place], columns[1][place], columns[2][place]
        return AsideLink(group, self._groups[group].name, level, row)

    def _new_group(self, group: int, links: LinkBatch, position: int) -> WaitingGroup:
        assert links.text is not None, "the disk frontier stores URLs, so links must have them"
        name = server_of(links.text[position])
        return self._add_group(group, name)

    def _add_group(self, group: int, name: str) -> WaitingGroup:
        waiting = self._groups[group] = WaitingGroup(id_of(name), name)
        self._touched.add(group)
        if self._is_out(group, name):
            self._excluded.add(group)
        return waiting

    # Order

    def _advertise(self, group: int, waiting: WaitingGroup) -> None:
        """Push the turn of a group to the heap, unless the heap has it already."""
        best = waiting.best() if group not in self._excluded else None
        if best is None:
            waiting.turn = None
            return
        turn = turn_of(priority_of(waiting.rank, best.level), best.first_arrival(), group)
        if turn != waiting.turn:
            waiting.turn = turn
            heapq.heappush(self._heap, turn)

    def rerank(self, groups: Ids, ranks: Floats) -> None:
        for group, rank in zip(groups.tolist(), ranks.tolist(), strict=True):
            waiting = self._groups.get(group)
            if waiting is None:
                continue
            if np.isnan(rank):
                self._drop(group, waiting)
            elif rank != waiting.rank:
                waiting.rank = rank
                self._advertise(group, waiting)
        # Each new turn leaves the old one in the heap: build the heap anew when most of it is outdated.
        if len(self._heap) > 4 * len(self._groups) + 1_000:
            self._heap = [waiting.turn for waiting in self._groups.values() if waiting.turn is not None]
            heapq.heapify(self._heap)

    def _drop(self, group: int, waiting: WaitingGroup) -> None:
        """Forget all links that wait in a group; its blocks are deleted at the next commit."""
        for level, queue in waiting.queues.items():
            self._forget(queue.texts(waiting.name, partial(self._tables.block, group, level)), level)
            self._tail_bytes -= len(queue.tail)
            self._dead_blocks += [(group, level, block) for block in queue.clear()]
        for visit in self._in_flight.values() if waiting.in_flight else ():
            # A visit in flight counts as dropped if the crawl is killed; otherwise `done` will mark it as visited.
            if self._group_of(visit) == group:
                self._seen.set_level(visit.url, NOT_FOLLOWED)
                self._sample.discard(visit.url)
        self._count(group, waiting, -waiting.waiting)
        waiting.turn = None
        waiting.dropped_until = self._arrivals - 1
        self._touched.add(group)

    def _count(self, group: int, waiting: WaitingGroup, more: int) -> None:
        """Count that more URLs wait in a group."""
        waiting.waiting += more
        self._waiting += more
        if group in self._excluded:
            self._waiting_outside += more

    def _forget(self, texts: list[str], level: int) -> None:
        """Mark URLs that wait at `level` as not followed, so that they are queued when they are found again."""
        urls = np.unique(np.array([id_of(text) for text in texts], dtype=np.uint64))
        urls = urls[[url not in self._in_flight for url in urls.tolist()]]
        if self._sample.is_kept:
            for url in urls.tolist():
                self._sample.discard(url)
        self._met = None  # `claim` may move its slots
        slots = self._seen.claim(urls)
        stale = self._seen.levels[slots] != level  # queued again at a better level, or visited
        self._seen.levels[slots] = np.where(stale, self._seen.levels[slots], NOT_FOLLOWED)

    def pop(self, park: bool = False, least: float = NO_FLOOR) -> Visit | None:
        while self._heap:
            if least > NO_FLOOR and is_below(self._heap[0], least):
                return None
            turn = heapq.heappop(self._heap)
            group = group_of_turn(turn)
            waiting = self._groups.get(group)
            if waiting is None or waiting.turn is not turn:
                continue
            waiting.turn = None
            if waiting.server in self._parked:
                self._stalled.setdefault(waiting.server, []).append(group)
                continue
            visit = self._take(group, waiting)
            if visit is not None and park:
                self._parked.add(visit.server)
                self._stalled.setdefault(visit.server, []).append(group)
                return visit
            self._advertise(group, waiting)
            if visit is not None:
                return visit
        return None

    def _take(self, group: int, waiting: WaitingGroup) -> Visit | None:
        """Take the best link of a group; None if its row is outdated."""
        queue = waiting.best()
        assert queue is not None, "a group with a turn has a link that waits"
        before = len(queue.tail)
        place = waiting.server, waiting.name, queue.level, waiting.rank
        visit = queue.take(place, lambda block: self._load(group, queue, block))
        self._tail_bytes += len(queue.tail) - before
        self._touched.add(group)
        # A link that is queued again at a better level leaves its old row where it is: that row is skipped here.
        if visit.url in self._in_flight or self._seen.level(visit.url) != queue.level:
            queue.close(visit.arrival)
            return None
        self._in_flight[visit.url] = visit
        self._count(group, waiting, -1)
        waiting.in_flight += 1
        return visit

    def _load(self, group: int, queue: Queue, block: Block) -> bytes:
        """The rows of a block; the blocks that were opened last stay in memory."""
        rows = self._open_blocks.get(block)
        if rows is None:
            rows = self._open_blocks[block] = self._tables.block(group, queue.level, block)
            if len(self._open_blocks) > self._options.open_blocks:
                self._open_blocks.popitem(last=False)
        return rows

    def put_back(self, visit: Visit) -> None:
        group, waiting = self._end_flight(visit)
        if visit.arrival <= waiting.dropped_until:
            waiting.queues[visit.level].close(visit.arrival)
            self._seen.set_level(visit.url, NOT_FOLLOWED)
            return
        waiting.queue(visit.level).put_back(visit)
        self._count(group, waiting, 1)
        self._advertise(group, waiting)

    def lower(self, visit: Visit, score: float) -> None:
        group, waiting = self._end_flight(visit)
        waiting.queues[visit.level].close(visit.arrival)
        is_dropped = visit.arrival <= waiting.dropped_until
        level = NOT_FOLLOWED if is_dropped else lowered_level(visit.level, score)
        self._seen.set_level(visit.url, level)
        if not is_dropped:
            row = packed_row(visit._replace(arrival=self._arrivals), waiting.name)
            self._queue(WaitingQueue(group, waiting.name, level, [row]))

    def done(self, visit: Visit) -> None:
        _, waiting = self._end_flight(visit)
        waiting.queues[visit.level].close(visit.arrival)
        self._seen.set_level(visit.url, VISITED)
        self._sample.discard(visit.url)

    def is_visited(self, url: int) -> bool:
        """Whether the visit of a URL was made."""
        return self._seen.level(url) == VISITED

    def _end_flight(self, visit: Visit) -> tuple[int, WaitingGroup]:
        group = self._group_of(visit)
        del self._in_flight[visit.url]
        waiting = self._groups[group]
        waiting.in_flight -= 1
        self._touched.add(group)
        self._met = None  # `set_level` may move its slots
        return group, waiting

    def _group_of(self, visit: Visit) -> int:
        return visit.server if self._group == Group.SERVER else visit.segment

    def park(self, server: int) -> None:
        self._parked.add(server)

    def release(self, server: int) -> None:
        self._parked.discard(server)
        for group in self._stalled.pop(server, ()):
            if group in self._groups:
                self._advertise(group, self._groups[group])

    # Out of the order

    def set_aside(self, visit: Visit) -> None:
        group, waiting = self._end_flight(visit)
        waiting.queues[visit.level].close(visit.arrival)
        is_dropped = visit.arrival <= waiting.dropped_until
        self._seen.set_level(visit.url, NOT_FOLLOWED if is_dropped else ASIDE)
        self._sample.discard(visit.url)
        if not is_dropped:
            self._aside.add(AsideLink(group, waiting.name, visit.level, packed_row(visit, waiting.name)))

    def exclude(self, visit: Visit) -> None:
        group = self._group_of(visit)
        if group not in self._excluded:
            self._excluded.add(group)
            self._waiting_outside += self._groups[group].waiting
        self.put_back(visit)

    def rescope(self, is_out: IsOut, is_in: IsIn) -> Ids:
        self._is_out = is_out
        before, self._excluded, self._waiting_outside = self._excluded, set(), 0
        for group, waiting in self._groups.items():
            if is_out(group, waiting.name):
                self._excluded.add(group)
                self._waiting_outside += waiting.waiting
        for group in before ^ self._excluded:
            if group in self._groups:
                self._advertise(group, self._groups[group])
        back: dict[tuple[int, int, str], list[bytes]] = {}
        self._met = None  # `set_level` may move its slots
        for arrival, link in enumerate(self._aside.take(is_in), self._arrivals):
            row = moved_row(link.row, arrival, source_of(link.row))
            self._seen.set_level(id_of(link.text), link.level)
            back.setdefault((link.group, link.level, link.name), []).append(row)
        for (group, level, name), rows in back.items():
            self._queue(WaitingQueue(group, name, level, rows))
        return np.unique(np.array([group for group, _, _ in back], dtype=np.uint64))

    # Moving to another frontier

    def waiting_queues(self, is_wanted: Callable[[str], bool]) -> Iterator[WaitingQueue]:
        """The links that wait at servers that are wanted, queue by queue; outdated rows are left out."""
        for group, waiting in self._groups.items():
            if is_wanted(waiting.name):
                yield from self._queues_of(group, waiting)

    def _queues_of(self, group: int, waiting: WaitingGroup) -> Iterator[WaitingQueue]:
        for level, queue in waiting.queues.items():
            rows = {
                id_of(text_at(row, 0, waiting.name)): row
                for row in reversed(queue.rows(waiting.name, partial(self._tables.block, group, level)))
            }
            current = [row for url, row in reversed(rows.items()) if self._seen.level(url) == level]
            if current:
                yield WaitingQueue(group, waiting.name, level, current)

    def seen_urls(self) -> tuple[Ids, Levels, Marks]:
        """All URLs that were ever met, with their levels and counters."""
        return self._seen.entries()

    def adopt(self, queue: WaitingQueue) -> None:
        """Queue links as they waited in another frontier; their URLs must not wait here."""
        texts = [text_at(row, 0, queue.name) for row in queue.rows]
        self._met = None  # `claim` may move its slots
        slots = self._seen.claim(np.array([id_of(text) for text in texts], dtype=np.uint64))
        self._seen.levels[slots] = queue.level
        self._queue(queue)

    def _queue(self, queue: WaitingQueue) -> None:
        """Append links to a queue, the newest of all."""
        group, name, level, rows = queue
        waiting = self._groups.get(group) or self._add_group(group, name)
        for row in rows:
            waiting.append(level, row)
        self._count(group, waiting, len(rows))
        self._put_in_sample(queue)
        self._grown.add(group)
        data = b"".join(rows)
        self._new_runs.append(
            Runs(np.array([group], np.uint64), np.array([level], np.int16), np.array([len(data)], np.uint32))
        )
        self._new_rows.append(data)
        self._tail_bytes += len(data)
        self._arrivals = max(self._arrivals, arrival_at(rows[-1], 0) + 1)
        self._advertise(group, waiting)

    # Samples

    def keep_sample(self, most: int = MOST_SAMPLED) -> None:
        if self._sample.keep(most):
            for queue in self.waiting_queues(lambda server: True):
                self._put_in_sample(queue)
                if len(self._sample) > 2 * most:
                    self._sample.least(self._in_flight)

    def _put_in_sample(self, queue: WaitingQueue) -> None:
        if self._sample.is_kept:
            group, name, level, rows = queue
            urls = np.array([id_of(text_at(row, 0, name)) for row in rows], dtype=np.uint64)
            sources = np.array([source_of(row) for row in rows], dtype=np.int64)
            drawable = are_drawable(np.full(len(rows), level, dtype=np.int16), sources)
            self._sample.put(urls, drawable, lambda place: AsideLink(group, name, level, rows[place]))

    def sample(self) -> list[Visit]:
        links = self._sample.least(self._in_flight)
        return [
            visit_at(link.row, 0, (waiting.server, waiting.name, link.level, waiting.rank))
            for link in links
            if (waiting := self._groups[link.group]) and link.group not in self._excluded
        ]

    def advance(self, visit: Visit, score: float) -> None:
        group, level = self._group_of(visit), advanced_level(visit.level, score)
        waiting = self._groups[group]
        self._met = None  # `set_level` may move its slots
        self._seen.set_level(visit.url, level)
        self._count(group, waiting, -1)  # `_queue` counts it as another one
        row = packed_row(visit._replace(arrival=self._arrivals), waiting.name)
        self._queue(WaitingQueue(group, waiting.name, level, [row]))

    # What survives

    def commit(self, txn: Transaction) -> None:
        """Write all that changed since the last commit into the caller's transaction."""
        changes = Changes(*self._seen.recent())
        if self._tail_bytes > self._options.tail_bytes:
            self._seen.flush()  # the log that could rebuild the file of seen URLs is about to be replaced
            self._spill(txn, changes)
        else:
            sizes = self._sizes(self._touched | self._grown)
            self._tables.append_log(txn, Record(changes, sizes, joined(self._new_runs), b"".join(self._new_rows)))
        for group, level, block in self._dead_blocks:
            self._tables.delete_block(txn, group, level, block)
        for group in self._touched:
            self._tables.put_group(txn, group, self._groups[group])
        self._tables.put_arrivals(txn, self._arrivals)
        self._aside.commit(txn)
        self._sample.commit(txn)

    def _sizes(self, groups: Collection[int]) -> Sizes:
        waiting = [self._groups[group].waiting_or_in_flight() for group in groups]
        return Sizes(np.fromiter(groups, np.uint64, len(groups)), np.array(waiting, dtype=np.uint32))

    def _spill(self, txn: Transaction, changes: Changes) -> None:
        """Write the longest tails as blocks until the tails fill half of their room, and begin the log anew."""
        # A queue without a tail may have visits in flight, whose rows the new log needs too.
        busy = [(g, q) for g, w in self._groups.items() for q in w.queues.values() if q.tail or q.open]
        tails = sorted([pair for pair in busy if pair[1].tail], key=lambda pair: len(pair[1].tail), reverse=True)
        # Longest tails first, and down to half: few, full blocks, and a long time until the next spill.
        spilled = 0
        while spilled < len(tails) and self._tail_bytes > self._options.tail_bytes // 2:
            self._tail_bytes -= len(tails[spilled][1].tail)
            spilled += 1
        self._tables.write_blocks(txn, tails[:spilled])
        # Groups are forgotten only here, between two logs: records of the old log may name them, and a restart that
        # replays a record needs every group that the record names.
        self._forget_empty_groups(txn)
        self._tables.renew_log(txn, changes, self._sizes(self._groups), self._loose_runs(busy))

    def _loose_runs(self, busy: list[tuple[int, Queue]]) -> Iterator[LoggedRun]:
        """All rows that are in no block, for the new log."""
        flying: dict[tuple[int, int], list[Visit]] = {}
        for visit in self._in_flight.values():
            flying.setdefault((self._group_of(visit), visit.level), []).append(visit)
        for group, queue in busy:
            rows = loose_rows(queue, flying.get((group, queue.level), []), self._groups[group].name)
            if rows:
                yield group, queue.level, rows

    def _forget_empty_groups(self, txn: Transaction) -> None:
        """Forget empty queues, and groups without queues."""
        still_idle = set()
        for group in self._idle | self._touched:
            waiting = self._groups[group]
            empty = [queue for queue in waiting.queues.values() if queue.is_empty]
            for queue in empty:
                # A visit in flight may be put back, and finished blocks have yet to be deleted: look again next time.
                if queue.open or queue.finished:
                    still_idle.add(group)
                    continue
                del waiting.queues[queue.level]
            if not waiting.queues and not waiting.in_flight:
                del self._groups[group]
                self._touched.discard(group)
                self._tables.delete_group(txn, group)
        self._idle = still_idle

    def committed(self) -> None:
        """Forget what the last commit wrote: its transaction is durable."""
        self._new_runs.clear()
        self._new_rows.clear()
        self._idle |= self._touched
        self._touched.clear()
        self._grown.clear()
        self._dead_blocks.clear()
        self._met = None
        self._seen.absorb()
        self._aside.committed()
        self._sample.committed()


def _all_in(group: int, name: str) -> bool:
    return False
