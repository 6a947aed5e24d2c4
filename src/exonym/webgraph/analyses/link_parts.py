"""A graph's links in parts that fit into memory, each with its source; and which nodes are pages."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome
from exonym.webgraph.graph import Graph, Nodes

PART = 1 << 22  # links; a part takes about 100 bytes for each


class LinkPart(NamedTuple):
    """Consecutive links: the position of the first one, and the source and target of each."""

    first: int
    sources: Nodes
    targets: Nodes


def link_parts(graph: Graph, links: int = PART) -> Iterator[LinkPart]:
    """All links, in parts of at most `links`."""
    offsets, targets = graph.offsets, graph.targets
    for first in range(0, len(targets), links):
        last = min(first + links, len(targets))
        begin = int(np.searchsorted(offsets, first, "right")) - 1
        end = int(np.searchsorted(offsets, last, "left"))
        # Nodes at the two ends may have only some of their links in this part.
        ends = np.clip(offsets[begin : end + 1], first, last)
        sources = np.repeat(np.arange(begin, end, dtype=np.uint32), ends[1:] - ends[:-1])
        yield LinkPart(first, sources, np.asarray(targets[first:last]))


def fetched_pages(graph: Graph) -> Flags:
    """Which nodes are pages that were fetched, as opposed to failed requests and pages only known."""
    return np.asarray(graph.outcome == Outcome.PAGE)


def relevant_pages(graph: Graph) -> Flags:
    """Which nodes are relevant pages that were fetched."""
    return fetched_pages(graph) & graph.relevant


def inherited_pages(graph: Graph) -> Flags:
    """Which nodes are pages that show no language, and were taken to be in that of a page that links to them."""
    fetched = fetched_pages(graph)
    inherited: Flags = fetched & graph.column("inherited") if graph.has("inherited") else np.zeros_like(fetched)
    return inherited


def copied_pages(graph: Graph) -> Flags:
    """Which nodes are pages that repeat another page word for word; of several alike, the first is no copy."""
    fetched = fetched_pages(graph)
    if not graph.has("original"):
        return np.zeros_like(fetched)
    copied: Flags = fetched & (graph.column("original") != np.arange(len(graph)))
    return copied


class RelevantCounts(NamedTuple):
    """Relevant pages that were fetched, copies of each other as one, and those that inherited their language."""

    relevant: int
    relevant_inherited: int


def count_relevant(graph: Graph) -> RelevantCounts:
    """How many pages are relevant."""
    relevant = relevant_pages(graph)
    if graph.has("original"):
        _, first = np.unique(np.where(relevant, graph.column("original"), len(graph)), return_index=True)
        relevant = relevant & np.isin(np.arange(len(graph)), first)
    return RelevantCounts(int(np.count_nonzero(relevant)), int(np.count_nonzero(relevant & inherited_pages(graph))))


def out_degrees(graph: Graph) -> NDArray[np.int64]:
    """How many links each node has."""
    return np.diff(graph.offsets)
