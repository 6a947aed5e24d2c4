"""Link and page batches for strategies, filled from the columns of a graph."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import (
    LINK_COLUMNS,
    NO_ROW,
    NO_SEGMENT,
    NO_SERVER,
    Codes,
    Counters,
    Flags,
    FoundCounters,
    Ids,
    LinkBatch,
    Outcome,
    PageBatch,
    Readings,
    Relevances,
    Rows,
    WaitingBatch,
    uncounted,
)
from exonym.errors import ColumnError
from exonym.simulation.engine.arrays import NOBODY, VISITS, CrawlState, Web
from exonym.simulation.engine.asking import GatheredLinks
from exonym.simulation.engine.judge import judged_relevance
from exonym.simulation.link_readings import LinkReadings, check_texts
from exonym.strategies.base import Strategy, reads_links
from exonym.strategies.best_first import STEPS
from exonym.urls import id_of
from exonym.webgraph.graph import KNOWN, Graph
from exonym.webgraph.url_spelling import kept_texts, urls_of

_IN_GRAPHS = LINK_COLUMNS.keys() - {"place"}
_IF_IMPORTED = {"anchor": "with anchors", "anchor_language": "with anchors", "around": "with --keep-around"}
_TEXTS = {"text": "url", "anchor": "anchor"}  # the columns of graphs that hold texts of links
_OF_SEGMENTS = frozenset(["segment_relevance", "segment_degree"])


def check_needs(strategy: Strategy, graph: Graph) -> None:
    """Raise unless the graph has the columns that the strategy needs."""
    if "reading" in strategy.needs:
        check_texts(graph, reads_links(strategy).link_model)
    for name in sorted(strategy.needs):
        if name not in _IN_GRAPHS:
            raise ColumnError(f"the strategy needs {name}, which graphs do not keep. Run it in a live crawl.")
        if name in _IF_IMPORTED and not graph.has(name) and name not in getattr(strategy, "may_lack", ()):
            how = _IF_IMPORTED[name]
            raise ColumnError(f"the strategy needs {name}, and {graph.directory} has none. Import {how}.")


def needs_in_graph(strategy: Strategy, graph: Graph) -> frozenset[str]:
    """What a strategy needs and gets: texts that a graph lacks, and the strategy may lack, it does without."""
    lacking = frozenset(name for name, column in _TEXTS.items() if not graph.has(column))
    return strategy.needs - (lacking & getattr(strategy, "may_lack", frozenset()))


class BatchMaker:
    """Makes a page batch of visits, and a link batch of gathered links."""

    def __init__(
        self,
        graph: Graph,
        web: Web,
        crawled: CrawlState,
        needs: frozenset[str],
        readings: LinkReadings | None = None,
        notes: Ids | None = None,
    ) -> None:
        self._graph, self._web, self._crawled, self._needs = graph, web, crawled, needs
        self._readings, self._notes = readings, notes
        self._segment = np.asarray(graph.segment)
        self._relevance: Relevances | None = np.asarray(graph.column("relevance")) if graph.has("relevance") else None
        self._domains: Ids = np.array([id_of(name) for name in graph.manifest.domains] or [0], np.uint64)
        self._row_of = np.zeros(len(graph) if len(crawled.source) > 1 else 1, np.uint32)
        segments = graph.manifest.segments if needs & _OF_SEGMENTS else 1
        # Of each segment: pages fetched, relevant ones, and the sum of their relevances (in steps, as in a live crawl).
        self._segment_pages = np.zeros(segments, np.int64)
        self._segment_relevant, self._segment_steps = np.zeros(segments, np.int64), np.zeros(segments, np.int64)

    def pages(self, visits: int) -> PageBatch:
        """The last `visits` visits."""
        web, last = self._web, int(self._crawled.now[VISITS])
        nodes = self._crawled.order[last - visits : last]
        if len(self._row_of) > 1:
            self._row_of[nodes] = np.arange(last - visits, last)
        rows = np.arange(last - visits, last, dtype=np.int64)
        is_copy = self._crawled.is_copy[nodes] if len(self._crawled.is_copy) > 1 else np.zeros(visits, np.bool_)
        outcome = web.outcome[nodes]
        relevance = self._relevance_of(nodes)
        if self._needs & _OF_SEGMENTS:
            self._count_segments(nodes, (outcome == Outcome.PAGE) & ~is_copy, relevance)
        return PageBatch(
            url=nodes.astype(np.uint64),
            server=web.server[nodes].astype(np.uint64),
            segment=self._segment[nodes].astype(np.uint64),
            distance=self._crawled.distance[nodes],
            row=rows,
            outcome=np.where(outcome == KNOWN, np.uint8(Outcome.FAILED), outcome),
            relevance=relevance,
            relevant=web.judged[nodes] & ~is_copy,
            language=web.language[nodes],
            note=self._notes_of(nodes),
            text=self._urls_of(nodes),
            is_copy=is_copy,
        )

    def waiting(self, nodes: NDArray[Any], found: Counters) -> WaitingBatch:
        """Links that were popped, with what is known of them now; `found` has a row for each."""
        return WaitingBatch(
            nodes.astype(np.uint64),
            self._web.server[nodes].astype(np.uint64),
            self._segment[nodes].astype(np.uint64),
            self._notes_of(nodes),
            **FoundCounters(*found.T)._asdict(),
            text=self._urls_of(nodes),
        )

    def _urls_of(self, nodes: NDArray[Any]) -> list[str] | None:
        return urls_of(self._graph, nodes).to_pylist() if "text" in self._needs else None

    def _notes_of(self, nodes: NDArray[Any]) -> Ids:
        return self._notes[nodes] if self._notes is not None else np.zeros(len(nodes), np.uint64)

    def _count_segments(self, nodes: NDArray[Any], fetched: Flags, relevance: Relevances) -> None:
        segments = self._segment[nodes[fetched]]
        np.add.at(self._segment_pages, segments, 1)
        np.add.at(self._segment_relevant, segments, self._web.judged[nodes[fetched]].astype(np.int64))
        steps = np.rint(relevance[fetched].astype(np.float64) * STEPS).astype(np.int64)
        np.add.at(self._segment_steps, segments, steps)

    def _relevance_of(self, nodes: NDArray[Any]) -> Relevances:
        relevance = None if self._relevance is None else self._relevance[nodes]
        return judged_relevance(relevance, self._web.judged[nodes], self._web.truth[nodes])

    def links(self, links: GatheredLinks) -> LinkBatch:
        """Links that were gathered, without counters."""
        web, target, source, count = self._web, links.target, links.source, len(links.link)
        is_seed = source == NOBODY
        page = np.where(is_seed, 0, source)
        relevance = np.where(is_seed, np.float32(1), self._relevance_of(page))
        return LinkBatch(
            url=target.astype(np.uint64),
            server=web.server[target].astype(np.uint64),
            segment=self._segment[target].astype(np.uint64),
            distance=links.distance.copy(),
            # Without rows of visits it still matters whether there is a source.
            source=np.where(is_seed, NO_ROW, self._row_of[page].astype(np.int64) if len(self._row_of) > 1 else 0),
            source_server=np.where(is_seed, np.uint64(NO_SERVER), web.server[page].astype(np.uint64)),
            source_relevance=relevance,
            source_relevant=is_seed | web.judged[page],
            source_language=np.where(is_seed, np.uint16(0), web.language[page]),
            hops=links.hops.copy(),
            **uncounted(count)._asdict(),
            **self._optional(links, page, relevance),
        )

    def _optional(self, links: GatheredLinks, page: NDArray[Any], relevance: Relevances) -> dict[str, Any]:
        link, target, hops = links.link, links.target, links.hops
        # Only links of a page have texts: a seed has no source page, and a redirect has no anchor.
        has_texts: Flags = (links.source != NOBODY) & (hops == 0)
        makers: dict[str, Callable[[], Any]] = {
            "domain": lambda: self._domains[self._web.domain[target]],
            "anchor_language": lambda: self._anchor_languages(link),
            "target_relevant": lambda: self._web.truth[target],
            "on_path": lambda: self._web.on_path[target],
            "source_note": lambda: self._notes_of(links.visited),
            "segment_relevance": lambda: np.where(hops > 0, relevance, self._segment_relevance(page, relevance)),
            "source_segment": lambda: np.where(has_texts, self._segment[page], np.uint64(NO_SEGMENT)),
            "segment_degree": lambda: self._segment_degree(page, has_texts, links.source == NOBODY),
            "anchor": lambda: self._link_texts("anchor", link, has_texts),
            "around": lambda: self._link_texts("around", link, has_texts),
            "reading": lambda: self._reading(link, page, has_texts),
            "text": lambda: urls_of(self._graph, target).to_pylist(),
        }
        return {name: make() for name, make in makers.items() if name in self._needs}

    def _anchor_languages(self, link: Rows) -> Codes:
        """The languages of anchors; unknown for all if the graph has none, which some strategies can do without."""
        known = self._web.anchor_language
        return known[link] if len(known) > 1 else np.zeros(len(link), np.uint16)

    def _link_texts(self, name: str, link: Rows, has_texts: Flags) -> list[str]:
        texts = kept_texts(self._graph, name, link).to_pylist()
        return [text if has else "" for text, has in zip(texts, has_texts.tolist(), strict=True)]

    def _reading(self, link: Rows, page: NDArray[Any], has_texts: Flags) -> Readings:
        assert self._readings is not None
        return self._readings.of(link, page, has_texts)

    def _segment_degree(self, page: NDArray[Any], has_source: Flags, is_seed: Flags) -> Relevances:
        """The present relevance degree of source segments; for a link without one, whether its source is relevant."""
        segment = self._segment[page]
        pages = self._segment_pages[segment]
        degrees = self._segment_relevant[segment] / np.maximum(pages, 1)
        is_known = has_source & (pages > 0)  # all pages of a segment may be copies of others
        found: Relevances = np.where(is_known, degrees, is_seed | self._web.judged[page]).astype(np.float32)
        return found

    def _segment_relevance(self, page: NDArray[Any], relevance: Relevances) -> Relevances:
        segment = self._segment[page]
        pages = self._segment_pages[segment]
        mean = self._segment_steps[segment] / (STEPS * np.maximum(pages, 1))
        return np.where(pages > 0, mean, relevance).astype(np.float32)

    def seeds(self, nodes: NDArray[np.uint32]) -> LinkBatch:
        """Seeds, as links without a source."""
        count = len(nodes)
        links = GatheredLinks(
            np.zeros(count, np.int64),
            nodes,
            np.full(count, NOBODY, np.uint32),
            np.zeros(count, np.uint16),
            np.zeros(count, np.uint8),
            nodes,
        )
        return self.links(links)
