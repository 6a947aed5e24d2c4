"""`GraphWeb`: a web graph as a web that can be served; a page is written when it is requested.

The response to a page that was fetched is HTML with the graph's links; a redirect leads to its first link; all other
nodes (failed, forbidden, only known), unknown URLs and every robots.txt get status 404.
"""

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids, Outcome, language_name
from exonym.errors import GraphError, UrlError
from exonym.practice.graph.node_pages import GraphPages, encoded, unwritable
from exonym.practice.pages import PracticeResponse
from exonym.urls import id_of, normal_form
from exonym.webgraph import Graph
from exonym.webgraph.url_spelling import node_of, url_of

# The node of a URL: read from the spelling in generated graphs, looked up in graphs that keep URLs.

MOST_KEPT = 5_000_000  # URLs in a table: making a larger one would take too long
_LOOKED_UP_AT_A_TIME = 100_000


class NodeLookup:
    """Finds nodes by URL; a graph that keeps URLs needs a table, which is made for the first request."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._is_kept = graph.has("url")
        if self._is_kept and len(graph) > MOST_KEPT:
            raise GraphError(
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
        for first in range(0, len(ids), _LOOKED_UP_AT_A_TIME):
            last = min(first + _LOOKED_UP_AT_A_TIME, len(ids))
            ids[first:last] = [id_of(url) for url in urls.part(first, last)]
        order = np.argsort(ids, kind="stable")
        return ids[order], order


_AT_A_TIME = 1 << 22
_MISSING = PracticeResponse(404, (("Content-Type", "text/plain"),), b"No such page in this graph.\n")


class GraphWeb:
    """The web of a graph. A graph of any size starts at once: its columns are mapped, and checked once."""

    def __init__(self, graph: Graph) -> None:
        graph.check_numbers()
        self._graph = graph
        self._codes = _codes_in(graph)
        unknown = unwritable(self._codes, graph.manifest.languages)
        if unknown:
            raise GraphError(
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
        """The language that makes a page relevant; "" if the graph names none."""
        return next(iter(self._graph.manifest.languages), "")

    @property
    def languages(self) -> list[str]:
        """The languages that pages are written in, the one that makes a page relevant first."""
        others = {language_name(code) for code in self._codes if code} - {self.language}
        return [*filter(None, [self.language]), *sorted(others)]

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
        """The response to any URL; it is the same for every request."""
        try:
            node = self.node(normal_form(url))
        except UrlError:
            return _MISSING
        outcome = Outcome.FAILED if node is None else int(self._graph.outcome[node])
        if node is not None and outcome == Outcome.PAGE:
            charset = self._charset_of(node)
            body, label = encoded(self._pages.html(node, charset), charset)
            content_type = f"text/html; charset={label}" if label else "text/html"
            return PracticeResponse(200, (("Content-Type", content_type),), body)
        targets = self._graph.links_of(node)[:1].tolist() if node is not None and outcome == Outcome.REDIRECT else []
        return PracticeResponse(302, (("Location", self.url(targets[0])),), b"") if targets else _MISSING

    def _charset_of(self, node: int) -> str:
        """The charset of a page; "" if the graph has charsets, but none for this page."""
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
