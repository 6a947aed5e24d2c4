"""Weakly and strongly connected components, and the bow tie around the component of the best linked page.

SciPy finds the strongly connected components, in time and memory that grow with the links.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.report.table import Chart, Table, TableRow, powers_of_two, range_name, share
from exonym.webgraph.analyses.degrees import in_degrees
from exonym.webgraph.analyses.link_parts import fetched_pages, link_parts, out_degrees, relevant_pages
from exonym.webgraph.analyses.search import NEVER, LinkRows, levels_from, once_each
from exonym.webgraph.graph import Graph, Nodes

_COLUMNS = ("nodes", "share of nodes", "pages fetched", "relevant pages", "share of relevant pages")
_CHART = Chart("bar", ("nodes in the component",), ("components",), logarithmic=True)


def tables_of_components(graph: Graph) -> list[Table]:
    """Both kinds of components, and the bow tie."""
    strong = strong_components(graph)
    return [_weak_table(graph, strong.forward), _strong_table(graph, strong.sizes), _bow_tie(graph, strong)]


class Strong(NamedTuple):
    """The nodes that the best linked page reaches, those that reach it, and the sizes of components of two or more."""

    forward: Flags
    backward: Flags
    sizes: NDArray[np.int64]


def strong_components(graph: Graph) -> Strong:
    """The strongly connected components of a graph, and what leads to and from the best linked page."""
    from scipy.sparse.csgraph import connected_components

    if not len(graph):
        nothing = np.zeros(0, dtype=np.bool_)
        return Strong(nothing, nothing, np.zeros(0, dtype=np.int64))
    best = np.array([np.argmax(out_degrees(graph) * in_degrees(graph))], dtype=np.uint32)
    forward = levels_from(LinkRows(graph.offsets, graph.targets), best) != NEVER
    back = _links_back(graph)
    backward = levels_from(LinkRows(back.indptr, back.indices), best) != NEVER
    # Components are the same whichever way links point.
    sizes = np.bincount(connected_components(back, connection="strong")[1])
    return Strong(forward, backward, sizes[sizes > 1])


def _links_back(graph: Graph) -> Any:
    """The reversed links as a sparse matrix, each once: SciPy may not end if a row has a target twice.

    Links to pages without links are left out: such pages are in no component, and nothing leads back from them.
    """
    from scipy.sparse import csr_array

    has_links, end = out_degrees(graph) > 0, 0
    # Filled and sorted in place: joining parts would take three times the memory on the largest graphs.
    packed = np.empty(graph.manifest.links, dtype=np.uint64)
    for part in link_parts(graph):
        kept = has_links[part.targets]
        sources, targets = part.sources[kept], part.targets[kept]
        packed[end : end + len(targets)] = targets.astype(np.uint64) << np.uint64(32) | sources
        end += len(targets)
    packed = packed[:end]
    packed.sort()
    packed = once_each(packed)
    columns = packed.astype(np.uint32).view(np.int32)
    packed >>= np.uint64(32)
    offsets = np.zeros(len(graph) + 1, dtype=np.int32)
    np.cumsum(np.bincount(packed.view(np.int64), minlength=len(graph)), out=offsets[1:])
    ones = np.broadcast_to(np.float64(1.0), len(columns))  # SciPy wants a value for each link, and does not read it
    return csr_array((ones, columns, offsets), shape=(len(graph), len(graph)))


def weak_labels(graph: Graph, together: Flags) -> Nodes:
    """The least node of each node's weakly connected component; nodes `together` are known to share one."""
    labels = np.arange(len(graph), dtype=np.uint32)
    labels[together] = np.argmax(together) if len(graph) else 0
    for part in link_parts(graph):
        # Leaves out nearly all links of a web: 2 s instead of 21 for 124 M links.
        new = ~(together[part.sources] & together[part.targets])
        _join(labels, part.sources[new], part.targets[new])
    return _roots(labels, labels)


