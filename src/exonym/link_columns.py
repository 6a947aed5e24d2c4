"""Bare links of several sources, joined into one batch with the facts of their sources.

`Crawl` decides which facts the links of a visit have (a `Source`); this module makes columns of them. Only `Crawl` uses
it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from exonym.batches import (
    LINK_COLUMNS,
    NO_ROW,
    NO_SEGMENT,
    NO_SERVER,
    BareLinks,
    Filler,
    Flags,
    Floats,
    Ids,
    LinkBatch,
    Outcome,
    PageBatch,
    uncounted,
)
from exonym.strategies.base import State
from exonym.strategies.best_first import Means

_RELEVANCE, _DEGREE = "segment_relevance", "segment_degree"


class Source(NamedTuple):
    """The facts of links from their source. Defaults are those of seeds: as trusted as the links of a relevant page."""

    row: int = NO_ROW
    server: int = NO_SERVER
    segment: int = NO_SEGMENT
    relevance: float = 1.0
    relevant: bool = True
    language: int = 0
    distance: int = 0  # of the links, not of the source
    hops: int = 0
    is_page: bool = False  # only links of a page get the means of its segment
    note: int = 0  # of the visit that found the links


class SegmentMeans:
    """Mean relevance, and share of relevant pages, of each segment so far, if the strategy needs them."""

    def __init__(self, needs: frozenset[str]) -> None:
        self._means = {name: Means(np.nan) for name in (_RELEVANCE, _DEGREE) if name in needs}

    def add(self, pages: PageBatch) -> None:
        """Count pages; requests that failed do not count."""
        fetched = pages.outcome == Outcome.PAGE
        if _RELEVANCE in self._means:
            self._means[_RELEVANCE].add(pages.segment[fetched], pages.relevance[fetched])
        if _DEGREE in self._means:
            self._means[_DEGREE].add(pages.segment[fetched], pages.relevant[fetched].astype(np.float32))

    def of(self, name: str, segments: Ids) -> Floats:
        """The value of column `name` for each segment; NaN for one whose pages are all copies of others."""
        return self._means[name].of(segments)

    def state(self) -> dict[str, State]:
        """The means as arrays."""
        return {_STATE_NAMES[name]: means.state() for name, means in self._means.items()}

    def restore(self, state: dict[str, State]) -> None:
        """Go on from what `state` gave; KeyError if it lacks something."""
        for name, means in self._means.items():
            means.restore(state[_STATE_NAMES[name]])

    def merge(self, state: dict[str, State]) -> None:
        """Add the means of another partition, as its `state` gives them; KeyError if it lacks something."""
        for name, means in self._means.items():
            means.merge(state[_STATE_NAMES[name]])


_STATE_NAMES = {_RELEVANCE: "segments", _DEGREE: "degrees"}  # in snapshots


def link_batch(
    found: Sequence[tuple[Source, BareLinks]], needs: frozenset[str], means: SegmentMeans, blanks: Mapping[str, Any]
) -> LinkBatch:
    """All links in one batch, with the columns that the strategy needs; links without a column get its blank value."""
    sources, bare = [source for source, _ in found], [links for _, links in found]
    counts = np.array([len(links.url) for links in bare], dtype=np.intp)
    total = int(counts.sum())

    def of_sources(values: Sequence[Any], kind: type) -> Any:
        return np.repeat(np.array(values, dtype=kind), counts)

    def source_column(name: str) -> Any:
        segments = np.array([source.segment for source in sources], dtype=np.uint64)
        if name == "source_segment":
            return np.repeat(segments, counts)
        if name == "source_note":
            return of_sources([source.note for source in sources], np.uint64)
        # A source that is not a page has no segment mean: its own relevance takes its place.
        otherwise = [source.relevance if name == _RELEVANCE else source.relevant for source in sources]
        is_page: Flags = np.array([source.is_page for source in sources], dtype=np.bool_)
        known = means.of(name, segments)
        return of_sources(np.where(is_page & ~np.isnan(known), known, otherwise), np.float32)  # type: ignore[arg-type]

    columns: dict[str, Any] = {}
    if all("text" in links.columns for links in bare):  # links of a graph have no URLs as text
        columns["text"] = _joined("text", bare, "")
    for name in needs - {"text"}:
        is_from_crawl = LINK_COLUMNS[name].filled_by == Filler.CRAWL
        columns[name] = source_column(name) if is_from_crawl else _joined(name, bare, blanks[name])
    return LinkBatch(
        url=_ids([links.url for links in bare]),
        server=_ids([links.server for links in bare]),
        segment=_ids([links.segment for links in bare]),
        distance=of_sources([source.distance for source in sources], np.uint16),
        source=of_sources([source.row for source in sources], np.int64),
        source_server=of_sources([source.server for source in sources], np.uint64),
        source_relevance=of_sources([source.relevance for source in sources], np.float32),
        source_relevant=of_sources([source.relevant for source in sources], np.bool_),
        source_language=of_sources([source.language for source in sources], np.uint16),
        hops=of_sources([source.hops for source in sources], np.uint8),
        **uncounted(total)._asdict(),
        **columns,
    )


def _ids(columns: list[Ids]) -> Ids:
    return np.concatenate(columns) if columns else np.empty(0, dtype=np.uint64)


def _joined(name: str, bare: list[BareLinks], blank: Any) -> Any:
    """One column of all links, with `blank` for links that lack it."""
    if isinstance(blank, str):
        parts = (links.columns.get(name) or [blank] * len(links.url) for links in bare)
        return [text for part in parts for text in part]
    arrays = [
        links.columns[name] if name in links.columns else np.repeat(blank, len(links.url), axis=0) for links in bare
    ]
    return np.concatenate([blank[:0], *arrays])
