"""Finds a nation's names in text: exactly or by sound, the longest first, each word in one name at most.

Runs of scripts without blanks between words are cut at the names in them; the pieces are then words like others.

Cost: linear in the text. Most words need one look-up; only the places where a name may begin need more, and a name has
a bounded number of words.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal, NamedTuple, get_args

from exonym.errors import ConfigError
from exonym.nations.matching.by_sound import NOTHING, SoundexNames, SoundIndex, SoundMatch, SoundNames
from exonym.nations.matching.ordinary_words import ORDINARY_WORDS
from exonym.nations.matching.spans import spans_of_runs
from exonym.nations.matching.text_words import Words, cut
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS, Folded, folded, plain_words, spellings_of
from exonym.nations.matching.unspaced import UnspacedNames
from exonym.nations.nation import Name, Nation

MatcherKind = Literal["default", "classic", "exact"]
KINDS: tuple[MatcherKind, ...] = get_args(MatcherKind)

_MOST_WORDS = 12  # of a name; longer ones are sentences
_SHORT = 4  # letters; a name this short is likely to be a word as well


class Match(NamedTuple):
    """A name in a text: `text` is its spelling there, `name` the dictionary's name that it is taken for."""

    start: int
    end: int
    text: str
    name: str
    by_sound: bool


@dataclass(frozen=True, slots=True)
class FoundNames:
    """The names in a text; `words` counts its words without stop words, `words_in_names` those of them in names.

    A run in a script without blanks counts for as many words as it is likely to have (`unspaced.words_in`).
    """

    names: tuple[Match, ...]
    words: int
    words_in_names: int

    @property
    def share(self) -> float:
        """The share of words that are in names, 0 where there are no words."""
        return self.words_in_names / self.words if self.words else 0.0


class _Run(NamedTuple):
    """Words `first` to before `end` are a name."""

    first: int
    end: int
    name: str
    by_sound: bool


class Matcher:
    """Finds names in text. Immutable to its user; it only caches what it has computed."""

    def __init__(
        self,
        names: Iterable[str] | Mapping[str, str],
        kind: MatcherKind = "default",
        stop_words: Iterable[str] = ENGLISH_STOP_WORDS,
    ) -> None:
        """Names, or spellings with the name of each; `stop_words` are no names by themselves nor count as words."""
        if kind not in KINDS:
            raise ConfigError(f"The matcher must be one of {', '.join(KINDS)}, got {str(kind)[:60]!r}.")
        self._stop_words = frozenset(word for text in stop_words for word in plain_words(text))
        listed = names if isinstance(names, Mapping) else {name: name for name in names}
        self._exact = _ExactNames(listed, self._stop_words)
        self._sounds: SoundIndex | None = None
        if kind != "exact":
            self._sounds = (SoundNames if kind == "default" else SoundexNames)(listed, self._stop_words)
        self._is_default = kind == "default"

    def find(self, text: str) -> FoundNames:
        """The names in `text`, in its order."""
        ready = folded(text)
        words = self._words(ready)
        runs = self._runs(words.cased, words.plain)
        counted, in_names = self._counts(words, runs)
        if not runs:
            return FoundNames((), counted, in_names)
        spans = spans_of_runs(text, ready, words, [(run.first, run.end) for run in runs])
        names = (
            Match(start, end, text[start:end], run.name, run.by_sound)
            for run, (start, end) in zip(runs, spans, strict=True)
        )
        return FoundNames(tuple(names), counted, in_names)

    def _words(self, ready: Folded) -> Words:
        words = Words(ready.cased.split() if self._is_default else [], ready.plain.split())
        return cut(words, self._exact.within) if ready.runs else words

    def _runs(self, cased: Sequence[str], plain: Sequence[str]) -> list[_Run]:
        """The names among words, each with its first and last word."""
        runs: list[_Run] = []
        starts, end = self._starts(cased, plain), 0
        # Words written in small letters somewhere in a text that has capitals are hardly names.
        has_capitals = bool(starts) and self._is_default and not all(map(str.islower, cased))
        ordinary = frozenset(cased) if has_capitals else frozenset()
        for start in starts:
            if start >= end and (run := self._longest(plain, start, ordinary)):
                runs.append(run)
                end = run.end
        return runs

    def _starts(self, cased: Sequence[str], plain: Sequence[str]) -> list[int]:
        """Where names may begin. By sound: where a word has a capital, unless the text has no capitals at all."""
        firsts = self._exact.firsts
        exact = list(compress(range(len(plain)), map(firsts.__contains__, plain)))
        if self._sounds is None:
            return exact
        places = [place for place, word in enumerate(cased) if not word.islower()] if self._is_default else []
        if not any(cased[place][0].isalpha() for place in places):
            places = list(range(len(plain)))
        stop_words = self._stop_words
        return sorted({place for place in places if plain[place] not in stop_words}.union(exact))

    def _longest(self, plain: Sequence[str], start: int, ordinary: frozenset[str]) -> _Run | None:
        """The longest name from `start` on; an exact one, if one by sound is not longer."""
        exact = self._exact.longest(plain, start)
        if self._sounds is None:
            return _Run(start, start + exact.words, exact.name, False) if exact.words else None
        word = plain[start]
        sounding = self._sounds.match(plain, start) if word not in self._stop_words else NOTHING
        by_sound = sounding.words > exact.words
        best = sounding if by_sound else exact
        # Scripts without capitals have no small letters either.
        if best.words == 1 and word in ordinary and word.islower() and (by_sound or len(word) <= _SHORT):
            return None
        return _Run(start, start + best.words, best.name, by_sound) if best.words else None

    def _counts(self, words: Words, runs: Sequence[_Run]) -> tuple[int, int]:
        """All words that count, and those in names; a stop word counts within a name only."""
        stop_words, plain = self._stop_words, words.plain
        counted = words.weight(0, len(plain))
        counted -= sum(map(stop_words.__contains__, plain)) if stop_words else 0
        if not runs:
            return counted, 0
        stopped_in_names = sum(word in stop_words for run in runs for word in plain[run.first : run.end])
        return counted + stopped_in_names, sum(words.weight(run.first, run.end) for run in runs)


