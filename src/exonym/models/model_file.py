"""The format that files of topic models and of link models share, and how model files are read and written.

A file has a line that names the kind of model, a line with the SHA-256 digest of the rest, a header as a line of JSON,
then texts and numbers. Nothing in such a file is executed, a file whose digest does not match is refused before it is
parsed, and sizes are checked against the length of the file before they are used.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np

from exonym.batches import Floats
from exonym.errors import ExonymError, ModelError
from exonym.system.files import disk_errors, replacing

Header = TypeVar("Header", bound=msgspec.Struct)
Model = TypeVar("Model")

_MOST_BYTES = 256 << 20
_DIGEST = 64  # hexadecimal digits
_NUMBER = np.dtype("<f8")


class Frame(NamedTuple):
    """A kind of file."""

    what: str  # "link model": the first line is `exonym link model 1`
    version: int
    advice: str  # how to make one

    @property
    def first(self) -> bytes:
        """The first line, up to the version."""
        return b"exonym " + self.what.encode() + b" "


def joined(texts: Sequence[str]) -> bytes:
    """Texts as a file has them, a line each."""
    return "\n".join(texts).encode()


def packed(frame: Frame, header: msgspec.Struct, texts: Sequence[bytes], numbers: Sequence[Floats]) -> bytes:
    """The bytes of a file: a header as JSON, then joined texts, then arrays of numbers."""
    arrays = [array.astype(_NUMBER).tobytes() for array in numbers]
    rest = b"".join([msgspec.json.encode(header), b"\n", *texts, *arrays])
    return b"%s%d\n%s\n%s" % (frame.first, frame.version, hashlib.sha256(rest).hexdigest().encode(), rest)


def unpacked(
    frame: Frame, data: bytes, name: str, header: type[Header], make: Callable[[Header, bytes, str], Model]
) -> Model:
    """The model that `make` makes from a file's header, body and digest; ModelError for any other file."""
    first, _, after = data.partition(b"\n")
    version = first.removeprefix(frame.first)
    if version == first or not version.isdigit() or len(version) > 9:
        raise ModelError(f"{name} is not a {frame.what}. {frame.advice}")
    if int(version) != frame.version:
        raise ModelError(
            f"{name} is a {frame.what} of version {int(version)}; this Exonym reads version {frame.version}. "
            "Install the Exonym that made it, or train it anew."
        )
    digest, rest = after[:_DIGEST], after[_DIGEST + 1 :]
    if after[_DIGEST : _DIGEST + 1] != b"\n" or hashlib.sha256(rest).hexdigest().encode() != digest:
        raise ModelError(f"{name} is damaged: its digest does not match. Copy it again, or train it anew.")
    line, _, body = rest.partition(b"\n")
    try:
        return make(msgspec.json.decode(line, type=header), body, digest.decode())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, ExonymError) as error:
        why = " ".join(str(error).split()).rstrip(".") or "it is nested too deeply"
        raise ModelError(f"{name} is not a {frame.what} that can be used: {why}.") from None


def texts_and_numbers(
    body: bytes, sizes: Sequence[tuple[int, int]], count: int
) -> tuple[list[tuple[str, ...]], Floats]:
    """The groups of texts and the `count` numbers in a body; `sizes` has the lines and bytes of each group of texts."""
    end = sum(size for _, size in sizes)
    if min(min(pair) for pair in sizes) < 0 or len(body) != end + count * _NUMBER.itemsize:
        raise ModelError("its parts do not have the sizes that its header states.")
    groups, start = [], 0
    for number, size in sizes:
        lines = tuple(body[start : start + size].decode().split("\n")) if number else ()
        if len(lines) != number or (size and not number):
            raise ModelError("the number of its texts is not the one that its header states.")
        groups.append(lines)
        start += size
    return groups, np.frombuffer(body, _NUMBER, offset=end).astype(np.float64)


def write_whole(data: bytes, path: Path) -> None:
    """Write the file atomically."""
    with disk_errors(path), replacing(path) as draft:
        draft.write_bytes(data)


def read_whole(path: Path, what: str, most: int = _MOST_BYTES) -> bytes:
    """The bytes of a file; ModelError if it is larger than `most` bytes, the largest size of a `what`."""
    with disk_errors(path), path.open("rb") as file:
        is_small = os.fstat(file.fileno()).st_size <= most
        data = file.read(most + 1) if is_small else b""
    if not is_small or len(data) > most:
        raise ModelError(f"{path} is larger than a {what} can be ({most >> 20} MB).")
    return data
