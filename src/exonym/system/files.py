"""Reads and writes files with Exonym's own errors, and replaces files atomically, even if the power fails.

The store translates LMDB's errors itself.
"""

import errno
import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from exonym.errors import ConfigError, DirectoryError, DiskFullError, ExonymError

FileStamp = tuple[int, int, int]  # of a file: when it was changed, its size, its number

# EFBIG is a file-size limit of the user (ulimit) or of the file system: no room either.
FULL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])


def disk_error(error: OSError, path: Path) -> ExonymError:
    """What to raise in place of an error that the system gave for `path`."""
    if error.errno in FULL:
        return DiskFullError(f"{path} cannot grow: {error.strerror}. Make room, then run the same command again.")
    return DirectoryError(f"{path} cannot be used: {error.strerror or error}. Check that it exists and is yours.")


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise the system's errors inside as DiskFullError or DirectoryError about `path`."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, path) from error


@contextmanager
def reading(path: Path, what: str, missing: str = "") -> Iterator[None]:
    """Raise the system's errors inside as a DirectoryError about `path` that asks for `what`: "a text file".

    If the file does not exist and `missing` is not empty, the error has the advice `missing` instead.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        # Errors without a number are those of a library. A ValueError is about the path if the path has a NUL in it.
        if getattr(error, "errno", None) is None and "\0" not in str(path):
            raise
        if missing and isinstance(error, FileNotFoundError | NotADirectoryError):
            raise DirectoryError(f"{str(path)[:200]} does not exist. {missing}") from None
        why = getattr(error, "strerror", None) or error
        raise DirectoryError(f"{str(path)[:200]} cannot be read: {why}. Name {what}.") from None


def read_text(path: Path, what: str, missing: str = "") -> str:
    """The text of a UTF-8 file, without its byte order mark; errors are those of `reading`."""
    try:
        with reading(path, what, missing):
            return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{str(path)[:200]}:{line}: not UTF-8. Save the file as UTF-8, or name {what}.") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A draft in the directory of `path` to write to: it replaces `path` atomically when the block ends.

    The draft is on disk before it gets its name, so a power cut leaves the old file or the new one. If the block fails,
    the draft is removed and `path` stays as it was. A draft has its process's number in its name, so that two processes
    never share one; drafts of `path` that killed processes left behind are removed first.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.txt"
    >>> with replacing(path) as draft:
    ...     _ = draft.write_text("all of it")
    >>> path.read_text(), len(list(path.parent.iterdir()))
    ('all of it', 1)
    """
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.draft"):
        process = left.name.removeprefix(f".{path.name}.").removesuffix(".draft")
        if process.isdecimal() and not is_running(process):
            with suppress(OSError):  # another process removes it too, or it is another user's
                left.unlink()
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        yield draft
        with disk_errors(path):
            with open(draft, "rb") as file:
                os.fsync(file.fileno())
            draft.replace(path)
            sync_directory(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def stamp_of(path: Path) -> FileStamp | None:
    """What changes when the file does; None if there is none."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def cache_directory() -> Path:
    """Where this user's programs store what they can make again; it may not exist yet."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "exonym"


def is_running(process: str) -> bool:
    """Whether a process with this number, as text, is running on this machine, whoever started it."""
    if not process.isdecimal() or not int(process):
        return False
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def sync_directory(path: Path) -> None:
    """Make names that were just added to or removed from a directory survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