class _ExactNames:
    """An index of names by their words, for exact matches."""

    def __init__(self, names: Mapping[str, str], stop_words: Container[str]) -> None:
        self._names: dict[str, str] = {}
        lengths: dict[str, dict[str, set[int]]] = {}  # of names of several words, by the first and the second
        spellings = ((text, name) for spelling, name in names.items() for text in spellings_of(spelling))
        for words, name in ((plain_words(text), name) for text, name in spellings):
            if 0 < len(words) <= _MOST_WORDS and (len(words) > 1 or words[0] not in stop_words):
                self._names.setdefault(" ".join(words), name)
                seconds = lengths.setdefault(words[0], {})
                if len(words) > 1:
                    seconds.setdefault(words[1], set()).add(len(words))
        self.firsts = {
            first: {second: sorted(counts, reverse=True) for second, counts in seconds.items()}
            for first, seconds in lengths.items()
        }
        self.within = UnspacedNames(word for word in self.firsts if word in self._names)

    def longest(self, plain: Sequence[str], start: int) -> SoundMatch:
        word, following = plain[start], start + 1
        seconds = self.firsts.get(word)
        if seconds is None:
            return NOTHING
        for count in seconds.get(plain[following], ()) if following < len(plain) else ():
            name = self._names.get(" ".join(plain[start : start + count]))
            # Near the end of a text the slice may have fewer than `count` words.
            if name and start + count <= len(plain):
                return SoundMatch(count, name)
        name = self._names.get(word)
        return SoundMatch(1, name) if name else NOTHING


# The names of a nation as a matcher takes them.


def matcher_of(nation: Nation, kind: MatcherKind = "default") -> Matcher:
    """A matcher for the nation's names in all their forms; its matches state the name that each is a form of."""
    return Matcher(spellings_in(telling_names(nation)), kind, ENGLISH_STOP_WORDS)


def spellings_in(names: Sequence[Name]) -> dict[str, str]:
    """Every spelling, and the name that it is a form of.

    A spelling of several names means the name that is spelt so itself, else the first of them.
    """
    own = {name.text: name.text for name in names if not name.of}
    return {name.text: name.of for name in reversed(names) if name.of} | own


def telling_names(nation: Nation) -> list[Name]:
    """The names that are evidence by themselves: not those that are ordinary words too, as written or without accents.

    Ísland, Iceland's own name for itself, is read as *island*, because diacritics are ignored.
    """
    ordinary = frozenset(word for text in nation.stop_words for word in plain_words(text))
    return [name for name in nation.names if (words := plain_words(name.text)) and not _is_word(name, words, ordinary)]


def _is_word(name: Name, words: Sequence[str], ordinary: Container[str]) -> bool:
    if len(words) > 1:
        return False
    return words[0] in ordinary or (words[0] in ORDINARY_WORDS and words[0] != name.text.casefold())
