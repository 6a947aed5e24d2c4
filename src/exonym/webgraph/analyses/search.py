"""Breadth-first search over a graph in compressed rows, level by level, without a loop over nodes."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from exonym.webgraph.graph import Nodes

SearchLevels = NDArray[np.int32]
NEVER = -1
PART = 1 << 22
# A level with a smaller share of the nodes is sorted; for a larger one, scanning all nodes is cheaper.
_FEW = 1 / 64


class LinkRows(NamedTuple):
    """Who links to whom: the targets of node n are `targets[offsets[n]:offsets[n + 1]]`."""

    offsets: NDArray[np.int64]
    targets: Nodes

    def __len__(self) -> int:
        return len(self.offsets) - 1


def links_from(rows: LinkRows, nodes: Nodes, links: int = PART) -> Iterator[tuple[NDArray[np.int64], Nodes]]:
    """Every link of `nodes`, in parts: the position of its source in `nodes`, and its target."""
    starts = rows.offsets[nodes]
    counts = rows.offsets[nodes.astype(np.int64) + 1] - starts
    ends = np.cumsum(counts)
    whole = int(ends[-1]) if len(ends) else 0
    for first in range(0, whole, links):
        last = min(first + links, whole)
        begin = int(np.searchsorted(ends, first, "right"))
        end = int(np.searchsorted(ends, last, "left")) + 1
        inside = np.minimum(ends[begin:end], last) - np.maximum(ends[begin:end] - counts[begin:end], first)
        places = np.repeat(np.arange(begin, end), inside)
        shift = (starts - (ends - counts))[begin:end]
        yield places, rows.targets[np.arange(first, last) + np.repeat(shift, inside)]


def levels_from(rows: LinkRows, seeds: Nodes) -> SearchLevels:
    """The distance of each node from the nearest of `seeds`; NEVER where no path leads."""
    levels = np.full(len(rows), NEVER, dtype=np.int32)
    levels[seeds] = 0
    reached, level = distinct(seeds), 0
    while len(reached):
        level += 1
        parts = [reached[:0]]
        for _, targets in links_from(rows, reached):
            new = targets[levels[targets] == NEVER]
            levels[new] = level
            parts.append(new)
        is_large = sum(map(len, parts)) >= _FEW * len(rows)
        reached = np.flatnonzero(levels == level).astype(np.uint32) if is_large else distinct(np.concatenate(parts))
    return levels


Number = TypeVar("Number", bound=np.integer[Any])


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """Each number once, the smallest first.

    `numpy.unique` of NumPy 2.3 and later uses a hash table: sixty times as slow for four million distinct numbers.
    """
    return once_each(np.sort(numbers))


def once_each(ordered: NDArray[Number]) -> NDArray[Number]:
    """Each number once, from numbers that are sorted already."""
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
