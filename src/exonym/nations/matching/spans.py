"""Positions in a text of the words of its folded form: computed only when needed, mostly by C code."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, compress, count

from exonym.nations.matching.text_words import Words
from exonym.nations.matching.tokens import FOLDING, Folded, Span, is_diacritic

_FEW = 24  # different letters; up to here, a search for each letter is quicker
_FOREIGN = re.compile("[^\x00-\x7f]+")


def spans_of_runs(text: str, ready: Folded, words: Words, runs: Sequence[Span]) -> list[Span]:
    """The spans of runs of words in the text; a run is the number of its first word and of the word after its last."""
    spans = list(_spans_in(ready.plain, words, runs))
    if text.isascii():
        return spans
    inserted = [edge + number for number, edge in enumerate(edge for run in ready.runs for edge in run)]
    spans = [(start - bisect_left(inserted, start), end - bisect_left(inserted, end)) for start, end in spans]
    if not ready.uneven:
        return spans
    places, shifts = _shifts(text, ready.uneven)
    originals: list[Span] = []
    for first, behind in spans:
        start = first - shifts[bisect_right(places, first) - 1]
        end = behind - shifts[bisect_right(places, behind - 1) - 1]
        while end < len(text) and is_diacritic(text[end]):  # those that follow the last letter
            end += 1
        originals.append((start, end))
    return originals


def _spans_in(plain: str, words: Words, runs: Sequence[Span]) -> Iterator[Span]:
    uncut = words.uncut
    if not words.cuts:
        starts = _starts(plain, uncut, (word for first, end in runs for word in (first, end - 1)))
        for _, end in runs:
            yield next(starts), next(starts) + len(uncut[end - 1])
        return
    pieces = _Pieces(words.cuts)
    ends = [(pieces.word_of(first), pieces.word_of(end - 1)) for first, end in runs]
    starts = _starts(plain, uncut, (word for pair in ends for word, _, _ in pair))
    for (_, begin, _), (last, _, end) in ends:
        yield next(starts) + begin, next(starts) + (end or len(uncut[last]))


def _starts(plain: str, words: Sequence[str], numbers: Iterable[int]) -> Iterator[int]:
    """The positions of words in a folded text; their numbers must be in ascending order.

    The search for a word begins at the previous one, and is repeated for each occurrence between the two.
    """
    padded, last, start = f" {plain} ", -1, -1
    for number in numbers:
        for _ in range(words[last + 1 : number + 1].count(words[number])):
            start = padded.index(f" {words[number]} ", start + 1)
        last = number
        yield start


class _Pieces:
    """Finds the word that a piece was cut from."""

    def __init__(self, cuts: Mapping[int, Sequence[int]]) -> None:
        self._cuts = cuts
        self._words = list(cuts)
        more = accumulate((len(ends) - 1 for ends in cuts.values()), initial=0)
        self._firsts = [word + others for word, others in zip(self._words, more, strict=False)]

    def word_of(self, piece: int) -> tuple[int, int, int]:
        """The number of a piece's word, and its begin and end in that word; the end is 0 for a word that is not cut."""
        nearest = bisect_right(self._firsts, piece) - 1
        if nearest < 0:
            return piece, 0, 0
        word, inside = self._words[nearest], piece - self._firsts[nearest]
        ends = self._cuts[word]
        if inside >= len(ends):
            return word + 1 + inside - len(ends), 0, 0
        return word, ends[inside - 1] if inside else 0, ends[inside]


def _shifts(text: str, uneven: Set[str]) -> tuple[list[int], list[int]]:
    """Places in the folded text, and the number to subtract from each place on to get the same place in the text."""
    places, shifts = [0], [0]
    for here in _places_of(uneven, text):
        length = len(FOLDING[ord(text[here])])
        there = here + shifts[-1]
        places += range(there + 1, there + length)
        shifts += range(shifts[-1] + 1, shifts[-1] + length)
        places.append(there + length)
        shifts.append(there + length - here - 1)
    return places, shifts


def _places_of(letters: Set[str], text: str) -> list[int]:
    """The places in a text of any of these letters beyond ASCII."""
    if len(letters) <= _FEW:
        return sorted(place for letter in letters for place in _places_of_letter(letter, text))
    foreign = _FOREIGN.finditer(text)
    return [place for run in foreign for place in compress(count(run.start()), map(letters.__contains__, run[0]))]


def _places_of_letter(letter: str, text: str) -> Iterator[int]:
    place = text.find(letter)
    while place >= 0:
        yield place
        place = text.find(letter, place + 1)
