"""The names of a nation as a matcher takes them."""

from collections.abc import Iterable

from exonym.nations.matching import Kind, Matcher
from exonym.nations.nation import Name, Nation
from exonym.nations.tokens import ENGLISH_STOP_WORDS, plain_words


def matcher_of(nation: Nation, kind: Kind = "default") -> Matcher:
    """Finds the nation's names in English text, in all their forms, and tells which name each is a form of."""
    return Matcher(_names_by_spelling(telling_names(nation)), kind, ENGLISH_STOP_WORDS)


def _names_by_spelling(names: Iterable[Name]) -> dict[str, str]:
    """A spelling of several names stands for the one that is spelt so itself, then for the first."""
    listed = list(names)
    own = {name.text: name.text for name in listed if not name.of}
    return {name.text: name.of for name in reversed(listed) if name.of} | own


def telling_names(nation: Nation) -> list[Name]:
    """The names that are evidence by themselves: not those that are ordinary words too."""
    ordinary = frozenset(word for text in nation.stop_words for word in plain_words(text))
    return [name for name in nation.names if not _is_one_of(ordinary, plain_words(name.text))]


def _is_one_of(ordinary: Iterable[str], words: list[str]) -> bool:
    return not words or (len(words) == 1 and words[0] in ordinary)
