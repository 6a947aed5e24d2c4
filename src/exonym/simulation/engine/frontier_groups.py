"""Ranked groups: a queue for each group and level, and a heap with one entry a group, for its best link.

The heap entry of a group has the version that the group had when it was pushed. When the rank changes, the version goes
up: the old entry is stale, and a new one is pushed.
"""

from exonym.frontier.base import LEVELS_PER_UNIT, NOT_FOLLOWED
from exonym.simulation.engine.compiling import inlined
from exonym.simulation.engine.frontier_arrays import (
    ENTRIES,
    FREE_ENTRY,
    HEAP,
    NONE,
    QUEUES,
    WAITING,
    Real,
    TruthArray,
    WaitingArrays,
    Whole,
)

PLAIN = -1  # in place of a version: the entry is that of a single link, not of a group


@inlined
def _is_before(w: WaitingArrays, one: Whole, other: Whole) -> TruthArray:
    if w.heap_total[one] != w.heap_total[other]:
        return w.heap_total[one] > w.heap_total[other]
    return w.heap_arrival[one] < w.heap_arrival[other]


@inlined
def _swap(w: WaitingArrays, one: Whole, other: Whole) -> None:
    w.heap_total[one], w.heap_total[other] = w.heap_total[other], w.heap_total[one]
    w.heap_arrival[one], w.heap_arrival[other] = w.heap_arrival[other], w.heap_arrival[one]
    w.heap_node[one], w.heap_node[other] = w.heap_node[other], w.heap_node[one]
    w.heap_version[one], w.heap_version[other] = w.heap_version[other], w.heap_version[one]


@inlined
def heap_push(w: WaitingArrays, total: Real, node: Whole, arrival: Whole, version: Whole) -> None:
    """Push an entry to the heap."""
    at = w.scalars[HEAP]
    w.scalars[HEAP] = at + 1
    w.heap_total[at] = total
    w.heap_arrival[at] = arrival
    w.heap_node[at] = node
    w.heap_version[at] = version
    while at > 0 and _is_before(w, at, (at - 1) // 2):
        _swap(w, at, (at - 1) // 2)
        at = (at - 1) // 2


@inlined
def heap_pop(w: WaitingArrays) -> None:
    """Remove the top entry of the heap."""
    size = w.scalars[HEAP] - 1
    w.scalars[HEAP] = size
    _swap(w, 0, size)
    at = 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _is_before(w, child + 1, child):
            child += 1
        if not _is_before(w, child, at):
            return
        _swap(w, at, child)
        at = child


@inlined
def enqueue(w: WaitingArrays, group: Whole, level: Whole, node: Whole) -> None:
    """Append a node to the queue of a group and level."""
    at = _queue_of(w, group, level)
    entry = w.scalars[FREE_ENTRY]
    if entry == NONE:
        entry = w.scalars[ENTRIES]
        w.scalars[ENTRIES] = entry + 1
    else:
        w.scalars[FREE_ENTRY] = w.entry_next[entry]
    w.entry_node[entry] = node
    w.entry_arrival[entry] = w.arrival[node]
    w.entry_next[entry] = NONE
    if w.queue_tail[at] == NONE:
        w.queue_head[at] = entry
    else:
        w.entry_next[w.queue_tail[at]] = entry
    w.queue_tail[at] = entry


@inlined
def _queue_of(w: WaitingArrays, group: Whole, level: Whole) -> Whole:
    """The queue of a group and level, made if it is new. A group has few levels: its queues are a list, best first."""
    before: Whole = NONE
    at: Whole = w.queue[group]
    while at != NONE and w.queue_level[at] > level:
        before, at = at, w.queue_next[at]
    if at != NONE and w.queue_level[at] == level:
        return at
    fresh = w.scalars[QUEUES]
    w.scalars[QUEUES] = fresh + 1
    w.queue_level[fresh] = level
    w.queue_next[fresh] = at
    w.queue_head[fresh] = NONE
    w.queue_tail[fresh] = NONE
    if before == NONE:
        w.queue[group] = fresh
    else:
        w.queue_next[before] = fresh
    return fresh


@inlined
def _next_waiting(w: WaitingArrays, at: Whole) -> Whole:
    """The first queue, from `at` on, whose first entry is that of a waiting link; entries before it are removed."""
    while at != NONE:
        while w.queue_head[at] != NONE:
            entry = w.queue_head[at]
            node = w.entry_node[entry]
            if w.level[node] == w.queue_level[at] and w.arrival[node] == w.entry_arrival[entry]:
                return at
            w.queue_head[at] = w.entry_next[entry]
            if w.queue_head[at] == NONE:
                w.queue_tail[at] = NONE
            w.entry_next[entry] = w.scalars[FREE_ENTRY]
            w.scalars[FREE_ENTRY] = entry
        at = w.queue_next[at]
    return at


@inlined
def push_group(w: WaitingArrays, group: Whole) -> None:
    """Push an entry for the best waiting link of a group to the heap."""
    at = _next_waiting(w, w.queue[group])
    if at != NONE:
        entry = w.queue_head[at]
        total = w.rank[group] + w.queue_level[at] / LEVELS_PER_UNIT
        heap_push(w, total, w.entry_node[entry], w.entry_arrival[entry], w.version[group])


@inlined
def drop_all(w: WaitingArrays, group: Whole) -> None:
    """Forget all waiting links of a group; found again, they may be queued again."""
    at = _next_waiting(w, w.queue[group])
    while at != NONE:
        w.level[w.entry_node[w.queue_head[at]]] = NOT_FOLLOWED
        w.scalars[WAITING] -= 1
        at = _next_waiting(w, at)
