"""Text cut into words: at white space and punctuation, without case and diacritics.

Built for speed: whole texts are folded and cut by the interpreter's own C code; where a word stands in the text is
found out only when somebody asks. Plain ASCII, which most foreign text is, takes a shorter way.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice

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

_FOREIGN = re.compile("[^\x00-\x7f]+")
_FOREIGN_LETTER = re.compile("[^\\x00-\\x7f]")
_WORD = re.compile(r"\S+")
Span = tuple[int, int]

_BLANKED = bytes(code if code >= 128 or chr(code).isalnum() else 32 for code in range(256))
# Letters that have no decomposition, as their nearest neighbours in ASCII.
_NEIGHBOURS = str.maketrans("đĐøØłŁıħĦŧŦŋŊəƏɔƆ", "dDoOlLihHtTnNeEoO") | str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe"})


class _Folding(dict[int, str]):
    """What becomes of each character: letters and digits without diacritics, a blank for anything else."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


def _folded(character: str) -> str:
    if _is_diacritic(character):
        return ""
    parts = unicodedata.normalize("NFKD", character).translate(_NEIGHBOURS)
    # Marks of Thai and its neighbours are letters in all but name: a word must not fall apart at them.
    kept = (part if part.isalnum() or unicodedata.category(part)[0] == "M" else " " for part in parts)
    return "".join(part for part in kept if not _is_diacritic(part))


def _is_diacritic(character: str) -> bool:
    return "\u0300" <= character <= "\u036f" or character in "\u00ad\u200b\u200c\u200d\u2060\ufeff"


_FOLDING = _Folding()


def cased_and_plain_words(text: str) -> tuple[list[str], list[str]]:
    """The words of a text without diacritics, as they are written and without case; one list is as long as the other.

    >>> cased_and_plain_words("Đà_Nẵng, 2 km!")
    (['Da', 'Nang', '2', 'km'], ['da', 'nang', '2', 'km'])
    """
    blanked = _blanked(text)
    cased, plain = blanked.split(), blanked.casefold().split()
    if len(cased) != len(plain):  # no character is known to do so
        plain = [word.casefold() for word in cased]
    return cased, plain


def plain_words(text: str) -> list[str]:
    """The words of a text without case and diacritics.

    >>> plain_words("Ko Samui's Café")
    ['ko', 'samui', 's', 'cafe']
    """
    return _blanked(text).casefold().split()


def _blanked(text: str) -> str:
    if not text.isascii():
        text = _FOREIGN.sub(lambda found: found[0].translate(_FOLDING), text)
    # What is left beyond ASCII are letters, digits and their marks: bytes from 128 on.
    return text.encode().translate(_BLANKED).decode()


def spans_of_runs(text: str, runs: Sequence[tuple[int, int]]) -> list[Span]:
    """Where runs of words stand in the text; a run is the number of its first word and of the word after its last."""
    if not runs:
        return []
    found = islice(_WORD.finditer(_blanked(text)), runs[-1][1])
    words = [word.span() for word in found]
    spans = [(words[first][0], words[end - 1][1]) for first, end in runs]
    if text.isascii():
        return spans
    places, shifts = _shifts(text)
    return [_original(text, span, places, shifts) for span in spans]


def _shifts(text: str) -> tuple[list[int], list[int]]:
    """From which places in the folded text on how much is to be taken off, to be at the same place in the text."""
    places, shifts = [0], [0]
    for found in _FOREIGN_LETTER.finditer(text):
        length = len(_FOLDING[ord(found[0])])
        if length != 1:
            here = found.start()
            folded = here + shifts[-1]
            places += range(folded + 1, folded + length)
            shifts += range(shifts[-1] + 1, shifts[-1] + length)
            places.append(folded + length)
            shifts.append(folded + length - here - 1)
    return places, shifts


def _original(text: str, span: Span, places: list[int], shifts: list[int]) -> Span:
    """A span of the folded text in the text itself, with the diacritics that follow its last letter."""
    first, last = span[0], span[1] - 1
    start = first - shifts[bisect_right(places, first) - 1]
    end = last - shifts[bisect_right(places, last) - 1] + 1
    while end < len(text) and _is_diacritic(text[end]):
        end += 1
    return start, end
