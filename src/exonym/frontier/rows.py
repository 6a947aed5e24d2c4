"""Waiting links as bytes: 44 bytes of facts, then the URL without its server.

Rows of one group and level lie behind each other; deflate finds what they share, so a block of
some hundred rows takes about a quarter of their size.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from isal import isal_zlib

from exonym.errors import DirectoryError
from exonym.frontier.base import LEVELS_PER_UNIT
from exonym.model import LinkBatch, Visit
from exonym.urls import id_of, segment_of

# arrival, source, source server, note, source relevance, source language, distance, hops, flags, URL length
ROW = struct.Struct("<QqQQfHHBBH")
PLACED = struct.Struct("<QhI")  # in the log: group, level and length before rows that belong together
_ARRIVAL = struct.Struct("<Q")
_RELEVANT, _HTTPS = 1, 2
_HTTP_PREFIX, _HTTPS_PREFIX = "http://", "https://"
_ROW_BYTES, _unpack = ROW.size, ROW.unpack_from
_FAST, _SMALL = 0, 2  # isal levels
# isal's type stub declares an instance where the class is.
_IsalError: type[Exception] = isal_zlib.error  # type: ignore[assignment]


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


def packed_rows(links: LinkBatch, notes: list[int], first_arrival: int) -> Iterator[bytes]:
    """Every link of a batch as a row, without building visits: the hot path of a crawl."""
    columns = zip(
        links.source.tolist(),
        links.source_server.tolist(),
        notes,
        links.source_relevance.tolist(),
        links.source_language.tolist(),
        links.distance.tolist(),
        links.hops.tolist(),
        links.source_relevant.tolist(),
        links.text or (),
        strict=True,
    )
    pack = ROW.pack
    for arrival, (source, server, note, relevance, language, distance, hops, relevant, text) in enumerate(
        columns, first_arrival
    ):
        scheme, _, _, path = text.split("/", 3)
        encoded = path.encode()
        flags = relevant + _HTTPS * (scheme == "https:")
        yield pack(arrival, source, server, note, relevance, language, distance, hops, flags, len(encoded) + 1) + (
            b"/" + encoded
        )


def arrival_at(data: bytes | bytearray, offset: int) -> int:
    """The arrival number of the row that begins at `offset`."""
    arrival: int = _ARRIVAL.unpack_from(data, offset)[0]
    return arrival


def row_end(data: bytes | bytearray, offset: int) -> int:
    """Where the row that begins at `offset` ends."""
    length: int = data[offset + 42] | data[offset + 43] << 8
    return offset + ROW.size + length


def text_at(data: bytes | bytearray, offset: int, server_name: str) -> str:
    """The URL of the row that begins at `offset`."""
    path = data[offset + ROW.size : row_end(data, offset)].decode()
    return (_HTTPS_PREFIX if data[offset + 41] & _HTTPS else _HTTP_PREFIX) + server_name + path


class Place(NamedTuple):
    """What a row leaves out, since all rows of its queue share it."""

    server: int
    name: str
    level: int
    rank: float


def visit_at(data: bytes | bytearray, offset: int, place: Place) -> Visit:
    """The row that begins at `offset` as a visit."""
    arrival, source, source_server, note, relevance, language, distance, hops, flags, length = _unpack(data, offset)
    start = offset + _ROW_BYTES
    path = data[start : start + length].decode()
    text = (_HTTPS_PREFIX if flags & _HTTPS else _HTTP_PREFIX) + place.name + path
    return Visit(
        id_of(text),
        place.server,
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
        place.rank + place.level / LEVELS_PER_UNIT,
        place.level,
        arrival,
    )


def offsets(data: bytes | bytearray, start: int = 0) -> Iterator[int]:
    """Where each row begins."""
    while start < len(data):
        yield start
        start = row_end(data, start)


def compressed(data: bytes | bytearray, for_keeps: bool) -> bytes:
    """Small for what stays, quick for what is soon written again."""
    result: bytes = isal_zlib.compress(data, _SMALL if for_keeps else _FAST)
    return result


def expanded(data: bytes) -> bytes:
    """The opposite of `compressed`."""
    try:
        result: bytes = isal_zlib.decompress(data)
    except _IsalError as error:
        raise DirectoryError(f"The frontier has a damaged record ({error}). Restore state/ from a copy.") from error
    return result
