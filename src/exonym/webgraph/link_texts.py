"""What the links of a graph say, and where they lead from and to: as link models read them, in training and after.

A simulation asks for the links of one page after the other, so what concerns all of them is worked out once.
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
        # Plain arrays: every look into a memmap object costs microseconds.
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
        """The nodes that links are on."""
        found: NDArray[np.int64] = np.searchsorted(self._offsets, links, side="right") - 1
        return found

    def _around(self, links: Rows) -> list[str]:
        if not self._graph.has("around"):
            return [""] * len(links)
        found: list[str] = kept_texts(self._graph, "around", links).to_pylist()
        return found


def _countries(graph: Graph) -> tuple[NDArray[Any], dict[int, str]]:
    """A number for each node, and the country of each number: by address where the graph knows it, else by domain."""
    if not graph.has("country"):
        return np.asarray(graph.domain), {
            number: country_of_domain(name) for number, name in enumerate(graph.manifest.domains)
        }
    return np.asarray(graph.column("country")), _CountryNames()


class _CountryNames(dict[int, str]):
    """The names of countries, each worked out when it first comes."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, country_name(code))
