"""Places in texts where one of many names may begin: where its first two or three letters stand.

Looked for in all texts at once, by NumPy if there is much of it: a loop over letters is ten times as slow.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, compress, count
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MUCH = 500  # letters; below, NumPy's calls cost more than they save
_BETWEEN = " "
_SIZE = 1 << 18  # of a table of hashes: with some thousand names one place in fifty is looked at in vain
_FACTOR = 0x9E3779B1


class Begins:
    """The first letters of names: two or three of each."""

    def __init__(self, begins: Iterable[str]) -> None:
        self._begins = frozenset(begins)
        self._pairs = frozenset(begin[:2] for begin in self._begins)

    def places_in(self, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The number of a text and a place in it where a name may begin, in their order."""
        joined = _BETWEEN.join(texts)
        ends = list(accumulate(len(text) + 1 for text in texts))
        number, start = 0, 0
        for place in self._by_numpy(joined) if len(joined) >= _MUCH else self._by_pairs(joined):
            while place >= ends[number]:
                start, number = ends[number], number + 1
            yield number, place - start

    def _by_pairs(self, joined: str) -> list[int]:
        return list(compress(count(), map(self._pairs.__contains__, map(add, joined, joined[1:]))))

    def _by_numpy(self, joined: str) -> list[int]:
        import numpy as np

        pairs, triples = self._tables
        twos, threes = _hashes(joined)
        found = pairs[twos]
        found[: len(threes)] |= triples[threes]
        places: list[int] = np.flatnonzero(found).tolist()
        return places

    @cached_property
    def _tables(self) -> "tuple[NDArray[np.bool_], NDArray[np.bool_]]":
        """Whether a hash is that of a whole name of two letters, and of the first three of one."""
        import numpy as np

        pairs, triples = np.zeros(_SIZE, dtype=np.bool_), np.zeros(_SIZE, dtype=np.bool_)
        for begin in self._begins:
            twos, threes = _hashes(begin)
            if len(begin) == 2:
                pairs[twos] = True
            else:
                triples[threes] = True
        return pairs, triples


def _hashes(text: str) -> "tuple[NDArray[np.uint32], NDArray[np.uint32]]":
    """A hash of every two letters, and of every three, that follow each other."""
    import numpy as np

    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    factor = np.uint32(_FACTOR)
    twos = (letters[:-1] * factor) ^ letters[1:]
    threes = (twos[:-1] * factor) ^ letters[2:]
    shift = np.uint32(32 - _SIZE.bit_length() + 1)
    return (twos * factor) >> shift, (threes * factor) >> shift
