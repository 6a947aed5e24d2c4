"""Measures matchers: their recall on real spelling variants, and their false alarms in ordinary text.

A variant is an alternate spelling of a place in a gazetteer, in Latin letters, which the exact matcher does not find
with the places' own names alone. A matcher finds a variant if it takes it for that very place. Ordinary text is English
that comes with Python and with installed packages; a name in it is a false alarm.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from typing import NamedTuple

from exonym.errors import ConfigError
from exonym.nations.matching.matcher import KINDS, Matcher, MatcherKind
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS, plain_words
from exonym.nations.nation import ALTERNATE, Name

_FEWEST_LETTERS = 4  # shorter variants are codes
_REPEATS = 3  # the quickest is least disturbed by other work of the machine


class Variant(NamedTuple):
    """Another spelling of a place's name."""

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class MatcherTestData:
    """The test data of matchers: a dictionary, variants that are not in it, and texts without such names."""

    names: tuple[str, ...]
    variants: tuple[Variant, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatcherScore:
    """The figures of one matcher; shares are 0..1."""

    kind: MatcherKind
    exact_recall: float  # names as the dictionary spells them
    recall: float  # variants taken for the place that they are of
    found_at_all: float  # variants in which some name was found, be it another one's
    false_alarms: float  # names found per 1,000 words of ordinary text
    false_words: float  # words in such names, per 1,000
    microseconds: float  # of CPU per 1,000 words of ordinary text


def material_of(names: Iterable[Name], texts: Iterable[str]) -> MatcherTestData:
    """Dictionary and variants of names with their forms."""
    listed = list(names)
    dictionary: dict[str, None] = {}
    for name in listed:
        words = plain_words(name.text)
        can_be_found = words and all(map(str.isascii, words)) and not ENGLISH_STOP_WORDS.issuperset(words)
        if name.form != ALTERNATE and can_be_found:
            dictionary[name.text] = None
    exact = Matcher(list(dictionary), "exact")
    variants: dict[Variant, None] = {}
    for name in listed:
        letters, variant = "".join(plain_words(name.text)), Variant(name.text, name.of)
        is_word = len(letters) >= _FEWEST_LETTERS and letters.isascii() and letters.isalpha()
        if name.form == ALTERNATE and name.of and is_word and not _names_place(exact, variant):
            variants[variant] = None
    if not variants:
        raise ConfigError("The nation has no other spellings of its names to try. Name a nation with places, as TH.")
    return MatcherTestData(tuple(dictionary), tuple(variants), tuple(texts))


def _names_place(matcher: Matcher, variant: Variant) -> bool:
    wanted = plain_words(variant.name)
    return any(plain_words(match.name) == wanted for match in matcher.find(variant.text).names)


def installed_english() -> Iterator[str]:
    """English that is on this machine: Python's help texts and the descriptions of installed packages."""
    from pydoc_data.topics import topics

    yield from topics.values()
    for package in sorted(distributions(), key=lambda package: package.metadata["Name"]):
        if "Description" in package.metadata:
            yield package.metadata["Description"]


def evaluated(material: MatcherTestData, tell: Callable[[str], None] = lambda doing: None) -> list[MatcherScore]:
    """The score of every matcher on the same material."""
    scores = []
    thousands = max(count_words(material.texts), 1) / 1_000
    for kind in KINDS:
        tell(f"trying the {kind} matcher")
        matcher = Matcher(material.names, kind)
        found = [matcher.find(text) for text in material.texts]
        nanoseconds = []
        for _ in range(_REPEATS):
            start = time.process_time_ns()
            for text in material.texts:
                matcher.find(text)
            nanoseconds.append(time.process_time_ns() - start)
        score = MatcherScore(
            kind,
            _share([_is_found_whole(matcher, name) for name in material.names]),
            _share([_names_place(matcher, variant) for variant in material.variants]),
            _share([bool(matcher.find(variant.text).names) for variant in material.variants]),
            sum(len(names.names) for names in found) / thousands,
            sum(names.words_in_names for names in found) / thousands,
            min(nanoseconds) / 1_000 / thousands,
        )
        scores.append(score)
    return scores


def count_words(texts: Iterable[str]) -> int:
    """All words of texts, stop words too."""
    return sum(len(plain_words(text)) for text in texts)


def _is_found_whole(matcher: Matcher, name: str) -> bool:
    matches = matcher.find(name).names
    return len(matches) == 1 and not matches[0].by_sound and plain_words(matches[0].name) == plain_words(name)


def _share(answers: Sequence[bool]) -> float:
    return sum(answers) / len(answers) if answers else 0.0
