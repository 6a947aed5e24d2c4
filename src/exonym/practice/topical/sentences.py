"""Pools of English sentences and titles for each topic, made once from patterns and word lists.

In a pattern N, P, V and A stand for a noun, a plural, a verb and an adjective of the topic, `@` for a place and `&` for
a word of the country: these two are filled in when a page is written. The position of a sentence in the pool decides
which part of the word list it prefers, so that a site that draws from one part of the pool has a vocabulary of its own.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from exonym.practice.chance import mix, mix_of
from exonym.practice.topical.subjects import GENERAL
from exonym.practice.web_languages import sentences, word_list


@dataclass(frozen=True, slots=True)
class Wordlist:
    """The words of one topic, and the topics whose sentences its pages borrow."""

    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    neighbours: tuple[str, ...]


def _wordlists(tables: dict[str, Any]) -> dict[str, Wordlist]:
    shared = tables.pop("shared")
    for table in tables.values():
        inherited = shared if table.pop("shares_words", False) else dict.fromkeys(shared, "")
        for name in shared:
            table[name] = word_list(f"{inherited[name]} {table[name]}")
    return msgspec.convert(tables, dict[str, Wordlist])


# By topic.
WORDLISTS = _wordlists(tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8")))
POOL = 1024  # sentences of each kind and topic
TITLE_POOL = 512
_ARTICLE = re.compile(r"\b(a) (?=[aeiou])")
_FROM_ALL = 3  # of eight words, those from anywhere in the list

_PLAIN = (
    "the A N V the N and the N",
    "most P are A , but some P are not",
    "you will find a A N with N and N",
    "every N V the A N before the N",
    "it is not easy to find P that are as A as this N",
    "ask for the N if the N is too A",
    "our N V the P of the season",
    "there are A P and a N for every N",
    "we like the N because it V the N",
    "in the morning the N V and the P are A",
    "a N without a N is like a N without P",
    "the N V a A N from the N to the N",
    "do not forget the N and the P when the N V",
    "this year the N V more P than the last N",
    "the best N is A and V the P",
    "A P and A P with some & are what people want",
)
_PLACED = (
    "the A N in @ V the N",
    "P in @ are A and the N V them",
    "from @ the N V a A N",
    "a N near @ with A P and some &",
    "we went to @ for the N and the A P",
    "@ has more P than any other N",
    "in @ you pay for the N by & and the N V",
    "the N of @ is A at this time of the year",
    "between @ and @ there is a A N",
    "the & of @ and its P are A",
    "last year our N in @ V the N",
    "@ is A for P , and the N V there",
)
_TITLES_PLAIN = ("A P", "N and N", "the A N", "N V N", "P", "A N guide", "more about P", "your N", "P and P", "N news")
_TITLES_PLACED = ("P in @", "@ N", "A P in @", "@ , N and P", "the N of @", "@", "N near @", "A @", "@ P and &")


@cache
def plain_sentences(topic: str) -> tuple[str, ...]:
    """Sentences that name no place; without a topic, the English sentences of all practice webs."""
    return sentences("en") if topic == GENERAL else _pool(topic, _PLAIN, POOL)


@cache
def placed_sentences(topic: str) -> tuple[str, ...]:
    """Sentences with `@` for a place."""
    return plain_sentences(topic) if topic == GENERAL else _pool(topic, _PLACED, POOL)


@cache
def plain_titles(topic: str) -> tuple[str, ...]:
    """Titles that name no place."""
    return _titles(topic, _TITLES_PLAIN)


@cache
def placed_titles(topic: str) -> tuple[str, ...]:
    """Titles with `@` for a place."""
    return _titles(topic, _TITLES_PLACED)


def _titles(topic: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
    pool = _pool("software" if topic == GENERAL else topic, patterns, TITLE_POOL)
    return tuple(sentence.removesuffix(". ") for sentence in pool)


def _pool(topic: str, patterns: tuple[str, ...], size: int) -> tuple[str, ...]:
    key = int.from_bytes(topic.encode(), "big") & 0xFFFFFFFFFFFF ^ len(patterns) << 50
    return tuple(_sentence(WORDLISTS[topic], patterns, mix_of(key, at), at / size) for at in range(size))


def _sentence(wordlist: Wordlist, patterns: tuple[str, ...], draw: int, part: float) -> str:
    parts = []
    for token in patterns[draw % len(patterns)].split(" "):
        draw = mix(draw)
        parts.append(_fill(wordlist, token, draw, part))
    text = _ARTICLE.sub(r"\1n ", " ".join(parts).replace(" ,", ","))
    return text[0].upper() + text[1:] + ". "


def _fill(wordlist: Wordlist, token: str, draw: int, part: float) -> str:
    if token in ("N", "P"):
        noun = _choose(wordlist.nouns, draw, part)
        return noun if token == "N" else plural(noun)
    if token == "V":
        return _choose(wordlist.verbs, draw, part)
    return _choose(wordlist.adjectives, draw, part) if token == "A" else token


def _choose(choices: tuple[str, ...], draw: int, part: float) -> str:
    """A word, mostly from a third of the list: `part`, from 0 to 1, says where that third begins."""
    if draw & 7 < _FROM_ALL:
        return choices[(draw >> 3) % len(choices)]
    return choices[(int(part * len(choices)) + (draw >> 3) % (len(choices) // 3)) % len(choices)]


def plural(noun: str) -> str:
    """The plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"
