"""What a link model is told of the links of a page, and how its readings travel to the strategy."""

import numpy as np
import pytest

from exonym.batches import Floats, Group, LinkBatch, Outcome, Readings, VisitResult
from exonym.crawl import Bounds, Crawl
from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.judges.by_name import make_judge
from exonym.live.found_links import links_of, links_to
from exonym.models.links.base import LinkModel, blank_reading
from exonym.models.links.features import LinkTexts
from exonym.politeness.delays import Politeness
from exonym.readers.page import Job, JudgedPage, packed, read_page, unpacked
from exonym.readers.pool import ReaderPool, ReaderPoolOptions
from exonym.readers.read_links import ModelLinkReader
from exonym.strategies.base import Rule
from exonym.testing.reference import ReferenceFrontier

THAI = {"kind": "language", "languages": ["th"]}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
PAGE = b"<p>one <a href='http://b.th/x/'>two</a> three</p><p><a href=/4>five</a></p>"
READ = frozenset(["reading"])


class Listening:
    """Reads a link as the lengths of its anchor and URL, and remembers what it was told."""

    name = "listening"

    def __init__(self) -> None:
        self.told: list[LinkTexts] = []

    def read(self, texts: LinkTexts) -> Readings:
        self.told.append(texts)
        lengths = [[len(anchor), len(url)] for anchor, url in zip(texts.anchors, texts.urls, strict=True)]
        return np.array(lengths, dtype=np.float32).reshape(-1, 2)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return np.ones(len(readings))


def read(model: Listening, url: str = "http://a.com/", address: str = "") -> JudgedPage:
    job = Job(0, url, HEAD, PAGE, "", address)
    return read_page(job, make_judge(THAI), Wants(), ModelLinkReader(model))


def test_model_is_told_texts_and_places_of_links() -> None:
    model = Listening()
    reading = read(model)
    (told,) = model.told
    assert told.urls == ["http://b.th/x/", "http://a.com/4"]
    assert told.anchors == ["two", "five"]
    assert told.around == ["one three five", "one two three"]
    assert told.source_domains == ["com", "com"]
    assert told.source_countries == ["", ""]
    assert told.countries == ["TH", ""]  # by domain
    assert reading.reading is not None
    assert reading.reading.tolist() == [[3, 14], [4, 14]]


@pytest.mark.parametrize(
    ("url", "address", "country"),
    [
        ("http://a.com/", "202.28.1.1", "TH"),  # assigned to Thai universities
        ("http://a.th/", "127.0.0.1", "TH"),  # the address tells nothing, the domain does
        ("http://a.th/", "", "TH"),
        ("http://a.com/", "no address", ""),
    ],
)
def test_country_of_a_page_goes_by_its_address_first(url: str, address: str, country: str) -> None:
    model = Listening()
    read(model, url, address)
    assert set(model.told[0].source_countries) == {country}


def test_country_of_a_target_goes_by_the_address_once_a_page_of_its_server_was_read() -> None:
    model = Listening()
    reader, judge = ModelLinkReader(model), make_judge(THAI)
    for url, address in (("http://a.com/", "202.28.1.1"), ("http://b.th/", "8.8.8.8"), ("http://c.com/", "")):
        read_page(Job(0, url, HEAD, PAGE, "", address), judge, Wants(), reader)
    by_page = [dict(zip(told.urls, told.countries, strict=True)) for told in model.told]
    assert by_page[0] == {"http://b.th/x/": "TH", "http://a.com/4": "TH"}  # its own server is at a Thai address
    assert by_page[2]["http://b.th/x/"] == "US"


def test_readings_come_back_from_a_pipe_as_they_were() -> None:
    reading = read(Listening())
    again = unpacked(packed(reading))
    assert reading.reading is not None
    assert again.reading is not None
    assert again.reading.tolist() == reading.reading.tolist()
    assert again.anchor_language is None
    empty = unpacked(packed(JudgedPage(1, reading=np.zeros((0, 2), np.float32))))
    assert empty.reading is not None
    assert empty.reading.shape == (0, 2)
    assert unpacked(packed(JudgedPage(1))).reading is None


class Reads(Rule):
    """Needs readings, and keeps them."""

    needs = READ

    def __init__(self, link_model: LinkModel) -> None:
        self.link_model = link_model
        self.readings: list[list[float]] = []

    def score(self, links: LinkBatch) -> Floats:
        assert links.reading is not None
        self.readings += links.reading.tolist()
        return np.zeros(len(links))


def test_links_without_texts_have_the_reading_of_empty_texts() -> None:
    model = Listening()
    strategy = Reads(model)
    crawl = Crawl(ReferenceFrontier(Group.SERVER), strategy, Politeness(), Bounds())
    crawl.add_seeds(links_to(["http://a.com/", "http://c.com/"]))
    page, redirect = crawl.due(0.0, 2)
    found = VisitResult(page, 0, Outcome.PAGE, links=links_of(read(model), READ))
    crawl.take([found, VisitResult(redirect, 1, Outcome.REDIRECT, links=links_to(["http://d.com/"]))], 0.0)
    blank = blank_reading(model).tolist()
    assert strategy.readings == [*blank, *blank, [3, 14], [4, 14], *blank]


@pytest.mark.parametrize("count", [0, 1])
def test_workers_refuse_a_model_that_is_none(count: int) -> None:
    def work() -> None:
        workers = ReaderPool(ReaderPoolOptions(count=count), THAI, Wants(), link_model="/nowhere/model.links")
        try:
            workers.submit([Job(0, "http://a.com/", HEAD, PAGE)])
            while not workers.collect():
                pass
        finally:
            workers.close()

    with pytest.raises(ExonymError, match=r"/nowhere/model\.links") as caught:
        work()
    assert "\n" not in str(caught.value)
