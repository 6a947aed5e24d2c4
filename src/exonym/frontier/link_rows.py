"""Waiting links as bytes: a row is 44 bytes of facts, then the URL without scheme and server.

The rows of one group and level follow one another without gaps.
"""

import struct
from collections.abc import Iterator

import numpy as np

from exonym.batches import Ids, LinkBatch, Visit
from exonym.frontier.base import LEVELS_PER_UNIT
from exonym.urls import id_of, segment_of

# What all rows of a queue share and no row repeats: server, its name, level, the group's rank. A plain tuple, because
# every pop builds one.
WaitingPlace = tuple[int, str, int, float]

# arrival, source, source server, note, source relevance, source language, distance, hops, flags, URL length
ROW = struct.Struct("<QqQQfHHBBH")
_ARRIVAL = struct.Struct("<Q")
_ARRIVAL_AND_SOURCE = struct.Struct("<Qq")
_RELEVANT, _HTTPS = 1, 2
_HTTP_PREFIX, _HTTPS_PREFIX = "http://", "https://"
_ROW_BYTES, _unpack = ROW.size, ROW.unpack_from
_FACTS = np.dtype("<u8,<i8,<u8,<u8,<f4,<u2,<u2,u1,u1,<u2")  # as ROW


def packed_row(visit: Visit, server_name: str) -> bytes:
    """One visit as a row."""
    https = visit.text.startswith("https")
    path = visit.text[len(server_name) + (8 if https else 7) :].encode()
    flags = _RELEVANT * visit.source_relevant + _HTTPS * https
    return (
        ROW.pack(
            visit.arrival,
            visit.source,
            visit.source_server,
            visit.note,
            visit.source_relevance,
            visit.source_language,
            visit.distance,
            visit.hops,
            flags,
            len(path),
        )
        + path
    )


def packed_rows(links: LinkBatch, notes: Ids, first_arrival: int) -> list[bytes]:
    """Every link of a batch as a row, without building visits: the hot path of a crawl."""
    texts = links.text or []
    paths = [text[text.index("/", 8) :].encode() for text in texts]
    facts = np.empty(len(texts), dtype=_FACTS)
    is_https = np.array([text[4] == "s" for text in texts], dtype=np.bool_)
    columns = (
        np.arange(first_arrival, first_arrival + len(texts), dtype=np.uint64),
        links.source,
        links.source_server,
        notes,
        links.source_relevance,
        links.source_language,
        links.distance,
        links.hops,
        _RELEVANT * links.source_relevant + _HTTPS * is_https,
        [len(path) for path in paths],
    )
    for name, column in zip(_FACTS.names or (), columns, strict=True):
        facts[name] = column
    packed = facts.tobytes()
    return [
        packed[start : start + _ROW_BYTES] + path
        for start, path in zip(range(0, len(packed), _ROW_BYTES), paths, strict=True)
    ]


def arrival_at(data: bytes | bytearray, offset: int) -> int:
    """The arrival number of the row that begins at `offset`."""
    arrival: int = _ARRIVAL.unpack_from(data, offset)[0]
    return arrival


def moved_row(row: bytes, arrival: int, source: int) -> bytes:
    """A row with another arrival number and another source."""
    return _ARRIVAL_AND_SOURCE.pack(arrival, source) + row[_ARRIVAL_AND_SOURCE.size :]


def source_of(row: bytes) -> int:
    """The source of a row."""
    source: int = _ARRIVAL_AND_SOURCE.unpack_from(row)[1]
    return source


def row_end(data: bytes | bytearray, offset: int) -> int:
    """Where the row that begins at `offset` ends."""
    length: int = data[offset + 42] | data[offset + 43] << 8
    return offset + ROW.size + length


def text_at(data: bytes | bytearray, offset: int, server_name: str) -> str:
    """The URL of the row that begins at `offset`."""
    path = data[offset + ROW.size : row_end(data, offset)].decode()
    return (_HTTPS_PREFIX if data[offset + 41] & _HTTPS else _HTTP_PREFIX) + server_name + path


def visit_at(data: bytes | bytearray, offset: int, place: WaitingPlace) -> Visit:
    """The row that begins at `offset` as a visit."""
    server, name, level, rank = place
    arrival, source, source_server, note, relevance, language, distance, hops, flags, length = _unpack(data, offset)
    start = offset + _ROW_BYTES
    path = data[start : start + length].decode()
    text = (_HTTPS_PREFIX if flags & _HTTPS else _HTTP_PREFIX) + name + path
    return Visit(
        id_of(text),
        server,
        id_of(segment_of(text)),
        text,
        distance,
        source,
        source_server,
        relevance,
        bool(flags & _RELEVANT),
        language,
        hops,
        note,
        rank + level / LEVELS_PER_UNIT,
        level,
        arrival,
    )


def offsets(data: bytes | bytearray, start: int = 0) -> Iterator[int]:
    """Where each row begins."""
    while start < len(data):
        yield start
        start = row_end(data, start)
