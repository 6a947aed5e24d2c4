"""Columns of byte strings of different lengths, packed end to end, and raw columns that grow on disk."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers

Bytes = NDArray[np.uint8]

_PIECE = 50_000  # strings


def packed(texts: Sequence[str]) -> tuple[NDArray[np.uint32], Bytes]:
    """The lengths of texts in UTF-8, and all their bytes."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    lengths = np.fromiter(map(len, encoded), np.uint32, len(encoded))
    return lengths, np.frombuffer(b"".join(encoded), np.uint8)


def starts_of(lengths: NDArray[Any]) -> Integers:
    """The start of each string of these lengths, and the end of the last."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def spans(starts: Integers, lengths: NDArray[Any]) -> Integers:
    """The positions start, start + 1 … start + length - 1 of each string, one string after the other."""
    own = starts_of(lengths)
    places: Integers = np.repeat(starts - own[:-1], lengths) + np.arange(own[-1])
    return places


def picked(lengths: NDArray[np.uint32], data: Bytes, chosen: Integers) -> tuple[NDArray[np.uint32], Bytes]:
    """The strings at `chosen`, packed; piece by piece, since an index of every byte takes eight times its room."""
    wanted, starts = lengths[chosen], starts_of(lengths)
    ends = starts_of(wanted)
    out = np.empty(int(ends[-1]), np.uint8)
    for first in range(0, len(chosen), _PIECE):
        last = min(first + _PIECE, len(chosen))
        out[ends[first] : ends[last]] = data[spans(starts[chosen[first:last]], wanted[first:last])]
    return wanted, out


class RawColumns:
    """Raw columns in a directory that are appended to, then mapped."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True)

    def append(self, name: str, values: NDArray[Any]) -> None:
        """Write `values` at the end of a column."""
        with (self._directory / name).open("ab") as file:
            file.write(np.ascontiguousarray(values).data)

    def mapped(self, name: str, dtype: str) -> NDArray[Any]:
        """All values of a column."""
        path = self._directory / name
        if not path.exists() or not path.stat().st_size:
            return np.empty(0, dtype)
        # As a plain array: each access to a memmap object costs microseconds.
        return np.asarray(np.memmap(path, dtype, "r"))

    def drop(self, *names: str) -> None:
        """Delete columns that are no longer needed."""
        for name in names:
            (self._directory / name).unlink(missing_ok=True)
