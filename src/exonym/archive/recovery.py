"""The next place in a WARC file that looks like the beginning of a record, in compressed and in plain files."""

import zlib
from typing import BinaryIO

_MEMBER = b"\x1f\x8b\x08"
_FIRST = b"WARC/"
_GAP = b"\r\n\r\n"  # after every record of a plain file
_PREFIX_BYTES = 1_024
_WINDOW_BYTES = 4 << 20


def next_record(stream: BinaryIO, position: int) -> int:
    """The first place after `position` where a record may begin; -1 if there is none. Moves the stream."""
    stream.seek(0)
    is_packed = stream.read(2) == _MEMBER[:2]
    mark = _MEMBER if is_packed else _GAP + _FIRST
    at = position + 1 if is_packed else max(0, position + 1 - len(_GAP))
    while True:
        stream.seek(at)
        data = stream.read(_WINDOW_BYTES)
        found = data.find(mark)
        while found >= 0:
            if not is_packed:
                return at + found + len(_GAP)
            if _begins_record(stream, at + found):
                return at + found
            found = data.find(mark, found + 1)
        if len(data) < _WINDOW_BYTES:
            return -1
        at += _WINDOW_BYTES - len(mark) + 1  # a mark may cross the border between two windows


def _begins_record(stream: BinaryIO, position: int) -> bool:
    stream.seek(position)
    try:
        return zlib.decompressobj(31).decompress(stream.read(_PREFIX_BYTES), len(_FIRST)) == _FIRST
    except zlib.error:
        return False
