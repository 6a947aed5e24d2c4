"""The texts of a graph's links, and the places of both ends, as link models read them in training and in crawls.

A simulation asks for the links of one page at a time, so what all links share is worked out once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Rows, country_name
from exonym.models.links.features import LinkTexts
from exonym.nations.country import country_of_domain
from exonym.webgraph.graph import Graph
from exonym.webgraph.spelling import kept_texts, urls_of


class TextsOfGraph:
    """The texts and places of a graph's links, as a crawl would know them before it follows the links."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        # As plain arrays: each access to a memmap object costs microseconds.
        self._offsets, self._targets = np.asarray(graph.offsets), np.asarray(graph.targets)
        self._domain, self._domains = np.asarray(graph.domain), graph.manifest.domains
        self._country, self._countries = _countries(graph)

    def of(self, links: Rows) -> LinkTexts:
        """The texts and places of links; a graph that kept no words around links has empty ones."""
        sources, targets = self.sources(links), self._targets[links]
        return LinkTexts(
            urls=urls_of(self._graph, targets).to_pylist(),
            anchors=kept_texts(self._graph, "anchor", links).to_pylist(),
            around=self._around(links),
            source_domains=[self._domains[number] for number in self._domain[sources].tolist()],
            source_countries=[self._countries[number] for number in self._country[sources].tolist()],
            countries=[self._countries[number] for number in self._country[targets].tolist()],
        )

    def sources(self, links: Rows) -> NDArray[np.int64]:
        """The node that each link is on."""
        nodes: NDArray[np.int64] = np.searchsorted(self._offsets, links, side="right") - 1
        return nodes

    def _around(self, links: Rows) -> list[str]:
        if not self._graph.has("around"):
            return [""] * len(links)
        texts: list[str] = kept_texts(self._graph, "around", links).to_pylist()
        return texts


def _countries(graph: Graph) -> tuple[NDArray[Any], dict[int, str]]:
    """A number for each node, and the country of each number: by address where the graph knows it, else by domain."""
    if not graph.has("country"):
        return np.asarray(graph.domain), {
            number: country_of_domain(name) for number, name in enumerate(graph.manifest.domains)
        }
    return np.asarray(graph.column("country")), _CountryNames()


class _CountryNames(dict[int, str]):
    """The name of each country code, worked out when it is first needed."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, country_name(code))
