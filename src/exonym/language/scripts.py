"""Which scripts a text is written in: its letters counted by script, over a table of UTF-16 code units.

Letters beyond the basic plane are rare Chinese characters or of no script listed here: their first surrogate decides.
"""

import unicodedata

import numpy as np
from numpy.typing import NDArray

# Blocks of the Unicode standard. Marks (vowel signs, tones) count as letters: half of Thai is written with them.
_BLOCKS = {
    "Latin": "0041-005A 0061-007A 00AA 00BA 00C0-024F 1E00-1EFF FF21-FF3A FF41-FF5A",
    "Greek": "0370-03FF 1F00-1FFF",
    "Cyrillic": "0400-052F",
    "Armenian": "0531-0587",
    "Hebrew": "0591-05F4",
    "Arabic": "0620-06FF 0750-077F FB50-FDFB FE70-FEFC",
    "Syriac": "0710-074F",
    "Thaana": "0780-07B1",
    "Devanagari": "0900-097F",
    "Bengali": "0980-09FF",
    "Gurmukhi": "0A00-0A7F",
    "Gujarati": "0A80-0AFF",
    "Oriya": "0B00-0B7F",
    "Tamil": "0B80-0BFF",
    "Telugu": "0C00-0C7F",
    "Kannada": "0C80-0CFF",
    "Malayalam": "0D00-0D7F",
    "Sinhala": "0D80-0DFF",
    "Thai": "0E01-0E3A 0E40-0E4E",
    "Lao": "0E80-0EFF",
    "Tibetan": "0F00-0FFF",
    "Myanmar": "1000-109F AA60-AA7F",
    "Georgian": "10A0-10FF 1C90-1CBF",
    "Ethiopic": "1200-137F",
    "Cherokee": "13A0-13FF",
    "Canadian": "1400-167F",
    "Khmer": "1780-17DD",
    "Mongolian": "1820-18AA",
    "NKo": "07CA-07F5",
    "OlChiki": "1C5A-1C7D",
    "Tifinagh": "2D30-2D6F",
    "Yi": "A000-A48C",
    "Hangul": "1100-11FF 3131-318E AC00-D7A3",
    "Kana": "3041-3096 309D-309F 30A1-30FA 30FC-30FF 31F0-31FF FF66-FF9D",
    "Han": "3400-4DBF 4E00-9FFF F900-FAFF D840-D888",
}
SCRIPTS = ("", *_BLOCKS)
# Of a longer text, every second, third … character: shares come out the same within half a percent.
_ENOUGH_CHARACTERS = 2_048


_LETTERS = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Cs"])  # marks and surrogates included


def _table() -> NDArray[np.uint8]:
    table = np.zeros(65_536, np.uint8)
    for number, blocks in enumerate(_BLOCKS.values(), 1):
        for block in blocks.split():
            first, _, last = block.partition("-")
            codes = range(int(first, 16), int(last or first, 16) + 1)
            # The large blocks contain nothing but letters, and to look up the category of each would take a while.
            if len(codes) <= 2_000:
                table[[code for code in codes if unicodedata.category(chr(code)) in _LETTERS]] = number
            else:
                table[codes] = number
    return table


_TABLE = _table()
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())


def scripts_of_code_points(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The number in SCRIPTS of each code point's script; 0 for what is no letter."""
    return _TABLE.take(np.where(points > 0xFFFF, (points >> 10) + 0xD7C0, points))  # beyond: the first surrogate


def letters_by_script(text: str) -> dict[str, int]:
    """How many letters of `text`, or of a sample of a long one, belong to each script that occurs in it."""
    counts = _count_letters(text[:: len(text) // _ENOUGH_CHARACTERS or 1])
    if sum(counts.values()) * 10 >= min(len(text), _ENOUGH_CHARACTERS):
        return counts
    return _count_letters(text)  # numbers and blanks for the most part


def _count_letters(text: str) -> dict[str, int]:
    if text.isascii():
        latin = len(text.encode().translate(None, _NO_LETTERS))
        return {"Latin": latin} if latin else {}
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    counts = np.bincount(_TABLE.take(units), minlength=len(SCRIPTS)).tolist()
    return {script: count for script, count in zip(SCRIPTS, counts, strict=True) if count and script}


# Which languages write in which script.

_LANGUAGE_OF_SCRIPT = {
    "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my", "Tibetan": "bo", "Hangul": "ko", "Kana": "ja",
    "Georgian": "ka", "Armenian": "hy", "Greek": "el", "Thaana": "dv", "Gurmukhi": "pa", "Gujarati": "gu",
    "Oriya": "or", "Tamil": "ta", "Telugu": "te", "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si",
    "Cherokee": "chr", "Canadian": "iu", "Mongolian": "mn", "Syriac": "syr", "Yi": "ii", "NKo": "nqo",
    "Tifinagh": "zgh", "OlChiki": "sat",
}  # fmt: skip
OWN_SCRIPTS = _LANGUAGE_OF_SCRIPT  # scripts that, on the web, write one language (others of theirs are rare)
_SCRIPT_OF_LANGUAGE = {language: script for script, language in OWN_SCRIPTS.items() if language != "mn"}

# Scripts that several languages write: a detector must decide.
_LANGUAGES_OF_SHARED = {
    "Cyrillic": "ru uk be bg mk sr kk ky tg tt ba mn os ab uz az ce cv sah rue tk ku",
    "Arabic": "ar fa ur ps ug sd ks ku az uz kk ky pnb mzn ms",
    "Devanagari": "hi mr ne sa bh new raj mai gom sd ks brx doi",
    "Bengali": "bn as mni",
    "Hebrew": "he yi",
    "Ethiopic": "am ti",
}
SHARED_SCRIPTS = ("Latin", *_LANGUAGES_OF_SHARED)
# What a shared script's letters are when the detector does not know.
USUAL_LANGUAGE = {"Hebrew": "he", "Ethiopic": "am"}
_LATIN_TOO = ("sr", "uz", "az", "kk", "tk", "ku", "tt", "ms", "ks")  # written with Latin letters as well

_SHARED_SCRIPTS_OF: dict[str, tuple[str, ...]] = {}
for _script, _languages in _LANGUAGES_OF_SHARED.items():
    for _language in _languages.split():
        _SHARED_SCRIPTS_OF[_language] = (*_SHARED_SCRIPTS_OF.get(_language, ()), _script)
for _language in _LATIN_TOO:
    _SHARED_SCRIPTS_OF[_language] = (*_SHARED_SCRIPTS_OF[_language], "Latin")
_NO_SHARED_SCRIPT = frozenset(["zh", *(language for language in _SCRIPT_OF_LANGUAGE)])


def script_of(language: str) -> str:
    """The script that only `language` is written in, or ""."""
    return _SCRIPT_OF_LANGUAGE.get(language, "")


def shared_scripts_of(language: str) -> tuple[str, ...]:
    """The scripts, among those that several languages share, that `language` is written in."""
    return () if language in _NO_SHARED_SCRIPT else _SHARED_SCRIPTS_OF.get(language, ("Latin",))
