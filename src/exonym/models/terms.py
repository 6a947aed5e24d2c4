"""Terms of a page: the stemmed words of its title, body and anchors, or groups of letters where words are not spaced.

One reader serves training and crawling: a model must see pages in a crawl as it saw its examples.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import add
from typing import Any, Literal, NamedTuple, get_args

from exonym.errors import ConfigError, ModelError
from exonym.models.remembered import RememberedWords

Units = Literal["auto", "words", "characters"]

# Written without spaces between words.
UNSPACED = frozenset(["th", "lo", "km", "my", "ja", "zh", "yue", "wuu", "bo", "dz"])
MOST_CHARACTERS = 200_000  # of a field; the rest does not change what a page is about
_MOST_WEIGHT = 1_000.0
_LONGEST_GRAM = 6
_LONGEST_WORD = 40  # longer ones are codes and addresses
_REMEMBERED = 200_000  # words
# For the letters A to Z, which most pages are made of, a table is three times as fast as a pattern.
_PLAIN = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))

_WIDE = re.compile("[\\u3000\\uff00-\\uffef]+")  # wide and narrow forms of letters


class Fields(NamedTuple):
    """The parts of a page that have terms, as plain text."""

    title: str = ""
    body: str = ""
    anchors: str = ""  # the texts of its links, a line each


@dataclass(frozen=True, slots=True)
class TermOptions:
    """How terms are taken from pages."""

    language: str = "en"
    kind: Units = "auto"  # by the language
    title_weight: float = 1.0
    body_weight: float = 1.0
    anchor_weight: float = 1.0
    stem: bool = True
    stop_words: bool = True
    shortest_gram: int = 2  # letters, for characters
    longest_gram: int = 3

    def __post_init__(self) -> None:
        if self.kind not in get_args(Units):
            raise ConfigError(f'terms are "words", "characters" or "auto", not {self.kind!r}.')
        for weight in self.weights:
            if not 0 <= weight <= _MOST_WEIGHT:
                raise ConfigError(f"the weight of a field is 0 to {_MOST_WEIGHT:,.0f}, got {weight}.")
        if not any(self.weights):
            raise ConfigError("title, body and anchors all have weight 0. Give one of them more: 1, say.")
        if not 1 <= self.shortest_gram <= self.longest_gram <= _LONGEST_GRAM:
            sizes = f"{self.shortest_gram} to {self.longest_gram}"
            raise ConfigError(f"groups of letters have 1 to {_LONGEST_GRAM} letters, got {sizes}.")

    @property
    def weights(self) -> tuple[float, float, float]:
        """Of title, body and anchors."""
        return self.title_weight, self.body_weight, self.anchor_weight

    @property
    def units(self) -> Literal["words", "characters"]:
        """ "words" or "characters": `kind`, with "auto" decided by the language."""
        if self.kind == "auto":
            return "characters" if primary_language(self.language) in UNSPACED else "words"
        return self.kind


class TermReader:
    """Reads the terms of pages."""

    def __init__(self, options: TermOptions) -> None:
        self.options = options
        # Stemming costs more than a look-up.
        self._terms = RememberedWords(_term_finder(options), _LONGEST_WORD, _REMEMBERED)

    def __reduce__(self) -> tuple[Any, ...]:
        return TermReader, (self.options,)  # a stemmer cannot be sent to another process

    def words(self, fields: Fields) -> list[tuple[list[str], float]]:
        """Words, or unspaced runs of letters, with the weight of the field that they are in."""
        title, body, anchors = self.options.weights
        if title == body == anchors:
            return [(words_of("\n".join([text[:MOST_CHARACTERS] for text in fields])), body)]
        weighted = zip(fields, self.options.weights, strict=True)
        return [(words_of(text[:MOST_CHARACTERS]), weight) for text, weight in weighted if text and weight]

    def tokens_of(self, words: list[str]) -> list[str]:
        """What terms are made of: the words, or, of words that are not plain A to Z, groups of letters."""
        if self.options.units == "words":
            return words
        tokens = [word for word in words if word.isascii()]
        for run in words:
            if not run.isascii():
                tokens += self._grams_of(run)
        return tokens

    def term_of(self, token: str) -> str:
        """The term of a token; "" for a token that is no term, such as a stop word."""
        return self._terms[token]

    def _grams_of(self, run: str) -> list[str]:
        """Groups of letters that follow each other; a run shorter than a group is a group."""
        shortest, longest = self.options.shortest_gram, self.options.longest_gram
        if len(run) <= shortest:
            return [run]
        grams, all_grams = list(run), list[str]()
        for size in range(1, longest + 1):
            if size > 1:
                grams = list(map(add, grams, run[size - 1 :]))
            if size >= shortest:
                all_grams += grams
        return all_grams


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in no order; where words are not spaced, runs of letters."""
    if text.isascii():
        return text.translate(_PLAIN).split()
    # English pages have a few curly quotes: only the words with them take the slow path.
    pieces = text.split()
    others = [piece for piece in pieces if not piece.isascii()]
    rest = " ".join(others)
    if _WIDE.search(rest):
        rest = _WIDE.sub(lambda run: unicodedata.normalize("NFKC", run[0]), rest)
    # NFKC of everything would split a Thai vowel, and takes longer.
    words = _word_pattern().findall(unicodedata.normalize("NFC", rest).lower())
    if len(others) < len(pieces):
        words += " ".join([piece for piece in pieces if piece.isascii()]).translate(_PLAIN).split()
    return words


