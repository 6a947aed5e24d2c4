"""Where a damaged WARC file goes on: the next place that begins a record, in packed and in plain files."""

import mmap
import zlib
from typing import BinaryIO

_MEMBER = b"\x1f\x8b\x08"
_PLAIN = b"\r\n\r\nWARC/"
_FIRST = b"WARC/"
_PREFIX_BYTES = 1_024


def next_record(stream: BinaryIO, position: int) -> int:
    """The first place after `position` where a record may begin; -1 if there is none."""
    try:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file cannot be mapped
        return -1
    with data:
        if data[:2] != _MEMBER[:2]:
            found = data.find(_PLAIN, position + 1)
            return found + len(_PLAIN) - len(_FIRST) if found >= 0 else -1
        at = data.find(_MEMBER, position + 1)
        while at >= 0 and not _begins_record(data[at : at + _PREFIX_BYTES]):
            at = data.find(_MEMBER, at + 1)
        return at


def _begins_record(member: bytes) -> bool:
    try:
        return zlib.decompressobj(31).decompress(member, len(_FIRST)) == _FIRST
    except zlib.error:
        return False
