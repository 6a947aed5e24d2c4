"""The texts of a graph's links, and the places of both ends, as link models read them in training and in crawls.

A simulation asks for the links of one page at a time, so what all links share is worked out once.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Rows, country_name
from exonym.models.links.features import LinkTexts
from exonym.nations.country import country_of_domain
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import kept_texts, urls_of


class TextsOfGraph:
    """The texts and places of a graph's links, as a crawl would know them before it follows the links."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._has_around = graph, graph.has("around")
        # As plain arrays: each access to a memmap object costs microseconds.
        self._offsets, self._targets = np.asarray(graph.offsets), np.asarray(graph.targets)
        self._domain, self._domains = np.asarray(graph.domain), graph.manifest.domains
        # A number for each node, and the country of a number: by address where the graph knows it, else by domain.
        has_country = graph.has("country")
        self._country = np.asarray(graph.column("country")) if has_country else self._domain
        of_domains = [] if has_country else [country_of_domain(name) for name in self._domains]
        self._country_of: Callable[[int], str] = cache(country_name) if has_country else of_domains.__getitem__

    def of(self, links: Rows) -> LinkTexts:
        """The texts and places of links; a graph that kept no words around links has empty ones."""
        sources, targets = self.sources(links), self._targets[links]
        return LinkTexts(
            urls=urls_of(self._graph, targets).to_pylist(),
            anchors=kept_texts(self._graph, "anchor", links).to_pylist(),
            around=kept_texts(self._graph, "around", links).to_pylist() if self._has_around else [""] * len(links),
            source_domains=[self._domains[number] for number in self._domain[sources].tolist()],
            source_countries=list(map(self._country_of, self._country[sources].tolist())),
            countries=list(map(self._country_of, self._country[targets].tolist())),
        )

    def sources(self, links: Rows) -> NDArray[np.int64]:
        """The node that each link is on."""
        nodes: NDArray[np.int64] = np.searchsorted(self._offsets, links, side="right") - 1
        return nodes
