"""What a practice language is made of: word lists and sentence patterns.

A pattern is written with spaces. A part that starts with N, V, A or F stands for a noun, verb,
modifier or function word, and what follows the letter is glued to it (`N을/를`: a Korean noun with
the particle that fits its ending); any other part stands for itself. Sentences are rough, but their
words, particles and order are real enough that language identifiers know them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Word lists of one language, how they join, and the charsets its older pages are written in."""

    language: str
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    modifiers: tuple[str, ...]
    functions: tuple[str, ...]
    patterns: tuple[str, ...]
    joiner: str = " "
    ending: str = ". "
    legacy: tuple[str, ...] = ()


def words(text: str) -> tuple[str, ...]:
    """The words of a text, in order."""
    return tuple(text.split())
