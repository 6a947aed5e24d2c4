"""One crawl at a time: a lock on a directory that is released when the process that holds it ends.

Machines that share a disk over a network may lose a lock without noticing. So each owner also writes a number, one
higher than the last, into the file `fence`, and looks before it writes whether the number is still its own.
"""

import fcntl
import os
import time
from pathlib import Path
from weakref import WeakSet

from exonym.errors import DirectoryError, FencedError
from exonym.system.files import disk_errors, is_running, replacing

# How long children of a killed crawl may take to close the lock that they inherited.
ORPHAN_SECONDS = 2.0


class DirectoryLock:
    """Keeps a second crawl out of a directory for as long as this process lives."""

    def __init__(self, path: Path) -> None:
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with disk_errors(path):
                self._take(path)
        except BaseException:
            self.release()
            raise
        _held_locks.add(self)
        self._fence = path / "fence"
        with disk_errors(path):
            self._number = _number_in(self._fence) + 1
            with replacing(self._fence) as draft:
                draft.write_bytes(b"%d\n" % self._number)

    def check(self) -> None:
        """Raise if another process has taken the directory since."""
        number = _number_in(self._fence)
        if number != self._number:
            raise FencedError(
                f"{self._fence.parent} was taken over by another process (number {number}, ours is {self._number}). "
                "What this process has not committed is left to the other one."
            )

    def _take(self, path: Path) -> None:
        last_try = time.monotonic() + ORPHAN_SECONDS
        while not _is_taken(self._handle):
            owner = os.pread(self._handle, 20, 0).decode("ascii", "replace")
            # An owner without a number has just taken the lock and is about to write its number: look again.
            if is_running(owner) or time.monotonic() > last_try:
                raise DirectoryError(f"crawl {path.parent} is in use by process {owner}. Wait for it or stop it.")
            time.sleep(0.01)
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Release the lock; may be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def owner_of(path: Path) -> int | None:
    """The process that holds the lock on a directory; None if none does. 0: a process that is just taking it."""
    try:
        handle = os.open(path / "lock", os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        owner = os.pread(handle, 20, 0)
        return int(owner) if owner.isdigit() else 0
    finally:
        os.close(handle)


_held_locks: WeakSet[DirectoryLock] = WeakSet()


def _release_in_child() -> None:
    # A worker forked from a crawl inherits its lock, and would hold it after the crawl was killed.
    for lock in list(_held_locks):
        lock.release()


os.register_at_fork(after_in_child=_release_in_child)


def _number_in(fence: Path) -> int:
    try:
        return int(fence.read_bytes())
    except (FileNotFoundError, ValueError):  # of version 0.1.0, or torn by a crash of the machine
        return 0


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
