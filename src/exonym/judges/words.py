"""Pages with at least one of a list of words, which narrow a broader topic, as diving narrows tourism."""

import re
from collections.abc import Sequence

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.nations.matching.tokens import EAST, SOUTHEAST, plain_text

_UNSPACED = re.compile(f"[{SOUTHEAST}{EAST}]")


class WordsJudge:
    """Relevant if the page, its title included, has one of the words or phrases, whatever their case and accents."""

    def __init__(self, words: Sequence[str], language: Judge) -> None:
        plain = {plain_text(word): word for word in words if plain_text(word)}
        # Blanks around a word exclude words that contain it, except in scripts without blanks between words.
        self._words = {text if _UNSPACED.search(text) else f" {text} ": word for text, word in plain.items()}
        if not self._words:
            raise ConfigError(f"target.topic.words must be words, got {list(words)!r}.")
        self._language = language

    def judge(self, document: Document) -> Verdict:
        """As relevant as a page in the language is, if a word is there."""
        written = self._language.judge(document)
        text = f" {plain_text(document.title)} {plain_text(document.blocks)} "
        word = next((word for plain, word in self._words.items() if plain in text), "")
        why = f"has the word {word}" if word else "has none of the words"
        is_relevant = bool(word) and written.relevant
        relevance = written.relevance if is_relevant else 0.0
        return Verdict(relevance, is_relevant, written.language, written.shares, why, written.inherited)
