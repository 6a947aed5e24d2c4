"""Writes exchanges into WARC files that rotate by size, and cuts them back to the last commit.

A file is readable at any moment. Its length counts only once the store has committed it (`position`): on opening,
everything after that is cut off, so no exchange is there twice.
"""

import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from exonym.archive.exchange import ArchiveOptions, ArchivePlace, Exchange, Original, Position
from exonym.archive.records import ExchangeRecords, warcinfo
from exonym.errors import DirectoryError
from exonym.system.files import disk_error, disk_errors, sync_directory

# Below this a revisit record is as long as what it saves, and depends on another record as well.
SMALLEST_SHARED_BYTES = 512

FindOriginal = Callable[[bytes], Original | None]

_NAME = re.compile(r".+-\d{8}T\d{6}-(\d{5,})\.warc\.gz")


def payload_number(body: bytes) -> int:
    """A number that pages with the same body have, as received; 0 for one that is too short to be recognised."""
    if len(body) < SMALLEST_SHARED_BYTES:
        return 0
    return int.from_bytes(hashlib.sha1(body, usedforsecurity=False).digest()[:8])


def nothing_known(_digest: bytes) -> Original | None:
    """For archives that write every payload in full."""
    return None


class WarcWriter:
    """Appends exchanges to the newest WARC file of a directory.

    An exchange is written atomically: after an error the file is as it was before.
    """

    def __init__(
        self,
        directory: Path,
        options: ArchiveOptions,
        position: Position | None = None,
        known: FindOriginal = nothing_known,
    ) -> None:
        self._directory = directory
        self._options = options
        self._known = known
        self._handle = -1
        self._file = ""
        self._length = 0
        with disk_errors(directory):
            directory.mkdir(parents=True, exist_ok=True)
        self._go_back_to(position or Position())

    @property
    def position(self) -> Position:
        """The end of the archive, for the store to commit."""
        return Position(self._file, self._length)

    def write(self, exchange: Exchange) -> ArchivePlace:
        """Append the request, the response (a revisit if its payload is known) and the metadata."""
        digest = hashlib.sha1(exchange.body, usedforsecurity=False).digest()
        records = ExchangeRecords(exchange, digest)
        may_share = len(exchange.body) >= SMALLEST_SHARED_BYTES and not exchange.truncated
        original = self._known(digest) if may_share else None
        answer = records.revisit(original) if original else records.response()
        request = records.request()
        if self._handle < 0 or self._length >= self._options.file_bytes:
            self._begin_file(exchange.started_epoch_seconds)
        offset = self._length + len(request)
        data = b"".join((request, answer, records.metadata()))
        try:
            _write_all(self._handle, data)
        except OSError as error:
            os.ftruncate(self._handle, self._length)
            raise disk_error(error, self._directory / self._file) from error
        self._length += len(data)
        return ArchivePlace(self._file, offset, len(answer), digest, may_share and original is None, original)

    def flush(self) -> None:
        """Return when all that was written is on the disk."""
        if self._handle >= 0:
            with disk_errors(self._directory / self._file):
                os.fsync(self._handle)

    def close(self) -> None:
        """Flush and close the file; may be called twice."""
        try:
            self.flush()
        finally:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin_file(self, started: float) -> None:
        self.close()  # flushed: a commit names only the newest file and trusts the older ones
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(started))
        name = f"{self._options.prefix}-{stamp}-{_sequence_of(self._file) + 1:05d}.warc.gz"
        path = self._directory / name
        first = warcinfo(name, started, self._options)
        with disk_errors(path):
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
            try:
                _write_all(handle, first)
                sync_directory(self._directory)
            except BaseException:
                os.close(handle)
                path.unlink()
                raise
        self._handle, self._file, self._length = handle, name, len(first)

    def _go_back_to(self, position: Position) -> None:
        """Undo what was written after `position`, the end of the archive at the last commit."""
        # Newer files are renamed, not removed: if the state was lost or is an old copy, they are all that is left of
        # those pages.
        with disk_errors(self._directory):
            for path in sorted(self._directory.iterdir()):
                if path.name.startswith(self._options.prefix) and _sequence_of(path.name) > _sequence_of(position.file):
                    path.rename(_free_name(path.with_name(path.name + ".uncommitted")))
        if not position.file:
            return
        path = self._directory / position.file
        with disk_errors(path):
            handle = os.open(path, os.O_WRONLY | os.O_APPEND)
            try:
                _cut(handle, path, position.length)
            except BaseException:
                os.close(handle)
                raise
        self._handle, self._file, self._length = handle, position.file, position.length


def _sequence_of(name: str) -> int:
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else -1


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _cut(handle: int, path: Path, length: int) -> None:
    size = os.fstat(handle).st_size
    if size < length:
        raise DirectoryError(f"{path} has {size} bytes, but the journal knows {length}. Restore the file from a copy.")
    if size > length:
        os.ftruncate(handle, length)
        os.fsync(handle)


def _write_all(handle: int, data: bytes) -> None:
    written = os.write(handle, data)
    while written < len(data):
        written += os.write(handle, data[written:])
