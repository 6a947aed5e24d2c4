"""Webs small enough to draw by hand, and the order in which a strategy visits them.

A page a line: its address, what it is, and where its links lead.

    a.th/    th        → a.th/1 b.com/
    a.th/1   failed
    b.com/   redirect  → c.com/

What it is: the language it is written in, or `failed`, `forbidden`, `redirect`. A page that is
linked and not drawn fails. The crawl has one connection and no delays: its order is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from exonym.crawl import Bounds, Crawl
from exonym.drivers.columns import Found, link_batch, links_to, on_page, page_batch, redirected, seeds
from exonym.frontier.reference import ReferenceFrontier
from exonym.journal import Row
from exonym.model import Outcome, Visit
from exonym.politeness import Politeness
from exonym.strategies.base import Strategy

_OUTCOMES = {"failed": Outcome.FAILED, "forbidden": Outcome.FORBIDDEN, "redirect": Outcome.REDIRECT}
_SCHEME = "http://"


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """What a visit finds."""

    outcome: Outcome
    language: str = ""
    links: tuple[str, ...] = ()


DrawnWeb = dict[str, DrawnPage]


def drawn(text: str) -> DrawnWeb:
    """The web that a text draws."""
    lines = (line.replace("→", " ").split() for line in text.splitlines() if line.strip())
    return {address: _page(kind, links) for address, kind, *links in lines}


def _page(kind: str, links: list[str]) -> DrawnPage:
    outcome = _OUTCOMES.get(kind, Outcome.PAGE)
    return DrawnPage(outcome, kind if outcome == Outcome.PAGE else "", tuple(_SCHEME + link for link in links))


def visits(web: DrawnWeb, strategy: Strategy, start: Sequence[str], bounds: Bounds = Bounds()) -> list[str]:  # noqa: B008
    """The addresses in the order in which a crawl for Thai pages visits them, from `start` on."""
    crawl = Crawl(ReferenceFrontier(strategy.group), strategy, Politeness(), bounds)
    crawl.add(link_batch([seeds([_SCHEME + address for address in start])], strategy.needs))
    order: list[str] = []
    while due := crawl.due(0.0, 1):
        (visit,) = due
        address = visit.text.removeprefix(_SCHEME)
        page = web.get(address, DrawnPage(Outcome.FAILED))
        row = _row(len(order), visit, page)
        crawl.take(page_batch([visit], [row]), link_batch(_found(visit, row, page), strategy.needs), 0.0)
        order.append(address)
    return order


def _row(number: int, visit: Visit, page: DrawnPage) -> Row:
    relevant = page.language == "th"
    return Row(
        number,
        visit.text,
        0.0,
        page.outcome,
        language=page.language,
        relevance=float(relevant),
        relevant=relevant,
        distance=visit.distance,
        note=visit.note,
    )


def _found(visit: Visit, row: Row, page: DrawnPage) -> list[Found]:
    if page.outcome == Outcome.PAGE:
        return [on_page(visit, row, links_to(list(page.links)))]
    return [redirected(visit, target) for target in page.links if page.outcome == Outcome.REDIRECT]
