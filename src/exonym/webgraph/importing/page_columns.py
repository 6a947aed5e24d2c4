"""Fills the columns of nodes from the pages of chunks. Of several records of a URL the best counts, then the first."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids, Integers, Outcome
from exonym.webgraph.graph import KNOWN, TextColumn
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.chunks import Chunk, load_chunk
from exonym.webgraph.ragged import starts_of

_TYPES = {
    "outcome": "u1",
    "language": "u2",
    "charset": "u1",
    "relevant": "?",
    "relevance": "f4",
    "text_length": "u4",
    "country": "u2",
    "inherited": "?",
    "payload": "u8",
}
_FACTS = ("url_id", "page_url", *_TYPES, "charset_lengths", "charset_bytes")
_MOST_CHARSETS = 255
# Only a journal says that a URL is a sitemap; an archive has it as a page.
_BEST_FIRST = (Outcome.SITEMAP, Outcome.PAGE, Outcome.REDIRECT, Outcome.FORBIDDEN, Outcome.FAILED)
_RANK = np.argsort(np.array(_BEST_FIRST)).astype(np.uint8)
_NO_RANK = 255


class PageColumns:
    """The facts of nodes, filled chunk by chunk."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids
        self.columns: dict[str, NDArray[Any]] = {name: np.zeros(len(ids), dtype) for name, dtype in _TYPES.items()}
        self.columns["outcome"][:] = KNOWN
        self._rank = np.full(len(ids), _NO_RANK, np.uint8)
        self.record = np.full(len(ids), -1, np.int64)  # the record that counts, numbered through all chunks
        self.charsets: dict[str, int] = {"": 0}
        self.firsts = [0]  # the first record of each chunk
        self.repeated = 0

    def add(self, path: Path) -> None:
        """Take the pages of a chunk."""
        chunk = load_chunk(path, *_FACTS)
        nodes = np.searchsorted(self.ids, chunk["url_id"])[chunk["page_url"]]
        chunk["charset"] = self._charset_numbers(chunk)[chunk["charset"]]
        ranks = _RANK[chunk["outcome"]]
        order = np.lexsort((ranks, nodes))  # stable: the first of equals stays the first
        is_first = np.ones(len(order), bool)
        is_first[1:] = nodes[order][1:] != nodes[order][:-1]
        chosen = order[is_first]
        # A sitemap in both journal and archive is no repetition.
        is_new = np.isin(self._rank[nodes[chosen]], (_NO_RANK, _RANK[Outcome.SITEMAP]))
        self.repeated += len(nodes) - int(is_new.sum())
        chosen = chosen[ranks[chosen] < self._rank[nodes[chosen]]]
        self._rank[nodes[chosen]] = ranks[chosen]
        self.record[nodes[chosen]] = chosen + self.firsts[-1]
        for name, column in self.columns.items():
            column[nodes[chosen]] = chunk[name][chosen]
        self.firsts.append(self.firsts[-1] + len(nodes))

    def _charset_numbers(self, chunk: Chunk) -> NDArray[np.uint8]:
        names = TextColumn(starts_of(chunk["charset_lengths"]), chunk["charset_bytes"])
        for name in names.part(0, len(names)):
            if len(self.charsets) < _MOST_CHARSETS:
                self.charsets.setdefault(name, len(self.charsets))
        return np.array([self.charsets.get(name, 0) for name in names.part(0, len(names))] or [0], np.uint8)

    def counts_in(self, number: int, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which records of chunk `number` count, given the nodes of its records."""
        own = np.arange(len(nodes)) + self.firsts[number]
        is_chosen: NDArray[np.bool_] = self.record[nodes] == own
        return is_chosen

    def take_originals(self) -> NDArray[np.uint32] | None:
        """For each node the first one with the same payload, mostly itself; None if no page is a copy of another."""
        payloads = self.columns.pop("payload")
        nodes = np.flatnonzero(payloads)
        _, first, inverse = np.unique(payloads[nodes], return_index=True, return_inverse=True)
        if len(first) == len(nodes):
            return None
        originals = np.arange(len(payloads), dtype=np.uint32)
        originals[nodes] = nodes[first][inverse]
        return originals

    def mark_read(self, nodes: NDArray[np.intp]) -> None:
        """Mark nodes that have links but no record as pages: whoever listed their links has read them."""
        unknown = nodes[self.columns["outcome"][nodes] == KNOWN]
        self.columns["outcome"][unknown] = Outcome.PAGE


# The kept texts of pages, from chunks to columns of nodes. Memory: one chunk.


def put_page_texts(writer: GraphWriter, name: str, chunks: list[Path], pages: PageColumns) -> None:
    """Write a text column of pages; nodes without a page have an empty text."""
    ids = pages.ids
    starts: Integers = writer.allocate(f"{name}.offsets", len(ids) + 1)
    starts[:] = 0
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", f"{name}_lengths")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        counts = pages.counts_in(number, nodes)
        starts[1:][nodes[counts]] = chunk[f"{name}_lengths"][counts]
    np.cumsum(starts, out=starts)
    data = writer.allocate(f"{name}.bytes", int(starts[-1]))
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", f"{name}_lengths", f"{name}_bytes")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        own = starts_of(chunk[f"{name}_lengths"])
        # Texts are long: copying them one by one costs less than an index of every byte.
        for record in np.flatnonzero(pages.counts_in(number, nodes)).tolist():
            text = chunk[f"{name}_bytes"][own[record] : own[record + 1]]
            data[starts[nodes[record]] : starts[nodes[record]] + len(text)] = text
