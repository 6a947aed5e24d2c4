"""Joins the URL tables of all chunks into nodes: each URL once, numbered in the order of its id.

Ids are hashes, so equal ranges of ids hold about equally many URLs. Ranges are joined in ascending order, each in
memory, so their results end to end are sorted. No text is ever looked up. Memory: one range with its texts, and a few
numbers per node.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.batches import Ids
from exonym.webgraph.importing.chunks import Chunk, load_chunk
from exonym.webgraph.ragged import Pile, picked, starts_of

_RANGE_MENTIONS = 2_000_000
_MOST_RANGES_BITS = 8
_TABLE = ("url_id", "server_id", "segment_id", "url_lengths", "url_bytes")
_TYPES = {"url_id": "<u8", "server_id": "<u8", "segment_id": "<u8", "url_lengths": "<u4", "url_bytes": "|u1"}


class NodeTable(NamedTuple):
    """Ids of nodes in ascending order, ids of their servers and segments, and their URLs."""

    ids: Ids
    servers: Ids
    segments: Ids
    pile: Pile  # has the columns url_lengths and url_bytes


def join_nodes(chunks: list[Path], pile: Pile, range_mentions: int = _RANGE_MENTIONS) -> NodeTable:
    """The table of all URLs of `chunks`, each once."""
    mentions = sum(len(load_chunk(path, "url_id")["url_id"]) for path in chunks)
    bits = min((mentions // range_mentions).bit_length(), _MOST_RANGES_BITS)
    for path in chunks:
        _split_by_range(load_chunk(path, *_TABLE), bits, pile)
    for number in range(1 << bits):
        _join_range(number, pile)
    return NodeTable(
        pile.mapped("url_id", "<u8"), pile.mapped("server_id", "<u8"), pile.mapped("segment_id", "<u8"), pile
    )


def _split_by_range(table: Chunk, bits: int, pile: Pile) -> None:
    """Append each range of a chunk's table to columns of its own; the table is sorted, so a range is a slice."""
    firsts = np.array([number << (64 - bits) for number in range(1 << bits)], np.uint64)
    bounds = [*np.searchsorted(table["url_id"], firsts).tolist(), len(table["url_id"])]
    starts = starts_of(table["url_lengths"])
    for number in range(1 << bits):
        first, last = bounds[number], bounds[number + 1]
        for name in _TABLE[:-1]:
            pile.append(f"{number}.{name}", table[name][first:last])
        pile.append(f"{number}.url_bytes", table["url_bytes"][starts[first] : starts[last]])


def _join_range(number: int, pile: Pile) -> None:
    table = {name: pile.mapped(f"{number}.{name}", dtype) for name, dtype in _TYPES.items()}
    _, first = np.unique(table["url_id"], return_index=True)
    for name in _TABLE[:3]:
        pile.append(name, table[name][first])
    lengths, data = picked(table["url_lengths"], table["url_bytes"], first)
    pile.append("url_lengths", lengths)
    pile.append("url_bytes", data)
    del table
    pile.drop(*(f"{number}.{name}" for name in _TABLE))
