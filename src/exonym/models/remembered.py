"""A bounded cache in the form of a dictionary, for words and texts that occur again and again."""

from collections.abc import Callable
from typing import TypeVar

CacheKey = TypeVar("CacheKey")
Value = TypeVar("Value")


class Remembered(dict[CacheKey, Value]):
    """Values of a function, each computed once. The cache is cleared at `most` values: crawls meet ever new words.

    A hit costs no more than a look-up in a dictionary, less than with `functools.lru_cache`.

    >>> lengths = Remembered(len, most=1_000)
    >>> lengths["word"], list(lengths)
    (4, ['word'])
    """

    def __init__(self, compute: Callable[[CacheKey], Value], most: int) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, key: CacheKey) -> Value:
        if len(self) >= self._most:
            self.clear()
        self[key] = value = self._compute(key)
        return value


class RememberedWords(Remembered[str, str]):
    """The term of each word. Words of more than `longest` letters have none, and are not kept: a page may have many."""

    def __init__(self, term_of: Callable[[str], str], longest: int, most: int) -> None:
        super().__init__(term_of, most)
        self._longest = longest

    def __missing__(self, word: str) -> str:
        return super().__missing__(word) if len(word) <= self._longest else ""
