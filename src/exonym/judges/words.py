"""Pages with one of a list of words, which narrow a broader topic, as diving narrows tourism."""

import re
from collections.abc import Sequence

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.nations.matching.tokens import EAST, SOUTHEAST, plain_words

_UNSPACED = re.compile(f"[{SOUTHEAST}{EAST}]")


class WordsJudge:
    """Relevant if the page, its title included, has one of the words or phrases, whatever their case and accents."""

    def __init__(self, words: Sequence[str], language: Judge) -> None:
        self._words = {f" {' '.join(plain_words(word))} ": word for word in words if plain_words(word)}
        if not self._words:
            raise ConfigError(f"target.topic.words must be words, got {list(words)!r}.")
        self._language = language

    def judge(self, document: Document) -> Verdict:
        """As relevant as a page in the language is, if a word is there."""
        written = self._language.judge(document)
        text = f" {' '.join(plain_words(document.title))} {' '.join(plain_words(document.blocks))} "
        found = next((word for plain, word in self._words.items() if _is_in(plain, text)), "")
        why = f"has the word {found}" if found else "has none of the words"
        relevance = written.relevance if found and written.relevant else 0.0
        return Verdict(relevance, bool(found) and written.relevant, written.language, written.shares, why)


def _is_in(plain: str, text: str) -> bool:
    """Whole words only, except in scripts without blanks between words."""
    return (plain.strip() if _UNSPACED.search(plain) else plain) in text
