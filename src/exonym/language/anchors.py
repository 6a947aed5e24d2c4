"""The languages of a page's anchor texts, all at once.

Texts of 2 to 40 characters: their script tells, or nothing does for sure. Letters of all anchors are counted by
script in one pass; only the longer ones in a script that several languages share go to the detector, and only
what it is sure of is taken. "Home", "IUPAB" and "2024" are in no language that one could tell.

Menus repeat on every page of a server, so what an anchor tells by itself is remembered. Some tell only which script
they are in: then the page's other anchors decide, which is worked out for every page.
"""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.language.detectors import ask_cld2
from exonym.language.han import cjk_language, missed
from exonym.language.scripts import OWN_SCRIPTS, SCRIPTS, SHARED_SCRIPTS, USUAL_LANGUAGE, scripts_of_code_points

_LONGEST_ANCHOR = 200
_FEWEST_OWN = 2  # letters of a script that names its language
_SMALLEST_SHARE = 0.15  # of them among all letters: names of programs and firms are written in Latin
_FEWEST_SHARED = 16  # characters in a shared script, below which the detector guesses
_FEWEST_WORDS = 3
_ONE_MIND = 4  # times as many anchors in one language as in the other
_MOST_TOGETHER = 40  # anchors, asked about together
_ALL_BUT_ALL = 0.9
_MOST_KNOWN = 50_000  # anchors remembered: some 10 MB
# Vowels with two marks and the like: no other language has them (but for ẹ ọ of Yoruba and ẽ ỹ of Guarani).
_VIETNAMESE = re.compile("[\u1ea0-\u1eb8\u1eba-\u1ebb\u1ebe-\u1ecb\u1ece-\u1ef7\u01a1\u01b0]")

_NUMBER = {script: number for number, script in enumerate(SCRIPTS)}
_OWN = np.array([_NUMBER[script] for script in OWN_SCRIPTS])
_SHARED = np.array([_NUMBER[script] for script in SHARED_SCRIPTS])
_HAN, _KANA, _HANGUL = _NUMBER["Han"], _NUMBER["Kana"], _NUMBER["Hangul"]


class _AnchorLanguage(NamedTuple):
    """What an anchor tells by itself: its language, or the script whose others on the page decide."""

    language: str
    script: str = ""


class _Memory:
    """A cache of anchors met before. It is emptied when full: the anchors of current menus soon come back."""

    def __init__(self) -> None:
        self._known: dict[str, _AnchorLanguage] = {}

    def identify(self, texts: list[str]) -> list[_AnchorLanguage]:
        """The language of each text, or the script that it shows."""
        known = self._known
        new = list({text for text in texts if text not in known})
        if len(known) + len(new) > _MOST_KNOWN:
            known = self._known = {}
            new = list(set(texts))
        if new:
            known.update(zip(new, _identify_alone(new), strict=True))
        return [known[text] for text in texts]


_MEMORY = _Memory()


def identify_anchors(texts: list[str]) -> list[str]:
    """The language of each of a page's anchor texts, "" for unknown."""
    texts = [text[:_LONGEST_ANCHOR] for text in texts]
    found = _MEMORY.identify(texts)
    answers = [one.language for one in found]
    unclear: dict[str, list[int]] = {}
    for place, one in enumerate(found):
        if one.script:
            unclear.setdefault(one.script, []).append(place)
    for script, places in unclear.items():
        name = _name_han if script == "Han" else _name_by_others
        name(texts, answers, places, script)
    return answers


def _identify_alone(texts: list[str]) -> list[_AnchorLanguage]:
    """The languages that anchors show by themselves."""
    counts = _letters_by_script(texts)
    letters = counts[:, 1:].sum(1)
    own = counts[:, _OWN]
    telling = own.max(1) + counts[:, _HAN]
    is_own = ((telling >= _FEWEST_OWN) & (telling >= _SMALLEST_SHARE * letters)).tolist()
    numbers = _OWN[own.argmax(1)].tolist()
    shared = counts[:, _SHARED]
    scripts = [SHARED_SCRIPTS[number] for number in shared.argmax(1).tolist()]
    is_shared = (shared.max(1) >= _FEWEST_OWN).tolist()
    found = [_AnchorLanguage("")] * len(texts)
    for place, text in enumerate(texts):
        if is_own[place]:
            found[place] = _by_own_script(text, counts[place].tolist(), numbers[place])
        elif is_shared[place]:
            found[place] = _by_shared_script(text, scripts[place])
    return found


def _letters_by_script(texts: list[str]) -> NDArray[np.int64]:
    """Letters by anchor and script."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    anchors = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    cells = anchors * len(SCRIPTS) + scripts_of_code_points(points)
    return np.bincount(cells, minlength=len(texts) * len(SCRIPTS)).reshape(len(texts), len(SCRIPTS))


def _by_own_script(text: str, counts: list[int], number: int) -> _AnchorLanguage:
    """Of an anchor whose script names its language, as script `number` does; or nearly so, if it is Han."""
    han, kana, hangul = counts[_HAN], counts[_KANA], counts[_HANGUL]
    if not han or counts[number] > han:
        return _AnchorLanguage(OWN_SCRIPTS[SCRIPTS[number]])
    if kana or hangul:
        return _AnchorLanguage("ja" if kana else "ko")
    language = _han_language(text)
    return _AnchorLanguage(language, "" if language else "Han")


def _by_shared_script(text: str, script: str) -> _AnchorLanguage:
    """Of an anchor in a script that several languages share; beyond Latin, it is in one that the page is in."""
    return _AnchorLanguage(_shared_language(text, script), "" if script == "Latin" else script)


def _name_han(texts: list[str], answers: list[str], places: list[int], _: str) -> None:
    """Name anchors of characters that Chinese and Japanese share: they go with the others of the page."""
    usual = _prevailing_language(answers.count("ja"), answers.count("zh"))
    for place in places:
        answers[place] = usual or cjk_language(texts[place])


def _name_by_others(texts: list[str], answers: list[str], places: list[int], script: str) -> None:
    """Name the anchors in `script` that the detector was unsure of by the language that all of them are in."""
    sample = [texts[place] for place in places[:: len(places) // _MOST_TOGETHER + 1]]
    together = ask_cld2(" ".join(sample), frozenset([script]))
    is_one = together.is_sure and together.parts[together.first] >= _ALL_BUT_ALL
    usual = together.first if is_one else USUAL_LANGUAGE.get(script, "")
    for place in places:
        answers[place] = answers[place] or usual


def _han_language(text: str) -> str:
    misses = missed(text)
    if misses.chinese == misses.japanese:
        return ""
    return "zh" if misses.chinese < misses.japanese else "ja"


def _prevailing_language(japanese: int, chinese: int) -> str:
    """The language of most of a page's anchors in Chinese characters, "" if neither clearly prevails."""
    if japanese >= _ONE_MIND * max(chinese, 1):
        return "ja"
    return "zh" if chinese >= _ONE_MIND * max(japanese, 1) else ""


def _shared_language(text: str, script: str) -> str:
    """The language that the detector is sure of, "" if none."""
    if script == "Latin" and not text.isascii() and _VIETNAMESE.search(text):
        return "vi"
    if len(text) < _FEWEST_SHARED or len(text.split()) < _FEWEST_WORDS:
        return ""
    answer = ask_cld2(text, frozenset([script]))
    return answer.first if answer.is_sure else ""
