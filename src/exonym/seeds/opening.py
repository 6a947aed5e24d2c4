"""Files of seeds, packed by gzip or not, read as a stream; how far is told while they are read."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile
from pathlib import Path
from typing import cast

from isal import igzip, isal_zlib

from exonym.seeds.seed import SkippedSeed, TellLine
from exonym.system.files import reading

# What reading a torn or broken gzip file raises.
DAMAGE = (EOFError, BadGzipFile, cast("type[Exception]", isal_zlib.error))
DAMAGED = SkippedSeed("rest of a damaged file")

_TOLD_BYTES = 1 << 20
_BUFFER_BYTES = 1 << 18
_PIECE_BYTES = 1 << 14  # what damage costs at most


class _Told(io.RawIOBase):
    """A file that tells how much of it has been read."""

    def __init__(self, file: io.FileIO, tell: TellLine) -> None:
        self._file = file
        self._tell = tell
        self._read = self._told = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        count = self._file.readinto(buffer) or 0
        self._read += count
        if self._read - self._told >= _TOLD_BYTES:
            self._told = self._read
            self._tell(self._read)
        return count


class _Unpacking(io.RawIOBase):
    """What a gzip file holds, given out as it comes: in small pieces, since damage costs the whole piece."""

    def __init__(self, packed: io.BufferedReader) -> None:
        self._file = igzip.IGzipFile(fileobj=packed, mode="rb")  # type: ignore[no-untyped-call]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        data = self._file.read1(min(len(buffer), _PIECE_BYTES))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_input(path: Path, tell: TellLine) -> Iterator[io.BufferedReader]:
    """What a file holds, unpacked; errors of the disk in our words."""
    with reading(path, "a file of yours"), path.open("rb", buffering=0) as file:
        yield _unpacked(io.BufferedReader(_Told(file, tell), _BUFFER_BYTES))


def _unpacked(stream: io.BufferedReader) -> io.BufferedReader:
    # By its first bytes: a dump that was unpacked by a browser still ends in .gz.
    if stream.peek(2)[:2] != b"\x1f\x8b":
        return stream
    return io.BufferedReader(_Unpacking(stream), _BUFFER_BYTES)
