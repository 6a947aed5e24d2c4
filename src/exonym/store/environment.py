"""Opens LMDB environments, even if address space is short, checks them, and translates their errors."""

import errno
import mmap
import os
import subprocess
import sys
from pathlib import Path

import lmdb

from exonym.errors import DirectoryError, DiskFullError, ExonymError
from exonym.system.files import FULL, disk_errors

MOST_TABLES = 32
LARGEST_MAP_BYTES = 1 << 40
SMALLEST_MAP_BYTES = 1 << 26

_DAMAGED = (lmdb.CorruptedError, lmdb.InvalidError, lmdb.PageNotFoundError, lmdb.PanicError, lmdb.VersionMismatchError)


def open_environment(path: Path, read_only: bool, map_bytes: int) -> lmdb.Environment:
    """Open the environment in a directory, with up to `map_bytes` of address space, as much as the system grants."""
    if read_only and not (path / "data.mdb").is_file():
        raise DirectoryError(f"{path} has no crawl in it. Run `exonym crawl {path.parent}` first.")
    # A reader registers in lock.mdb, so that the crawl keeps the reader's pages; on a read-only medium it need not.
    lock = not read_only or os.access(path / "lock.mdb", os.W_OK)
    while True:
        try:
            return lmdb.open(
                str(path),
                map_size=map_bytes,
                readonly=read_only,
                create=not read_only,
                max_dbs=MOST_TABLES,
                lock=lock,
                readahead=False,  # the frontier reads at random places
                meminit=False,
            )
        except lmdb.MemoryError:  # a container or `ulimit -v` refuses a map of this size, sparse or not
            if map_bytes <= SMALLEST_MAP_BYTES:
                raise DirectoryError(
                    f"{path} cannot be mapped: the system does not grant {map_bytes} bytes of address space. "
                    "Raise `ulimit -v`."
                ) from None
            map_bytes = max(map_bytes // 4, SMALLEST_MAP_BYTES)
        except lmdb.Error as error:
            if "already open in this process" in str(error):  # LMDB has no code for it
                raise DirectoryError(
                    f"{path} is open in this process already. Wait until its crawl ends, or read it in another process."
                ) from error
            raise translation(error, path) or DirectoryError(f"{path} cannot be opened: {error}.") from error


# Run in a separate process, because touching a page that is missing ends the process.
_WALK = """
import lmdb, os, sys
environment = lmdb.open(sys.argv[1], readonly=True, create=False, lock=sys.argv[2] == "True", map_size=int(sys.argv[3]))
environment.copyfd(os.open(os.devnull, os.O_WRONLY), compact=True)
"""


def is_whole(path: Path) -> bool:
    """Whether every page in use is there; reads them all."""
    map_bytes = max(size_of(path / "data.mdb") * 2, SMALLEST_MAP_BYTES)
    lock = os.access(path / "lock.mdb", os.W_OK)
    command = [sys.executable, "-c", _WALK, str(path), str(lock), str(map_bytes)]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def size_of(data: Path) -> int:
    """The bytes in a file."""
    with disk_errors(data):
        return data.stat().st_size


def can_map(size_bytes: int) -> bool:
    """Whether the system grants `size_bytes` of address space on top of what is in use."""
    try:
        mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True


def translation(error: lmdb.Error, path: Path) -> ExonymError | None:
    """What to raise for an error of LMDB; None if the error means that we called LMDB wrongly."""
    if isinstance(error, lmdb.DiskError) or error.code in FULL or error.code == errno.EIO:
        # EIO is what LMDB makes of a write that was cut short, and that is how most disks become full.
        return DiskFullError(f"{path} cannot be written: the disk is full or failing ({error}). Make room, then go on.")
    if isinstance(error, _DAMAGED):
        return damaged(path, str(error))
    if error.code in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EAGAIN):
        return DirectoryError(f"{path} cannot be opened: {os.strerror(error.code)}. Check that it exists and is yours.")
    return None


def damaged(path: Path, what: str) -> DirectoryError:
    """What to raise for a store that cannot be trusted."""
    return DirectoryError(f"{path} is damaged: {what}. Restore it from a copy, or start in a new directory.")
