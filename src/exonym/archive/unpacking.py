"""Reads archives as they are packed: not at all, by gzip, by Zstandard or by LZ4, record by record or as a whole.

How a file is packed is decided by its first bytes, never by its name.
"""

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import BinaryIO, cast

from isal import isal_zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_GZIP = 31  # for zlib: a gzip header and checksum
_GZIP_ERROR = cast("type[Exception]", isal_zlib.error)
_PIECE_BYTES = 1 << 16
_UNPACKED_BYTES = 1 << 20  # at once
_LONGEST_DICTIONARY_BYTES = 16 << 20

GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f: a frame without content
_DICTIONARY = b"\x5d" + _SKIPPABLE  # the first frame of a .warc.zst file, if its records need a dictionary


class DamageError(Exception):
    """An archive that cannot be read on from `place`; -1 if the reader knows the place better."""

    def __init__(self, place: int = -1) -> None:
        super().__init__(place)
        self.place = place


class CutOffError(DamageError):
    """An archive that ends in the middle of a record."""


class Packing(StrEnum):
    """How the bytes of an archive are packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"
    LZ4 = "lz4"
    ZIP = "zip"


def packing_of(stream: BinaryIO, base: int = 0) -> Packing:
    """How the archive that begins at `base` is packed. Moves the stream."""
    stream.seek(base)
    start = stream.read(4)
    if start[:2] == GZIP_MAGIC[:2]:
        return Packing.GZIP
    if start == ZSTD_MAGIC or (start[1:] == _SKIPPABLE and start[0] >> 4 == 5):
        return Packing.ZSTD
    if start == b"\x04\x22\x4d\x18":
        return Packing.LZ4
    return Packing.ZIP if start in (b"PK\x03\x04", b"PK\x05\x06") else Packing.PLAIN


class UnpackedStream:
    """The content of an archive from a place on, up to byte `last` of its file (0: to its end).

    `place` is where the next byte begins in the file; in a packed file, where the member or frame that has it begins.
    """

    def __init__(self, stream: BinaryIO, first: int = 0, last: int = 0, base: int = 0) -> None:
        packing = packing_of(stream, base)
        self.has_places = packing in (Packing.PLAIN, Packing.GZIP, Packing.ZSTD)  # at which reading can begin
        self._is_plain = packing == Packing.PLAIN
        self._pieces = _pieces(stream, packing, (first, last, base))
        self._data, self._at, self._start = b"", 0, first

    @property
    def place(self) -> int:
        """Where the next byte begins; the end of the file if there is none."""
        self._fill()
        return self._start + self._at if self._is_plain else self._start

    def line(self, most: int) -> bytes:
        """The next line with its end; b"" at the end of the file. A line longer than `most` is damage."""
        self._fill()
        while (end := self._data.find(b"\n", self._at)) < 0:
            if len(self._data) - self._at > most:
                raise DamageError
            if not self._add_piece():
                end = len(self._data) - 1
                break
        line, self._at = self._data[self._at : end + 1], end + 1
        return line

    def read(self, size: int) -> bytes:
        """The next `size` bytes; CutOffError if there are fewer."""
        return b"".join(self._parts(size))

    def skip(self, size: int) -> None:
        """Pass over `size` bytes; CutOffError if there are fewer."""
        for _ in self._parts(size):
            pass

    def piece(self) -> bytes:
        """Some of the bytes; b"" at the end of the file."""
        return next(self._parts(_PIECE_BYTES)) if self._fill() else b""

    def _parts(self, size: int) -> Iterator[bytes]:
        while size:
            if not self._fill():
                raise CutOffError
            part = self._data[self._at : self._at + size]
            self._at += len(part)
            size -= len(part)
            yield part

    def _fill(self) -> bool:
        """Make sure that there is a byte to read; False at the end."""
        while self._at >= len(self._data):
            piece = next(self._pieces, None)
            if piece is None:
                return False
            self._start, self._data = piece
            self._at = 0
        return True

    def _add_piece(self) -> bool:
        piece = next(self._pieces, None)
        if piece is None:
            return False
        # Plain: the place of the first byte that is kept. Packed: a line that two members share begins in the first.
        self._start += self._at if self._is_plain else 0
        self._data, self._at = self._data[self._at :] + piece[1], 0
        return True


def _pieces(stream: BinaryIO, packing: Packing, span: tuple[int, int, int]) -> Iterator[tuple[int, bytes]]:
    """Pieces of the content, each with its place."""
    first, last, base = span
    dictionary = _dictionary(stream, base) if packing == Packing.ZSTD else None
    stream.seek(first)
    match packing:
        case Packing.PLAIN:
            return _plain(stream, last)
        case Packing.GZIP:
            return _gzip(stream, last)
        case Packing.ZSTD:
            return _zstd(stream, last, dictionary)
        case Packing.LZ4:
            return _lz4(stream)
        case Packing.ZIP:
            raise DamageError(first)


def _plain(stream: BinaryIO, last: int) -> Iterator[tuple[int, bytes]]:
    while True:
        place = stream.tell()
        data = _next_bytes(stream, last)
        yield place, data  # the last one empty: the end of the file is a place too
        if not data:
            return


def _next_bytes(stream: BinaryIO, last: int) -> bytes:
    return stream.read(min(_PIECE_BYTES, max(0, last - stream.tell())) if last else _PIECE_BYTES)


def _gzip(stream: BinaryIO, last: int) -> Iterator[tuple[int, bytes]]:
    data = b""
    while True:
        data = (data or _next_bytes(stream, last)).lstrip(b"\0")  # padding between members
        if not data:
            if data := _next_bytes(stream, last):
                continue
            yield stream.tell(), b""
            return
        place, member = stream.tell() - len(data), isal_zlib.decompressobj(_GZIP)
        while not member.eof:
            try:
                unpacked = member.decompress(data, _UNPACKED_BYTES)
            except _GZIP_ERROR as error:
                raise DamageError(place) from error
            data = member.unused_data if member.eof else member.unconsumed_tail
            yield place, unpacked
            if not (member.eof or data or unpacked) and not (data := _next_bytes(stream, last)):
                raise CutOffError(place)


def _zstd(stream: BinaryIO, last: int, dictionary: "zstd.ZstdDict | None") -> Iterator[tuple[int, bytes]]:
    data = b""
    while data := data or _next_bytes(stream, last):
        place, frame = stream.tell() - len(data), zstd.ZstdDecompressor(dictionary)
        while not frame.eof:
            if frame.needs_input and not (data := data or _next_bytes(stream, last)):
                raise CutOffError(place)
            try:
                unpacked = frame.decompress(data, _UNPACKED_BYTES)
            except zstd.ZstdError as error:
                raise DamageError(place) from error
            data = frame.unused_data if frame.eof else b""
            yield place, unpacked
    yield stream.tell(), b""


def _dictionary(stream: BinaryIO, base: int) -> "zstd.ZstdDict | None":
    """The dictionary in the first frame, which may itself be packed."""
    stream.seek(base)
    if stream.read(4) != _DICTIONARY:
        return None
    content = stream.read(min(int.from_bytes(stream.read(4), "little"), _LONGEST_DICTIONARY_BYTES))
    try:
        if content[:4] == ZSTD_MAGIC:
            content = zstd.ZstdDecompressor().decompress(content, _LONGEST_DICTIONARY_BYTES)
        return zstd.ZstdDict(content)
    except (zstd.ZstdError, ValueError) as error:
        raise DamageError(base) from error


def _lz4(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    import warnings

    with warnings.catch_warnings():  # fastwarc warns of its own deprecated classes while it is imported
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc.stream_io import Lz4Reader

    reader = Lz4Reader(stream)
    while True:
        place = stream.tell()
        try:
            data = reader.read(_PIECE_BYTES)
        except (RuntimeError, ValueError, OSError) as error:  # a file cut off looks the same
            raise DamageError(place) from error
        yield place, data
        if not data:
            return
