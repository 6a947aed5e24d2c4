"""Parts of an archive, cut where records begin, so that one large file is read by several processes.

A cut is a place that looks like the beginning of a record. An archived archive has such places in the middle of a
record too: the reader of the part before a wrong cut notices, and the two parts are read again as one.
"""

from collections.abc import Callable, Container
from pathlib import Path
from typing import BinaryIO, NamedTuple

from exonym.archive.record_heads import next_head
from exonym.archive.recovery import next_record
from exonym.archive.unpacking import DamageError, Packing, UnpackedStream, packing_of
from exonym.system.files import disk_errors

RANGE_BYTES = 16 << 20  # a few seconds of work
_LONGEST_GAP = len(b"\r\n\r\n")  # after a record

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
        if packing_of(stream) not in (Packing.PLAIN, Packing.GZIP):
            return [0, size]
        while at <= size - range_bytes // 2:  # a short rest stays with the part before it
            cut = next_record(stream, at - 1)
            if cut < 0:
                break
            cuts.append(cut)
            at = max(at + range_bytes, cut + range_bytes // 2)
        return [*cuts, size]


def is_whole(stream: BinaryIO, position: int, last: int) -> bool:
    """Whether what begins at `position`, with the last record before a cut, ends at the cut."""
    if packing_of(stream, position) == Packing.GZIP:
        return _ends_packed(stream, position, last)
    return position == last or _ends_plain(stream, position, last)


def _ends_plain(stream: BinaryIO, position: int, last: int) -> bool:
    """Whether a record and the empty lines after it fill the room up to `last`."""
    source = UnpackedStream(stream, position, last)
    try:
        head = next_head(source)
        if head is None:
            return False
        source.skip(head.length)
        return last - source.place <= _LONGEST_GAP and not source.read(last - source.place).strip()
    except DamageError:
        return False


def _ends_packed(stream: BinaryIO, position: int, last: int) -> bool:
    """Whether whole gzip members fill the room up to `last`."""
    source = UnpackedStream(stream, position, last, position)
    try:
        while source.piece():
            pass
    except DamageError:
        return False
    return True
