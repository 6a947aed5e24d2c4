"""Decodes the content encodings br and zstd, as tolerantly and within the same bounds as `body` decodes gzip."""

import re
import sys
from collections.abc import Callable, Iterable
from typing import Protocol

import brotli  # type: ignore[import-untyped]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_LARGEST_WINDOW_LOG = 23  # 8 MB: RFC 9659 allows no more on the web
_PIECE_BYTES = 256
_MEMBERS = 64  # frames of zstd
_TEXT_BYTES = 512
_SHORT_BYTES = 64  # so few packed bytes may look like text by chance
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_ERRORS: tuple[type[Exception], ...] = (brotli.error, zstd.ZstdError, EOFError, ValueError)


class _Stream(Protocol):
    """Takes bytes and gives back at most `room`; keeps what it has no room for."""

    is_done: bool
    is_hungry: bool

    def unpack(self, data: bytes, room: int) -> bytes: ...


class _Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()
        self.is_done, self.is_hungry = False, True

    def unpack(self, data: bytes, room: int) -> bytes:
        part: bytes = self._inner.process(data, output_buffer_limit=room)
        self.is_done, self.is_hungry = self._inner.is_finished(), self._inner.can_accept_more_data()
        return part


class _Zstd:
    """One or more frames."""

    def __init__(self) -> None:
        self._inner = self._new()
        self.is_done, self.is_hungry = False, True
        self._frames = 1

    def _new(self) -> "zstd.ZstdDecompressor":
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _LARGEST_WINDOW_LOG})

    def unpack(self, data: bytes, room: int) -> bytes:
        part = self._inner.decompress(data, room)
        rest = self._inner.unused_data
        while self._inner.eof and rest.startswith(_ZSTD_MAGIC) and len(part) < room and self._frames < _MEMBERS:
            self._inner, self._frames = self._new(), self._frames + 1
            part += self._inner.decompress(rest, room - len(part))
            rest = self._inner.unused_data
        self.is_done, self.is_hungry = self._inner.eof, self._inner.needs_input
        return part


def unbrotlied(data: bytes, limit_bytes: int) -> bytes | None:
    """What can be unpacked of a brotli stream, at most `limit_bytes`; None if the data seem to be something else."""
    is_text = not _BINARY.search(data, 0, _TEXT_BYTES)
    # A brotli stream has no magic number: text that is not packed at all may look like its beginning.
    if is_text and len(data) > _SHORT_BYTES:
        return None
    unpacked = _streamed(_Brotli, data, limit_bytes)
    return unpacked if unpacked or not is_text else None


def unzstded(data: bytes, limit_bytes: int) -> bytes | None:
    """What can be unpacked of zstd frames, at most `limit_bytes`; None if the data are something else."""
    return _streamed(_Zstd, data, limit_bytes) if data.startswith(_ZSTD_MAGIC) else None


def _streamed(new_stream: Callable[[], _Stream], data: bytes, limit_bytes: int) -> bytes:
    unpacked, broken = _unpacked(new_stream(), [data], limit_bytes)
    if broken < 0:
        return unpacked
    # An error loses the whole piece that it is in: unpack small pieces up to the broken one, then byte by byte.
    pieces = (data[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES))
    at = max(0, _unpacked(new_stream(), pieces, limit_bytes)[1]) * _PIECE_BYTES
    single = (data[place : place + 1] for place in range(at, min(at + _PIECE_BYTES, len(data))))
    return _unpacked(new_stream(), [data[:at], *single], limit_bytes)[0]


def _unpacked(stream: _Stream, pieces: Iterable[bytes], room: int) -> tuple[bytes, int]:
    """What is unpacked before the end, the limit or an error, and the number of the broken piece; -1 if none is."""
    out, number = bytearray(), -1
    try:
        for piece in pieces:
            number += 1
            while (piece or not stream.is_hungry) and len(out) < room and not stream.is_done:
                out += stream.unpack(piece, room - len(out))[: room - len(out)]
                piece = b""
    except _ERRORS:
        return bytes(out), number
    return bytes(out), -1
