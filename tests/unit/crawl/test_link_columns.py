"""The columns that strategies ask for, as a live crawl fills them."""

import random
from dataclasses import fields

import numpy as np
import pytest

from exonym.batches import (
    LINK_COLUMNS,
    BareLinks,
    Filler,
    Floats,
    Group,
    LinkBatch,
    Outcome,
    VisitResult,
    language_code,
)
from exonym.crawl import Bounds, Crawl
from exonym.extract.document import Wants
from exonym.judges.by_name import make_judge
from exonym.live.found_links import links_of, links_to
from exonym.politeness.delays import Politeness
from exonym.readers.page import Job, JudgedPage, packed, read_page, unpacked
from exonym.strategies.base import Rule
from exonym.testing.random_batches import link_batch
from exonym.testing.reference import ReferenceFrontier
from exonym.urls import id_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
PAGE = """<html><body><p>หน้าแรกของเว็บไซต์ภาษาไทย
<a href="http://a.th/">ข่าววันนี้</a> <a href="http://b.co.jp:8080/x">日本のニュース</a>
<a href="http://c.com/">2024</a> <a href="http://d.xn--o3cw4h/"><img src=x alt="รูปภาพ"></a>
<a href="http://10.0.0.1/">the news of the day and of the night</a></p></body></html>"""
BOTH = frozenset(["domain", "anchor_language"])


class Listing(Rule):
    """Keeps the batches that it is asked to score."""

    def __init__(self, needs: frozenset[str]) -> None:
        self.needs = needs
        self.batches: list[LinkBatch] = []

    def score(self, links: LinkBatch) -> Floats:
        self.batches.append(links)
        return np.zeros(len(links))


def told(needs: frozenset[str], links: BareLinks, outcome: Outcome = Outcome.PAGE) -> LinkBatch:
    """The batch in which a strategy with such needs is told of links that a visit of a seed found."""
    strategy = Listing(needs)
    crawl = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    crawl.add_seeds(links_to(["http://s.th/"], needs))
    (visit,) = crawl.due(0.0, 1)
    crawl.take([VisitResult(visit, 0, outcome, 1.0, True, links=links)], 0.0)
    return strategy.batches[-1]


def read(wants: Wants, page: str = PAGE) -> list[str] | None:
    judge = make_judge({"kind": "language", "languages": ["th"]})
    reading = unpacked(packed(read_page(Job(1, "http://s.th/", HEAD, page.encode()), judge, wants)))
    return reading.anchor_language


def test_reader_tells_the_languages_of_anchors_when_they_are_wanted() -> None:
    wants = Wants(around=False, place=False, anchor_language=True)
    assert read(wants) == ["th", "ja", "", "th", "en"]
    assert read(wants, "<p>no links") == []
    assert read(Wants()) is None


def test_reader_believes_links_that_name_the_language_of_their_target() -> None:
    head = '<link rel="alternate" hreflang="th" href="/th/"><link rel="alternate" hreflang="x-default" href="/">'
    menu = '<a href="/th/">Thai</a> <a href="/ja/" hreflang="ja">Japanese</a> <a href="/en/">English</a>'
    assert read(Wants(anchor_language=True), head + menu) == ["th", "ja", ""]  # the page itself is no target


def test_links_of_a_page_have_domains_and_languages_of_anchors() -> None:
    judge = make_judge({"kind": "language", "languages": ["th"]})
    reading = read_page(Job(1, "http://s.th/", HEAD, PAGE.encode()), judge, Wants(anchor_language=True))
    links = told(BOTH, links_of(reading, BOTH))
    assert links.domain is not None
    assert links.anchor_language is not None
    assert links.domain.dtype == np.uint64
    assert links.anchor_language.dtype == np.uint16
    assert links.domain.tolist() == [id_of(name) for name in ("th", "jp", "com", "xn--o3cw4h", "")]
    assert links.anchor_language.tolist() == [language_code(name) for name in ("th", "ja", "", "th", "en")]


@pytest.mark.parametrize("outcome", [Outcome.PAGE, Outcome.REDIRECT, Outcome.SITEMAP])
def test_links_without_anchors_are_in_no_language(outcome: Outcome) -> None:
    links = told(BOTH, links_to(["http://a.th/", "http://b.jp/"], BOTH), outcome)
    assert links.domain is not None
    assert links.anchor_language is not None
    assert links.domain.tolist() == [id_of(name) for name in ("th", "jp")]
    assert links.anchor_language.tolist() == [0] * 2


@pytest.mark.parametrize("needs", [frozenset[str](), BOTH, frozenset(["anchor"])])
def test_columns_are_there_only_for_those_who_ask(needs: frozenset[str]) -> None:
    page = JudgedPage(0, anchor=["news"], anchor_language=["en"], **_ids_of("http://a.th/"))
    links = told(needs, links_of(page, needs))
    for name in LINK_COLUMNS.keys() - {"text"}:  # a live crawl needs the texts itself
        assert (getattr(links, name) is not None) == (name in needs)


def _ids_of(url: str) -> dict[str, object]:
    links = links_to([url])
    return {"url": links.url, "server": links.server, "segment": links.segment, "text": [url]}


def test_table_of_columns_has_every_column_that_may_be_left_out() -> None:
    assert list(LINK_COLUMNS) == [column.name for column in fields(LinkBatch) if column.default is None]


def test_blanks_are_of_the_type_of_their_column() -> None:
    links = link_batch(random.Random(1), 3)
    for name, column in LINK_COLUMNS.items():
        given = getattr(links, name)
        if column.filled_by == Filler.DRIVER and isinstance(column.blank, str):
            assert isinstance(given[0], str)
        elif column.filled_by == Filler.DRIVER:
            assert (column.blank.dtype, column.blank.shape[1:]) == (given.dtype, given.shape[1:])
            assert len(column.blank) == 1


def test_links_that_lack_a_column_are_blank_there() -> None:
    needs = frozenset(LINK_COLUMNS)
    bare = told(needs - {"reading"}, links_to(["http://a.th/"]))
    assert (bare.anchor, bare.around, bare.place) == ([""], [""], [""])
    assert bare.target_relevant is not None
    assert bare.target_relevant.tolist() == [False]
