"""Which language a text is in, and which share of it is in which language.

Scripts that write one language decide by themselves and cost next to nothing; only what Latin,
Cyrillic, Arabic, Devanagari or Bengali letters write is shown to a detector (cld2), and only a sample of it:
a few pieces from all over the text first, more only where these leave doubt.
"""

import re
from dataclasses import dataclass, field, replace

import pycld2

from exonym.language.script import letters_by_script

_LANGUAGE_OF_SCRIPT = {
    "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my", "Tibetan": "bo", "Hangul": "ko", "Kana": "ja",
    "Georgian": "ka", "Armenian": "hy", "Hebrew": "he", "Greek": "el", "Thaana": "dv", "Gurmukhi": "pa",
    "Gujarati": "gu", "Oriya": "or", "Tamil": "ta", "Telugu": "te", "Kannada": "kn", "Malayalam": "ml",
    "Sinhala": "si", "Ethiopic": "am", "Cherokee": "chr", "Canadian": "iu", "Mongolian": "mn", "Syriac": "syr",
}  # fmt: skip
_SCRIPT_OF_LANGUAGE = {language: script for script, language in _LANGUAGE_OF_SCRIPT.items()}
_SHARED_SCRIPTS = frozenset(["Latin", "Cyrillic", "Arabic", "Devanagari", "Bengali"])

FEWEST_LETTERS = 10
SMALLEST_SHARE = 0.02
_ENOUGH_LETTERS = 40  # below this, a detector guesses
_WORTH_ASKING = 0.15  # a smaller share of shared scripts is names and menus
_SAMPLE_CHARACTERS = 1_200
_FEWEST_CHARACTERS = 300  # of a sample, to be worth more than menus
_RUNNING_TEXT = 60  # a line this long is a sentence, not a menu entry or a language switcher
_PIECE = re.compile(rf"(?:[^\n]{{0,{_RUNNING_TEXT - 1}}}+\n)*+([^\n]{{{_RUNNING_TEXT},{2 * _RUNNING_TEXT}}})")
_FEW_PIECES, _MANY_PIECES = 6, 12
_ALL_BUT_ALL = 0.95
_OLD_CODES = {"iw": "he", "in": "id", "jw": "jv", "zh-Hant": "zh", "sr-ME": "sr"}


@dataclass(frozen=True, slots=True)
class Identified:
    """The main language ("" unknown), each language's share of the letters, how sure, and why in a few words."""

    language: str
    shares: dict[str, float]
    confidence: float
    evidence: str
    letters: dict[str, int] = field(default_factory=dict)  # by script, of the text or a sample of it


_UNKNOWN = Identified("", {}, 0.0, "too little text")


def script_of(language: str) -> str:
    """The script that only `language` is written in, or ""."""
    return _SCRIPT_OF_LANGUAGE.get(language, "")


def identify(text: str, language_tag: str = "", charset: str = "") -> Identified:
    """The language of `text`. `language_tag` (<html lang>) helps where text leaves doubt; "en" never does."""
    counts = letters_by_script(text)
    letters = sum(counts.values())
    if letters < FEWEST_LETTERS:
        return _UNKNOWN
    shares = _shares_by_script(counts, letters)
    shared = sum(counts.get(script, 0) for script in _SHARED_SCRIPTS)
    confidence, evidence = 1.0, "script"
    if shared >= _ENOUGH_LETTERS and shared >= _WORTH_ASKING * letters:
        detected, is_sure = _detected(text)
        for language, part in detected.items():
            shares[language] = shares.get(language, 0.0) + part * shared / letters
        confidence, evidence = (1.0, "detector") if is_sure else (0.5, "detector, unsure")
    return replace(_decided(shares, confidence, evidence, language_tag), letters=counts)


def _shares_by_script(counts: dict[str, int], letters: int) -> dict[str, float]:
    """Shares of the languages that their script names; Chinese characters go with the kana or Hangul around them."""
    shares = {
        language: counts[script] / letters for script, language in _LANGUAGE_OF_SCRIPT.items() if script in counts
    }
    han = counts.get("Han", 0)
    if han:
        kana, hangul = counts.get("Kana", 0), counts.get("Hangul", 0)
        # Japanese is at least a tenth kana; a Chinese page may quote a word or a name.
        owner = "ja" if kana * 10 >= han and kana >= hangul else "ko" if hangul > han else "zh"
        shares[owner] = shares.get(owner, 0.0) + han / letters
    return shares


def _decided(shares: dict[str, float], confidence: float, evidence: str, language_tag: str) -> Identified:
    language = max(shares, key=lambda name: shares[name], default="")
    if not language or shares[language] < _WORTH_ASKING:
        return Identified("", shares, 0.0, "no language prevails")
    tag = language_tag.lower().replace("_", "-").partition("-")[0]
    if confidence < 1.0 and tag and tag != "en" and tag in shares:
        return Identified(tag, shares, 0.8, f"{evidence}; html lang={tag}")
    return Identified(language, shares, confidence, evidence)


def _detected(text: str) -> tuple[dict[str, float], bool]:
    """What cld2 makes of the letters that several languages share: shares among them, and whether it is sure."""
    few = _pieces(text, _FEW_PIECES)
    if len(few) < _FEWEST_CHARACTERS:
        return _asked(_running_text(text))
    parts, is_sure = _asked(few)
    if is_sure and max(parts.values(), default=1.0) >= _ALL_BUT_ALL:
        return parts, True
    return _asked(_pieces(text, _MANY_PIECES))


def _asked(sample: str) -> tuple[dict[str, float], bool]:
    utf8 = sample.encode("utf-8", "ignore")
    try:
        is_sure, _, found = pycld2.detect(utf8, isPlainText=True)
    except pycld2.error:
        is_sure, _, found = pycld2.detect(_without_controls(utf8), isPlainText=True)
    parts = {_OLD_CODES.get(code, code): percent for _, code, percent, _ in found if code != "un"}
    parts = {code: percent for code, percent in parts.items() if code not in _SCRIPT_OF_LANGUAGE and code != "zh"}
    total = sum(parts.values())
    return ({code: percent / total for code, percent in parts.items()} if total else {}), bool(is_sure)


def _pieces(text: str, count: int) -> str:
    """Pieces of sentences from all over a long text."""
    if len(text) <= _SAMPLE_CHARACTERS:
        return ""
    found = [_PIECE.match(text, len(text) * (2 * number + 1) // (2 * count)) for number in range(count)]
    return "\n".join([piece[1] for piece in found if piece])


def _running_text(text: str) -> str:
    """A sample of the text: its sentences, and only where there are none its short lines too."""
    if len(text) <= _SAMPLE_CHARACTERS:
        return text
    running = "\n".join([line for line in text.split("\n") if len(line) >= _RUNNING_TEXT])
    text = running if len(running) >= _FEWEST_CHARACTERS else text
    start = max(0, (len(text) - _SAMPLE_CHARACTERS) // 2)
    return text[start : start + _SAMPLE_CHARACTERS]


def _without_controls(sample: bytes) -> bytes:
    """cld2 refuses control characters and non-characters; no letter is lost with them."""
    return "".join(letter if letter.isprintable() else " " for letter in sample.decode()).encode()
