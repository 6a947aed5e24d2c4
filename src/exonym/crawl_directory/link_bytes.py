"""Batches of links as bytes: columns of plain numbers and texts, with a checksum; never pickled.

A batch that comes from another machine is only numbers of known types and texts. Whatever else arrives is refused.
"""

from typing import Any

import msgspec
import numpy as np
import pyarrow
import xxhash
from numpy.typing import NDArray

from exonym.batches import LinkBatch, uncounted
from exonym.errors import DirectoryError

_CODEC = "lz4"
# The types of the columns of numbers. The counters are left out: they are those of the receiver's frontier.
_NUMBERS = {
    "url": np.uint64,
    "server": np.uint64,
    "segment": np.uint64,
    "distance": np.uint16,
    "source": np.int64,
    "source_server": np.uint64,
    "source_relevance": np.float32,
    "source_relevant": np.bool_,
    "source_language": np.uint16,
    "hops": np.uint8,
    "domain": np.uint64,
    "anchor_language": np.uint16,
    "segment_relevance": np.float32,
    "source_segment": np.uint64,
    "segment_degree": np.float32,
    "source_note": np.uint64,
    "reading": np.float32,
}
_TEXTS = ("text", "anchor", "around", "place")


class _PackedLinks(msgspec.Struct, array_like=True):
    """The columns of a batch; texts of a column are one list."""

    count: int
    numbers: dict[str, bytes]
    texts: dict[str, list[str]]


class _Envelope(msgspec.Struct, array_like=True):
    size: int  # bytes of the packed columns before compression
    checksum: int
    data: bytes


_MOST_BYTES = 1 << 30


def packed_links(links: LinkBatch) -> bytes:
    """Links as bytes, for `unpacked_links`."""
    columns = {name: getattr(links, name) for name in (*_NUMBERS, *_TEXTS)}
    kept = {name: column for name, column in columns.items() if column is not None}
    numbers = {name: kept[name].astype(kind, copy=False).tobytes() for name, kind in _NUMBERS.items() if name in kept}
    texts = {name: kept[name] for name in _TEXTS if name in kept}
    data = msgspec.msgpack.encode(_PackedLinks(len(links), numbers, texts))
    packed = pyarrow.compress(data, codec=_CODEC, asbytes=True)
    return msgspec.msgpack.encode(_Envelope(len(data), xxhash.xxh3_64_intdigest(data), packed))


def unpacked_links(value: bytes) -> LinkBatch:
    """The links that `packed_links` packed; DirectoryError for anything else."""
    try:
        envelope = msgspec.msgpack.decode(value, type=_Envelope)
        if not 0 <= envelope.size <= _MOST_BYTES:
            raise ValueError("its size is impossible")
        data = pyarrow.decompress(envelope.data, decompressed_size=envelope.size, codec=_CODEC, asbytes=True)
        if xxhash.xxh3_64_intdigest(data) != envelope.checksum:
            raise ValueError("its checksum is wrong")
        packed = msgspec.msgpack.decode(data, type=_PackedLinks)
        columns: dict[str, Any] = {name: _column(name, column, packed.count) for name, column in packed.numbers.items()}
        for name, texts in packed.texts.items():
            if name not in _TEXTS or len(texts) != packed.count:
                raise ValueError(f"its column {name[:30]!r} does not fit")
            columns[name] = texts
        return LinkBatch(**uncounted(packed.count)._asdict(), **columns)
    except (msgspec.MsgspecError, pyarrow.ArrowException, ValueError, KeyError, TypeError, OSError) as error:
        raise DirectoryError(f"A batch of links is damaged: {error}. Restore state/ from a copy.") from error


def _column(name: str, data: bytes, count: int) -> Any:
    column: NDArray[Any] = np.frombuffer(data, dtype=_NUMBERS[name])
    if name == "reading":
        return column.reshape(count, -1) if count else column.reshape(0, 2)
    if len(column) != count:
        raise ValueError(f"its column {name!r} does not fit")
    return column
