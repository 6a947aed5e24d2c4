"""Bare links for `Crawl`, made from the pages that a live crawl reads and from lists of URLs."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from exonym.batches import NO_ROW, BareLinks, Ids, Outcome, PageBatch, language_code
from exonym.frontier.base import LEVELS_PER_UNIT, drawn_score
from exonym.journal import JournalRow
from exonym.readers.link_ids import all_ids_of
from exonym.readers.page import NO_HTML, JudgedPage
from exonym.urls import id_of, server_of, top_level_domain_of

_OF_PAGES = ("anchor", "around", "place", "reading")  # columns that `JudgedPage` has under the same names


def links_of(page: JudgedPage, needs: frozenset[str]) -> BareLinks:
    """The links of a page, with the columns that the strategy needs and the page has."""
    columns: dict[str, Any] = {"text": page.text}
    columns |= {name: getattr(page, name) for name in _OF_PAGES if name in needs and getattr(page, name) is not None}
    if "anchor_language" in needs and page.anchor_language is not None:
        columns["anchor_language"] = np.array([_language_code(name) for name in page.anchor_language], dtype=np.uint16)
    if "domain" in needs:
        columns["domain"] = _domains(page.text)
    return BareLinks(page.url, page.server, page.segment, columns)


def links_to(urls: Sequence[str], needs: frozenset[str] = frozenset()) -> BareLinks:
    """Links of which only the URLs (in normal form) are known: seeds, targets of redirects, entries of sitemaps."""
    columns: dict[str, Any] = {"text": list(urls)}
    if "domain" in needs:
        columns["domain"] = _domains(urls)
    return BareLinks(*all_ids_of(urls), columns)


def pages_of(rows: Sequence[JournalRow]) -> PageBatch:
    """The visits of journal rows, for `Crawl` to learn from again after a restart."""
    targets = links_to([row.url for row in rows])
    return PageBatch(
        url=targets.url,
        server=targets.server,
        segment=targets.segment,
        distance=np.array([row.distance for row in rows], dtype=np.uint16),
        row=np.array([row.row for row in rows], dtype=np.int64),
        outcome=np.array([row.outcome for row in rows], dtype=np.uint8),
        relevance=np.array([row.relevance for row in rows], dtype=np.float32),
        relevant=np.array([row.relevant for row in rows], dtype=np.bool_),
        language=np.array([language_code(row.language) for row in rows], dtype=np.uint16),
        note=np.array([row.note for row in rows], dtype=np.uint64),
        text=[row.url for row in rows],
        is_file=np.array([is_file(row) for row in rows], dtype=np.bool_),
        is_copy=np.array([row.copy for row in rows], dtype=np.bool_),
        probed=np.array([probed_score(row) for row in rows], dtype=np.float32),
    )


def probed_score(row: JournalRow) -> float:
    """The score with which a link was drawn at random; NaN if it was not."""
    return drawn_score(round((row.score - row.rank) * LEVELS_PER_UNIT)) if row.source != NO_ROW else math.nan


def is_file(row: JournalRow) -> bool:
    """Whether an address was answered with something else than HTML."""
    return row.outcome == Outcome.PAGE and (row.truncated == "type" or row.why == NO_HTML)


def _domains(urls: Sequence[str]) -> Ids:
    return np.array([_domain_id(server_of(url)) for url in urls], dtype=np.uint64)


@lru_cache(maxsize=16_384)
def _domain_id(server: str) -> int:
    return id_of(top_level_domain_of(server))


_language_code = lru_cache(maxsize=1_024)(language_code)
