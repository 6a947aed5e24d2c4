"""A simulation as its rules read: the same `Crawl` as a live one, the reference frontier, a page at a time.

Slow and plainly right: the compiled simulation is compared with it. Knows a web graph by its columns alone.
"""

from typing import NamedTuple

import numpy as np

from exonym.batches import NO_ROW, LinkBatch, Outcome, PageBatch, Readings, Visit, country_name
from exonym.crawl import Bounds, Crawl
from exonym.frontier.reference import ReferenceFrontier
from exonym.models.links.features import LinkTexts
from exonym.nations.country import country_of_domain
from exonym.politeness.delays import Politeness
from exonym.simulation.link_readings import link_model_of
from exonym.strategies.base import Strategy
from exonym.urls import id_of
from exonym.webgraph.graph import KNOWN, NOFOLLOW, Graph

_NO_TEXTS = LinkTexts([""], [""], [""], [""], [""], [""])


class Visited(NamedTuple):
    """One visit: where, how far from the last relevant page, by what priority, and the visit that led there."""

    node: int
    distance: int
    score: float
    source: int
    seconds: float = 0.0


class _Source(NamedTuple):
    """What vouches for links."""

    row: int = NO_ROW
    server: int = 0xFFFFFFFF  # no server has this number
    relevance: float = 1.0
    relevant: bool = True
    language: int = 0
    distance: int = 0
    hops: int = 0


class PlainSimulation:
    """Crawls `graph` with `strategy`; `run` gives the visits.

    With a delay, servers rest that long after each answer, and up to `connections` of them are asked together.
    """

    def __init__(self, graph: Graph, strategy: Strategy, bounds: Bounds = Bounds(), delay: float = 0.0) -> None:  # noqa: B008  # frozen
        self._graph, self._strategy, self._delay = graph, strategy, delay
        self._crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(delay), bounds)
        self._visits: list[Visited] = []

    def run(self, connections: int = 1) -> list[Visited]:
        """Crawl until a bound is reached or nothing waits."""
        self._crawl.add(self._links(_Source(), self._graph.seeds.tolist(), [0] * len(self._graph.seeds)))
        now = 0.0
        while due := self._crawl.due(now, connections):
            self._take(due, now)
            now += self._delay
        return self._visits

    def _take(self, visits: list[Visit], now: float) -> None:
        first = len(self._visits)
        self._visits += [Visited(one.url, one.distance, one.score, one.source, now) for one in visits]
        pages = PageBatch.join([self._page(visit, first + place) for place, visit in enumerate(visits)])
        links = LinkBatch.join([self._found(visit, first + place) for place, visit in enumerate(visits)])
        self._crawl.take(pages, links, now)

    def _found(self, visit: Visit, row: int) -> LinkBatch:
        source = self._source(visit, row)
        links = [] if source is None else self._followed(visit.url)
        return self._links(source or _Source(), self._graph.targets[links].tolist(), links)

    def _source(self, visit: Visit, row: int) -> _Source | None:
        """What vouches for the links of a page, or for where a redirect leads; None if nothing is followed."""
        graph, node = self._graph, visit.url
        if graph.outcome[node] == Outcome.REDIRECT:
            facts = (visit.source, visit.source_server, visit.source_relevance, visit.source_relevant)
            return _Source(*facts, visit.source_language, visit.distance, visit.hops + 1)
        if graph.outcome[node] != Outcome.PAGE:
            return None
        relevant = bool(graph.relevant[node])
        distance = 1 if relevant else visit.distance + 1
        return _Source(row, visit.server, self._relevance(node), relevant, int(graph.language[node]), distance)

    def _relevance(self, node: int) -> float:
        column = self._graph.column("relevance" if self._graph.has("relevance") else "relevant")
        return float(column[node])

    def _followed(self, node: int) -> list[int]:
        links = range(*self._graph.offsets[node : node + 2].tolist())
        if not self._graph.has("link_flags") or self._graph.outcome[node] == Outcome.REDIRECT:
            return list(links)
        flags = self._graph.column("link_flags")
        return [link for link in links if not flags[link] & NOFOLLOW]

    def _page(self, visit: Visit, row: int) -> PageBatch:
        graph, node = self._graph, visit.url
        outcome = Outcome.FAILED if graph.outcome[node] == KNOWN else int(graph.outcome[node])
        return PageBatch(
            url=np.array([node], np.uint64),
            server=np.array([visit.server], np.uint64),
            segment=np.array([visit.segment], np.uint64),
            distance=np.array([visit.distance], np.uint16),
            row=np.array([row], np.int64),
            outcome=np.array([outcome], np.uint8),
            relevance=np.array([self._relevance(node)], np.float32),
            relevant=np.array([graph.relevant[node]], np.bool_),
            language=np.array([graph.language[node]], np.uint16),
            note=np.array([visit.note], np.uint64),
        )

    def _links(self, source: _Source, targets: list[int], links: list[int]) -> LinkBatch:
        graph, count = self._graph, len(targets)
        names = graph.manifest.domains
        return LinkBatch(
            url=np.array(targets, np.uint64),
            server=graph.server[targets].astype(np.uint64),
            segment=graph.segment[targets].astype(np.uint64),
            distance=np.full(count, source.distance, np.uint16),
            source=np.full(count, source.row, np.int64),
            source_server=np.full(count, source.server, np.uint64),
            source_relevance=np.full(count, source.relevance, np.float32),
            source_relevant=np.full(count, source.relevant, np.bool_),
            source_language=np.full(count, source.language, np.uint16),
            hops=np.full(count, source.hops, np.uint8),
            found_relevant=np.zeros(count, np.uint8),
            found_irrelevant=np.zeros(count, np.uint8),
            domain=np.array([id_of(names[number]) for number in graph.domain[targets].tolist()], np.uint64),
            anchor_language=graph.column("anchor_language")[links] if graph.has("anchor_language") else None,
            target_relevant=np.asarray(graph.relevant[targets]),
            reading=self._readings(source, links) if "reading" in self._strategy.needs else None,
        )

    def _readings(self, source: _Source, links: list[int]) -> Readings:
        """What the strategy's model makes of links, one by one; behind a redirect, and of a seed, nothing is said."""
        model = link_model_of(self._strategy)
        is_said = source.row != NO_ROW and not source.hops
        read = [model.read(self._texts(link) if is_said else _NO_TEXTS) for link in links]
        return np.concatenate([np.zeros((0, 2), np.float32), *read])

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
