"""A crawl of the graph of a practice web, without network, disk or time. Live crawls are compared with it.

It is for tests: one page at a time, with all URLs as text. Relevance and language are the truth of the graph, so a
difference from the live crawl may also be the judge's. The truth is yes or no; for strategies that order by relevance,
the relevances of a judge, which are shares, can be given.
"""

from collections.abc import Mapping

import numpy as np

from exonym.batches import BareLinks, Outcome, Visit, VisitResult, language_code, language_name
from exonym.crawl import Bounds
from exonym.journal import JournalRow
from exonym.language.anchors import identify_anchors
from exonym.link_types import LinkTypes
from exonym.live.found_links import links_to
from exonym.practice.graph.practice_graph import PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeGraph
from exonym.practice.kinds import PageKind
from exonym.practice.page_html import spelled_links
from exonym.practice.serving.answers import month_links
from exonym.practice.web_languages import language_of
from exonym.strategies.base import Strategy
from exonym.testing.reference import crawl_answers

_INHERITED = 0.5  # the relevance of a page that takes its parent's language, as the language judge has it


class ReferenceSimulation:
    """Runs `Crawl` over a practice graph."""

    def __init__(
        self,
        graph: PracticeGraph,
        strategy: Strategy,
        bounds: Bounds,
        relevances: Mapping[str, float] | None = None,
        *,
        follows_files: bool = False,
    ) -> None:
        """`follows_files` is the setting `urls.files = "follow"`: links to files are asked for like all others."""
        self._graph, self._strategy, self._bounds = graph, strategy, bounds
        self._types = None if follows_files else LinkTypes()
        self._relevances = relevances or {}
        self._urls = graph.urls()
        self._nodes = {url: node for node, url in enumerate(self._urls)}
        self._target = language_code(language_of(graph.facts.tree.nation_tongue))

    def run(self) -> list[JournalRow]:
        """Crawl until a bound is reached or nothing waits; the journal."""
        seeds = self._links([self._urls[node] for node in self._graph.seeds.tolist()])
        self._contents: set[int] = set()  # of the pages fetched, each by the page that has it first
        visited = crawl_answers(self._strategy, seeds, self._answer, self._bounds, types=self._types)
        return [self._row(result) for _, result in visited]

    def _row(self, result: VisitResult) -> JournalRow:
        visit = result.visit
        return JournalRow(
            row=result.row,
            url=visit.text,
            when=0.0,
            outcome=result.outcome,
            status=int(self._graph.status[self._nodes[visit.text]]),
            language=language_name(result.language) if result.outcome == Outcome.PAGE else "",
            relevance=result.relevance,
            relevant=result.relevant and not result.is_copy,
            distance=visit.distance,
            score=visit.score,
            source=visit.source,
            note=visit.note,
            copy=result.is_copy,
        )

    def _answer(self, visit: Visit, row: int) -> VisitResult:
        node = self._nodes[visit.text]
        language, relevant, relevance = self._judged(visit, node)
        first, last = self._graph.offsets[node : node + 2].tolist()
        followed = self._graph.link_flags[first:last] & np.uint8(PAGE_NOFOLLOW | REL_NOFOLLOW) == 0
        targets = [self._urls[target] for target in self._graph.targets[first:last][followed].tolist()]
        outcome = Outcome(int(self._graph.outcome[node]))
        if outcome == Outcome.REDIRECT:
            targets = targets[:1]
        links = self._links(targets, node if outcome == Outcome.PAGE else None)
        is_file = self._graph.kind[node] in (PageKind.IMAGE, PageKind.DOCUMENT)
        is_copy = outcome == Outcome.PAGE and self._repeats(node)
        result = VisitResult(visit, row, outcome, relevance, relevant, language, links, is_file=is_file)
        return result._replace(is_copy=is_copy, is_own_copy=is_copy)  # a practice web has no others

    def _repeats(self, node: int) -> bool:
        """Whether a page with the same content was fetched before."""
        facts = self._graph.facts
        content = facts.original(facts.tree.place(node)).page if node < self._graph.page_count else node
        is_known = content in self._contents
        self._contents.add(content)
        return is_known

    def _links(self, urls: list[str], page: int | None = None) -> BareLinks:
        """Links to URLs; those of a page have anchors."""
        bare = links_to(urls, self._strategy.needs)
        columns = dict(bare.columns)
        if "anchor_language" in self._strategy.needs and page is not None:
            names = identify_anchors(self._anchors(page, urls))
            columns["anchor_language"] = np.array([*map(language_code, names)], np.uint16)
        if "anchor" in self._strategy.needs and page is not None:
            columns["anchor"] = self._anchors(page, urls)
        return bare._replace(columns=columns)

    def _judged(self, visit: Visit, node: int) -> tuple[int, bool, float]:
        """Language and relevance of a page; a page without a known language has that of its parent."""
        language, relevant = int(self._graph.language[node]), bool(self._graph.relevant[node])
        is_text = self._graph.kind[node] not in (PageKind.IMAGE, PageKind.DOCUMENT)
        if language or not is_text or self._graph.outcome[node] != Outcome.PAGE:
            return language, relevant, self._relevances.get(visit.text, float(relevant))
        relevant = visit.source_language == self._target
        return visit.source_language, relevant, relevant * _INHERITED

    def _anchors(self, node: int, targets: list[str]) -> list[str]:
        """The anchors of a page's links; of several links to one target, the first that is not empty and followed."""
        facts = self._graph.facts
        if node >= self._graph.page_count:
            links = month_links(facts, facts.extras.extra(self._graph.numbering.wide(node)))
        else:
            place = facts.original(facts.tree.place(node))
            links = spelled_links(facts, place, facts.linking.plan(place))
        anchors = dict.fromkeys(targets, "")
        for link in links:
            if not link.is_nofollow and link.target in anchors:
                anchors[link.target] = anchors[link.target] or link.anchor
        return list(anchors.values())
