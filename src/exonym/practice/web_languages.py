"""The languages of practice webs (vocabularies.toml), and their sentences and titles.

Each language has a pool of sentences that is composed once; pages draw from the pool, so that the text of a page takes
microseconds. The pool depends on the language alone, not on the seed of the web.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from exonym.practice.chance import mix, mix_of


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


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text, in order; "_" is a space inside a word."""
    return tuple(word.replace("_", " ") for word in text.split())


def _vocabularies() -> dict[str, Vocabulary]:
    tables = tomllib.loads(Path(__file__).with_name("vocabularies.toml").read_text(encoding="utf-8"))
    for tongue, table in tables.items():
        table.setdefault("language", tongue)
        for name in ("nouns", "verbs", "modifiers", "functions"):
            table[name] = word_list(table[name])
    return msgspec.convert(tables, dict[str, Vocabulary])


# By tongue: a language in one of its scripts.
VOCABULARIES = _vocabularies()
POOL_SIZE = 1024  # a power of two: pages draw with a mask
TITLES = 2048

_FIRST_HANGUL, _LAST_HANGUL = 0xAC00, 0xD7A3


def language_of(tongue: str) -> str:
    """The language code of a tongue; "" for none."""
    return VOCABULARIES[tongue].language if tongue else ""


@cache
def sentences(tongue: str) -> tuple[str, ...]:
    """The pool of sentences of a tongue, each with its full stop."""
    vocabulary = VOCABULARIES[tongue]
    key = int.from_bytes(tongue.encode(), "big")
    return tuple(_sentence(vocabulary, mix_of(key, number)) for number in range(POOL_SIZE))


def six_sentences(tongue: str, draw: int) -> list[str]:
    """Sentences of the pool, as many as one random number has bits for."""
    pool = sentences(tongue)
    return [pool[draw >> shift & POOL_SIZE - 1] for shift in (0, 10, 20, 30, 40, 50)]


@cache
def sentence_bytes(tongue: str) -> int:
    """Mean length of a sentence of the pool in UTF-8 bytes."""
    pool = sentences(tongue)
    return sum(len(sentence.encode()) for sentence in pool) // len(pool)


@cache
def titles(tongue: str) -> tuple[str, ...]:
    """Short texts of two or three words, for titles and anchors."""
    vocabulary = VOCABULARIES[tongue]
    key = int.from_bytes(tongue.encode(), "big") + 0x7171E
    return tuple(_title(vocabulary, mix_of(key, number)) for number in range(TITLES))


def _title(vocabulary: Vocabulary, draw: int) -> str:
    chosen = [vocabulary.nouns[draw % len(vocabulary.nouns)]]
    chosen.append(vocabulary.verbs[(draw >> 16) % len(vocabulary.verbs)])
    if draw >> 63:
        chosen.append(vocabulary.nouns[(draw >> 32) % len(vocabulary.nouns)])
    return vocabulary.joiner.join(chosen)


def _sentence(vocabulary: Vocabulary, draw: int) -> str:
    pattern = vocabulary.patterns[draw % len(vocabulary.patterns)]
    parts = []
    for part in pattern.split(" "):
        draw = mix(draw)
        parts.append(_fill(vocabulary, part, draw))
    text = vocabulary.joiner.join(parts).replace(" ,", ",")
    return text[0].upper() + text[1:] + vocabulary.ending


def _fill(vocabulary: Vocabulary, part: str, draw: int) -> str:
    """A part of a pattern with a word in place of its letter (see vocabularies.toml)."""
    lists = {"N": vocabulary.nouns, "V": vocabulary.verbs, "A": vocabulary.modifiers, "F": vocabulary.functions}
    choices = lists.get(part[0])
    if choices is None:
        return part
    word = choices[draw % len(choices)]
    return word + _particle(word, part[1:])


def _particle(word: str, suffix: str) -> str:
    """The particle for a word. Korean ones come in pairs: the first follows a consonant, the second a vowel."""
    after_consonant, slash, after_vowel = suffix.partition("/")
    if not slash:
        return suffix
    letter = ord(word[-1])
    is_closed = _FIRST_HANGUL <= letter <= _LAST_HANGUL and (letter - _FIRST_HANGUL) % 28 != 0
    return after_consonant if is_closed else after_vowel
