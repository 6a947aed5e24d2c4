"""The nodes of URLs: the other way round of spelling them."""

from collections.abc import Sequence

import numpy as np

from exonym.webgraph.graph import Graph
from exonym.webgraph.spelling import kept_texts, node_of

_PART = 1 << 20  # addresses looked through at a time


def nodes_of(graph: Graph, urls: Sequence[str]) -> dict[str, int]:
    """The node of each URL in normal form that the graph has; of several nodes with the same URL the first."""
    wanted = list(dict.fromkeys(urls))
    return _kept(graph, wanted) if graph.has("url") else _spelled(graph, wanted)


def _spelled(graph: Graph, urls: list[str]) -> dict[str, int]:
    found = {url: node_of(graph, url) for url in urls}
    return {url: node for url, node in found.items() if node is not None}


def _kept(graph: Graph, urls: list[str]) -> dict[str, int]:
    import pyarrow
    import pyarrow.compute

    wanted = pyarrow.array(urls, pyarrow.large_string())
    nodes: dict[str, int] = {}
    for first in range(0, len(graph), _PART):
        places = np.arange(first, min(first + _PART, len(graph)))
        numbers = pyarrow.compute.index_in(kept_texts(graph, "url", places), value_set=wanted)
        for place in np.flatnonzero(numbers.is_valid().to_numpy(zero_copy_only=False)).tolist():
            nodes.setdefault(urls[numbers[place].as_py()], first + place)
    return nodes