def _join(labels: Nodes, left: Nodes, right: Nodes) -> None:
    """Join the components of both ends of all links. A label is never larger than its node, so there are no cycles."""
    while len(left):
        left_roots, right_roots = _roots(labels, left), _roots(labels, right)
        labels[left], labels[right] = left_roots, right_roots
        apart = left_roots != right_roots
        left, right = left_roots[apart], right_roots[apart]
        higher = np.maximum(left, right)
        np.minimum.at(labels, higher, np.minimum(left, right))
        # Let nodes that were just joined point to their root: each round halves the chain, however long it is.
        while not np.array_equal(further := labels[labels[higher]], labels[higher]):
            labels[higher] = further


def _roots(labels: Nodes, nodes: Nodes) -> Nodes:
    roots = labels[nodes]
    while not np.array_equal(further := labels[roots], roots):
        roots = further
    return roots


def _weak_table(graph: Graph, together: Flags) -> Table:
    labels = weak_labels(graph, together)
    sizes, relevant = np.bincount(labels, minlength=1), np.bincount(labels[relevant_pages(graph)], minlength=1)
    relevant = np.pad(relevant, (0, len(sizes) - len(relevant)))[sizes > 0]
    sizes = sizes[sizes > 0]
    rows = list[TableRow]()
    largest = int(sizes.max(initial=0))
    for first, last in powers_of_two(largest)[1:]:
        inside = (sizes >= first) & (sizes <= last)
        nodes, found = int(sizes[inside].sum()), int(relevant[inside].sum())
        if nodes:
            shares = share(nodes, len(graph)), share(found, int(relevant.sum()))
            rows.append((range_name(first, last), int(np.count_nonzero(inside)), nodes, shares[0], found, shares[1]))
    columns = ("nodes in the component", "components", *_COLUMNS[:2], *_COLUMNS[3:])
    note = _sizes_note(len(sizes), largest)
    return Table("weak_components", "Weakly connected components", columns, tuple(rows), note, _CHART)


def _strong_table(graph: Graph, sizes: NDArray[np.int64]) -> Table:
    alone = len(graph) - int(sizes.sum())
    rows: list[TableRow] = [("1", alone, alone, share(alone, len(graph)))]
    for first, last in powers_of_two(int(sizes.max(initial=0)))[2:]:
        inside = sizes[(sizes >= first) & (sizes <= last)]
        if len(inside):
            nodes = int(inside.sum())
            rows.append((range_name(first, last), len(inside), nodes, share(nodes, len(graph))))
    note = _sizes_note(alone + len(sizes), int(sizes.max(initial=min(alone, 1))))
    columns = ("nodes in the component", "components", "nodes", "share of nodes")
    return Table("strong_components", "Strongly connected components", columns, tuple(rows), note, _CHART)


def _sizes_note(components: int, largest: int) -> str:
    return f"Components: {components:,}; nodes in the largest: {largest:,}."


def _bow_tie(graph: Graph, strong: Strong) -> Table:
    forward, backward = strong.forward, strong.backward
    parts = {
        "strongly connected": forward & backward,
        "leads to it": backward & ~forward,
        "is reached from it": forward & ~backward,
        "neither": ~forward & ~backward,
    }
    fetched, relevant = fetched_pages(graph), relevant_pages(graph)
    whole = int(np.count_nonzero(relevant))
    rows = list[TableRow]()
    for label, members in parts.items():
        nodes, found = int(np.count_nonzero(members)), int(np.count_nonzero(members & relevant))
        pages = int(np.count_nonzero(members & fetched))
        rows.append((label, nodes, share(nodes, len(graph)), pages, found, share(found, whole)))
    note = (
        "The component of the page with most links to it times links of it, and the nodes that lead to it or are "
        "reached from it."
    )
    caption = "The bow tie around the best linked page"
    chart = Chart("bar", ("part",), ("share of nodes", "share of relevant pages"))
    return Table("bow_tie", caption, ("part", *_COLUMNS), tuple(rows), note, chart)
