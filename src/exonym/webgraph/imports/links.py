"""From the links of chunks to links by node: a counting sort. Memory: a few bytes a link; texts are sorted on disk."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.model import Ids
from exonym.webgraph.imports.chunks import load_chunk
from exonym.webgraph.imports.columns import PageColumns
from exonym.webgraph.imports.ragged import Bytes, Pile, Places, picked, spans, starts_of

_ENDS = ("url_id", "page_url", "source", "target", "record")


class LinkColumns(NamedTuple):
    """Links by node, in the order of the page."""

    offsets: Places
    targets: NDArray[np.uint32]
    anchor_language: NDArray[np.uint16]
    link_flags: NDArray[np.uint8]
    anchor_lengths: NDArray[np.uint32] | None


class LinkSort:
    """Two passes over chunks: `count`, then `place`; a third, `place_anchors`, if anchors are kept."""

    def __init__(self, chunks: list[Path], ids: Ids, pages: PageColumns) -> None:
        self._chunks, self._ids, self._pages = chunks, ids, pages
        self._offsets = np.zeros(len(ids) + 1, np.int64)

    def count(self) -> None:
        """Find out where the links of each node go."""
        counts = self._offsets[1:]
        for number, path in enumerate(self._chunks):
            chunk = load_chunk(path, *_ENDS)
            where, kept = self._kept(number, chunk)
            nodes, often = np.unique(where[chunk["source"][kept]], return_counts=True)
            counts[nodes] += often
            self._pages.mark_read(where[chunk["source"][chunk["record"] < 0]])
        np.cumsum(counts, out=counts)

    def place(self, with_anchors: bool) -> LinkColumns:
        """Put every link where it goes."""
        total = int(self._offsets[-1])
        targets, languages = np.empty(total, np.uint32), np.empty(total, np.uint16)
        flags, lengths = np.empty(total, np.uint8), np.empty(total if with_anchors else 0, np.uint32)
        free = self._offsets[:-1].copy()
        names = [*_ENDS, "anchor_language", "link_flags", *(["anchor_lengths"] if with_anchors else [])]
        for number, path in enumerate(self._chunks):
            chunk = load_chunk(path, *names)
            where, kept = self._kept(number, chunk)
            places = _take(free, where[chunk["source"][kept]])
            targets[places] = where[chunk["target"][kept]]
            languages[places] = chunk["anchor_language"][kept]
            flags[places] = chunk["link_flags"][kept]
            if with_anchors:
                lengths[places] = chunk["anchor_lengths"][kept]
        return LinkColumns(self._offsets, targets, languages, flags, lengths if with_anchors else None)

    def place_anchors(self, starts: Places, pile: Pile) -> Bytes:
        """The bytes of all anchors, in the order of the links."""
        data = pile.room("anchor", "|u1", int(starts[-1]))
        free = self._offsets[:-1].copy()
        for number, path in enumerate(self._chunks):
            chunk = load_chunk(path, *_ENDS, "anchor_lengths", "anchor_bytes")
            where, kept = self._kept(number, chunk)
            places = _take(free, where[chunk["source"][kept]])
            lengths, own = picked(chunk["anchor_lengths"], chunk["anchor_bytes"], kept)
            data[spans(starts[places], lengths)] = own
        return data

    def _kept(self, number: int, chunk: dict[str, NDArray[Any]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The nodes of a chunk's URLs, and its links that count: loose ones, and those of records that count."""
        where = np.searchsorted(self._ids, chunk["url_id"])
        counts = np.append(self._pages.counts_in(number, where[chunk["page_url"]]), True)  # -1: loose
        return where, np.flatnonzero(counts[chunk["record"]])


def _take(free: Places, nodes: NDArray[np.intp]) -> Places:
    """The next free place of each node's links, in order; nodes may come several times."""
    order = np.argsort(nodes, kind="stable")
    distinct, first, often = np.unique(nodes[order], return_index=True, return_counts=True)
    rank = np.arange(len(nodes)) - np.repeat(first, often)
    places = np.empty(len(nodes), np.int64)
    places[order] = np.repeat(free[distinct], often) + rank
    free[distinct] += often
    return places


def node_texts(chunks: list[Path], ids: Ids, pages: PageColumns, pile: Pile) -> tuple[Places, Bytes]:
    """Where the text of each node begins, and all texts; nodes without one have an empty text."""
    lengths = np.zeros(len(ids), np.int64)
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", "text_lengths")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        counts = pages.counts_in(number, nodes)
        lengths[nodes[counts]] = chunk["text_lengths"][counts]
    starts = starts_of(lengths)
    data = pile.room("text", "|u1", int(starts[-1]))
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", "text_lengths", "text_bytes")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        own = starts_of(chunk["text_lengths"])
        # Texts are long: one by one they cost less than an index of every byte.
        for record in np.flatnonzero(pages.counts_in(number, nodes)).tolist():
            text = chunk["text_bytes"][own[record] : own[record + 1]]
            data[starts[nodes[record]] : starts[nodes[record]] + len(text)] = text
    return starts, data
