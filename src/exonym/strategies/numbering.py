"""Numbers for ids, in the order in which they are met, so that facts about ids can be kept in arrays."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids, Rows

Array = TypeVar("Array", bound="NDArray[np.generic]")


class Numbering:
    """The number of each id that was met: 0, 1, 2 …"""

    def __init__(self, first: list[int] | None = None) -> None:
        self._numbers: dict[int, int] = {key: number for number, key in enumerate(first or ())}
        self._ids: Ids = np.array(first or (), dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._numbers)

    def take(self, ids: Ids) -> Rows:
        """The number of each id; new ones get the next."""
        before = len(self)
        rows = numbers_for(self._numbers, ids.tolist())
        if len(self) > before:
            self._ids = grown(self._ids, len(self))
            fresh = rows >= before
            self._ids[rows[fresh]] = ids[fresh]
        return rows

    def of(self, ids: Ids) -> Rows:
        """The number of each id; -1 for ids that were never met."""
        known = self._numbers
        return np.array([known.get(key, -1) for key in ids.tolist()], dtype=np.int64)

    def ids(self, rows: Rows) -> Ids:
        """The ids with these numbers."""
        return self._ids[rows]

    def all(self) -> Ids:
        """All ids in the order of their numbers."""
        return self._ids[: len(self)].copy()


def numbers_for(known: dict[int, int], keys: list[int]) -> Rows:
    """The number of each key; new ones get the next. Two simple loops are faster than one here."""
    for key in keys:
        if key not in known:
            known[key] = len(known)
    return np.fromiter(map(known.__getitem__, keys), np.int64, len(keys))


def grown(array: Array, rows: int, fill: int = 0) -> Array:
    """An array with room for at least `rows` rows. It doubles: growth row by row would copy it for each row."""
    if rows <= len(array):
        return array
    more = np.full((2 * rows - len(array), *array.shape[1:]), fill, dtype=array.dtype)
    return np.concatenate([array, more])  # type: ignore[return-value]


def flattened(lists: list[list[int]]) -> Rows:
    """Lists of numbers, one after the other."""
    return np.array([number for numbers in lists for number in numbers], dtype=np.int64)
