"""Names within runs of scripts that put no blanks between words; and how many words such a run counts for.

Word boundaries in such a run are uncertain, so short names that are ordinary words, or that occur in any text by
chance, are not searched for. A name begins and ends with whole syllables. Korean has blanks, but attaches particles to
words: a Korean name is searched for at the beginning of a word, with a particle behind it.

Cost: linear in the text; most places need one look-up of two or three letters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, compress, count
from operator import add
from typing import TYPE_CHECKING

from exonym.nations.matching.ordinary_words import ORDINARY
from exonym.nations.matching.tokens import EAST, HANGUL, SOUTHEAST, Span, plain_words, spellings_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SOUTHEAST, _HANGUL = re.compile(f"[{SOUTHEAST}]"), re.compile(f"[{HANGUL}]")
_IN_ONE_RUN = re.compile(f"[{SOUTHEAST}]{{3,}}|[{EAST}]{{2,}}|[{HANGUL}]{{2,}}")
_KATAKANA = "[\u30a1-\u30fa\u30fc]"
# By chance: kana are syllables, and Japanese grammar is written in them.
_TOO_SHORT = re.compile(f"[\u3041-\u309f]{{1,3}}|{_KATAKANA}{{1,2}}|.")

# Places within a syllable: after a vowel that is written before its consonant or after what stacks consonants, before
# marks, vowels written behind, and consonants that are silent or end a syllable; also within a word in katakana.
_WITHIN = re.compile(
    "(?<=[\u0e40-\u0e44\u0ec0-\u0ec4\u17d2\u1039])"
    "|[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]|[\u0e01-\u0e2e][\u0e34\u0e38]?\u0e4c"
    "|[\u0eb0-\u0ebc\u0ec8-\u0ece]"
    "|[\u17b4-\u17d3\u17dd]"
    "|[\u102b-\u103e\u1056-\u1059\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d]|[\u1000-\u1021]\u1037?[\u1039\u103a]"
    "|[\u3099\u309a]"
    f"|(?<={_KATAKANA}){_KATAKANA}"
)

_KINDS_OF_PLACE = "특별시|광역시|특별자치도|특별자치시|시내|시|군|구|도|역|항|공항|대학교|대학|국제공항|인|어|사람"
_PARTICLES = (
    "은|는|이|가|을|를|의|와|과|도|만|에|에서|에게|에는|에도|에만|에서는|에서도|에서의|에서만|로|으로|로는|으로는|로의|으로의|까지|까지의"
    "|부터|부터의|보다|처럼|만의|이나|나|랑|이랑|하고|라는|이라는|라고|이라고|인|이다|이며|입니다|이었다|였다|이란|란|뿐|마다"
)
_AFTER_KOREAN = re.compile(
    "|".join(
        unicodedata.normalize(form, f"(?:{_KINDS_OF_PLACE})?(?:{_PARTICLES})|(?:{_KINDS_OF_PLACE})")
        for form in ("NFC", "NFD")
    )
)

_ORDINARY = frozenset(word for text in ORDINARY for form in spellings_of(text) for word in plain_words(form))


class UnspacedNames:
    """Names that may be within runs, by their first letters."""

    def __init__(self, names: Iterable[str]) -> None:
        """Names of one word, as `plain_words` has them; the most doubtful are not searched for within runs."""
        self._whole = frozenset(names)
        self._names = frozenset(
            name
            for name in self._whole
            if _IN_ONE_RUN.fullmatch(name) and not _TOO_SHORT.fullmatch(name) and name not in _ORDINARY
        )
        lengths: dict[str, set[int]] = {}
        for name in self._names:
            lengths.setdefault(name[:3], set()).add(len(name))
        self._lengths = {begin: sorted(known, reverse=True) for begin, known in lengths.items()}
        self._begins = Begins(self._lengths)

    def spans_in(self, runs: Sequence[str]) -> dict[int, list[Span]]:
        """The spans of names in each run that has any; spans do not overlap.

        Of several names that begin at one letter the longest counts. A run that is itself a name is left whole.
        """
        spans: dict[int, list[Span]] = {}
        if not self._names:
            return spans
        for number, place in self._begins.places_in(runs):
            run, found = runs[number], spans.get(number, ())
            if found and place < found[-1][1]:
                continue
            end = self._longest(run, place, _is_korean_end if is_hangul(run) else _is_end)
            if end and run not in self._whole and (not place if is_hangul(run) else not _WITHIN.match(run, place)):
                spans.setdefault(number, []).append((place, end))
        return spans

    def _longest(self, run: str, start: int, is_end: Callable[[str, int], bool]) -> int:
        """Where the longest name from `start` on ends, 0 if there is none."""
        for length in self._lengths.get(run[start : start + 3], ()):
            end = start + length
            if end <= len(run) and run[start:end] in self._names and is_end(run, end):
                return end
        end = start + 2
        return end if run[start:end] in self._names and is_end(run, end) else 0


def _is_end(run: str, end: int) -> bool:
    return _WITHIN.match(run, end) is None


def _is_korean_end(run: str, end: int) -> bool:
    return _AFTER_KOREAN.fullmatch(run, end) is not None


def is_hangul(run: str) -> bool:
    """Whether a run is Korean."""
    return not _LETTERS_A_WORD[run[0]]


def words_in(run: str) -> int:
    """How many words a run, or a piece of one, counts for: five letters and marks, or two in Chinese and Japanese.

    >>> words_in("เชียงใหม่"), words_in("東京都"), words_in("서울에서")
    (2, 2, 1)
    """
    letters = _LETTERS_A_WORD[run[0]]
    return -(-len(run) // letters) if letters else 1


class _LettersAWord(dict[str, int]):
    """The typical number of letters of a word, by its first letter; 0 for scripts with blanks between words."""

    def __missing__(self, letter: str) -> int:
        self[letter] = letters = 0 if _HANGUL.match(letter) else 5 if _SOUTHEAST.match(letter) else 2
        return letters


_LETTERS_A_WORD = _LettersAWord()


# Places in texts where one of many names may begin, found by its first two or three letters.
#
# All texts are searched at once, with NumPy if they are long: a loop over letters is ten times as slow.

_MUCH = 500  # letters; below, NumPy's calls cost more than they save
_BETWEEN = " "
_SIZE = 1 << 18  # of a table of hashes: with some thousand names one place in fifty is a false positive
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
        if len(joined) >= _MUCH:
            places: Iterable[int] = self._by_numpy(joined)
        else:
            places = compress(count(), map(self._pairs.__contains__, map(add, joined, joined[1:])))
        for place in places:
            while place >= ends[number]:
                start, number = ends[number], number + 1
            yield number, place - start

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
