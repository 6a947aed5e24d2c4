"""Which language a text is in, and which share of it is in which language.

Scripts that write one language decide by themselves and cost next to nothing; only what Latin,
Cyrillic, Arabic, Devanagari or Bengali letters write is shown to a detector (cld2), and only a sample of it.
"""

from dataclasses import dataclass

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
_RUNNING_TEXT = 60  # a line this long is a sentence, not a menu entry or a language switcher
_OLD_CODES = {"iw": "he", "in": "id", "jw": "jv", "zh-Hant": "zh", "sr-ME": "sr"}


@dataclass(frozen=True, slots=True)
class Identified:
    """The main language ("" unknown), each language's share of the letters, how sure, and why in a few words."""

    language: str
    shares: dict[str, float]
    confidence: float
    evidence: str


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
    return _decided(shares, confidence, evidence, language_tag)


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
    sample = _running_text(text)
    try:
        is_sure, _, found = pycld2.detect(sample)
    except pycld2.error:
        is_sure, _, found = pycld2.detect(_without_controls(sample))
    parts = {_OLD_CODES.get(code, code): percent for _, code, percent, _ in found if code != "un"}
    parts = {code: percent for code, percent in parts.items() if code not in _SCRIPT_OF_LANGUAGE and code != "zh"}
    total = sum(parts.values())
    return ({code: percent / total for code, percent in parts.items()} if total else {}), bool(is_sure)


def _running_text(text: str) -> bytes:
    """A sample of the text: its sentences, and only where there are none its short lines too."""
    if len(text) > _SAMPLE_CHARACTERS:
        lines = [line for line in text.split("\n") if len(line) >= _RUNNING_TEXT]
        running = "\n".join(lines)
        text = running if len(running) * 4 >= _SAMPLE_CHARACTERS else text
        start = max(0, (len(text) - _SAMPLE_CHARACTERS) // 2)
        text = text[start : start + _SAMPLE_CHARACTERS]
    return text.encode("utf-8", "ignore")


def _without_controls(sample: bytes) -> bytes:
    """cld2 refuses control characters and non-characters; no letter is lost with them."""
    return "".join(letter if letter.isprintable() else " " for letter in sample.decode()).encode()
