"""From single visits and pages to the batches that a crawl takes, and back from journal rows."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from exonym.batches import NO_ROW, SITEMAP_HOP, Codes, Ids, LinkBatch, PageBatch, Readings, Visit, language_code
from exonym.journal import JournalRow
from exonym.readers.page import JudgedPage
from exonym.urls import id_of, segment_of, server_of, top_level_domain_of


class LinksOfPage(NamedTuple):
    """Links that share one source: its facts, and where they lead."""

    source: int
    source_server: int
    relevance: float
    relevant: bool
    language: int
    distance: int
    hops: int
    reading: JudgedPage  # the links themselves


def on_page(visit: Visit, row: JournalRow, reading: JudgedPage) -> LinksOfPage:
    """The links of a page: one hop further, or the first hop after a relevant page."""
    distance = 1 if row.relevant else min(visit.distance + 1, 65_535)
    return LinksOfPage(
        row.row, visit.server, row.relevance, row.relevant, language_code(row.language), distance, 0, reading
    )


def redirected(visit: Visit, target: str) -> LinksOfPage:
    """A redirect leads on with the facts of the link it came by: judged afresh, loops would climb the frontier."""
    return _inherited(visit, [target], visit.hops + 1)


def to_sitemaps(visit: Visit, urls: list[str]) -> LinksOfPage:
    """The sitemaps of a visit's server are as promising as the visit itself."""
    return _inherited(visit, urls, SITEMAP_HOP)


def _inherited(visit: Visit, urls: list[str], hops: int) -> LinksOfPage:
    return LinksOfPage(
        visit.source,
        visit.source_server,
        visit.source_relevance,
        visit.source_relevant,
        visit.source_language,
        visit.distance,
        hops,
        links_to(urls),
    )


def in_sitemap(visit: Visit, row: JournalRow, urls: list[str], hops: int) -> LinksOfPage:
    """A sitemap says what exists, not what is relevant: its links are those of an irrelevant page."""
    return LinksOfPage(row.row, visit.server, 0.0, False, 0, min(visit.distance + 1, 65_535), hops, links_to(urls))


def seeds(urls: list[str]) -> LinksOfPage:
    """Links without a source; a seed is trusted as a link of a relevant page is."""
    return LinksOfPage(NO_ROW, 0, 1.0, True, 0, 0, 0, links_to(urls))


def links_to(urls: list[str]) -> JudgedPage:
    """Bare URLs in the form in which a page's links come."""
    return JudgedPage(
        key=0,
        url=_ids(urls),
        server=_ids([server_of(url) for url in urls]),
        segment=_ids([segment_of(url) for url in urls]),
        text=urls,
        anchor=[""] * len(urls),
        around=[""] * len(urls),
        place=[""] * len(urls),
        anchor_language=[""] * len(urls),
    )


def link_batch(found: Sequence[LinksOfPage], needs: frozenset[str], textless: Readings | None = None) -> LinkBatch:
    """All links in one batch, with the columns that the strategy needs; what only a crawl knows, it fills in.

    `textless` is what a link model makes of a link without texts, as those of seeds, redirects and sitemaps are.
    """
    readings = [one.reading for one in found]
    counts = np.array([len(reading.url) for reading in readings], dtype=np.intp)

    def repeated(values: list[float] | list[int] | list[bool], kind: type) -> Any:
        return np.repeat(np.array(values, dtype=kind), counts)

    total = int(counts.sum())
    texts = [text for reading in readings for text in reading.text]
    return LinkBatch(
        url=_joined([reading.url for reading in readings]),
        server=_joined([reading.server for reading in readings]),
        segment=_joined([reading.segment for reading in readings]),
        distance=repeated([one.distance for one in found], np.uint16),
        source=repeated([one.source for one in found], np.int64),
        source_server=repeated([one.source_server for one in found], np.uint64),
        source_relevance=repeated([one.relevance for one in found], np.float32),
        source_relevant=repeated([one.relevant for one in found], np.bool_),
        source_language=repeated([one.language for one in found], np.uint16),
        hops=repeated([one.hops for one in found], np.uint8),
        found_relevant=np.zeros(total, dtype=np.uint8),
        found_irrelevant=np.zeros(total, dtype=np.uint8),
        text=texts,
        anchor=_texts([reading.anchor for reading in readings]) if "anchor" in needs else None,
        around=_texts([reading.around for reading in readings]) if "around" in needs else None,
        place=_texts([reading.place for reading in readings]) if "place" in needs else None,
        domain=_domains(texts) if "domain" in needs else None,
        anchor_language=_codes(readings) if "anchor_language" in needs else None,
        reading=_readings(readings, textless) if "reading" in needs else None,
    )


def page_batch(visits: Sequence[Visit], rows: Sequence[JournalRow]) -> PageBatch:
    """Visits and the rows they became."""
    return PageBatch(
        url=np.array([visit.url for visit in visits], dtype=np.uint64),
        server=np.array([visit.server for visit in visits], dtype=np.uint64),
        segment=np.array([visit.segment for visit in visits], dtype=np.uint64),
        distance=np.array([row.distance for row in rows], dtype=np.uint16),
        row=np.array([row.row for row in rows], dtype=np.int64),
        outcome=np.array([row.outcome for row in rows], dtype=np.uint8),
        relevance=np.array([row.relevance for row in rows], dtype=np.float32),
        relevant=np.array([row.relevant for row in rows], dtype=np.bool_),
        language=np.array([language_code(row.language) for row in rows], dtype=np.uint16),
        note=np.array([row.note for row in rows], dtype=np.uint64),
    )


def page_batch_again(rows: Sequence[JournalRow]) -> PageBatch:
    """The batch of rows that were taken before a restart."""
    urls = [row.url for row in rows]
    ids = links_to(urls)
    visits = [
        Visit(url, server, segment, text, 0, 0, 0, 0.0, False, 0, 0, 0, 0.0, 0, 0)
        for url, server, segment, text in zip(
            ids.url.tolist(), ids.server.tolist(), ids.segment.tolist(), urls, strict=True
        )
    ]
    return page_batch(visits, rows)


def _ids(texts: Sequence[str]) -> Ids:
    return np.array([id_of(text) for text in texts], dtype=np.uint64)


def _joined(columns: list[Ids]) -> Ids:
    return np.concatenate(columns) if columns else np.empty(0, dtype=np.uint64)


def _domains(urls: list[str]) -> Ids:
    return np.array([_domain_id(server_of(url)) for url in urls], dtype=np.uint64)


@lru_cache(maxsize=16_384)
def _domain_id(server: str) -> int:
    return id_of(top_level_domain_of(server))


def _codes(readings: list[JudgedPage]) -> Codes:
    """Languages of anchors as numbers; unknown where they were not told."""
    names = [name for one in readings for name in one.anchor_language or [""] * len(one.url)]
    codes = {name: language_code(name) for name in set(names)}
    return np.array([codes[name] for name in names], dtype=np.uint16)


def _readings(readings: list[JudgedPage], textless: Readings | None) -> Readings:
    """What the link model made of all links; of those that it did not see, what it makes of empty texts."""
    empty = np.zeros((1, 2), np.float32) if textless is None else textless
    columns = [np.repeat(empty, len(one.url), axis=0) if one.reading is None else one.reading for one in readings]
    return np.concatenate([empty[:0], *columns])


def _texts(columns: list[list[str] | None]) -> list[str]:
    return [text for column in columns for text in column or ()]
