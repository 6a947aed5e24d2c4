"""Languages as people write them in crawl.toml, and the one code under which Exonym knows each.

The table has the languages that the practice web and the first nations speak; any other two or
three letters are taken for a code as they are.
"""

import re

from exonym.errors import ConfigError

_NAMES = {
    "ar": ("ara", "arabic"),
    "da": ("dan", "danish"),
    "de": ("deu", "german"),
    "en": ("eng", "english"),
    "es": ("spa", "spanish"),
    "fi": ("fin", "finnish"),
    "fr": ("fra", "french"),
    "id": ("ind", "indonesian"),
    "is": ("isl", "icelandic"),
    "it": ("ita", "italian"),
    "ja": ("jpn", "japanese"),
    "km": ("khm", "khmer", "cambodian"),
    "ko": ("kor", "korean"),
    "lo": ("lao", "laotian"),
    "ms": ("msa", "malay"),
    "my": ("mya", "burmese"),
    "nl": ("nld", "dutch"),
    "no": ("nor", "norwegian"),
    "pl": ("pol", "polish"),
    "pt": ("por", "portuguese"),
    "ru": ("rus", "russian"),
    "sv": ("swe", "swedish"),
    "th": ("tha", "thai"),
    "tr": ("tur", "turkish"),
    "uk": ("ukr", "ukrainian"),
    "vi": ("vie", "vietnamese"),
    "zh": ("zho", "chinese", "mandarin"),
}
_CODE_OF = {name: code for code, names in _NAMES.items() for name in (code, *names)}


def language_of(text: str) -> str:
    """The code of a language given as a code (`th`, `tha`, `th-TH`) or an English name (`Thai`)."""
    word = re.split("[-_]", text.strip().lower())[0]
    if word in _CODE_OF:
        return _CODE_OF[word]
    if re.fullmatch("[a-z]{2,3}", word):
        return word
    raise ConfigError(f"{text[:60]!r} is no language that Exonym knows. Write its two-letter code, as in th for Thai.")
