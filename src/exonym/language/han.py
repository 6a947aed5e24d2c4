"""Chinese characters: Chinese or Japanese, simplified or traditional.

Kana show Japanese, where there are any. Where there are none or few (headlines, lists of names and places), the
characters themselves decide: each of the three ways of writing has its own list of common characters, and national
charsets begin with exactly these. Hardly any character of a text is missing from the list of its own language.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pycld2
from numpy.typing import NDArray

from exonym.language.declared_language import LanguageClaim

_JAPANESE, _SIMPLIFIED, _TRADITIONAL = 1, 2, 4
_MANY_KANA = 0.2  # kana to all characters: running Japanese has half
_SOME_KANA = 0.02  # a name or a product that Chinese quotes stays below
_TELLING_WITHOUT_KANA = 10  # this many characters with hardly a kana weigh as much as one that only Chinese has
_MOST_CHARACTERS = 4_000
_MOST_ASKED = 300
_CHARACTERS = re.compile("[\u4e00-\u9fff]+")
_HOW = {"Hans": "simplified characters", "Hant": "traditional characters", "": "Chinese characters"}


class Written(NamedTuple):
    """The language that Chinese characters stand for, how Chinese is written, how sure (0 to 1), and why."""

    language: str
    variant: str
    confidence: float
    phrase: str


class Misses(NamedTuple):
    """How many characters are not among the common ones of each way of writing."""

    japanese: int
    simplified: int
    traditional: int

    @property
    def chinese(self) -> int:
        """Characters that the better fitting of the two ways to write Chinese misses."""
        return min(self.simplified, self.traditional)


@functools.cache
def _common_characters() -> NDArray[np.uint8]:
    """For each code unit a bit for each list of common characters that it is in."""
    low = bytes(range(0xA1, 0xFF))
    both = bytes(range(0x40, 0x7F)) + low
    table = np.zeros(65_536, np.uint8)
    for bit, codec, leads, trails in (
        (_JAPANESE, "euc_jp", range(0xB0, 0xD0), low),  # JIS X 0208 level 1
        (_SIMPLIFIED, "gb2312", range(0xB0, 0xD8), low),  # GB 2312 level 1
        (_TRADITIONAL, "big5", range(0xA4, 0xC7), both),  # Big5 level 1
    ):
        pairs = bytes(byte for lead in leads for trail in trails for byte in (lead, trail))
        units = np.frombuffer(pairs.decode(codec, "ignore").encode("utf-16-le"), np.uint16)
        table[units] |= bit
    table[:0x3400] = 0
    table[0x3005] = _JAPANESE  # 々
    return table


def missed(text: str) -> Misses:
    """Of the Chinese characters of `text` (the first few thousand of a long one), those that each list misses."""
    units = np.frombuffer(text[:_MOST_CHARACTERS].encode("utf-16-le", "replace"), np.uint16)
    units = units[(units >= 0x4E00) & (units < 0xA000)]
    counts = np.bincount(_common_characters().take(units), minlength=8)
    numbers = np.arange(8)
    japanese, simplified, traditional = (int(counts[(numbers & bit) == 0].sum()) for bit in (1, 2, 4))
    return Misses(japanese, simplified, traditional)


def read_han(text: str, han: int, kana: int, claims: Sequence[LanguageClaim] = ()) -> Written:
    """The language of a text's Chinese characters; it has `han` of them, and `kana` kana."""
    part = kana / (kana + han)
    if part >= _MANY_KANA:
        return Written("ja", "", 0.99, f"{part:.0%} of its characters are kana".replace("%", " %"))
    misses = missed(text)
    gap = misses.chinese - misses.japanese
    if part >= _SOME_KANA and gap >= 0:
        return Written("ja", "", 0.95, "kana, and characters as Japanese writes them")
    if gap > 0:
        return Written("ja", "", _confidence(gap), "characters as only Japanese writes them")
    variant = ""
    if misses.simplified != misses.traditional:
        variant = "Hans" if misses.simplified < misses.traditional else "Hant"
    if gap < 0:
        return Written("zh", variant, _confidence(-gap + han // _TELLING_WITHOUT_KANA), _HOW[variant])
    # Both languages have all the characters: the page's claims decide, else the detector, by frequent pairs.
    for language, claimed, phrase in claims:
        if language in ("ja", "zh"):
            how = (variant or claimed) if language == "zh" else ""
            return Written(language, how, 0.8, f"characters of Chinese and Japanese; {phrase}")
    detected = cjk_language(text)
    if detected == "ja":
        return Written("ja", "", 0.6, "characters of Chinese and Japanese; detector says Japanese")
    return Written("zh", variant, 0.6 if detected == "zh" else 0.5, f"{_HOW[variant]} that Japanese has too")


def cjk_language(text: str) -> str:
    """zh, ja or "" as cld2 sees it, by frequent pairs of characters."""
    only = "".join(_CHARACTERS.findall(text[:_MOST_ASKED]))
    _, _, found = pycld2.detect(only.encode(), isPlainText=True, bestEffort=True)
    code: str = found[0][1].partition("-")[0]
    return code if code in ("zh", "ja") else ""


def _confidence(gap: int) -> float:
    """Little more than half where one character decides, sure from some five on."""
    return min(0.98, 0.5 + gap / 10)
