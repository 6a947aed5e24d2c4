"""The n-grams of a text, most frequent first, as Cavnar and Trenkle (1994) count them.

A word of k letters, with one blank before and as many behind it as needed, has k + 1 n-grams of each length from 2
to 5, and k + 2 of length 1: `CRAWL` gives `_C CR RA AW WL L_`, `_CR CRA RAW AWL WL_ L__` and so on. Letters, their
marks (half of Thai is written with them) and apostrophes make words; digits, punctuation and signs separate them.
Counting is done on arrays: an n-gram is one number, its length and then its letters, so that numbers sort as n-grams.
"""

import functools
import unicodedata

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers

BLANK = "_"
LONGEST = 5

_BITS = 12  # for a letter: five of them and the length of the n-gram fit into 63
_MOST_LETTERS = (1 << _BITS) - 2  # different ones; 0 stands for none, 1 for the blank
_BLANK_NUMBER = 1
_BLANK_KEY = (1 << (LONGEST * _BITS)) | (_BLANK_NUMBER << ((LONGEST - 1) * _BITS))
_SAMPLE_CHARACTERS = 1 << 15  # of a longer page the beginning: its ranking does not change any more
_APOSTROPHES = {ord("’"): "'", ord("ʼ"): "'"}


def letters_of(text: str, most: int = _SAMPLE_CHARACTERS) -> NDArray[np.uint32]:
    """Code points of the first `most` characters of `text` in lower case; 0 for all that is not part of a word."""
    lowered = text[:most].translate(_APOSTROPHES).lower() if "’" in text or "ʼ" in text else text[:most].lower()
    codes = np.frombuffer(lowered.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.where(_word_table()[codes], codes, 0).astype(np.uint32)


def ranked_ngrams(letters: NDArray[np.uint32], count: int) -> list[str]:
    """The `count` most frequent n-grams; of equally frequent ones the shorter first, then by code points.

    Of more than 4,094 different letters the rarest are passed over: none of their n-grams can be among the
    4,094 most frequent.
    """
    alphabet, numbers = _numbered(letters)
    padded, begins = _padded(numbers)
    # The blank behind a word is an n-gram by itself, but none begins with it.
    behind = np.full(int((begins & (padded == _BLANK_NUMBER)).sum()), _BLANK_KEY)
    keys = np.concatenate([behind, *(_keys(padded, begins, length) for length in range(1, LONGEST + 1))])
    found, times = np.unique(keys, return_counts=True)
    best = found[np.argsort(-times, kind="stable")[:count]]
    shifts = [(LONGEST - 1 - place) * _BITS for place in range(LONGEST)]
    columns = [[alphabet[number] for number in ((best >> shift) & ((1 << _BITS) - 1)).tolist()] for shift in shifts]
    return ["".join(ngram) for ngram in zip(*columns, strict=True)]


@functools.cache
def _word_table() -> NDArray[np.bool_]:
    """Whether a code point is a letter, a mark or an apostrophe. The planes beyond the third have none."""
    table = np.zeros(0x110000, np.bool_)
    table[[code for code in range(0x40000) if unicodedata.category(chr(code))[0] in "LM"]] = True
    table[ord("'")] = True
    return table


def _numbered(letters: NDArray[np.uint32]) -> tuple[list[str], Integers]:
    """The letters that occur, by code point, and each letter's place among them; 0 for the gap between words."""
    codes, places, times = np.unique(letters, return_inverse=True, return_counts=True)
    kept = codes > 0
    if kept.sum() > _MOST_LETTERS:
        kept[np.argsort(-np.where(kept, times, 0), kind="stable")[_MOST_LETTERS:]] = False
    number_of = np.where(kept, np.cumsum(kept) + _BLANK_NUMBER, -1)
    number_of[codes == 0] = 0
    return ["", BLANK, *map(chr, codes[kept].tolist())], number_of[places].astype(np.int64)


def _padded(numbers: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Words with a blank before and four behind each and 0 between them, and where in it an n-gram may begin."""
    inside = numbers != 0
    edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts = np.flatnonzero(edges == 1)
    lengths = np.flatnonzero(edges == -1) - starts
    room = lengths + 1 + LONGEST  # the last place parts it from the next word
    offsets = np.cumsum(room) - room
    padded = np.zeros(int(room.sum()), np.int64)
    padded[np.repeat(offsets - starts + 1, lengths) + np.flatnonzero(inside)] = numbers[inside]
    padded[offsets] = _BLANK_NUMBER
    begins = padded != 0
    for place in range(1, LONGEST):
        padded[offsets + lengths + place] = _BLANK_NUMBER
    return padded, begins


def _keys(padded: Integers, begins: NDArray[np.bool_], length: int) -> Integers:
    """One number an n-gram of `length` letters: the length above five places for letters, the unused ones 0."""
    windows = max(len(padded) - length + 1, 0)
    keys = np.full(windows, length << (LONGEST * _BITS), np.int64)
    whole = begins[:windows].copy()
    for place in range(length):
        part = padded[place : place + windows]
        keys |= np.maximum(part, 0) << ((LONGEST - 1 - place) * _BITS)
        whole &= part > 0
    return keys[whole]
