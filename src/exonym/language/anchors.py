"""The languages of a page's anchor texts, all at once.

Texts of 2 to 40 characters: their script tells, or nothing does for sure. Letters of all anchors are counted by
script in one pass; only the longer ones in a script that several languages share go to the detector, and only
what it is sure of is taken. "Home", "IUPAB" and "2024" are in no language that one could tell.
"""

import re

import numpy as np
from numpy.typing import NDArray

from exonym.language.han import cjk_language, missed
from exonym.language.script import SCRIPTS, scripts_of_code_points
from exonym.language.shared import ask_cld2
from exonym.language.writing import OWN_SCRIPTS, SHARED_SCRIPTS, USUAL_LANGUAGE

_LONGEST_ANCHOR = 200
_FEWEST_OWN = 2  # letters of a script that names its language
_SMALLEST_SHARE = 0.15  # of them among all letters: names of programs and firms are written in Latin
_FEWEST_SHARED = 16  # characters in a shared script, below which the detector guesses
_FEWEST_WORDS = 3
_ONE_MIND = 4  # times as many anchors in one language as in the other
_MOST_TOGETHER = 40  # anchors, asked about together
_ALL_BUT_ALL = 0.9
# Vowels with two marks and the like: no other language has them (but for ẹ ọ of Yoruba and ẽ ỹ of Guarani).
_VIETNAMESE = re.compile("[\u1ea0-\u1eb8\u1eba-\u1ebb\u1ebe-\u1ecb\u1ece-\u1ef7\u01a1\u01b0]")

_NUMBER = {script: number for number, script in enumerate(SCRIPTS)}
_OWN = np.array([_NUMBER[script] for script in OWN_SCRIPTS])
_SHARED = np.array([_NUMBER[script] for script in SHARED_SCRIPTS])
_HAN, _KANA, _HANGUL = _NUMBER["Han"], _NUMBER["Kana"], _NUMBER["Hangul"]


def identify_anchors(texts: list[str]) -> list[str]:
    """The language of each of a page's anchor texts, "" for unknown."""
    if not texts:
        return []
    texts = [text[:_LONGEST_ANCHOR] for text in texts]
    counts = _letters(texts)
    letters = counts[:, 1:].sum(1)
    own = counts[:, _OWN]
    telling = own.max(1) + counts[:, _HAN]
    is_own = (telling >= _FEWEST_OWN) & (telling >= _SMALLEST_SHARE * letters)
    answers = [""] * len(texts)
    _name_own(texts, answers, counts, np.flatnonzero(is_own))
    shared = counts[:, _SHARED]
    scripts = shared.argmax(1)
    is_shared = ~is_own & (shared.max(1) >= _FEWEST_OWN)
    for number in set(scripts[is_shared].tolist()):
        _name_shared(texts, answers, np.flatnonzero(is_shared & (scripts == number)).tolist(), SHARED_SCRIPTS[number])
    return answers


def _letters(texts: list[str]) -> NDArray[np.int64]:
    """Letters by anchor and script."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    anchors = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    cells = anchors * len(SCRIPTS) + scripts_of_code_points(points)
    return np.bincount(cells, minlength=len(texts) * len(SCRIPTS)).reshape(len(texts), len(SCRIPTS))


def _name_own(texts: list[str], answers: list[str], counts: NDArray[np.int64], places: NDArray[np.intp]) -> None:
    """Name the anchors whose script does; characters that Chinese and Japanese share go with the others of the page."""
    numbers = _OWN[counts[places][:, _OWN].argmax(1)].tolist()
    unclear = []
    for place, number, of_it in zip(places.tolist(), numbers, counts[places].tolist(), strict=True):
        han, kana, hangul = of_it[_HAN], of_it[_KANA], of_it[_HANGUL]
        if not han or of_it[number] > han:
            answers[place] = OWN_SCRIPTS[SCRIPTS[number]]
        elif kana or hangul:
            answers[place] = "ja" if kana else "ko"
        else:
            answers[place] = _han_language(texts[place])
            if not answers[place]:
                unclear.append(place)
    usual = _usual(answers.count("ja"), answers.count("zh")) if unclear else ""
    for place in unclear:
        answers[place] = usual or cjk_language(texts[place])


def _han_language(text: str) -> str:
    misses = missed(text)
    if misses.chinese == misses.japanese:
        return ""
    return "zh" if misses.chinese < misses.japanese else "ja"


def _usual(japanese: int, chinese: int) -> str:
    """The language of a page's anchors in Chinese characters, if they are of one mind."""
    if japanese >= _ONE_MIND * max(chinese, 1):
        return "ja"
    return "zh" if chinese >= _ONE_MIND * max(japanese, 1) else ""


def _name_shared(texts: list[str], answers: list[str], places: list[int], script: str) -> None:
    """Name what the detector is sure of; beyond Latin, others are in the language that the page's anchors are in."""
    scripts = frozenset([script])
    usual = ""
    if script != "Latin":
        sample = [texts[place] for place in places[:: len(places) // _MOST_TOGETHER + 1]]
        together = ask_cld2(" ".join(sample), scripts)
        is_one = together.is_sure and together.parts[together.first] >= _ALL_BUT_ALL
        usual = together.first if is_one else USUAL_LANGUAGE.get(script, "")
    for place in places:
        answers[place] = _shared_language(texts[place], script, scripts) or usual


def _shared_language(text: str, script: str, scripts: frozenset[str]) -> str:
    if script == "Latin" and not text.isascii() and _VIETNAMESE.search(text):
        return "vi"
    if len(text) < _FEWEST_SHARED or len(text.split()) < _FEWEST_WORDS:
        return ""
    answer = ask_cld2(text, scripts)
    return answer.first if answer.is_sure else ""