def primary_language(tag: str) -> str:
    """`en` of `en-GB`."""
    return tag.replace("_", "-").split("-")[0].lower()


def term_needs(options: TermOptions) -> dict[str, str]:
    """The libraries that terms depend on, with versions; for a model's file."""
    from importlib.metadata import version

    needs = {"language": options.language, "terms": options.units}
    if options.units == "words" and options.stem and _stemmer(primary_language(options.language)):
        needs["PyStemmer"] = version("PyStemmer")
    if options.stop_words and _stop_words(primary_language(options.language)):
        needs["stopwordsiso"] = version("stopwordsiso")
    return needs


def check_needs(needs: Mapping[str, str], options: TermOptions, name: str) -> None:
    """Raise ModelError if the model in the file `name` needs a stemmer or stop words that are not known here."""
    here = term_needs(options)
    missing = [need for need in needs if need in ("PyStemmer", "stopwordsiso") and need not in here]
    if missing:
        raise ModelError(
            f"{name} needs {missing[0]} for language {options.language!r}, which the one here does not know."
        )


def _term_finder(options: TermOptions) -> Callable[[str], str]:
    """A function that returns the term of a word; "" for a word that is no term."""
    language = primary_language(options.language)
    stop_words = _stop_words(language) if options.stop_words else frozenset()
    is_cut = options.units == "characters"
    stemmer = _stemmer(language) if options.stem and not is_cut else None

    def term_of(word: str) -> str:
        if is_cut and not word.isascii():
            return word
        if word in stop_words or word.isdigit() or (len(word) == 1 and word.isascii()):
            return ""
        return sys.intern(str(stemmer.stemWord(word)) if stemmer else word)

    return term_of


def _stemmer(language: str) -> Any:
    """A stemmer, or None for languages without one."""
    import Stemmer  # type: ignore[import-not-found, unused-ignore]

    try:
        # Its own cache is off: ours holds the same words.
        return Stemmer.Stemmer({"nb": "no", "nn": "no"}.get(language, language), 0)
    except KeyError:
        return None


@lru_cache(maxsize=4)
def _stop_words(language: str) -> frozenset[str]:
    """Stop words as `words_of` would give them: `don't` is `don` and `t`."""
    import stopwordsiso

    if not stopwordsiso.has_lang(language):
        return frozenset()
    pieces = {word: words_of(word) for word in stopwordsiso.stopwords(language)}
    kept = (pieces[word] for word in pieces if len(pieces[word]) == 1 or "'" in word or "’" in word)
    return frozenset(chain.from_iterable(kept))


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with the marks on them, which `\\w` leaves out: vowels of Thai and Hindi are marks."""
    marks = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    letters = r"[^\W_]"
    return re.compile(f"{letters}+(?:[{marks}]+{letters}*)*")
