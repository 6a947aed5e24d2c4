"""The languages of a page's links, all at once: as a link names it (`hreflang`), or that of its anchor text.

Anchors have 2 to 40 characters: their script identifies the language, or nothing does for sure. Letters of all anchors
are counted by script in one pass; only the longer ones in a script that several languages share go to the detector, and
only its sure answers are used. "Home", "IUPAB" and "2024" are in no identifiable language.

Menus repeat on every page of a server, so the language of an anchor by itself is cached. Some anchors show only their
script: then the page's other anchors decide, which is computed for every page.
"""

import re
from typing import NamedTuple

import numpy as np

from exonym.language.detectors import ask_cld2
from exonym.language.han import cjk_language, missed
from exonym.language.scripts import OWN_SCRIPTS, SCRIPTS, SHARED_SCRIPTS, USUAL_LANGUAGE, scripts_of_code_points
from exonym.language_names import known_language

_LONGEST_ANCHOR = 200
_FEWEST_OWN = 2  # letters of a script that names its language
_SMALLEST_SHARE = 0.15  # of them among all letters: names of programs and firms are written in Latin
_FEWEST_SHARED = 16  # characters in a shared script, below which the detector guesses
_FEWEST_WORDS = 3
_PREVAILING = 4  # times as many anchors in one language as in the other
_MOST_TOGETHER = 40  # anchors, shown to the detector as one text
_ALL_BUT_ALL = 0.9
_MOST_KNOWN = 50_000  # cached anchors: some 10 MB
# Vowels with two marks and the like: no other language has them (but for ẹ ọ of Yoruba and ẽ ỹ of Guarani).
_VIETNAMESE = re.compile("[\u1ea0-\u1eb8\u1eba-\u1ebb\u1ebe-\u1ecb\u1ece-\u1ef7\u01a1\u01b0]")

_NUMBER = {script: number for number, script in enumerate(SCRIPTS)}
_OWN = np.array([_NUMBER[script] for script in OWN_SCRIPTS])
_SHARED = np.array([_NUMBER[script] for script in SHARED_SCRIPTS])
_HAN, _KANA, _HANGUL = _NUMBER["Han"], _NUMBER["Kana"], _NUMBER["Hangul"]


class _AnchorLanguage(NamedTuple):
    """What an anchor shows by itself: its language, or a script, in which case the page's anchors in it decide."""

    language: str
    script: str = ""


# Anchors of earlier pages. Emptied when full: the anchors of current menus soon come back.
_known: dict[str, _AnchorLanguage] = {}


def identify_links(anchors: list[str], hreflangs: list[str]) -> list[str]:
    """The language of each of a page's links, "" for unknown; `hreflangs` are [] if no link names a language.

    What a link names counts more than its anchor: a menu of languages may say "Thai" or show a flag.
    """
    languages = identify_anchors(anchors)
    named = [known_language(tag).partition("-")[0] if tag else "" for tag in hreflangs]
    return [name or language for name, language in zip(named, languages, strict=True)] if named else languages


def identify_anchors(texts: list[str]) -> list[str]:
    """The language of each of a page's anchor texts, "" for unknown."""
    texts = [text[:_LONGEST_ANCHOR] for text in texts]
    new = list({text for text in texts if text not in _known})
    if len(_known) + len(new) > _MOST_KNOWN:
        _known.clear()
        new = list(set(texts))
    if new:
        _known.update(zip(new, _identify_alone(new), strict=True))
    anchors = [_known[text] for text in texts]
    answers = [anchor.language for anchor in anchors]
    unclear: dict[str, list[int]] = {}
    for place, anchor in enumerate(anchors):
        if anchor.script:
            unclear.setdefault(anchor.script, []).append(place)
    for script, places in unclear.items():
        if script == "Han":  # characters that Chinese and Japanese share: they go with the others of the page
            japanese, chinese = answers.count("ja"), answers.count("zh")
            usual = "ja" if japanese >= _PREVAILING * max(chinese, 1) else ""
            usual = "zh" if chinese >= _PREVAILING * max(japanese, 1) else usual
        else:
            usual = _language_together([texts[place] for place in places], script)
        for place in places:
            answers[place] = answers[place] or usual or (cjk_language(texts[place]) if script == "Han" else "")
    return answers


def _identify_alone(texts: list[str]) -> list[_AnchorLanguage]:
    """The languages that anchors show by themselves, from their letters counted by anchor and script."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    cells = np.repeat(np.arange(len(texts)), [len(text) for text in texts]) * len(SCRIPTS)
    cells = np.bincount(cells + scripts_of_code_points(points), minlength=len(texts) * len(SCRIPTS))
    counts = cells.reshape(len(texts), len(SCRIPTS))
    letters = counts[:, 1:].sum(1)
    own = counts[:, _OWN]
    telling = own.max(1) + counts[:, _HAN]
    is_own = ((telling >= _FEWEST_OWN) & (telling >= _SMALLEST_SHARE * letters)).tolist()
    numbers = _OWN[own.argmax(1)].tolist()
    shared = counts[:, _SHARED]
    scripts = [SHARED_SCRIPTS[number] for number in shared.argmax(1).tolist()]
    is_shared = (shared.max(1) >= _FEWEST_OWN).tolist()
    anchors = [_AnchorLanguage("")] * len(texts)
    for place, text in enumerate(texts):
        if is_own[place]:
            anchors[place] = _by_own_script(text, counts[place].tolist(), numbers[place])
        elif is_shared[place]:
            script = scripts[place]
            # Beyond Latin, an anchor that the detector is unsure of is in a language of the page.
            anchors[place] = _AnchorLanguage(_shared_language(text, script), "" if script == "Latin" else script)
    return anchors


def _by_own_script(text: str, counts: list[int], number: int) -> _AnchorLanguage:
    """The language of an anchor whose script `number` names its language; or nearly so, if it is Han."""
    han, kana, hangul = counts[_HAN], counts[_KANA], counts[_HANGUL]
    if not han or counts[number] > han:
        return _AnchorLanguage(OWN_SCRIPTS[SCRIPTS[number]])
    if kana or hangul:
        return _AnchorLanguage("ja" if kana else "ko")
    misses = missed(text)
    if misses.chinese == misses.japanese:
        return _AnchorLanguage("", "Han")
    return _AnchorLanguage("zh" if misses.chinese < misses.japanese else "ja")


def _language_together(texts: list[str], script: str) -> str:
    """The language of anchors in `script` that the detector was unsure of, identified from all of them together."""
    sample = texts[:: len(texts) // _MOST_TOGETHER + 1]
    together = ask_cld2(" ".join(sample), frozenset([script]))
    is_one = together.is_sure and together.parts[together.first] >= _ALL_BUT_ALL
    return together.first if is_one else USUAL_LANGUAGE.get(script, "")


def _shared_language(text: str, script: str) -> str:
    """The language that the detector is sure of, "" if none."""
    if script == "Latin" and not text.isascii() and _VIETNAMESE.search(text):
        return "vi"
    if len(text) < _FEWEST_SHARED or len(text.split()) < _FEWEST_WORDS:
        return ""
    answer = ask_cld2(text, frozenset([script]))
    return answer.first if answer.is_sure else ""
