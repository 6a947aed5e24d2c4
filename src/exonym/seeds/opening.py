"""Opens files of seeds, packed by gzip or not, as streams that report how much of the file has been read."""

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

_REPORT_BYTES = 1 << 20
_BUFFER_BYTES = 1 << 18
_PIECE_BYTES = 1 << 14  # what damage costs at most


class _ReportingFile(io.RawIOBase):
    """A file that reports how much of it has been read."""

    def __init__(self, file: io.FileIO, tell: TellLine) -> None:
        self._file = file
        self._tell = tell
        self._read = self._reported = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        count = self._file.readinto(buffer) or 0
        self._read += count
        if self._read - self._reported >= _REPORT_BYTES:
            self._reported = self._read
            self._tell(self._read)
        return count


class _Unpacking(io.RawIOBase):
    """The content of a gzip file, in small pieces, since damage costs the whole piece."""

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
    """The unpacked content of a file; errors of the disk become Exonym's own."""
    with reading(path, "a file of yours"), path.open("rb", buffering=0) as file:
        stream: io.BufferedReader = io.BufferedReader(_ReportingFile(file, tell), _BUFFER_BYTES)
        # By its first bytes: a dump that was unpacked by a browser still ends in .gz.
        is_packed = stream.peek(2)[:2] == b"\x1f\x8b"
        yield io.BufferedReader(_Unpacking(stream), _BUFFER_BYTES) if is_packed else stream
