"""Measures matchers: their recall on real spelling variants, and their false alarms in ordinary text.

A variant is another spelling that a gazetteer has for a place, in Latin letters, which the exact matcher does not find
with the places' own names alone. It is found if the matcher takes it for that very place. Ordinary text is English
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
_REPEATS = 3  # the quickest of them is least disturbed by what else the machine does


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
    dictionary = tuple(
        dict.fromkeys(name.text for name in listed if name.form != ALTERNATE and _can_be_found(name.text))
    )
    exact = Matcher(dictionary, "exact")
    others = dict.fromkeys(Variant(name.text, name.of) for name in listed if name.form == ALTERNATE and name.of)
    variants = tuple(variant for variant in others if _is_respelling(variant, exact))
    if not variants:
        raise ConfigError("The nation has no other spellings of its names to try. Name a nation with places, as TH.")
    return MatcherTestData(dictionary, variants, tuple(texts))


def _can_be_found(text: str) -> bool:
    words = plain_words(text)
    return bool(words) and all(map(str.isascii, words)) and not ENGLISH_STOP_WORDS.issuperset(words)


def _is_respelling(variant: Variant, exact: Matcher) -> bool:
    letters = "".join(plain_words(variant.text))
    long_enough = len(letters) >= _FEWEST_LETTERS and letters.isascii() and letters.isalpha()
    return long_enough and not _names_place(exact, variant)


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
    for kind in KINDS:
        tell(f"trying the {kind} matcher")
        scores.append(_score(kind, material))
    return scores


def _score(kind: MatcherKind, material: MatcherTestData) -> MatcherScore:
    matcher = Matcher(material.names, kind)
    found = [matcher.find(text) for text in material.texts]
    thousands = max(count_words(material.texts), 1) / 1_000
    return MatcherScore(
        kind,
        _share([_is_found_whole(matcher, name) for name in material.names]),
        _share([_names_place(matcher, variant) for variant in material.variants]),
        _share([bool(matcher.find(variant.text).names) for variant in material.variants]),
        sum(len(one.names) for one in found) / thousands,
        sum(one.words_in_names for one in found) / thousands,
        min(_microseconds(matcher, material.texts) for _ in range(_REPEATS)) / thousands,
    )


def count_words(texts: Iterable[str]) -> int:
    """All words of texts, stop words too."""
    return sum(len(plain_words(text)) for text in texts)


def _is_found_whole(matcher: Matcher, name: str) -> bool:
    found = matcher.find(name).names
    return len(found) == 1 and not found[0].by_sound and plain_words(found[0].name) == plain_words(name)


def _share(answers: Sequence[bool]) -> float:
    return sum(answers) / len(answers) if answers else 0.0


def _microseconds(matcher: Matcher, texts: Iterable[str]) -> float:
    start = time.process_time_ns()
    for text in texts:
        matcher.find(text)
    return (time.process_time_ns() - start) / 1_000
