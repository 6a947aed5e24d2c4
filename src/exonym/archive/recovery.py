"""The next place in an archive that looks like the beginning of a record, in packed and in plain files."""

import re
from collections.abc import Callable
from typing import BinaryIO

from exonym.archive.record_heads import ARC_LINE, WARC_START
from exonym.archive.unpacking import GZIP_MAGIC, ZSTD_MAGIC, DamageError, Packing, UnpackedStream, packing_of

_GAP = re.compile(rb"\n\r?\n(?=WARC/)")  # after every record of a plain file
_LONGEST_GAP = len(b"\n\r\nWARC/")
_LONGEST_LINE = 1 << 15
_WINDOW_BYTES = 4 << 20


def next_record(stream: BinaryIO, position: int, base: int = 0) -> int:
    """The first place after `position` where a record may begin; -1 if there is none. Moves the stream.

    The archive begins at `base` of the stream.
    """
    match packing_of(stream, base):
        case Packing.GZIP:
            return next_member(stream, position)
        case Packing.ZSTD:
            return _next_mark(stream, position, ZSTD_MAGIC, lambda place: begins_record(stream, place, base))
        case Packing.PLAIN:
            stream.seek(base)
            is_warc = stream.read(len(WARC_START)) == WARC_START
            return _next_plain(stream, position) if is_warc else _next_arc_line(stream, position)
        case _:
            return -1


def next_member(stream: BinaryIO, position: int) -> int:
    """The first gzip member after `position` that begins with a record, whatever else the file consists of."""
    return _next_mark(stream, position, GZIP_MAGIC, lambda place: begins_record(stream, place, place))


def begins_record(stream: BinaryIO, place: int, base: int) -> bool:
    """Whether what is at `place`, unpacked if need be, is the beginning of a record."""
    try:
        line = UnpackedStream(stream, place, base=base).line(_LONGEST_LINE)
    except DamageError:
        return False
    return line.startswith(WARC_START) or ARC_LINE.fullmatch(line) is not None


def _next_mark(stream: BinaryIO, position: int, mark: bytes, begins: Callable[[int], bool]) -> int:
    at = position + 1
    while True:
        stream.seek(at)
        data = stream.read(_WINDOW_BYTES)
        found = data.find(mark)
        while found >= 0:
            if begins(at + found):
                return at + found
            found = data.find(mark, found + 1)
        if len(data) < _WINDOW_BYTES:
            return -1
        at += _WINDOW_BYTES - len(mark) + 1  # a mark may cross the border between two windows


def _next_plain(stream: BinaryIO, position: int) -> int:
    at = max(0, position - _LONGEST_GAP)
    while True:
        stream.seek(at)
        data = stream.read(_WINDOW_BYTES)
        for found in _GAP.finditer(data):
            if at + found.end() > position:
                return at + found.end()
        if len(data) < _WINDOW_BYTES:
            return -1
        at += _WINDOW_BYTES - _LONGEST_GAP + 1


def _next_arc_line(stream: BinaryIO, position: int) -> int:
    stream.seek(position)
    stream.readline(_LONGEST_LINE)
    while True:
        place = stream.tell()
        line = stream.readline(_LONGEST_LINE)
        if not line:
            return -1
        if ARC_LINE.fullmatch(line):
            return place
