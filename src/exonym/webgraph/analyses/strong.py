"""Strongly connected components: that of the best linked page by two searches, all others by Tarjan's algorithm.

The two searches, over whole arrays, settle nearly all of a web; links that lead from what they reach to what they do
not lie in no component, and what is left then is few enough for a loop over links.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.webgraph.analyses.degrees import in_degrees
from exonym.webgraph.analyses.links import link_parts, out_degrees
from exonym.webgraph.analyses.search import NEVER, LinkRows, distinct, levels_from
from exonym.webgraph.graph import Graph, Nodes

MOST_LINKS = 8_000_000  # that are looped over: about ten seconds
_ROUNDS = 20


class Strong(NamedTuple):
    """What the best linked page reaches, what reaches it, and the sizes of all components of two nodes and more."""

    forward: Flags
    backward: Flags
    sizes: list[int] | None  # None if too many links were left to tell


def strong_components(graph: Graph, most_links: int = MOST_LINKS) -> Strong:
    """The strongly connected components of a graph."""
    if not len(graph):
        return Strong(np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.bool_), [])
    out, into = out_degrees(graph), in_degrees(graph)
    best = np.array([np.argmax(out * into)], dtype=np.uint32)
    forward = levels_from(LinkRows(graph.offsets, graph.targets), best) != NEVER
    backward = levels_from(_reversed(graph, out), best) != NEVER
    # 0 lies in no further component; others only in one with nodes of the same number.
    regions = (1 + forward + 2 * backward.astype(np.uint8)).astype(np.uint8)
    regions[(out == 0) | (into == 0) | (forward & backward)] = 0
    left = _left(graph, regions)
    if len(left.targets) > most_links:
        return Strong(forward, backward, None)
    found = [int(np.count_nonzero(forward & backward)), *component_sizes(left.offsets.tolist(), left.targets.tolist())]
    return Strong(forward, backward, [size for size in found if size > 1])


def _reversed(graph: Graph, out: NDArray[np.int64]) -> LinkRows:
    """The links the other way round; those to pages without links are left out, from there nothing leads back."""
    has_links, end = out > 0, 0
    packed = np.empty(graph.manifest.links, dtype=np.uint64)
    for part in link_parts(graph):
        kept = has_links[part.targets]
        sources, targets = part.sources[kept], part.targets[kept]
        packed[end : end + len(targets)] = targets.astype(np.uint64) << np.uint64(32) | sources
        end += len(targets)
    packed = packed[:end]
    packed.sort()
    sources = packed.astype(np.uint32)
    packed >>= np.uint64(32)
    return LinkRows(_offsets(packed.view(np.int64), len(graph)), sources)


def _offsets(nodes: NDArray[np.integer], count: int) -> NDArray[np.int64]:
    """Where the links of each node begin, if these are the nodes at which links are filed, in order."""
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(nodes, minlength=count), out=offsets[1:])
    return offsets


def _left(graph: Graph, regions: NDArray[np.uint8]) -> LinkRows:
    """The links inside regions, without nodes that nothing leads to or from there; nodes are numbered anew."""
    sources, targets = [np.zeros(0, dtype=np.uint32)], [np.zeros(0, dtype=np.uint32)]
    for part in link_parts(graph):
        region = regions[part.sources]
        kept = (region > 0) & (region == regions[part.targets]) & (part.sources != part.targets)
        sources.append(part.sources[kept])
        targets.append(part.targets[kept])
    left, right = _trimmed(np.concatenate(sources), np.concatenate(targets), len(graph))
    names = distinct(np.concatenate([left, right]))
    return LinkRows(_offsets(np.searchsorted(names, left), len(names)), np.searchsorted(names, right).astype(np.uint32))


def _trimmed(sources: Nodes, targets: Nodes, nodes: int) -> tuple[Nodes, Nodes]:
    """The links without most of those that begin where nothing leads to, or end where nothing leads on."""
    for _ in range(_ROUNDS):
        is_source, is_target = np.zeros(nodes, dtype=np.bool_), np.zeros(nodes, dtype=np.bool_)
        is_source[sources], is_target[targets] = True, True
        kept = is_target[sources] & is_source[targets]
        if kept.all():
            break
        sources, targets = sources[kept], targets[kept]
    return sources, targets


def component_sizes(offsets: list[int], targets: list[int]) -> list[int]:
    """The sizes of the strongly connected components, by Tarjan's algorithm without recursion."""
    count = len(offsets) - 1
    order, low, is_open = [0] * count, [0] * count, [False] * count
    following, opened, sizes, seen = offsets[:count], list[int](), list[int](), 0
    for root in range(count):
        path = [] if order[root] else [root]
        while path:
            node = path[-1]
            if not order[node]:
                seen += 1
                order[node] = low[node] = seen
                is_open[node] = True
                opened.append(node)
            if following[node] < offsets[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if not order[target]:
                    path.append(target)
                elif is_open[target]:
                    low[node] = min(low[node], order[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            if low[node] == order[node]:
                sizes.append(_close(opened, is_open, node))
    return sizes


def _close(opened: list[int], is_open: list[bool], last: int) -> int:
    """Takes a component off the stack; how many nodes it has."""
    size, node = 0, -1
    while node != last:
        node = opened.pop()
        is_open[node] = False
        size += 1
    return size
