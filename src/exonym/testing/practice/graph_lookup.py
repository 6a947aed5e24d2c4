"""From a URL to its node in a graph that is served: read from the spelling, or looked up where URLs were kept."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids
from exonym.errors import ConfigError
from exonym.urls import id_of
from exonym.webgraph import Graph
from exonym.webgraph.spelling import node_of, url_of

MOST_KEPT = 5_000_000  # URLs: the table of more would take too long, and only generated graphs need none
_AT_A_TIME = 100_000


class NodeLookup:
    """Finds nodes by URL; the table, if there must be one, is made when the first URL is asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._is_kept = graph.has("url")
        if self._is_kept and len(graph) > MOST_KEPT:
            raise ConfigError(
                f"{graph.directory} has {len(graph):,} URLs, more than the {MOST_KEPT:,} that can be looked up. "
                "Serve a smaller graph, or one from `exonym graph generate`."
            )

    def node(self, url: str) -> int | None:
        """The node of a URL in normal form, or None."""
        if not self._is_kept:
            return node_of(self._graph, url)
        ids, nodes = self._table
        wanted = id_of(url)
        place = int(np.searchsorted(ids, np.uint64(wanted)))
        if place == len(ids) or int(ids[place]) != wanted:
            return None
        node = int(nodes[place])
        return node if url_of(self._graph, node) == url else None

    @cached_property
    def _table(self) -> tuple[Ids, NDArray[np.intp]]:
        """Ids of all URLs in order, and their nodes."""
        urls, ids = self._graph.texts("url"), np.empty(len(self._graph), np.uint64)
        for first in range(0, len(ids), _AT_A_TIME):
            last = min(first + _AT_A_TIME, len(ids))
            ids[first:last] = [id_of(url) for url in urls.part(first, last)]
        order = np.argsort(ids, kind="stable")
        return ids[order], order
