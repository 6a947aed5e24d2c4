"""A slow simulation, simple enough to be trusted: the `Crawl` of a live crawl over a graph, a page at a time.

The compiled simulation is compared with it. It reads nothing of a web graph but its columns.
"""

from typing import Any, NamedTuple

import numpy as np

from exonym.batches import BareLinks, Outcome, Visit, VisitResult, country_name
from exonym.crawl import Bounds, Crawl
from exonym.models.links.base import blank_reading
from exonym.models.links.features import LinkTexts
from exonym.nations.country import country_of_domain
from exonym.politeness.delays import Politeness
from exonym.strategies.base import Strategy, reads_links
from exonym.testing.reference import ReferenceFrontier, answered, paths_to
from exonym.urls import bare_server_of, id_of
from exonym.webgraph.graph import KNOWN, NOFOLLOW, Graph
from exonym.webgraph.url_spelling import url_of


class Visited(NamedTuple):
    """One visit: its node, distance, priority, the visit on which its link was found, and its time."""

    node: int
    distance: int
    score: float
    source: int
    seconds: float = 0.0


class PlainSimulation:
    """Crawls `graph` with `strategy`; `run` returns the visits.

    With a delay, servers rest that long after each answer, and up to `connections` of them answer at a time.
    """

    def __init__(self, graph: Graph, strategy: Strategy, bounds: Bounds = Bounds(), delay: float = 0.0) -> None:  # noqa: B008  # frozen
        self._graph, self._strategy, self._bounds, self._delay = graph, strategy, bounds, delay
        self._on_path = paths_to(lambda node: bool(graph.relevant[node]), graph.seeds.tolist(), self._found_by)

    def run(self, connections: int = 1) -> list[Visited]:
        """Crawl until a bound is reached or nothing waits."""
        self._contents: set[int] = set()  # of the pages fetched, each by its first node
        self._contents_of_servers: set[tuple[int, str]] = set()
        seeds = self._links(self._graph.seeds.tolist(), [0] * len(self._graph.seeds), has_texts=False)
        crawl = Crawl(ReferenceFrontier(self._strategy.group), self._strategy, Politeness(self._delay), self._bounds)
        self.probes = crawl.probes
        visited = answered(crawl, seeds, self._answer, connections, self._delay)
        return [Visited(visit.url, visit.distance, visit.score, visit.source, when) for when, (visit, *_) in visited]

    def _answer(self, visit: Visit, row: int) -> VisitResult:
        graph, node = self._graph, visit.url
        outcome = Outcome.FAILED if graph.outcome[node] == KNOWN else Outcome(int(graph.outcome[node]))
        relevance = float(graph.column("relevance" if graph.has("relevance") else "relevant")[node])
        verdict = relevance, bool(graph.relevant[node]), int(graph.language[node])
        original = int(graph.column("original")[node]) if graph.has("original") else node
        is_copy = outcome == Outcome.PAGE and original in self._contents
        server = bare_server_of(url_of(graph, node))
        is_own_copy = is_copy and (original, server) in self._contents_of_servers
        if outcome == Outcome.PAGE:
            self._contents.add(original)
            self._contents_of_servers.add((original, server))
        followed = self._followed(node)
        links = self._links(graph.targets[followed].tolist(), followed, has_texts=outcome == Outcome.PAGE)
        return VisitResult(visit, row, outcome, *verdict, links, is_copy=is_copy, is_own_copy=is_own_copy)

    def _followed(self, node: int) -> list[int]:
        """The links of a page or redirect that a crawl may follow."""
        graph = self._graph
        links = list(range(*graph.offsets[node : node + 2].tolist()))
        if not graph.has("link_flags") or graph.outcome[node] == Outcome.REDIRECT:
            return links
        flags = graph.column("link_flags")
        return [link for link in links if not flags[link] & NOFOLLOW]

    def _found_by(self, node: int) -> tuple[bool, list[int]]:
        outcome = self._graph.outcome[node]
        finds_links = outcome in (Outcome.PAGE, Outcome.REDIRECT)
        return outcome == Outcome.REDIRECT, self._graph.targets[self._followed(node)].tolist() if finds_links else []

    def _links(self, targets: list[int], links: list[int], has_texts: bool) -> BareLinks:
        """Links to nodes, by their numbers; those of seeds and redirects have no texts for a model to read."""
        graph = self._graph
        names = graph.manifest.domains
        columns: dict[str, Any] = {
            "domain": np.array([id_of(names[number]) for number in graph.domain[targets].tolist()], np.uint64),
            "target_relevant": np.asarray(graph.relevant[targets]),
            "on_path": np.array([target in self._on_path for target in targets], np.bool_),
        }
        if graph.has("anchor_language"):
            columns["anchor_language"] = graph.column("anchor_language")[links]
        if "text" in self._strategy.needs and graph.has("url"):
            columns["text"] = [url_of(graph, target) for target in targets]
        if has_texts and "anchor" in self._strategy.needs and graph.has("anchor"):
            columns["anchor"] = [graph.texts("anchor")[link] for link in links]
        if has_texts and "reading" in self._strategy.needs:
            model = reads_links(self._strategy).link_model
            read = [model.read(self._texts(link)) for link in links]
            columns["reading"] = np.concatenate([blank_reading(model)[:0], *read])
        server, segment = graph.server[targets].astype(np.uint64), graph.segment[targets].astype(np.uint64)
        return BareLinks(np.array(targets, np.uint64), server, segment, columns)

    def _texts(self, link: int) -> LinkTexts:
        graph = self._graph
        page, target = int(np.count_nonzero(graph.offsets <= link)) - 1, int(graph.targets[link])
        names = ("url", "anchor", "around")
        url, anchor, around = ([graph.texts(name)[at]] for name, at in zip(names, (target, link, link), strict=True))
        domain = graph.manifest.domains[int(graph.domain[page])]
        return LinkTexts(url, anchor, around, [domain], [self._country(page)], [self._country(target)])

    def _country(self, node: int) -> str:
        if self._graph.has("country"):
            return country_name(int(self._graph.column("country")[node]))
        return country_of_domain(self._graph.manifest.domains[int(self._graph.domain[node])])
