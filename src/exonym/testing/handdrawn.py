"""Webs small enough to draw by hand, and the order in which a strategy visits them.

A page a line: its address, what it is, and where its links lead.

    a.th/    th        → a.th/1[en] b.com/
    a.th/1   failed
    b.com/   redirect  → c.com/
    c.com/   th=0.25

What it is: the language it is written in, or `failed`, `forbidden`, `redirect`; behind `=` its relevance,
which is 1 for Thai and 0 for others unless it is said. In brackets: the language of a link's anchor. A page
that is linked and not drawn fails. The crawl has one connection and no delays: its order is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from exonym.batches import LinkBatch, Outcome, Visit
from exonym.crawl import Bounds, Crawl
from exonym.frontier.reference import ReferenceFrontier
from exonym.journal import JournalRow
from exonym.live.found_links import LinksOfPage, link_batch, links_to, on_page, page_batch, redirected, seeds
from exonym.politeness.delays import Politeness
from exonym.strategies.base import Strategy

_OUTCOMES = {"failed": Outcome.FAILED, "forbidden": Outcome.FORBIDDEN, "redirect": Outcome.REDIRECT}
_SCHEME = "http://"
_TARGET = "th"


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """What a visit finds."""

    outcome: Outcome
    language: str = ""
    relevance: float = 0.0
    links: tuple[str, ...] = ()
    anchor_languages: tuple[str, ...] = ()

    @property
    def relevant(self) -> bool:
        """Whether it is what the crawl looks for."""
        return self.language == _TARGET


DrawnWeb = dict[str, DrawnPage]


def drawn(text: str) -> DrawnWeb:
    """The web that a text draws."""
    lines = (line.replace("→", " ").split() for line in text.splitlines() if line.strip())
    return {address: _page(kind, links) for address, kind, *links in lines}


def _page(what: str, links: list[str]) -> DrawnPage:
    kind, _, relevance = what.partition("=")
    outcome = _OUTCOMES.get(kind, Outcome.PAGE)
    targets, _, anchors = zip(*(link.rstrip("]").partition("[") for link in links), strict=True) if links else [()] * 3
    return DrawnPage(
        outcome,
        kind if outcome == Outcome.PAGE else "",
        float(relevance) if relevance else float(kind == _TARGET),
        tuple(_SCHEME + target for target in targets),
        anchors,
    )


def visits(web: DrawnWeb, strategy: Strategy, start: Sequence[str], bounds: Bounds = Bounds()) -> list[str]:  # noqa: B008
    """The addresses in the order in which a crawl for Thai pages visits them, from `start` on."""
    crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(), bounds)
    beginning = link_batch([seeds([_SCHEME + address for address in start])], strategy.needs)
    crawl.add(_with_truth(beginning, web, strategy))
    order: list[str] = []
    while due := crawl.due(0.0, 1):
        (visit,) = due
        address = visit.text.removeprefix(_SCHEME)
        page = web.get(address, DrawnPage(Outcome.FAILED))
        row = _row(len(order), visit, page)
        links = link_batch(_found(visit, row, page), strategy.needs)
        crawl.take(page_batch([visit], [row]), _with_truth(links, web, strategy), 0.0)
        order.append(address)
    return order


def _row(number: int, visit: Visit, page: DrawnPage) -> JournalRow:
    return JournalRow(
        number,
        visit.text,
        0.0,
        page.outcome,
        language=page.language,
        relevance=page.relevance,
        relevant=page.relevant,
        distance=visit.distance,
        note=visit.note,
    )


def _found(visit: Visit, row: JournalRow, page: DrawnPage) -> list[LinksOfPage]:
    if page.outcome == Outcome.PAGE:
        reading = replace(links_to(list(page.links)), anchor_language=list(page.anchor_languages))
        return [on_page(visit, row, reading)]
    return [redirected(visit, target) for target in page.links if page.outcome == Outcome.REDIRECT]


def _with_truth(links: LinkBatch, web: DrawnWeb, strategy: Strategy) -> LinkBatch:
    """What an oracle is told."""
    if "target_relevant" not in strategy.needs:
        return links
    nothing = DrawnPage(Outcome.FAILED)
    truth = [web.get(text.removeprefix(_SCHEME), nothing).relevant for text in links.text or ()]
    return replace(links, target_relevant=np.array(truth, dtype=np.bool_))
