"""Groups of up to three letters as whole numbers, counted by NumPy: for scripts whose words are not spaced.

`TermReader.read` is the slow twin that tests compare with.
"""

import numpy as np
from numpy.typing import NDArray

LONGEST = 3  # letters; three code points of 21 bits fill a number
_BITS = 21


def gram_counts(runs: list[str], shortest: int, longest: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Numbers of the groups of letters in the runs, each once, and how often they are there."""
    codes = np.frombuffer("\0".join(runs).encode("utf-32-le"), "<u4").astype(np.int64)
    keys, found = codes, []
    inside = codes > 0  # groups do not reach from one run into the next
    for size in range(1, longest + 1):
        if size > 1:
            keys = (keys[:-1] << _BITS) | codes[size - 1 :]
            inside = inside[:-1] & (codes[size - 1 :] > 0)
        if size >= shortest:
            found.append(keys[inside])
    numbers, counts = np.unique(np.concatenate(found), return_counts=True)
    return numbers, counts.astype(np.float64)


def gram_of(number: int) -> str:
    """The letters of a group."""
    letters = ""
    while number:
        letters = chr(number & ((1 << _BITS) - 1)) + letters
        number >>= _BITS
    return letters
