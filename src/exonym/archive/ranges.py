"""Parts of an archive, cut where records begin, so that one large file is read by several processes.

A cut is a place that looks like the beginning of a record. An archived archive has such places in the middle of a
record too: the reader of the part before a wrong cut notices, and the two parts are read again as one.
"""

import zlib
from collections.abc import Callable, Container
from pathlib import Path
from typing import BinaryIO, NamedTuple

from exonym.archive.recovery import next_record
from exonym.system.files import disk_errors

RANGE_BYTES = 16 << 20  # a few seconds of work
_HEAD_BYTES = 1 << 20
_PIECE_BYTES = 1 << 16
_GZIP = 31

NOWHERE = -1  # the number of no record


class Stretch(NamedTuple):
    """A part of a file to read: first and last byte, and the numbers of records to pass over.

    `at_record` is called with the number of each record before the record is read, and with NOWHERE at the end.
    """

    first: int = 0
    last: int = 0  # 0: the end of the file
    passed_over: Container[int] = ()
    at_record: Callable[[int], object] = lambda number: None


WHOLE = Stretch()


def cuts_of(path: Path, range_bytes: int = RANGE_BYTES) -> list[int]:
    """Where the parts of a file begin, the first at 0, and the end of the file."""
    with disk_errors(path), path.open("rb") as stream:
        size = path.stat().st_size
        cuts, at = [0], range_bytes
        while at <= size - range_bytes // 2:  # a short rest stays with the part before it
            cut = next_record(stream, at - 1)
            if cut < 0:
                break
            cuts.append(cut)
            at = max(at + range_bytes, cut + range_bytes // 2)
        return [*cuts, size]


class RangeStream:
    """A stream that ends at `last`, wherever its file ends."""

    def __init__(self, stream: BinaryIO, last: int) -> None:
        self._stream, self._last = stream, last
        self.fileno, self.seek, self.tell = stream.fileno, stream.seek, stream.tell

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes, none after `last`."""
        left = max(0, self._last - self._stream.tell())
        return self._stream.read(left if size < 0 else min(size, left))


def is_whole(stream: BinaryIO, position: int, last: int) -> bool:
    """Whether what begins at `position`, with the last record before a cut, ends at the cut."""
    stream.seek(position)
    start = stream.read(min(_HEAD_BYTES, last - position))
    if start[:2] == b"\x1f\x8b":
        return _ends_packed(stream, position, last)
    return position == last or _ends_plain(start, position, last)


def _ends_plain(start: bytes, position: int, last: int) -> bool:
    head, gap, _ = start.partition(b"\r\n\r\n")
    lengths = [line[15:].strip() for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:"]
    if not gap or len(lengths) != 1 or not lengths[0].isdigit():
        return False
    return position + len(head) + len(gap) + int(lengths[0][:18]) + len(b"\r\n\r\n") == last


def _ends_packed(stream: BinaryIO, position: int, last: int) -> bool:
    """Whether whole gzip members fill the room up to `last`."""
    part, left = RangeStream(stream, last), b""
    stream.seek(position)
    try:
        while data := left or part.read(_PIECE_BYTES):
            member = zlib.decompressobj(_GZIP)
            while not member.eof:
                if not data:
                    return False
                member.decompress(data, 1 << 24)
                data = member.unconsumed_tail or (b"" if member.eof else part.read(_PIECE_BYTES))
            left = member.unused_data
    except zlib.error:
        return False
    return True
