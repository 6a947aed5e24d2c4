"""Frequencies of terms by number, for models and matrices: twice as fast as by name.

Tests compare the counts with those of a slow reader that counts by name.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats
from exonym.models.remembered import Remembered
from exonym.models.terms import Fields, TermReader

UNKNOWN = -1  # the number of tokens that do not count
_REMEMBERED = 500_000  # tokens

TermPlaces = NDArray[np.intp]


class TokenPlaces(Remembered[str | int, int]):
    """The number of each token's term; a token is a text, or a group of letters as a number.

    Remembered, because stemming costs more than a look into a dictionary.
    """

    def __init__(self, place_of: Callable[[str], int]) -> None:
        super().__init__(lambda token: place_of(token if isinstance(token, str) else gram_of(token)), _REMEMBERED)


def counted(reader: TermReader, fields: Fields, places: TokenPlaces) -> tuple[TermPlaces, Floats]:
    """Numbers of the page's terms, in order, and their weighted frequencies."""
    is_cut = reader.options.units == "characters" and reader.options.longest_gram <= LONGEST
    parts: list[tuple[TermPlaces, Floats]] = []
    for words, weight in reader.words(fields):
        counted_parts = (
            _count_grams(reader, words, places) if is_cut else [_count_tokens(reader.tokens_of(words), places)]
        )
        parts += [(numbers, counts * weight) for numbers, counts in counted_parts]
    if len(parts) == 1:
        numbers, values = parts[0]
    else:  # the counts of each term, summed over the fields that have it
        unsummed = np.concatenate([np.zeros(0, np.intp), *(numbers for numbers, _ in parts)])
        numbers, inverse = np.unique(unsummed, return_inverse=True)
        weights = np.concatenate([np.zeros(0), *(values for _, values in parts)])
        values = np.bincount(inverse, weights, len(numbers)).astype(np.float64)
    first = 1 if len(numbers) and numbers[0] == UNKNOWN else 0
    return numbers[first:], values[first:]


def _count_tokens(tokens: list[str], places: TokenPlaces) -> tuple[TermPlaces, Floats]:
    numbers, counts = np.unique(np.fromiter(map(places.__getitem__, tokens), np.intp, len(tokens)), return_counts=True)
    return numbers, counts.astype(np.float64)


def _count_grams(reader: TermReader, words: list[str], places: TokenPlaces) -> list[tuple[TermPlaces, Floats]]:
    """Counts of the same groups of letters as `TermReader.tokens_of` gives, one part for groups and one for words."""
    shortest, longest = reader.options.shortest_gram, reader.options.longest_gram
    runs = [word for word in words if not word.isascii() and len(word) >= shortest]
    short = [word for word in words if word.isascii() or len(word) < shortest]
    if not runs:
        return [_count_tokens(short, places)]
    grams, counts = gram_counts(runs, shortest, longest)
    numbers = np.fromiter(map(places.__getitem__, grams.tolist()), np.intp, len(grams))
    return [(numbers, counts), _count_tokens(short, places)]


# Groups of up to three letters as whole numbers, counted by NumPy: for scripts without spaces between words.

LONGEST = 3  # letters; three code points of 21 bits fill a number
_BITS = 21


def gram_counts(runs: list[str], shortest: int, longest: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The different groups of letters in the runs, as numbers, and how often each occurs."""
    codes = np.frombuffer("\0".join(runs).encode("utf-32-le"), "<u4").astype(np.int64)
    keys, all_keys = codes, []
    inside = codes > 0  # groups do not reach from one run into the next
    for size in range(1, longest + 1):
        if size > 1:
            keys = (keys[:-1] << _BITS) | codes[size - 1 :]
            inside = inside[:-1] & (codes[size - 1 :] > 0)
        if size >= shortest:
            all_keys.append(keys[inside])
    numbers, counts = np.unique(np.concatenate(all_keys), return_counts=True)
    return numbers, counts.astype(np.float64)


def gram_of(number: int) -> str:
    """The letters of a group."""
    letters = ""
    while number:
        letters = chr(number & ((1 << _BITS) - 1)) + letters
        number >>= _BITS
    return letters
