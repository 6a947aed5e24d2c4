"""`GraphWeb`: a web graph as a web that can be served, every page worked out when it is asked for.

Pages that were fetched are answered with HTML that has the graph's links; redirects lead to their first link; all
other nodes (failed, forbidden, only known) and URLs of no node are answered 404, as is every robots.txt.
"""

from pathlib import Path

import numpy as np

from exonym.batches import Outcome, language_name
from exonym.errors import ConfigError, UrlError
from exonym.testing.practice.graph_charsets import encoded
from exonym.testing.practice.graph_lookup import NodeLookup
from exonym.testing.practice.graph_pages import GraphPages, unwritable
from exonym.testing.practice.pages import PracticeResponse
from exonym.urls import normal_form
from exonym.webgraph import Graph
from exonym.webgraph.spelling import url_of

_AT_A_TIME = 1 << 22
_MISSING = PracticeResponse(404, (("Content-Type", "text/plain"),), b"No such page in this graph.\n")


class GraphWeb:
    """The web of a graph. Starts at once whatever its size: columns are mapped, and looked over once."""

    def __init__(self, graph: Graph) -> None:
        graph.check_numbers()
        self._graph = graph
        self._codes = _codes_in(graph)
        unknown = unwritable(self._codes, graph.manifest.languages)
        if unknown:
            raise ConfigError(
                f"{graph.directory} has pages in {', '.join(unknown)}, and practice webs have no words of that. "
                "Serve another graph."
            )
        self._lookup = NodeLookup(graph)
        self._pages = GraphPages(graph)
        self._charset = graph.column("charset") if graph.has("charset") else None

    @property
    def directory(self) -> Path:
        """Where the graph is."""
        return self._graph.directory

    @property
    def page_count(self) -> int:
        """Pages that were fetched; pages only known are not counted."""
        return self._graph.manifest.fetched

    @property
    def servers(self) -> range:
        """The numbers of all servers."""
        return range(self._graph.manifest.servers)

    @property
    def domains(self) -> list[str]:
        """The top-level domains."""
        return self._graph.manifest.domains

    @property
    def language(self) -> str:
        """The language that makes a page relevant; "" if the graph says none."""
        return next(iter(self._graph.manifest.languages), "")

    @property
    def languages(self) -> list[str]:
        """The languages that pages are written in, the one that makes a page relevant first."""
        found = {language_name(code) for code in self._codes if code} - {self.language}
        return [*filter(None, [self.language]), *sorted(found)]

    def seeds(self) -> list[str]:
        """The URLs that a crawl begins with."""
        return [self.url(node) for node in self._graph.seeds.tolist()]

    def url(self, node: int) -> str:
        """The URL of a node."""
        return url_of(self._graph, int(node))

    def node(self, url: str) -> int | None:
        """The node of a URL in normal form, or None."""
        return self._lookup.node(url)

    def respond(self, url: str, asked_before: int = 0) -> PracticeResponse:
        """The answer to any URL, the same however often it was asked before."""
        try:
            node = self.node(normal_form(url))
        except UrlError:
            return _MISSING
        outcome = Outcome.FAILED if node is None else int(self._graph.outcome[node])
        if node is not None and outcome == Outcome.PAGE:
            return self._page(node)
        targets = self._graph.links_of(node)[:1].tolist() if node is not None and outcome == Outcome.REDIRECT else []
        return PracticeResponse(302, (("Location", self.url(targets[0])),), b"") if targets else _MISSING

    def _page(self, node: int) -> PracticeResponse:
        charset = self._charset_of(node)
        body, label = encoded(self._pages.html(node, charset), charset)
        declared = f"text/html; charset={label}" if label else "text/html"
        return PracticeResponse(200, (("Content-Type", declared),), body)

    def _charset_of(self, node: int) -> str:
        """The charset of a page; "" if the graph has charsets, but none of this page."""
        if self._charset is None:
            return "utf-8"
        names, number = self._graph.manifest.charsets, int(self._charset[node])
        return names[number] if number < len(names) else ""


def _codes_in(graph: Graph) -> list[int]:
    """The codes of all languages that pages are in."""
    counts = np.zeros(1 << 16, dtype=np.int64)
    for first in range(0, len(graph.language), _AT_A_TIME):
        counts += np.bincount(graph.language[first : first + _AT_A_TIME], minlength=len(counts))
    codes: list[int] = np.flatnonzero(counts).tolist()
    return codes
