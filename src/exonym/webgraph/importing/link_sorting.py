"""Sorts the links of all chunks by node: a counting sort into columns on disk. Memory: a few numbers per node."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids, Integers
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.chunks import Chunk, load_chunk
from exonym.webgraph.importing.page_columns import PageColumns
from exonym.webgraph.ragged import picked, spans

_COLUMNS = ("targets", "anchor_language", "link_flags")
_ENDS = ("url_id", "page_url", "source", "target", "record")


class LinkSort:
    """Passes over all chunks: `count`, then `place`, then `place_texts` for each text that is kept."""

    def __init__(self, writer: GraphWriter, chunks: list[Path], ids: Ids, pages: PageColumns) -> None:
        self._writer, self._chunks, self._ids, self._pages = writer, chunks, ids, pages
        self._offsets = np.zeros(len(ids) + 1, np.int64)

    def count(self) -> None:
        """Count the links of each node, so that each node's place in the columns is known."""
        counts = self._offsets[1:]
        for number, path in enumerate(self._chunks):
            chunk = load_chunk(path, *_ENDS)
            where, kept = self._counted_links(number, chunk)
            nodes, often = np.unique(where[chunk["source"][kept]], return_counts=True)
            counts[nodes] += often
            self._pages.mark_read(where[chunk["source"][chunk["record"] < 0]])
        np.cumsum(counts, out=counts)
        self._writer.put("offsets", self._offsets)

    def place(self) -> None:
        """Write every link to its place."""
        columns = {name: self._writer.allocate(name, int(self._offsets[-1])) for name in _COLUMNS}
        for where, kept, places, chunk in self._placements(*_COLUMNS[1:]):
            columns["targets"][places] = where[chunk["target"][kept]]
            for name in _COLUMNS[1:]:
                columns[name][places] = chunk[name][kept]

    def place_texts(self, name: str) -> None:
        """Write a text of every link, `anchor` or `around`, to its place."""
        starts: Integers = self._writer.allocate(f"{name}.offsets", int(self._offsets[-1]) + 1)
        starts[0] = 0
        lengths = starts[1:]
        for _, kept, places, chunk in self._placements(f"{name}_lengths"):
            lengths[places] = chunk[f"{name}_lengths"][kept]
        np.cumsum(lengths, out=lengths)
        data = self._writer.allocate(f"{name}.bytes", int(starts[-1]))
        for _, kept, places, chunk in self._placements(f"{name}_lengths", f"{name}_bytes"):
            own_lengths, own = picked(chunk[f"{name}_lengths"], chunk[f"{name}_bytes"], kept)
            data[spans(starts[places], own_lengths)] = own

    def _placements(self, *names: str) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], Integers, Chunk]]:
        """Yield for each chunk the nodes of its URLs, the links that count, the places of these links, and columns."""
        taken = np.zeros(len(self._ids), np.uint32)
        for number, path in enumerate(self._chunks):
            chunk = load_chunk(path, *_ENDS, *names)
            where, kept = self._counted_links(number, chunk)
            sources = where[chunk["source"][kept]]
            yield where, kept, self._offsets[sources] + _next_places(taken, sources), chunk

    def _counted_links(self, number: int, chunk: dict[str, NDArray[Any]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The nodes of a chunk's URLs, and its links that count: loose ones, and those of records that count."""
        where = np.searchsorted(self._ids, chunk["url_id"])
        counts = np.append(self._pages.counts_in(number, where[chunk["page_url"]]), True)  # -1: loose
        return where, np.flatnonzero(counts[chunk["record"]])


def _next_places(taken: NDArray[np.uint32], nodes: NDArray[np.intp]) -> Integers:
    """The next free place among the links of each node, which `taken` counts; a node may occur several times."""
    order = np.argsort(nodes, kind="stable")
    distinct, first, often = np.unique(nodes[order], return_index=True, return_counts=True)
    places = np.empty(len(nodes), np.int64)
    places[order] = np.repeat(taken[distinct] - first, often) + np.arange(len(nodes))
    taken[distinct] += often.astype(np.uint32)
    return places
