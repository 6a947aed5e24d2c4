"""The arrays of a compiled frontier, and how they grow."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.frontier.base import NOT_FOLLOWED

NodeNumbers = NDArray[np.uint32]
ListPlaces = NDArray[np.int32]
Whole = Any  # an integer in compiled code: as wide as the items of the array it comes from
Real = Any
TruthArray = Any

BLOCK = 1024  # entries in a block of a list
BUCKETS = 4096  # priorities that have a list; links with further priorities wait in the heap
SLOTS = 4 * BUCKETS
NONE = -1
NOT_SKIPPED = -2
FREE, BUSY = 0, 1  # servers

_HEAP = ("heap_total", "heap_arrival", "heap_node", "heap_version")
# Columns of nodes, groups and servers.
_OF_WEB = ("level", "arrival", "group", "server", "rank", "version", "queue", "skipped_next", "busy", "skipped")

# Places in `scalars`.
ARRIVALS, WAITING, COUNT, FIRST, HEAP, FREE_BLOCK, BLOCKS, FREE_ENTRY, ENTRIES, QUEUES, ROUND, SKIPPED = range(12)


class WaitingArrays(NamedTuple):
    """The links that wait, by node, by priority and by group; an array of length 1 is not used."""

    scalars: NDArray[np.int64]
    # Of each node.
    level: NDArray[np.int16]
    arrival: NodeNumbers  # only with ranked groups: without them a node has one entry at its level
    group: NodeNumbers
    server: NodeNumbers
    # Of each group: its rank, how often the rank changed, its best queue, the next group skipped for the same server.
    rank: NDArray[np.float64]
    version: ListPlaces
    queue: ListPlaces
    skipped_next: ListPlaces
    # Of each server: whether it is free or busy, and the first group skipped since it is busy.
    busy: NDArray[np.uint8]
    skipped: ListPlaces
    # Lists: priority, first and last entry; the lists in order and the place of each; a hash table by priority.
    total: NDArray[np.float64]
    head: NDArray[np.int64]
    tail: NDArray[np.int64]
    order: ListPlaces
    place: ListPlaces
    slot: ListPlaces
    next_block: ListPlaces
    listed: NodeNumbers  # node and arrival of each entry
    # Queues of groups, one for each level.
    queue_level: NDArray[np.int16]
    queue_next: ListPlaces
    queue_head: ListPlaces
    queue_tail: ListPlaces
    entry_node: NodeNumbers
    entry_arrival: NodeNumbers
    entry_next: ListPlaces
    # The heap of groups.
    heap_total: NDArray[np.float64]
    heap_arrival: NodeNumbers
    heap_node: NodeNumbers
    heap_version: ListPlaces


class Shape(NamedTuple):
    """The sizes and kind of a frontier."""

    groups: int
    servers: int
    is_grouped: bool  # whether links are also queued by group, for groups that are ranked or skipped
    is_timed: bool  # whether servers can be busy


def new_waiting(group: NodeNumbers, server: NodeNumbers, shape: Shape) -> WaitingArrays:
    """An empty frontier for nodes of these groups and servers."""
    nodes = len(group)
    groups = shape.groups if shape.is_grouped else 1
    timed = (shape.groups, shape.servers) if shape.is_timed else (1, 1)
    scalars = np.zeros(12, np.int64)
    scalars[[FREE_BLOCK, FREE_ENTRY]] = NONE
    return WaitingArrays(
        scalars=scalars,
        level=np.full(nodes, NOT_FOLLOWED, np.int16),
        arrival=np.zeros(nodes if shape.is_grouped else 1, np.uint32),
        group=group,
        server=server,
        rank=np.zeros(groups),
        version=np.zeros(groups, np.int32),
        queue=_none(groups),
        skipped_next=np.full(timed[0], NOT_SKIPPED, np.int32),
        busy=np.full(timed[1], FREE, np.uint8),
        skipped=_none(timed[1]),
        total=np.zeros(BUCKETS),
        head=np.full(BUCKETS, NONE, np.int64),
        tail=np.full(BUCKETS, NONE, np.int64),
        order=np.zeros(BUCKETS, np.int32),
        place=np.zeros(BUCKETS, np.int32),
        slot=_none(SLOTS),
        next_block=_none(64),
        listed=np.zeros(64 * BLOCK * 2, np.uint32),
        queue_level=np.zeros(1024, np.int16),
        queue_next=_none(1024),
        queue_head=_none(1024),
        queue_tail=_none(1024),
        entry_node=np.zeros(1024, np.uint32),
        entry_arrival=np.zeros(1024, np.uint32),
        entry_next=_none(1024),
        heap_total=np.zeros(1024),
        heap_arrival=np.zeros(1024, np.uint32),
        heap_node=np.zeros(1024, np.uint32),
        heap_version=np.zeros(1024, np.int32),
    )


def another(waiting: WaitingArrays) -> WaitingArrays:
    """A second, empty frontier for other nodes and groups of the same web, whose columns it shares."""
    fresh = new_waiting(waiting.group[:1], waiting.server[:1], Shape(1, 1, False, False))
    return fresh._replace(**{name: getattr(waiting, name) for name in _OF_WEB})


def _none(length: int) -> ListPlaces:
    return np.full(length, NONE, np.int32)


def grown(waiting: WaitingArrays, links: int, groups: int) -> WaitingArrays:
    """The frontier with room for `links` more links and `groups` more heap entries of groups."""
    scalars = waiting.scalars
    blocks = int(scalars[BLOCKS]) + links // BLOCK + BUCKETS + 1
    changes = _longer(waiting, blocks, "next_block") | _longer(waiting, blocks * BLOCK * 2, "listed")
    if len(waiting.rank) > 1:
        queues = ("queue_level", "queue_next", "queue_head", "queue_tail")
        changes |= _longer(waiting, int(scalars[QUEUES]) + links, *queues)
        changes |= _longer(waiting, int(scalars[ENTRIES]) + links, "entry_node", "entry_arrival", "entry_next")
    if scalars[HEAP] + links + groups > len(waiting.heap_total):
        _tidy_heap(waiting)
    changes |= _longer(waiting, int(scalars[HEAP]) + links + groups, *_HEAP)
    return waiting._replace(**changes)


def _tidy_heap(waiting: WaitingArrays) -> None:
    """Remove the stale heap entries of groups; the others are sorted, and a sorted list is a heap."""
    size = int(waiting.scalars[HEAP])
    version, node = waiting.heap_version[:size], waiting.heap_node[:size]
    is_stale = np.zeros(size, np.bool_)
    if len(waiting.rank) > 1:  # else groups have no entries
        is_stale = (version >= 0) & (version != waiting.version[waiting.group[node]])
    left = np.flatnonzero(~is_stale)
    left = left[np.lexsort((waiting.heap_arrival[left], -waiting.heap_total[left]))]
    for name in _HEAP:
        column = getattr(waiting, name)
        column[: len(left)] = column[left]
    waiting.scalars[HEAP] = len(left)


def _longer(waiting: WaitingArrays, length: int, *names: str) -> dict[str, Any]:
    """Arrays of twice the length in place of those that are too short."""
    arrays = {name: getattr(waiting, name) for name in names}
    return {name: _extended(array, 2 * length) for name, array in arrays.items() if len(array) < length}


def _extended(array: NDArray[np.generic], length: int) -> NDArray[np.generic]:
    extended = np.empty(length, array.dtype)  # not zeros: memory that is not used costs nothing
    extended[: len(array)] = array
    return extended
