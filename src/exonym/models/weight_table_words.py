"""The terms of a text as a weight table counts them: words in lower case, stemmed or not.

Words without a letter (dates, page numbers) are no terms: records of the CACM collection end in rows of such words.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from exonym.errors import ConfigError
from exonym.models.remembered import RememberedWords
from exonym.models.terms import words_of

if TYPE_CHECKING:
    from Stemmer import Stemmer

LONGEST = 64  # letters of a term; longer ones are no words
_REMEMBERED = 200_000  # words
_LETTER = re.compile(r"[^\W\d_]")
# Lists of stop words for English have "system", "page" and "web" in them, of which a topic may well be made.
_ENGLISH = (
    "a about after all also an and any are as at be because been before being between both but by can could did do "
    "does down during each for from had has have he her here hers him his how i if in into is it its may me might "
    "more most must my no nor not of off on only or other our ours out over own shall she should so some such than "
    "that the their theirs them then there these they this those through to too under until up upon us very was we "
    "were what when where which while who whom whose why will with within without would you your yours"
)


@dataclass(frozen=True, slots=True)
class TextToTerms:
    """How texts become terms: the same for a table and for all texts that it is applied to."""

    language: str = "en"
    stem: bool = True
    drop_stop_words: bool = True
    keep_numbers: bool = False


class WordReader:
    """Reads the terms of texts. The same text always gives the same terms."""

    def __init__(self, reading: TextToTerms) -> None:
        self._terms = RememberedWords(_term_finder(reading), LONGEST, _REMEMBERED)

    def words(self, text: str) -> list[str]:
        """The terms of a text, each as often as it occurs, in no order."""
        return list(filter(None, map(self._terms.__getitem__, words_of(text))))

    def counts(self, text: str) -> Counter[str]:
        """How often each term occurs in a text."""
        counts = Counter(map(self._terms.__getitem__, words_of(text)))
        counts.pop("", None)
        return counts

    def url_counts(self, url: str) -> Counter[str]:
        """How often each term occurs in a URL, whatever separates its words."""
        return self.counts(unquote(url))


def _term_finder(reading: TextToTerms) -> Callable[[str], str]:
    """A function that returns the term of a word; "" for a word that is no term."""
    stop_words = _stop_words(reading.language) if reading.drop_stop_words else frozenset[str]()
    stemmer = _stemmer(reading.language) if reading.stem else None

    def term_of(word: str) -> str:
        if word in stop_words or not (reading.keep_numbers or _LETTER.search(word)):
            return ""
        return str(stemmer.stemWord(word)) if stemmer else word

    return term_of


def _stemmer(language: str) -> "Stemmer":
    import Stemmer

    from exonym.language_names import name_of

    # English is the revised algorithm of Porter; collections of the papers' time were stemmed by the first.
    name = name_of(language).lower() if len(language) <= LONGEST else ""
    if name not in Stemmer.algorithms():
        raise ConfigError(f"No stemmer is known for {language[:20]!r}. Build the table with --no-stem.")
    return Stemmer.Stemmer(name)


@cache
def _stop_words(language: str) -> frozenset[str]:
    if language == "en":
        return frozenset(_ENGLISH.split())
    import stopwordsiso

    return frozenset(stopwordsiso.stopwords(language) if stopwordsiso.has_lang(language) else ())
