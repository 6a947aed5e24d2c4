"""Which links are queued, by what their addresses and the answers of their servers say about their types."""

import numpy as np
import pytest

from exonym.batches import SITEMAP_HOP, Group, LinkBatch, Outcome, PageBatch
from exonym.crawl import Bounds, Crawl
from exonym.crawl_directory.crawl_writer import packed_state, unpacked_state
from exonym.journal import JournalRow
from exonym.link_columns import SegmentMeans, Source, link_batch
from exonym.link_types import PAGES_PER_TRIAL, LinkTypes, shape_of
from exonym.live.found_links import links_to, pages_of
from exonym.politeness.delays import Politeness
from exonym.readers.page import NO_HTML
from exonym.strategies.breadth_first import BreadthFirst
from exonym.testing.reference import ReferenceFrontier

A, B = "http://a.example/", "http://b.example/"


def links(*urls: str, source: Source = Source(row=0)) -> LinkBatch:  # noqa: B008  # frozen
    return link_batch([(source, links_to(urls))], frozenset(), SegmentMeans(frozenset()), {})


def asked(types: LinkTypes, *urls: str, pages: int = 0) -> list[str]:
    return types.asked(links(*urls), pages).text or []


def answers(**by_path: bool) -> PageBatch:
    """Visits of server a: pages (True), or files."""
    return pages_of([row(number, A + path, is_page) for number, (path, is_page) in enumerate(by_path.items())])


def row(number: int, url: str, is_page: bool, outcome: Outcome = Outcome.PAGE) -> JournalRow:
    return JournalRow(number, url, 0.0, outcome, why="" if is_page else NO_HTML)


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("", "/"),
        ("photos/", "/"),
        ("photos.jpg/", "/"),
        ("v1.2/guide", ""),
        ("photo.jpg", "jpg"),
        ("PHOTO.JPG?width=300", "jpg"),
        ("photo.jpg;width=3", "jpg"),
        ("photo.jpg%20", "jpg"),
        ("photo.jpg.html", "html"),
        ("page.htm.gz", "gz"),
        ("wiki/File:Photo.jpg", ":jpg"),
        ("wiki/%E0%B9%84%E0%B8%9F%E0%B8%A5%E0%B9%8C:Photo.jpg", ":jpg"),
        ("wiki/File%3APhoto.jpg", ":jpg"),
        ("who/www.example.com", "com"),
        ("get.php?file=a.pdf", "get.php?"),
        ("view.aspx", "aspx"),
        ("index.php?title=File:Photo.jpg", "index.php?"),
    ],
)
def test_shape_of_an_address(path: str, shape: str) -> None:
    assert shape_of(A + path) == shape


def test_links_to_files_are_not_asked_and_counted_by_kind() -> None:
    types = LinkTypes()
    urls = [f"{A}a.jpg", f"{A}a.html", f"{A}b.PNG", f"{A}c.pdf", f"{A}feed.xml", f"{A}wiki/File:A.jpg", A]
    assert asked(types, *urls) == [f"{A}a.html", f"{A}wiki/File:A.jpg", A]
    assert types.unasked == {"images": 2, "documents": 1, "data": 1}


def test_wanted_documents_are_asked() -> None:
    assert asked(LinkTypes(frozenset(["pdf"])), f"{A}c.pdf", f"{A}c.doc") == [f"{A}c.pdf"]


def test_seeds_and_sitemaps_are_asked_whatever_their_ending() -> None:
    types = LinkTypes()
    assert len(types.asked(links(f"{A}seed.xml", source=Source()), 0)) == 1
    assert len(types.asked(links(f"{A}map.xml.gz", source=Source(row=0, hops=SITEMAP_HOP)), 0)) == 1


def test_server_with_pages_under_a_files_ending_is_believed_and_others_are_not() -> None:
    types = LinkTypes()
    types.learn(answers(**{"photo.jpg": True}))
    assert asked(types, f"{A}other.jpg", f"{B}other.jpg") == [f"{A}other.jpg"]
    types.learn(answers(**{"1.jpg": False, "2.jpg": False}))  # one page and two files
    assert asked(types, f"{A}other.jpg") == []


