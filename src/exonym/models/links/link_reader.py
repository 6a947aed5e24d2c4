"""Links read into numbers: the shares of nation names in their texts, and their words.

One reader serves training and crawling. The links of a page share most of their texts with those of the next page of
its site, so what was read of a text is remembered.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from exonym.batches import Floats, Integers
from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts, path_text_of, text_of
from exonym.models.remembered import Remembered
from exonym.models.terms import TermOptions, TermReader, words_of
from exonym.models.terms_by_number import UNKNOWN, TokenPlaces
from exonym.nations.matching.matcher import KINDS, Matcher, MatcherKind, telling_names
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS, folded
from exonym.nations.nation import Nation

_REMEMBERED = 50_000  # texts, of some 300 bytes each
_NUMBER = np.dtype(np.intc)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How links are read."""

    names: tuple[str, ...] = ()  # of the nation, in all spellings
    matcher: MatcherKind = "default"
    stop_words: tuple[str, ...] = tuple(sorted(ENGLISH_STOP_WORDS))
    terms: TermOptions = field(default_factory=TermOptions)

    def __post_init__(self) -> None:
        if self.matcher not in KINDS:
            raise ConfigError(f"the matcher must be one of {', '.join(KINDS)}, got {str(self.matcher)[:60]!r}.")
        if any("\n" in name for name in self.names):
            raise ConfigError("a name of the nation has two lines; write it on one.")


def read_options_of(nation: Nation, language: str = "en", matcher: MatcherKind = "default") -> ReadOptions:
    """What is needed of a nation to read links to pages in a language."""
    names = tuple(sorted({name.text for name in telling_names(nation)}))
    return ReadOptions(names, matcher, terms=TermOptions(language))


class ReadLinks(NamedTuple):
    """Links as numbers."""

    names: Integers  # (links, 4): words in nation names and all words, of anchor and around, then of the URL
    words: Integers  # of all links, one link after the other; words that do not count are left out
    lengths: Integers  # how many words each link has

    @property
    def shares(self) -> Floats:
        """(links, 2): the shares of nation names in anchor and around, and in the URL."""
        return name_shares(self.names)

    def word_counts(self, width: int) -> tuple[Integers, Integers, Floats]:
        """The different words of each link, of `width` that there are: numbers of links, of words, how often."""
        links = np.repeat(np.arange(len(self.lengths)), self.lengths)
        keys, counts = np.unique(links * max(width, 1) + self.words, return_counts=True)
        return keys // max(width, 1), keys % max(width, 1), counts.astype(np.float64)


def name_shares(names: Integers | Floats) -> Floats:
    """The shares that two pairs of counts give, of words in names and of all words; 0 where there are no words."""
    shares: Floats = names[:, ::2] / np.maximum(names[:, 1::2], 1)
    return shares


class LinkReader:
    """Reads links; `number_of` gives the number of a term, UNKNOWN for one that does not count."""

    def __init__(self, options: ReadOptions, number_of: Callable[[str], int]) -> None:
        terms, stop_words = TermReader(options.terms), frozenset(options.stop_words)

        def place_of(token: str) -> int:
            term = "" if token in stop_words else terms.term_of(token)
            return number_of(term) if term else UNKNOWN

        # Numbers of a text's words as bytes: quick to put together, and nothing to clean up.
        number_of_token = TokenPlaces(place_of).__getitem__
        self._words = Remembered[str, bytes](
            lambda text: array("i", map(number_of_token, words_of(text))).tobytes(), _REMEMBERED
        )
        # Names take longest of all that is read of a link, and sites repeat their texts.
        names = _name_counter(options.names, options.matcher, options.stop_words)
        self._names = Remembered[str, tuple[int, int]](names.counted, _REMEMBERED)

    def read(self, texts: LinkTexts) -> ReadLinks:
        """The links as numbers."""
        linked = list(map(text_of, texts.anchors, texts.around))
        paths = list(map(path_text_of, texts.urls))
        names = [self._names[text] + self._names[path] for text, path in zip(linked, paths, strict=True)]
        words = [self._words[text] + self._words[path] for text, path in zip(linked, paths, strict=True)]
        sizes = np.fromiter(map(len, words), np.int64, len(words)) // _NUMBER.itemsize
        numbers = np.frombuffer(b"".join(words), _NUMBER).astype(np.int64)
        known = numbers != UNKNOWN
        lengths = np.bincount(np.repeat(np.arange(len(words)), sizes)[known], minlength=len(words))
        return ReadLinks(np.array(names, np.int64).reshape(-1, 4), numbers[known], lengths)


class NameCounter(Matcher):
    """A matcher that only counts the words in names; to locate the names would take a tenth longer."""

    def counted(self, text: str) -> tuple[int, int]:
        """As `words_in_names` and `words` of `find(text)`, which tests compare with."""
        words = self._words(folded(text))
        counted, in_names = self._counts(words, self._runs(words.cased, words.plain))
        return in_names, counted


@lru_cache(maxsize=4)
def _name_counter(names: tuple[str, ...], kind: MatcherKind, stop_words: tuple[str, ...]) -> NameCounter:
    """One counter for all readers of the same names: a nation has thousands, and their index takes half a second."""
    return NameCounter(names, kind, stop_words)
