"""Text cut into words: at white space and punctuation, without case and diacritics.

Runs of scripts without blanks between words (Thai, Chinese …) are separated from other scripts; `unspaced` finds the
words in such a run. Built for speed: whole texts are folded and cut by the interpreter's own C code, and plain ASCII,
which most foreign text is, takes a shorter path.
"""

import re
import unicodedata
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

# English words so frequent that none of them is a name by itself, and the words of web addresses.
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
HAS_UNSPACED = re.compile(f"[{SOUTHEAST}{EAST}{HANGUL}]+")
_RUN = re.compile(f"(?P<southeast>[{SOUTHEAST}]+)|(?P<east>[{EAST}]+)|(?P<hangul>[{HANGUL}]+)")
Span = tuple[int, int]

_BLANKED = bytes(code if code >= 128 or chr(code).isalnum() else 32 for code in range(256))
_ASCII = bytes(range(128))
_MANY = 24  # different letters; fewer are replaced one by one, each in a pass of C code
# Letters that have no decomposition, as their nearest neighbours in ASCII.
_NEIGHBOURS = str.maketrans("đĐðÐøØłŁıħĦŧŦŋŊəƏɔƆ", "dDdDoOlLihHtTnNeEoO") | str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
)


class _Folding(dict[int, str]):
    """The folded form of each character: letters and digits without diacritics, a blank for anything else."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        # Decomposing kana and Hangul would mean to rewrite whole texts in these scripts; see `spellings_of`.
        if ("\u3041" <= character <= "\u30fe" and character.isalnum()) or "\uac00" <= character <= "\ud7a3":
            folded = character
        else:
            parts = unicodedata.normalize("NFKD", character).translate(_NEIGHBOURS)
            # Marks of Thai and its neighbours are letters in all but name: they must not split a word.
            kept = (part if part.isalnum() or unicodedata.category(part)[0] == "M" else " " for part in parts)
            folded = "" if is_diacritic(character) else "".join(part for part in kept if not is_diacritic(part))
            # A letter that case folding makes longer (ß) is case-folded here, so that `cased` and `plain` stay aligned.
            if len(folded.casefold()) != len(folded):
                folded = folded.casefold()
        self[code] = folded
        return folded


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
    return HAS_UNSPACED.match(word) is not None


def folded(text: str) -> Folded:
    """A text prepared for cutting it into words."""
    if text.isascii():
        blanked = _blanked(text)
        return Folded(blanked, blanked.casefold())
    letters = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    changing = [letter for letter in letters if FOLDING[ord(letter)] != letter]
    uneven = {letter for letter in changing if len(FOLDING[ord(letter)]) != 1}
    if len(changing) > _MANY:
        text = _FOREIGN.sub(lambda foreign: foreign[0].translate(FOLDING), text)
    else:
        for letter in changing:
            text = text.replace(letter, FOLDING[ord(letter)])
    blanked = _blanked(text)
    scripts = {run.lastgroup for letter in letters if (run := _RUN.match(FOLDING[ord(letter)]))}
    if not scripts:
        return Folded(blanked, blanked.casefold(), [], uneven)
    runs = [run.span() for run in HAS_UNSPACED.finditer(blanked)]
    if len(scripts) > 1:  # which few texts have
        pieces = [(start, _RUN.finditer(blanked[start:end])) for start, end in runs]
        runs = [(start + run.start(), start + run.end()) for start, same_script in pieces for run in same_script]
    edges = [0, *(edge for run in runs for edge in run), len(blanked)]
    spaced = " ".join([blanked[start:end] for start, end in pairwise(edges)])
    return Folded(spaced, spaced.casefold(), runs, uneven)


def _blanked(text: str) -> str:
    # The bytes from 128 on belong to letters, digits and marks: all else is folded to blanks before.
    return text.encode().translate(_BLANKED).decode()
