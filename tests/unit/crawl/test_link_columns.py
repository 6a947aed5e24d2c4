"""The columns that strategies ask for, as a live crawl fills them."""

import numpy as np
import pytest

from exonym.batches import Outcome, Visit, language_code
from exonym.extract.document import Wants
from exonym.journal import JournalRow
from exonym.judges.by_name import make_judge
from exonym.live.found_links import in_sitemap, link_batch, links_to, on_page, redirected, seeds
from exonym.readers.page import Job, packed, read_page, unpacked
from exonym.urls import id_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
PAGE = """<html><body><p>หน้าแรกของเว็บไซต์ภาษาไทย
<a href="http://a.th/">ข่าววันนี้</a> <a href="http://b.co.jp:8080/x">日本のニュース</a>
<a href="http://c.com/">2024</a> <a href="http://d.xn--o3cw4h/"><img src=x alt="รูปภาพ"></a>
<a href="http://10.0.0.1/">the news of the day and of the night</a></p></body></html>"""
BOTH = frozenset(["domain", "anchor_language"])
VISIT = Visit(id_of("http://s.th/"), 1, 2, "http://s.th/", 0, -1, 0, 1.0, True, 0, 0, 0, 0.0, 0, 0)
ROW = JournalRow(0, "http://s.th/", 0.0, Outcome.PAGE, relevant=True, relevance=1.0, language="th")


def read(wants: Wants, page: str = PAGE) -> list[str] | None:
    judge = make_judge({"kind": "language", "languages": ["th"]})
    reading = unpacked(packed(read_page(Job(1, "http://s.th/", HEAD, page.encode()), judge, wants)))
    return reading.anchor_language


def test_reader_tells_the_languages_of_anchors_when_they_are_wanted() -> None:
    wants = Wants(around=False, place=False, anchor_language=True)
    assert read(wants) == ["th", "ja", "", "th", "en"]
    assert read(wants, "<p>no links") == []
    assert read(Wants()) is None


def test_links_of_a_page_have_domains_and_languages_of_anchors() -> None:
    judge = make_judge({"kind": "language", "languages": ["th"]})
    reading = read_page(Job(1, "http://s.th/", HEAD, PAGE.encode()), judge, Wants(anchor_language=True))
    links = link_batch([on_page(VISIT, ROW, reading)], BOTH)
    assert links.domain is not None
    assert links.anchor_language is not None
    assert links.domain.dtype == np.uint64
    assert links.anchor_language.dtype == np.uint16
    assert links.domain.tolist() == [id_of(name) for name in ("th", "jp", "com", "xn--o3cw4h", "")]
    assert links.anchor_language.tolist() == [language_code(name) for name in ("th", "ja", "", "th", "en")]


def test_links_without_anchors_are_in_no_language() -> None:
    urls = ["http://a.th/", "http://b.jp/"]
    everywhere = [seeds(urls), redirected(VISIT, "http://c.kr/"), in_sitemap(VISIT, ROW, urls, 0)]
    links = link_batch(everywhere, BOTH)
    assert links.domain is not None
    assert links.anchor_language is not None
    assert links.domain.tolist() == [id_of(name) for name in ("th", "jp", "kr", "th", "jp")]
    assert links.anchor_language.tolist() == [0] * 5


@pytest.mark.parametrize("needs", [frozenset[str](), BOTH, frozenset(["anchor"])])
def test_columns_are_there_only_for_those_who_ask(needs: frozenset[str]) -> None:
    links = link_batch([on_page(VISIT, ROW, links_to(["http://a.th/"]))], needs)
    assert (links.domain is not None) == ("domain" in needs)
    assert (links.anchor_language is not None) == ("anchor_language" in needs)
    assert (links.anchor is not None) == ("anchor" in needs)
    assert links.segment_relevance is None  # the crawl knows it
    assert links.target_relevant is None  # nobody knows it


def test_empty_batch_has_empty_columns() -> None:
    links = link_batch([], BOTH)
    assert links.domain is not None
    assert links.anchor_language is not None
    assert (len(links.domain), len(links.anchor_language)) == (0, 0)
