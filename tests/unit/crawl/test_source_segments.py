"""What links are told of the segment of their source: worked out by hand."""

import numpy as np
import pytest

from exonym.batches import NO_SEGMENT, LinkBatch, Outcome, PageBatch, Visit
from exonym.crawl_directory.writing import packed_state, unpacked_state
from exonym.journal import JournalRow
from exonym.live.found_links import (
    LinksOfPage,
    in_sitemap,
    link_batch,
    links_to,
    on_page,
    page_batch,
    redirected,
    seeds,
)
from exonym.strategies.source_segments import SourceSegments
from exonym.urls import id_of, segment_of, server_of

ALL = frozenset(["segment_relevance", "segment_degree", "source_segment"])


def visit_of(url: str) -> Visit:
    ids = id_of(url), id_of(server_of(url)), id_of(segment_of(url))
    return Visit(*ids, url, 0, 3, 9, 0.75, True, 0, 0, 0, 0.0, 0, 0)


def pages_of(rows: list[JournalRow]) -> PageBatch:
    return page_batch([visit_of(row.url) for row in rows], rows)


def links(*found: LinksOfPage) -> LinkBatch:
    return link_batch(found, ALL)


def page(number: int, url: str, relevance: float, relevant: bool) -> JournalRow:
    return JournalRow(number, url, 0.0, Outcome.PAGE, relevance=relevance, relevant=relevant)


FIRST = [
    page(10, "http://a.com/x/1", 1.0, True),
    page(11, "http://a.com/x/2", 0.25, False),
    page(12, "http://a.com/x/3", 0.5, False),
    page(13, "http://a.com/y/1", 0.5, True),
    JournalRow(14, "http://a.com/x/4", 0.0, Outcome.FAILED),
]
LATER = [
    page(20, "http://a.com/x/5", 0.25, True),
    JournalRow(21, "http://a.com/y/sitemap.xml", 0.0, Outcome.SITEMAP),
    JournalRow(22, "http://a.com/x/6", 0.0, Outcome.REDIRECT),
]


@pytest.mark.parametrize("is_restarted", [False, True])
def test_links_are_told_of_the_segment_of_their_source(is_restarted: bool) -> None:
    sources = SourceSegments(ALL)
    sources.add(pages_of(FIRST))
    if is_restarted:
        kept = unpacked_state(packed_state(sources.state()))
        sources = SourceSegments(ALL)
        sources.restore(kept)
    later = pages_of(LATER)
    sources.add(later)
    told = sources.told(
        links(
            on_page(visit_of(LATER[0].url), LATER[0], links_to(["http://t.com/1", "http://t.com/2"])),
            in_sitemap(visit_of(LATER[1].url), LATER[1], ["http://a.com/3"], 0),
            redirected(visit_of(LATER[2].url), "http://t.com/4"),
            seeds(["http://s.com/"]),
        ),
        later,
    )
    x, y = id_of("http://a.com/x/"), id_of("http://a.com/y/")
    assert told.source_segment is not None
    assert told.source_segment.tolist() == [x, x, y, NO_SEGMENT, NO_SEGMENT]
    assert told.segment_degree is not None
    # Two of four pages; a sitemap is as an irrelevant page; the link that led to the redirect was on a relevant page.
    assert told.segment_degree.tolist() == [0.5, 0.5, 0.0, 1.0, 1.0]
    assert told.segment_relevance is not None
    assert told.segment_relevance.tolist() == [0.5, 0.5, 0.0, 0.75, 1.0]  # (1 + 1/4 + 1/2 + 1/4)/4


def test_only_what_is_asked_for_is_told_and_kept() -> None:
    sources, batch = SourceSegments(frozenset(["source_segment"])), links(seeds(["http://s.com/"]))
    sources.add(pages_of(FIRST))
    assert sources.state() == {}
    told = sources.told(batch, pages_of([]))
    assert told.source_segment is not None
    assert told.segment_degree is told.segment_relevance is None
    assert SourceSegments(frozenset()).told(batch, pages_of([])) is batch


def test_what_is_there_is_not_told_anew() -> None:
    sources, batch = SourceSegments(ALL), links(seeds(["http://s.com/"]))
    completed = sources.completed(batch)
    assert completed.segment_degree is not None
    assert completed.segment_degree.tolist() == [1.0]
    completed.segment_degree[:] = 0.25
    again = sources.completed(completed)
    assert again is completed
    assert np.array_equal(again.segment_degree, [0.25])  # type: ignore[arg-type]
