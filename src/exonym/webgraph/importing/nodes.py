"""Joins the URL tables of all chunks into nodes: each URL once, numbered in the order of its id.

Ids are hashes, so equal ranges of ids hold about equally many URLs. Ranges are joined in ascending order, each in
memory, so their results end to end are sorted. No text is ever looked up. Memory: one range with its texts, and a few
numbers per node.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids
from exonym.webgraph.importing.chunks import Chunk, load_chunk
from exonym.webgraph.ragged import RawColumns, picked, starts_of

_RANGE_MENTIONS = 2_000_000
_MOST_RANGES_BITS = 8
_TYPES = {"url_id": "<u8", "server_id": "<u8", "segment_id": "<u8", "url_lengths": "<u4", "url_bytes": "|u1"}
_TABLE = tuple(_TYPES)


class NodeTable(NamedTuple):
    """Ids of nodes in ascending order, ids of their servers and segments, and the lengths and bytes of their URLs."""

    ids: Ids
    servers: Ids
    segments: Ids
    url_lengths: NDArray[np.uint32]
    url_bytes: NDArray[np.uint8]


def join_nodes(chunks: list[Path], directory: Path, range_mentions: int = _RANGE_MENTIONS) -> NodeTable:
    """The table of all URLs of `chunks`, each once; its columns are in `directory`, which is made."""
    raw = RawColumns(directory)
    mentions = sum(len(load_chunk(path, "url_id")["url_id"]) for path in chunks)
    bits = min((mentions // range_mentions).bit_length(), _MOST_RANGES_BITS)
    for path in chunks:
        _split_by_range(load_chunk(path, *_TABLE), bits, raw)
    for number in range(1 << bits):
        _join_range(number, raw)
    return NodeTable(*(raw.mapped(name, dtype) for name, dtype in _TYPES.items()))


def _split_by_range(table: Chunk, bits: int, raw: RawColumns) -> None:
    """Append each range of a chunk's table to columns of its own; the table is sorted, so a range is a slice."""
    firsts = np.array([number << (64 - bits) for number in range(1 << bits)], np.uint64)
    bounds = [*np.searchsorted(table["url_id"], firsts).tolist(), len(table["url_id"])]
    starts = starts_of(table["url_lengths"])
    for number in range(1 << bits):
        first, last = bounds[number], bounds[number + 1]
        for name in _TABLE[:-1]:
            raw.append(f"{number}.{name}", table[name][first:last])
        raw.append(f"{number}.url_bytes", table["url_bytes"][starts[first] : starts[last]])


def _join_range(number: int, raw: RawColumns) -> None:
    table = {name: raw.mapped(f"{number}.{name}", dtype) for name, dtype in _TYPES.items()}
    _, first = np.unique(table["url_id"], return_index=True)
    for name in _TABLE[:3]:
        raw.append(name, table[name][first])
    lengths, data = picked(table["url_lengths"], table["url_bytes"], first)
    raw.append("url_lengths", lengths)
    raw.append("url_bytes", data)
    del table
    raw.drop(*(f"{number}.{name}" for name in _TABLE))
