"""A crawl of a practice web's graph, without network, disk or time: what a live crawl is compared with.

Right for tests: one page at a time, every URL spelled out. Relevance and language come from the
graph's truth, so a difference to the live crawl may also be the judge's. The truth is yes or no; a judge's
relevances, which are shares, can be given for strategies that order by them.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from exonym.batches import LinkBatch, Outcome, Visit, language_code, language_name
from exonym.crawl import Bounds, Crawl
from exonym.frontier.reference import ReferenceFrontier
from exonym.journal import JournalRow
from exonym.language.anchors import identify_anchors
from exonym.live.found_links import LinksOfPage, link_batch, links_to, on_page, page_batch, redirected, seeds
from exonym.politeness.delays import Politeness
from exonym.practice.graph.practice_graph import PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeGraph
from exonym.practice.kinds import PageKind
from exonym.practice.pages import PracticeLink
from exonym.practice.serving.answers import month_links
from exonym.practice.words import language_of
from exonym.practice.writing import spelled_links
from exonym.strategies.base import Strategy

_HEARSAY = 0.5  # as the language judge has it


class ReferenceSimulation:
    """Drives `Crawl` over a graph; `rows` is its journal."""

    def __init__(
        self, graph: PracticeGraph, strategy: Strategy, bounds: Bounds, relevances: Mapping[str, float] | None = None
    ) -> None:
        self._graph = graph
        self._needs = strategy.needs
        self._relevances = relevances or {}
        self._urls = graph.urls()
        self._nodes = {url: node for node, url in enumerate(self._urls)}
        self._crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(), bounds)
        self._target = language_code(language_of(graph.facts.tree.nation_tongue))
        self.rows: list[JournalRow] = []

    def run(self) -> list[JournalRow]:
        """Crawl until a bound is reached or nothing waits; the journal."""
        start = [self._urls[node] for node in self._graph.seeds.tolist()]
        self._crawl.add(self._batch([seeds(start)]))
        while visits := self._crawl.due(0.0, 1):
            self._visit(visits[0])
        return self.rows

    def _visit(self, visit: Visit) -> None:
        node = self._nodes[visit.text]
        row = self._row(visit, node)
        self.rows.append(row)
        found = self._found(visit, row, node)
        self._crawl.take(page_batch([visit], [row]), self._batch(found), 0.0)

    def _batch(self, found: list[LinksOfPage]) -> LinkBatch:
        links = link_batch(found, self._needs)
        if "target_relevant" not in self._needs:
            return links
        truth = [bool(self._graph.relevant[self._nodes[url]]) for url in links.text or ()]
        return replace(links, target_relevant=np.array(truth, dtype=np.bool_))

    def _row(self, visit: Visit, node: int) -> JournalRow:
        graph = self._graph
        outcome = Outcome(int(graph.outcome[node]))
        language, relevant, relevance = self._judged(visit, node)
        return JournalRow(
            row=len(self.rows),
            url=visit.text,
            when=0.0,
            outcome=outcome,
            status=int(graph.status[node]),
            language=language_name(language) if outcome == Outcome.PAGE else "",
            relevance=relevance,
            relevant=relevant,
            distance=visit.distance,
            score=visit.score,
            source=visit.source,
            note=visit.note,
        )

    def _judged(self, visit: Visit, node: int) -> tuple[int, bool, float]:
        """Language and relevance of a page; one whose language nobody can tell takes that of its parent."""
        language, relevant = int(self._graph.language[node]), bool(self._graph.relevant[node])
        is_text = self._graph.kind[node] not in (PageKind.IMAGE, PageKind.DOCUMENT)
        if language or not is_text or self._graph.outcome[node] != Outcome.PAGE:
            return language, relevant, self._relevances.get(visit.text, float(relevant))
        relevant = visit.source_language == self._target
        return visit.source_language, relevant, relevant * _HEARSAY

    def _found(self, visit: Visit, row: JournalRow, node: int) -> list[LinksOfPage]:
        first, last = self._graph.offsets[node : node + 2].tolist()
        followed = self._graph.link_flags[first:last] & np.uint8(PAGE_NOFOLLOW | REL_NOFOLLOW) == 0
        targets = [self._urls[target] for target in self._graph.targets[first:last][followed].tolist()]
        if row.outcome == Outcome.REDIRECT:
            return [redirected(visit, targets[0])]
        if row.outcome != Outcome.PAGE:
            return []
        reading = links_to(targets)
        if "anchor_language" in self._needs:
            reading = replace(reading, anchor_language=identify_anchors(self._anchors(node, targets)))
        return [on_page(visit, row, reading)]

    def _anchors(self, node: int, targets: list[str]) -> list[str]:
        """What a page's links say: of several to one target, the first that says anything and may be followed."""
        said = dict.fromkeys(targets, "")
        for link in self._written_links(node):
            if not link.is_nofollow and link.target in said:
                said[link.target] = said[link.target] or link.anchor
        return list(said.values())

    def _written_links(self, node: int) -> list[PracticeLink]:
        facts = self._graph.facts
        if node >= self._graph.page_count:
            return month_links(facts, facts.extras.extra(self._graph.numbering.wide(node)))
        place = facts.original(facts.tree.place(node))
        return spelled_links(facts, place, facts.linking.plan(place))
