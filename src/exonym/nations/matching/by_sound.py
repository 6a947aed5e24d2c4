"""Names by their sound: the name that a run of words may be another spelling of.

`SoundexNames` is the thesis' rule: four characters of Soundex, which collide often. `SoundNames` is ours: the whole
skeleton of consonants must agree, and then the respellings must be near one another.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Protocol

from jellyfish import levenshtein_distance, soundex

from exonym.nations.matching.sound import joined, respelling, skeleton
from exonym.nations.matching.tokens import plain_words

_MOST_WORDS = 8
_LONGEST_WORD = 60  # more letters are no word
_FEWEST_LETTERS = 4  # shorter ones sound like anything
_MOST_LETTERS = 0.5  # of a name may be written otherwise
_MOST_ALLOWED = 2  # letters that respellings may differ in
_MOST_REMEMBERED = 100_000


class SoundMatch(NamedTuple):
    """How many words from a place on sound like the name `name`; 0 and "" if none do."""

    words: int
    name: str


NOTHING = SoundMatch(0, "")


class _Spelt(NamedTuple):
    respelt: str
    letters: str
    name: str


class SoundIndex(Protocol):
    """Knows names by their sound."""

    def match(self, words: Sequence[str], start: int) -> SoundMatch:
        """The longest run of words from `start` on that sounds like a name."""


class SoundexNames:
    """Names by the Soundex of their joined words, as in the thesis.

    A run of words may be as long as the longest name of that Soundex. The thesis knows no bound: there a match takes
    the whole rest of the text with it, because four characters do not change any more once they are full.
    """

    def __init__(self, names: Mapping[str, str], stop_words: Container[str]) -> None:
        self._stop_words = stop_words
        self._names: dict[str, dict[str, str]] = {}  # names by their letters, by Soundex
        self._judged: dict[str, str] = {}
        self._lengths: dict[str, int] = {}  # the most words of a name, by Soundex
        for spelling, name in names.items():
            words = plain_words(spelling)
            letters = _letters(words)
            code = _soundex(letters)
            if code:
                self._names.setdefault(code, {}).setdefault(letters, name)
                self._lengths[code] = max(self._lengths.get(code, 0), len(words))
        self._most = max(self._lengths.values(), default=0)

    def match(self, words: Sequence[str], start: int) -> SoundMatch:
        """The longest run of words from `start` on that has the Soundex of a name."""
        best, letters = 0, ""
        for count, word in enumerate(words[start : start + self._most], 1):
            letters += word[:_LONGEST_WORD]
            if count <= self._lengths.get(_soundex(letters), 0) and word not in self._stop_words:
                best = count
        return SoundMatch(best, self._nearest(_letters(words[start : start + best]))) if best else NOTHING

    def _nearest(self, letters: str) -> str:
        """Of the names with this Soundex the one that is spelt most alike; the thesis does not say which it takes."""
        nearest = self._judged.get(letters)
        if nearest is None:
            names = self._names[_soundex(letters)]
            nearest = names[min(names, key=lambda spelt: levenshtein_distance(spelt, letters))]
            if len(self._judged) >= _MOST_REMEMBERED:
                self._judged.clear()
            self._judged[letters] = nearest
        return nearest


def _letters(words: Iterable[str]) -> str:
    return "".join(word[:_LONGEST_WORD] for word in words)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _soundex(letters: str) -> str:
    """As Apache Commons Codec has it: of the ASCII letters alone, "" where there are none."""
    kept = "".join(letter for letter in letters if "a" <= letter <= "z")
    return soundex(kept) if kept else ""


class _Keys(dict[str, str | None]):
    """The skeleton of each word, cached; None for a word that is not in Latin letters."""

    def __missing__(self, word: str) -> str | None:
        is_word = len(word) <= _LONGEST_WORD and word.isascii() and word.isalpha()
        key = skeleton(respelling(word)) if is_word else None
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[word] = key
        return key


class SoundNames:
    """Names by their skeleton; the distance between respellings selects among names with the same skeleton."""

    def __init__(self, names: Mapping[str, str], stop_words: Container[str]) -> None:
        self._stop_words = stop_words
        self._keys = _Keys()
        self._names: dict[str, dict[int, list[_Spelt]]] = {}  # by skeleton, and by the length of respellings
        self._judged: dict[tuple[str, str], str] = {}
        for spelling, name in names.items():
            words = plain_words(spelling)
            letters = "".join(words)
            respelt = respelling(letters)
            is_word = len(respelt) >= _FEWEST_LETTERS and letters.isascii() and letters.isalpha()
            if not is_word or letters in stop_words:
                continue
            apart = ""
            for word in words:
                apart = joined(apart, self._keys[word] or "")
            # Written as one word a name may lose a letter that it has as several: "Wat Rong", "Watrong".
            for key in {apart, skeleton(respelt)}:
                spelt = self._names.setdefault(key, {}).setdefault(len(respelt), [])
                spelt.append(_Spelt(respelt, letters, name))
        self._begins = {key[:end] for key in self._names for end in range(1, len(key) + 1)}

    def match(self, words: Sequence[str], start: int) -> SoundMatch:
        """The longest run of words from `start` on that is near a name in sound."""
        best, letters, key = NOTHING, "", ""
        for count, word in enumerate(words[start : start + _MOST_WORDS], 1):
            own = self._keys[word]
            if own is None:
                break
            key, letters = joined(key, own), letters + word
            if key not in self._begins:
                break
            if key in self._names and word not in self._stop_words and (name := self._nearest(key, letters)):
                best = SoundMatch(count, name)
        return best

    def _nearest(self, key: str, letters: str) -> str:
        """The name of this skeleton that `letters` spell, "" if none is near enough; cached, because texts repeat."""
        known = self._judged.get((key, letters))
        if known is None:
            known = _nearest_of(self._names[key], letters)
            if len(self._judged) >= _MOST_REMEMBERED:  # else the words of one page would block it for all others
                self._judged.clear()
            self._judged[key, letters] = known
        return known


def _nearest_of(by_length: Mapping[int, Sequence[_Spelt]], letters: str) -> str:
    """The name that is nearest by sound, then by letters: both must be near."""
    if len(letters) < _FEWEST_LETTERS:
        return ""
    respelt = respelling(letters)
    # Words differ in as many letters as their lengths do, at least: a page of made-up words must not cost seconds.
    lengths = range(len(respelt) - _MOST_ALLOWED, len(respelt) + _MOST_ALLOWED + 1)
    near = [
        (by_sound, by_letter, candidate.name)
        for candidate in chain.from_iterable(by_length.get(length, ()) for length in lengths)
        if candidate.respelt[:1] == respelt[:1]
        if (by_sound := levenshtein_distance(candidate.respelt, respelt)) <= _allowed(candidate.respelt, respelt)
        if (by_letter := levenshtein_distance(candidate.letters, letters)) <= _MOST_LETTERS * len(candidate.letters)
    ]
    return min(near, default=(0, 0, ""))[2]


def _allowed(first: str, second: str) -> int:
    """How many letters two respellings may differ in: hardly any in a short name."""
    length = min(len(first), len(second))
    return 0 if length < 5 else 1 if length < 8 else _MOST_ALLOWED
