"""A crawl of a practice web's graph, without network, disk or time: what a live crawl is compared with.

Right for tests: one page at a time, every URL spelled out. Relevance and language come from the
graph's truth, so a difference to the live crawl may also be the judge's.
"""

import numpy as np

from exonym.crawl import Bounds, Crawl
from exonym.drivers.columns import Found, link_batch, links_to, on_page, page_batch, redirected, seeds
from exonym.frontier.reference import ReferenceFrontier
from exonym.journal import Row
from exonym.model import Outcome, Visit, language_code, language_name
from exonym.politeness import Politeness
from exonym.strategies.base import Strategy
from exonym.testing.practice.graph import PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeGraph
from exonym.testing.practice.kinds import PageKind
from exonym.testing.practice.words import language_of


class Simulation:
    """Drives `Crawl` over a graph; `rows` is its journal."""

    def __init__(self, graph: PracticeGraph, strategy: Strategy, bounds: Bounds) -> None:
        self._graph = graph
        self._urls = graph.urls()
        self._nodes = {url: node for node, url in enumerate(self._urls)}
        self._crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(), bounds)
        self._target = language_code(language_of(graph.facts.tree.nation_tongue))
        self.rows: list[Row] = []

    def run(self) -> list[Row]:
        """Crawl until a bound is reached or nothing waits; the journal."""
        start = [self._urls[node] for node in self._graph.seeds.tolist()]
        self._crawl.add(link_batch([seeds(start)], frozenset()))
        while visits := self._crawl.due(0.0, 1):
            self._visit(visits[0])
        return self.rows

    def _visit(self, visit: Visit) -> None:
        node = self._nodes[visit.text]
        row = self._row(visit, node)
        self.rows.append(row)
        found = self._found(visit, row, node)
        self._crawl.take(page_batch([visit], [row]), link_batch(found, frozenset()), 0.0)

    def _row(self, visit: Visit, node: int) -> Row:
        graph = self._graph
        outcome = Outcome(int(graph.outcome[node]))
        language, relevant = self._judged(visit, node)
        return Row(
            row=len(self.rows),
            url=visit.text,
            when=0.0,
            outcome=outcome,
            status=int(graph.status[node]),
            language=language_name(language) if outcome == Outcome.PAGE else "",
            relevance=float(relevant),
            relevant=relevant,
            distance=visit.distance,
            score=visit.score,
            source=visit.source,
            note=visit.note,
        )

    def _judged(self, visit: Visit, node: int) -> tuple[int, bool]:
        """Language and relevance of a page; one whose language nobody can tell takes that of its parent."""
        language = int(self._graph.language[node])
        is_text = self._graph.kind[node] not in (PageKind.IMAGE, PageKind.DOCUMENT)
        if language or not is_text or self._graph.outcome[node] != Outcome.PAGE:
            return language, bool(self._graph.relevant[node])
        return visit.source_language, visit.source_language == self._target

    def _found(self, visit: Visit, row: Row, node: int) -> list[Found]:
        first, last = self._graph.offsets[node : node + 2].tolist()
        followed = self._graph.link_flags[first:last] & np.uint8(PAGE_NOFOLLOW | REL_NOFOLLOW) == 0
        targets = [self._urls[target] for target in self._graph.targets[first:last][followed].tolist()]
        if row.outcome == Outcome.REDIRECT:
            return [redirected(visit, targets[0])]
        return [on_page(visit, row, links_to(targets))] if row.outcome == Outcome.PAGE else []
