"""Webs small enough to draw by hand, and the order in which a strategy visits them.

A page a line: its address, what it is, and where its links lead.

    a.th/    th        → a.th/1[en] b.com/
    a.th/1   failed
    b.com/   redirect  → c.com/
    c.com/   th=0.25

What a page is: its language, or `failed`, `forbidden`, `redirect`; after `=` its relevance, by default 1 for Thai
and 0 for other languages. In brackets: the language of a link's anchor. A page that is linked and not drawn fails.
The crawl has one connection and no delays: its order is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exonym.batches import BareLinks, Outcome, Visit, VisitResult, language_code
from exonym.crawl import Bounds
from exonym.live.found_links import links_to
from exonym.strategies.base import Strategy
from exonym.testing.reference import crawl_answers, paths_to

_OUTCOMES = {"failed": Outcome.FAILED, "forbidden": Outcome.FORBIDDEN, "redirect": Outcome.REDIRECT}
_SCHEME = "http://"
_TARGET = "th"


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """What a visit to a page finds."""

    outcome: Outcome
    language: str = ""
    relevance: float = 0.0
    links: tuple[str, ...] = ()
    anchor_languages: tuple[str, ...] = ()

    @property
    def relevant(self) -> bool:
        """Whether the page is in the language that the crawl looks for."""
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
    """The addresses in the order in which a crawl for Thai pages visits them, with the seeds `start`."""
    nothing = DrawnPage(Outcome.FAILED)

    def page_at(url: str) -> DrawnPage:
        return web.get(url.removeprefix(_SCHEME), nothing)

    def found_by(url: str) -> tuple[bool, Sequence[str]]:
        page = page_at(url)
        finds_links = page.outcome in (Outcome.PAGE, Outcome.REDIRECT)
        return page.outcome == Outcome.REDIRECT, page.links if finds_links else ()

    on_path = paths_to(lambda url: page_at(url).relevant, [_SCHEME + address for address in start], found_by)

    def links(urls: Sequence[str], anchor_languages: Sequence[str] = ()) -> BareLinks:
        bare = links_to(urls, strategy.needs)
        truth = {
            "target_relevant": np.array([page_at(url).relevant for url in urls], np.bool_),
            "on_path": np.array([url in on_path for url in urls], np.bool_),
        }
        codes = {"anchor_language": np.array([*map(language_code, anchor_languages)], np.uint16)}
        more = codes if anchor_languages else {}
        return bare._replace(columns={**bare.columns, **truth, **more})

    def answer(visit: Visit, row: int) -> VisitResult:
        page = page_at(visit.text)
        verdict = page.relevance, page.relevant, language_code(page.language)
        return VisitResult(visit, row, page.outcome, *verdict, links(page.links, page.anchor_languages))

    seeds = links([_SCHEME + address for address in start])
    return [result.visit.text.removeprefix(_SCHEME) for _, result in crawl_answers(strategy, seeds, answer, bounds)]
