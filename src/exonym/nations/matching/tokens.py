"""Text cut into words: at white space and punctuation, without case and diacritics.

Scripts that put no blanks between words (Thai, Chinese …) are cut from others beside them; what is a word in such a run
is for `unspaced` to say. Built for speed: whole texts are folded and cut by the interpreter's own C code. Plain ASCII,
which most foreign text is, takes a shorter way.
"""

import re
import unicodedata
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

# English words that are so frequent that none of them is a name by itself. Web addresses' own words are among them.
_STOP_WORDS = """
a about above after again against all also am an and any are as at be because been before being below between both
but by can cannot com could did do does doing down during each few for from further had has have having he her here
hers herself him himself his how htm html http https i if in index into is it its itself just may me might more
most must my myself no nor not now of off on once one only or other our ours out over own per php same she should
since so some such than that the their theirs them then there these they this those though through to too two under
until up upon us very via was we were what when where whether which while who whom whose why will with within
without would www yes yet you your yours
"""
ENGLISH_STOP_WORDS = frozenset(_STOP_WORDS.split())

# Thai, Lao, Burmese, Khmer; kana and Han; Hangul. A run is of one of the three.
SOUTHEAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
EAST = "\u3005-\u3007\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u9fff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\uac00-\ud7a3"

_FOREIGN = re.compile("[^\x00-\x7f]+")
_UNSPACED = re.compile(f"[{SOUTHEAST}{EAST}{HANGUL}]+")
_RUN = re.compile(f"(?P<southeast>[{SOUTHEAST}]+)|(?P<east>[{EAST}]+)|(?P<hangul>[{HANGUL}]+)")
Span = tuple[int, int]

_BLANKED = bytes(code if code >= 128 or chr(code).isalnum() else 32 for code in range(256))
_ASCII = bytes(range(128))
_MANY = 24  # different letters; fewer are replaced one after the other, each in a pass of C code
# Letters that have no decomposition, as their nearest neighbours in ASCII.
_NEIGHBOURS = str.maketrans("đĐðÐøØłŁıħĦŧŦŋŊəƏɔƆ", "dDdDoOlLihHtTnNeEoO") | str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
)


class _Folding(dict[int, str]):
    """What becomes of each character: letters and digits without diacritics, a blank for anything else."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


def _folded(character: str) -> str:
    if is_diacritic(character):
        return ""
    # Taken apart, whole texts in these scripts would have to be rewritten; see `spellings_of`.
    if ("\u3041" <= character <= "\u30fe" and character.isalnum()) or "\uac00" <= character <= "\ud7a3":
        return character
    parts = unicodedata.normalize("NFKD", character).translate(_NEIGHBOURS)
    # Marks of Thai and its neighbours are letters in all but name: a word must not fall apart at them.
    kept = (part if part.isalnum() or unicodedata.category(part)[0] == "M" else " " for part in parts)
    folded = "".join(part for part in kept if not is_diacritic(part))
    # What becomes longer without case (ß) does so here: then letters stand at the same place with and without it.
    return folded if len(folded.casefold()) == len(folded) else folded.casefold()


def is_diacritic(character: str) -> bool:
    """Whether a character only changes the one before it, or cannot be seen."""
    return "\u0300" <= character <= "\u036f" or character in "\u00ad\u200b\u200c\u200d\u2060\ufeff"


FOLDING = _Folding()


class Folded(NamedTuple):
    """A text with blanks for all but letters, digits and marks, without diacritics, and with blanks around runs."""

    cased: str
    plain: str  # without case, letter for letter
    runs: Sequence[Span] = ()  # in unspaced scripts, where they stood before blanks were put around them
    uneven: Set[str] = frozenset()  # letters in the text itself that became none or several


def plain_words(text: str) -> list[str]:
    """The words of a text without case and diacritics; runs of unspaced scripts are words of their own.

    >>> plain_words("Ko Samui's Café"), plain_words("東京Disney")
    (['ko', 'samui', 's', 'cafe'], ['東京', 'disney'])
    """
    return folded(text).plain.split()


def plain_text(text: str) -> str:
    """The `plain_words` of a text with single blanks between them: equal for spellings that differ in signs only."""
    return " ".join(plain_words(text))


def spellings_of(name: str) -> set[str]:
    """A name as it is, and with its Hangul and kana taken apart, as some texts write them."""
    return {name, unicodedata.normalize("NFD", name)}


def is_unspaced(word: str) -> bool:
    """Whether a word begins in a script without blanks between words, or in Hangul."""
    return _UNSPACED.match(word) is not None


def folded(text: str) -> Folded:
    """A text made ready to be cut into words."""
    if text.isascii():
        blanked = _blanked(text)
        return Folded(blanked, blanked.casefold())
    letters = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    changing = [letter for letter in letters if FOLDING[ord(letter)] != letter]
    uneven = {letter for letter in changing if len(FOLDING[ord(letter)]) != 1}
    blanked = _blanked(_fold_letters(text, changing))
    runs = _runs(blanked, {found.lastgroup for letter in letters if (found := _RUN.match(FOLDING[ord(letter)]))})
    spaced = _with_blanks(blanked, runs) if runs else blanked
    return Folded(spaced, spaced.casefold(), runs, uneven)


def _blanked(text: str) -> str:
    # What is left beyond ASCII are letters, digits and their marks: bytes from 128 on.
    return text.encode().translate(_BLANKED).decode()


def _fold_letters(text: str, changing: Sequence[str]) -> str:
    if len(changing) > _MANY:
        return _FOREIGN.sub(lambda found: found[0].translate(FOLDING), text)
    for letter in changing:
        text = text.replace(letter, FOLDING[ord(letter)])
    return text


def _runs(blanked: str, scripts: Set[str | None]) -> list[Span]:
    """Where runs stand in a text that has such scripts; most texts have one at most."""
    if not scripts:
        return []
    if len(scripts) == 1:
        return [found.span() for found in _UNSPACED.finditer(blanked)]
    return [
        (outer.start() + inner.start(), outer.start() + inner.end())
        for outer in _UNSPACED.finditer(blanked)
        for inner in _RUN.finditer(outer[0])
    ]


def _with_blanks(text: str, runs: Sequence[Span]) -> str:
    """A text with a blank before and after every run."""
    edges = [0, *(edge for run in runs for edge in run), len(text)]
    return " ".join([text[start:end] for start, end in pairwise(edges)])
