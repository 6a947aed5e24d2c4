"""Files of models: a line that says what it is, a line with the digest, and what follows from there.

Nothing in such a file is run, and what does not fit its digest is not looked at.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from exonym.errors import ConfigError
from exonym.system.files import disk_errors

Made = TypeVar("Made")

_MOST_BYTES = 256 << 20
_DIGEST = 64  # hexadecimal digits


class Frame(NamedTuple):
    """What kind of file it is."""

    what: str  # "link model": the first line is `exonym link model 1`
    version: int
    advice: str  # how to make one

    @property
    def first(self) -> bytes:
        """The first line, up to the version."""
        return b"exonym " + self.what.encode() + b" "


def framed(frame: Frame, rest: bytes) -> bytes:
    """The bytes of a file with `rest` in it."""
    return b"%s%d\n%s\n%s" % (frame.first, frame.version, hashlib.sha256(rest).hexdigest().encode(), rest)


def unframed(frame: Frame, data: bytes, name: str) -> tuple[bytes, str]:
    """What comes after the digest, which fits; and the digest. `name` is the file's."""
    first, _, after = data.partition(b"\n")
    version = first.removeprefix(frame.first)
    if version == first or not version.isdigit() or len(version) > 9:
        raise ConfigError(f"{name} is not a {frame.what}. {frame.advice}")
    if int(version) != frame.version:
        raise ConfigError(
            f"{name} is a {frame.what} of version {int(version)}; this Exonym reads version {frame.version}. "
            "Install the Exonym that made it, or train it anew."
        )
    digest, rest = after[:_DIGEST], after[_DIGEST + 1 :]
    if after[_DIGEST : _DIGEST + 1] != b"\n" or hashlib.sha256(rest).hexdigest().encode() != digest:
        raise ConfigError(f"{name} is damaged: its digest does not fit. Copy it again, or train it anew.")
    return rest, digest.decode()


def made_from(frame: Frame, data: bytes, name: str, make: Callable[[bytes, bytes, str], Made]) -> Made:
    """What `make` makes of a file's line of JSON, its body and its digest; ConfigError for what it cannot use."""
    rest, digest = unframed(frame, data, name)
    line, _, body = rest.partition(b"\n")
    try:
        return make(line, body, digest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, ConfigError) as error:
        raise ConfigError(f"{name} is not a {frame.what} that can be used: {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if text.endswith(".") else f"{text or 'it is nested too deeply'}."


def write_whole(data: bytes, path: Path) -> None:
    """Write the file; nothing half written is left."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    with disk_errors(path):
        try:
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def read_whole(path: Path, what: str) -> bytes:
    """The bytes of a file that is not larger than a model can be."""
    with disk_errors(path), path.open("rb") as file:
        is_small = os.fstat(file.fileno()).st_size <= _MOST_BYTES
        data = file.read(_MOST_BYTES + 1) if is_small else b""
    if not is_small or len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} is larger than a {what} can be ({_MOST_BYTES >> 20} MB).")
    return data
