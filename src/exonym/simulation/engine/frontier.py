"""The rules of the frontier, compiled: links are ordered by rank + score, ties by arrival.

A new link is appended to the list of its priority. When its group gets a new rank, that entry is stale, and one entry
for the whole group is pushed to a heap. The entry of a node that was visited, or was found again with a better score,
is stale too. Stale entries are skipped when they come first.
"""

import numpy as np

from exonym.frontier.base import LEVELS_PER_UNIT, NOT_FOLLOWED, VISITED
from exonym.simulation.engine.compiling import inlined
from exonym.simulation.engine.frontier_arrays import (
    ARRIVALS,
    COUNT,
    FIRST,
    FREE,
    HEAP,
    NONE,
    NOT_SKIPPED,
    SKIPPED,
    WAITING,
    Real,
    TruthArray,
    WaitingArrays,
    Whole,
)
from exonym.simulation.engine.frontier_groups import PLAIN, drop_all, enqueue, heap_pop, heap_push, push_group
from exonym.simulation.engine.frontier_lists import append, list_of, shift


@inlined
def queue(w: WaitingArrays, node: Whole, level: Whole) -> None:
    """Queue a node at a level that is better than its present one."""
    if w.level[node] == NOT_FOLLOWED:
        w.scalars[WAITING] += 1
    arrival = w.scalars[ARRIVALS]
    w.scalars[ARRIVALS] = arrival + 1
    w.level[node] = level
    rank: Real = 0.0
    if len(w.rank) > 1:
        w.arrival[node] = arrival
        rank = w.rank[w.group[node]]
        enqueue(w, w.group[node], level, node)
    total = rank + level / LEVELS_PER_UNIT
    bucket = list_of(w, total)
    if bucket == NONE:
        heap_push(w, total, node, arrival, PLAIN)
    else:
        append(w, bucket, node, arrival)


@inlined
def rerank(w: WaitingArrays, group: Whole, rank: float) -> None:
    """Give a group a new rank; NaN drops all links that wait there."""
    old = w.rank[group]
    if rank == old or (np.isnan(rank) and np.isnan(old)):
        return
    w.rank[group] = rank
    w.version[group] += 1
    if np.isnan(rank):
        drop_all(w, group)
    else:
        push_group(w, group)


@inlined
def _is_current(w: WaitingArrays, node: Whole, arrival: Whole, total: float) -> TruthArray:
    """Whether an entry is not stale: its node waits by this link, with this priority."""
    level = w.level[node]
    if len(w.rank) == 1:
        return level / LEVELS_PER_UNIT == total
    if level == VISITED or w.arrival[node] != arrival or level == NOT_FOLLOWED:  # noqa: SIM109
        return False
    return w.rank[w.group[node]] + level / LEVELS_PER_UNIT == total


@inlined
def _best_list(w: WaitingArrays) -> Whole:
    """The best list that has a link, without stale entries at its head; NONE if there is none."""
    while w.scalars[FIRST] < w.scalars[COUNT]:
        bucket = np.int64(w.order[w.scalars[FIRST]])
        while w.head[bucket] != NONE:
            head = w.head[bucket]
            if _is_current(w, w.listed[2 * head], w.listed[2 * head + 1], w.total[bucket]):
                return bucket
            shift(w, bucket)
        w.scalars[FIRST] += 1
    return np.int64(NONE)


@inlined
def _clean_heap(w: WaitingArrays) -> None:
    """Remove stale entries from the top of the heap."""
    while w.scalars[HEAP] > 0:
        node, version = w.heap_node[0], w.heap_version[0]
        is_of_group = len(w.rank) > 1 and version == w.version[w.group[node]]
        if _is_current(w, node, w.heap_arrival[0], w.heap_total[0]) and (version == PLAIN or is_of_group):
            return
        heap_pop(w)
        if is_of_group:
            push_group(w, w.group[node])


@inlined
def _is_list_first(w: WaitingArrays, bucket: Whole) -> TruthArray:
    """Whether the head of a list comes before the top of the heap; at least one of them exists."""
    if bucket == NONE or w.scalars[HEAP] == 0:
        return bucket != NONE
    if w.heap_total[0] != w.total[bucket]:
        return w.total[bucket] > w.heap_total[0]
    return w.listed[2 * w.head[bucket] + 1] <= w.heap_arrival[0]


@inlined
def pop(w: WaitingArrays, least: Real) -> tuple[Whole, Real]:
    """Take the best waiting node whose server is not busy: the node and its priority; NONE if there is none.

    Nodes whose priority is below `least` wait on.

    The best node is at the head of the best list or at the top of the heap. A node whose server is busy is taken out of
    there without being visited: `release` brings its group back.
    """
    while True:
        bucket = _best_list(w)
        _clean_heap(w)
        if bucket == NONE and w.scalars[HEAP] == 0:
            return np.int64(NONE), 0.0
        is_listed = _is_list_first(w, bucket)
        node = np.int64(w.listed[2 * w.head[bucket]]) if is_listed else np.int64(w.heap_node[0])
        total = w.total[bucket] if is_listed else w.heap_total[0]
        if total < least:
            return np.int64(NONE), 0.0
        is_busy = len(w.busy) > 1 and w.busy[w.server[node]] != FREE
        if is_busy:
            _skip(w, node)
        else:
            w.level[node] = VISITED
            w.scalars[WAITING] -= 1
        if is_listed:
            shift(w, bucket)
        else:
            # The entry of a group stands for its best link only: the next best one needs a new entry.
            is_of_group = w.heap_version[0] != PLAIN
            heap_pop(w)
            if is_of_group and not is_busy:
                push_group(w, w.group[node])
        if not is_busy:
            return node, total


@inlined
def _skip(w: WaitingArrays, node: Whole) -> None:
    """Remember the group of a link whose server is busy: `release` pushes it to the heap."""
    group, server = w.group[node], w.server[node]
    if w.skipped_next[group] == NOT_SKIPPED:
        w.skipped_next[group] = w.skipped[server]
        w.skipped[server] = group
        w.scalars[SKIPPED] += 1


@inlined
def release(w: WaitingArrays, server: Whole) -> None:
    """End the time in which a server is busy: push the groups that were skipped to the heap."""
    w.busy[server] = FREE
    group = w.skipped[server]
    w.skipped[server] = NONE
    while group != NONE:
        following = w.skipped_next[group]
        w.skipped_next[group] = NOT_SKIPPED
        w.scalars[SKIPPED] -= 1
        w.version[group] += 1
        if not np.isnan(w.rank[group]):
            push_group(w, group)
        group = following