def test_script_that_gave_three_files_and_no_page_is_not_asked_again() -> None:
    types = LinkTypes()
    urls = [f"{A}thumb.php?id=9", f"{A}view.php?id=9", f"{B}thumb.php?id=9"]
    types.learn(answers(**{"thumb.php?id=1": False, "thumb.php?id=2": False, "view.php?id=1": True}))
    assert asked(types, *urls) == urls
    types.learn(answers(**{"thumb.php?id=3": False}))
    assert asked(types, *urls) == urls[1:]


def test_ending_that_was_a_file_five_times_and_never_a_page_is_believed_to_be_a_file_everywhere() -> None:
    types = LinkTypes()
    types.learn(pages_of([row(number, f"http://s{number}.example/a.xyz", False) for number in range(4)]))
    assert asked(types, f"{A}new.xyz") == [f"{A}new.xyz"]
    types.learn(pages_of([row(4, "http://s4.example/a.xyz", False)]))
    assert asked(types, f"{A}new.xyz") == []
    assert types.unasked == {"other files": 1}


def test_failures_and_redirects_say_nothing_about_types() -> None:
    types = LinkTypes()
    rows = [row(number, f"{A}t.php?{number}", False, outcome) for number, outcome in enumerate([*Outcome][1:])]
    types.learn(pages_of(rows * 3))
    assert asked(types, f"{A}t.php?9") == [f"{A}t.php?9"]


def test_one_link_for_two_hundred_pages_is_tried_where_a_server_has_ten() -> None:
    types = LinkTypes()
    nine = [f"{A}{number}.jpg" for number in range(9)]
    assert asked(types, *nine, pages=PAGES_PER_TRIAL) == []
    assert asked(types, f"{A}10.jpg", pages=PAGES_PER_TRIAL - 1) == []
    assert asked(types, f"{A}11.jpg", f"{A}12.jpg", pages=PAGES_PER_TRIAL) == [f"{A}11.jpg"]
    # Both the server's next trial, after a hundred links, and the next of the crawl are far away.
    assert asked(types, *(f"{B}{number}.jpg" for number in range(50)), pages=PAGES_PER_TRIAL) == []
    assert len(asked(types, f"{B}51.jpg", f"{B}52.jpg", pages=2 * PAGES_PER_TRIAL)) == 1


def test_trial_that_is_in_the_journal_alone_counts_after_a_restart() -> None:
    types = LinkTypes()
    types.learn(answers(**{"1.jpg": False}))
    assert asked(types, *(f"{A}{number}.jpg" for number in range(50)), pages=PAGES_PER_TRIAL) == []


def test_what_was_learned_survives_as_arrays() -> None:
    types, again = LinkTypes(), LinkTypes()
    types.learn(answers(**{"photo.jpg": True, "t.php?1": False, "t.php?2": False, "t.php?3": False}))
    asked(types, *(f"{B}{number}.jpg" for number in range(9)))
    again.restore(unpacked_state(packed_state({"types": types.state()}))["types"])
    urls = [f"{A}b.jpg", f"{A}t.php?4", f"{B}b.jpg", f"{B}c.jpg"]
    assert asked(again, *urls, pages=PAGES_PER_TRIAL) == asked(types, *urls, pages=PAGES_PER_TRIAL)
    assert again.state().keys() == types.state().keys()
    assert all(np.array_equal(again.state()[name], values) for name, values in types.state().items())


def test_crawl_learns_types_from_its_visits_and_from_its_journal_after_a_restart() -> None:
    types = LinkTypes()
    crawl = Crawl(ReferenceFrontier(Group.SERVER), BreadthFirst(), Politeness(), Bounds(), types)
    crawl.relearn(answers(**{"photo.jpg": True}))
    crawl.add(links(f"{A}a.jpg", f"{B}a.jpg"))
    assert [visit.text for visit in crawl.due(0.0, 9)] == [f"{A}a.jpg"]
