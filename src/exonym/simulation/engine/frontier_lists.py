"""First-in-first-out lists of waiting links, one for each distinct priority: to append or remove a link is one step."""

import numpy as np

from exonym.simulation.engine.compiling import inlined
from exonym.simulation.engine.frontier_arrays import (
    BLOCK,
    BLOCKS,
    BUCKETS,
    COUNT,
    FIRST,
    FREE_BLOCK,
    NONE,
    SLOTS,
    WaitingArrays,
    Whole,
)

_STEPS, _FACTOR = 524_288.0, 0x9E3779B1  # of the hash function for priorities


@inlined
def list_of(w: WaitingArrays, total: float) -> Whole:
    """The list of a priority, made if it is new; NONE if there is no room for another list."""
    at = (np.int64(total * _STEPS) * _FACTOR >> 7) & (SLOTS - 1)
    while w.slot[at] != NONE:
        if w.total[w.slot[at]] == total:
            return np.int64(w.slot[at])
        at = (at + 1) & (SLOTS - 1)
    count = w.scalars[COUNT]
    if count == BUCKETS:
        return np.int64(NONE)
    w.slot[at] = count
    w.total[count] = total
    w.scalars[COUNT] = count + 1
    _set_in_order(w, count)
    return count


@inlined
def _set_in_order(w: WaitingArrays, fresh: Whole) -> None:
    spot = fresh
    while spot > 0 and w.total[w.order[spot - 1]] < w.total[fresh]:
        w.order[spot] = w.order[spot - 1]
        w.place[w.order[spot]] = spot
        spot -= 1
    w.order[spot] = fresh
    w.place[fresh] = spot
    if w.scalars[FIRST] >= spot:  # the lists behind the new one have moved by one
        w.scalars[FIRST] += 1


@inlined
def append(w: WaitingArrays, bucket: Whole, node: Whole, arrival: Whole) -> None:
    """Append an entry to a list; positions count the entries of all blocks."""
    tail = w.tail[bucket]
    if tail == NONE or (tail + 1) % BLOCK == 0:
        tail = _new_block(w, bucket, tail) * BLOCK
    else:
        tail += 1
    w.tail[bucket] = tail
    w.listed[2 * tail] = node
    w.listed[2 * tail + 1] = arrival
    if w.place[bucket] < w.scalars[FIRST]:
        w.scalars[FIRST] = w.place[bucket]


@inlined
def _new_block(w: WaitingArrays, bucket: Whole, tail: Whole) -> Whole:
    block = w.scalars[FREE_BLOCK]
    if block == NONE:
        block = w.scalars[BLOCKS]
        w.scalars[BLOCKS] = block + 1
    else:
        w.scalars[FREE_BLOCK] = w.next_block[block]
    w.next_block[block] = NONE
    if tail == NONE:
        w.head[bucket] = block * BLOCK
    else:
        w.next_block[tail // BLOCK] = block
    return block


@inlined
def shift(w: WaitingArrays, bucket: Whole) -> None:
    """Remove the first entry of a list; a block without entries is free for other lists."""
    head = w.head[bucket]
    if head != w.tail[bucket] and (head + 1) % BLOCK:
        w.head[bucket] = head + 1
        return
    block = head // BLOCK
    if head == w.tail[bucket]:
        w.head[bucket] = NONE
        w.tail[bucket] = NONE
    else:
        w.head[bucket] = np.int64(w.next_block[block]) * BLOCK
    w.next_block[block] = w.scalars[FREE_BLOCK]
    w.scalars[FREE_BLOCK] = block
