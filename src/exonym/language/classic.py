"""The papers' identifier: the language of the charset's label, that of the n-grams, and a table that joins the two.

It is the baseline that the literature reports, failures included: it believes any label, finds one language in a page
of two, and reads no numeric character references (`extract/written_text.py`). The default identifier is for crawls,
this one for comparisons. Its parameters are those of libTextCat, the implementation of Cavnar and Trenkle's method
(1994) that the papers used.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exonym.extract.charset_labels import charset_named
from exonym.extract.written_text import text_as_written
from exonym.language.base import NO_CLUES, Clues, Identified
from exonym.language.ngrams import BLANK, letters_of, ranked_ngrams
from exonym.language.profiles import LENGTH, LanguageProfile

FEWEST_LETTERS = 25  # a text with fewer is "short"
MARGIN = 1.03  # an answer is every language whose distance is at most this many times the smallest
MOST_ANSWERS = 5  # with more, the field is too wide: "unknown"

_CHARSETS = {
    "th": "windows-874",
    "ja": "euc-jp shift_jis iso-2022-jp",
    "ko": "euc-kr",
    "zh": "gbk gb18030 big5 hz-gb-2312",
    "vi": "windows-1258",
    "el": "iso-8859-7 windows-1253",
    "he": "iso-8859-8 iso-8859-8-i windows-1255",
    "ar": "iso-8859-6",  # windows-1256 is Persian and Urdu as well
    "tr": "windows-1254",
    "ru": "koi8-r",
    "uk": "koi8-u",
}
_LANGUAGE_OF_CHARSET = {charset: language for language, names in _CHARSETS.items() for charset in names.split()}
_ABSENT = 10_000  # a rank that is out of place by more than a profile is long


@dataclass(frozen=True, slots=True)
class NgramGuess:
    """The answer of the n-grams of a text: the language, every language within the margin, and why."""

    language: str  # "" unknown
    answers: tuple[str, ...]  # the nearest first
    evidence: str


class ClassicIdentifier:
    """Identifies by charset label and n-gram profiles; where several languages fit, `target` is preferred."""

    def __init__(self, profiles: Sequence[LanguageProfile], target: str = "th") -> None:
        self._languages = [profile.language for profile in profiles]
        self._target = target
        self._row_of: dict[str, int] = {}
        for profile in profiles:
            for ngram in profile.ngrams:
                self._row_of.setdefault(ngram, len(self._row_of))
        # Each n-gram's rank in each profile; the last row is for n-grams that no profile has.
        self._ranks = np.full((len(self._row_of) + 1, len(profiles)), _ABSENT, np.int16)
        for number, profile in enumerate(profiles):
            self._ranks[[self._row_of[ngram] for ngram in profile.ngrams], number] = np.arange(len(profile.ngrams))

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text` and its title, as the papers join it with that of the charset."""
        charset = language_of_charset(clues.charset_label)
        written = text_as_written(clues.html, clues.is_frameset)
        guess = self.guess(written or (f"{clues.title}\n{text}" if clues.title else text))
        language = joined(charset, guess.language, self._target)
        evidence = [guess.evidence]
        if charset:
            evidence.insert(int(language != charset), f"charset {clues.charset_label} means {charset}")
        # The method knows no probabilities: 1 where both agree, less the more languages fit, half for a mere label.
        if not language:
            confidence = 0.0
        elif language != guess.language:
            confidence = 0.5
        else:
            confidence = 1.0 if language == charset else 1 / len(guess.answers)
        return Identified(language, {language: 1.0} if language else {}, confidence, tuple(evidence))

    def guess(self, text: str) -> NgramGuess:
        """The language of `text` by its n-grams."""
        letters = letters_of(text)
        count = int(np.count_nonzero(letters))
        if count < FEWEST_LETTERS:
            return NgramGuess("", (), f"short: {count} letters")
        answers = self._answers(ranked_ngrams(letters, LENGTH))
        if not answers:
            return NgramGuess("", (), "unknown: no language has such n-grams")
        if len(answers) > MOST_ANSWERS:
            return NgramGuess("", answers, f"unknown: n-grams fit {len(answers)} languages")
        preferred = next((language for language in (self._target, "en") if language in answers), answers[0])
        return NgramGuess(preferred, answers, f"n-grams fit {', '.join(answers)}")

    def _answers(self, ngrams: list[str]) -> tuple[str, ...]:
        """The languages within the margin, the nearest first; of equally near ones, the first given."""
        absent = len(self._row_of)
        ranks = self._ranks[[self._row_of.get(ngram, absent) for ngram in ngrams]]
        places = np.arange(len(ngrams), dtype=np.int16)[:, None]
        distances = np.minimum(np.abs(ranks - places), LENGTH).sum(axis=0, dtype=np.int64)
        # The blank is in every profile: to share no more than that is to share nothing.
        shared = (ranks < _ABSENT).sum(axis=0) > (BLANK in ngrams)
        near = [number for number in np.argsort(distances, kind="stable").tolist() if shared[number]]
        within = [number for number in near if distances[number] <= MARGIN * distances[near[0]]]
        return tuple(dict.fromkeys(self._languages[number] for number in within))


def language_of_charset(label: str) -> str:
    """The language that a charset's label names, or ""."""
    return _LANGUAGE_OF_CHARSET.get(charset_named(label), "")


def joined(charset: str, text: str, target: str) -> str:
    """The papers' table: target if either says so, else what the charset says, else what the text says."""
    return target if target and target in (charset, text) else charset or text
