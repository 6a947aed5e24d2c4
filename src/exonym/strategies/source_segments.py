"""What a link is told of the segment that its source page is in, where a strategy asks for it."""

from dataclasses import replace
from typing import Any

import numpy as np

from exonym.batches import NO_SEGMENT, Flags, Ids, LinkBatch, Outcome, PageBatch
from exonym.strategies.base import State
from exonym.strategies.best_first import Means

_RELEVANCE, _DEGREE, _SEGMENT = "segment_relevance", "segment_degree", "source_segment"


class SourceSegments:
    """The means of the pages so far in each segment, and the columns of links that are made of them.

    A link whose source is no page of its batch, as of a redirect, or a seed, has no source segment: the relevance of
    its source stands for the segment's, and whether that was relevant for the degree.
    """

    def __init__(self, needs: frozenset[str]) -> None:
        self._asked = needs & {_RELEVANCE, _DEGREE, _SEGMENT}
        self._relevances, self._degrees = Means(), Means()

    def add(self, pages: PageBatch) -> None:
        """Count pages; a request that failed says nothing about the others."""
        there = pages.outcome == Outcome.PAGE
        if _RELEVANCE in self._asked:
            self._relevances.add(pages.segment[there], pages.relevance[there])
        if _DEGREE in self._asked:
            self._degrees.add(pages.segment[there], pages.relevant[there].astype(np.float32))

    def told(self, links: LinkBatch, pages: PageBatch) -> LinkBatch:
        """The links of pages as of now. Sitemaps lie in a segment too, but are not told what its pages are like."""
        if not self._asked:
            return links
        of_pages = _segments_of(links, pages, pages.outcome == Outcome.PAGE)
        of_sitemaps = _segments_of(links, pages, pages.outcome == Outcome.SITEMAP)
        columns = self._columns(links, of_pages)
        if _SEGMENT in columns:
            columns[_SEGMENT] = np.minimum(of_pages, of_sitemaps)  # no id is larger than NO_SEGMENT
        return replace(links, **columns)

    def completed(self, links: LinkBatch) -> LinkBatch:
        """The links with the columns that were asked for and are not there: these have no source segment."""
        missing = [name for name in self._asked if getattr(links, name) is None]
        if not missing:
            return links
        columns = self._columns(links, np.full(len(links), NO_SEGMENT, dtype=np.uint64))
        return replace(links, **{name: columns[name] for name in missing})

    def _columns(self, links: LinkBatch, sources: Ids) -> dict[str, Any]:
        columns: dict[str, Any] = {_SEGMENT: sources}
        for name, means, otherwise in (
            (_RELEVANCE, self._relevances, links.source_relevance),
            (_DEGREE, self._degrees, links.source_relevant),
        ):
            if name in self._asked:
                columns[name] = np.where(sources != NO_SEGMENT, means.of(sources), otherwise).astype(np.float32)
        return {name: column for name, column in columns.items() if name in self._asked}

    def state(self) -> dict[str, State]:
        """The means, as far as they are kept."""
        kept = {_RELEVANCE: ("segments", self._relevances), _DEGREE: ("degrees", self._degrees)}
        return {name: means.state() for asked, (name, means) in kept.items() if asked in self._asked}

    def restore(self, state: dict[str, State]) -> None:
        """Go on from what `state` gave; KeyError if it lacks something."""
        if _RELEVANCE in self._asked:
            self._relevances.restore(state["segments"])
        if _DEGREE in self._asked:
            self._degrees.restore(state["degrees"])


def _segments_of(links: LinkBatch, pages: PageBatch, chosen: Flags) -> Ids:
    """The segment of each link's source, where that is one of the chosen pages."""
    order = np.argsort(pages.row[chosen])
    rows, segments = pages.row[chosen][order], pages.segment[chosen][order]
    if not len(rows):
        return np.full(len(links), NO_SEGMENT, dtype=np.uint64)
    places = np.minimum(np.searchsorted(rows, links.source), len(rows) - 1)
    return np.where(rows[places] == links.source, segments[places], np.uint64(NO_SEGMENT))
