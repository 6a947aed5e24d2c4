"""Claims of a page about its language: <html lang>, and a charset that one or two languages are written in.

Claims never outvote text. `lang="en"` is no claim: it is the default of templates, and every fifth page
with it is in another language.
"""

from typing import NamedTuple

from exonym.language.base import Clues
from exonym.language_names import known_language

# By WHATWG name: tis-620 and iso-8859-11 are windows-874, gb2312 is gbk, cp949 is euc-kr.
_LANGUAGE_OF_CHARSET = {
    "windows-874": "th", "euc-jp": "ja", "shift_jis": "ja", "iso-2022-jp": "ja", "euc-kr": "ko", "gbk": "zh",
    "gb18030": "zh", "hz-gb-2312": "zh", "big5": "zh", "windows-1258": "vi", "koi8-u": "uk", "windows-1253": "el",
    "iso-8859-7": "el", "windows-1255": "he", "iso-8859-8": "he", "iso-8859-8-i": "he", "windows-1254": "tr",
}  # fmt: skip
_VARIANT_OF_CHARSET = {"gbk": "Hans", "hz-gb-2312": "Hans", "big5": "Hant"}  # gb18030 writes both


class LanguageClaim(NamedTuple):
    """A language, the variant of Chinese ("" else), and a phrase that names the origin of the claim."""

    language: str
    variant: str
    phrase: str


def claims_of(clues: Clues) -> list[LanguageClaim]:
    """The claims in `clues`, <html lang> first."""
    claims = []
    code = known_language(clues.language_tag) if clues.language_tag else ""
    if code not in ("", "en"):
        language, _, variant = code.partition("-")
        claims.append(LanguageClaim(language, variant, f"html lang says {code}"))
    for charset, verb in ((clues.charset_label, "charset label says"), (clues.charset, "bytes are in")):
        if charset in _LANGUAGE_OF_CHARSET:
            variant = _VARIANT_OF_CHARSET.get(charset, "")
            claims.append(LanguageClaim(_LANGUAGE_OF_CHARSET[charset], variant, f"{verb} {charset}"))
            break
    return claims
