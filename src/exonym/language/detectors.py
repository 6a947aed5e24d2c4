"""Languages that share a script, distinguished by two detectors and by the claims of the page.

cld2 runs first and mostly alone: it is quick and knows when it is unsure. Only then py3langid runs too, whose model
takes half a second to unpack for the first time.
"""

import functools
from typing import Any, NamedTuple

import pycld2

from exonym.language.confusable import are_confusable
from exonym.language.declared_language import LanguageClaim
from exonym.language.sampling import all_sentences, few_pieces, list_pieces, many_pieces
from exonym.language.scripts import shared_scripts_of
from exonym.language.second_detector import load_second_detector

# Codes that BCP 47 has retired, members of macro-languages, and ISO 639-3 codes that have a shorter form.
_SHORT_CODES = {
    "iw": "he", "in": "id", "jw": "jv", "ji": "yi", "mo": "ro", "nb": "no", "nn": "no", "fil": "tl", "sh": "sr",
    "cmn": "zh", "arz": "ar", "ary": "ar", "wuu": "zh", "yue": "zh", "uzs": "uz", "gug": "gn", "hbo": "he",
    "kik": "ki", "sdh": "ku", "ckb": "ku", "bho": "bh", "tw": "ak", "prs": "fa", "arb": "ar", "pes": "fa", "zsm": "ms",
    "bcl": "bik",
}  # fmt: skip


def short_code(code: str) -> str:
    """The language of a detector's code, as in he of iw and zh of zh-Hant."""
    primary = code.partition("-")[0]
    return _SHORT_CODES.get(primary, primary)


_ALL_BUT_ALL = 0.95
_SURE_PART = 0.8
_MAJORITY = 0.5
_TELLING_SCORE = 500  # of a few words: a language's own have about 1,000, names that look like it half of that
_ENOUGH_CHARACTERS = 150  # below this, one detector's word is not enough
_SECOND_CHARACTERS = 400  # that the second detector reads: it takes 0.2 µs a character
_SECOND_PROBABILITY = 0.5
_NO_LANGUAGES = frozenset(["un", "xxx", "zzp", "zzb", "zze", "zzh", "tlh"])
CLD2_LANGUAGES = frozenset(
    short_code(code)
    for name, code in pycld2.LANGUAGES
    if name in set(pycld2.DETECTED_LANGUAGES) and not name.startswith("X_")
)
# Languages that cld2 finds in lists of names and of program options; believed only of much text in them alone.
_UNLIKELY = frozenset([
    "ia", "ie", "vo", "la", "sco", "crs", "mfe", "bi", "za", "sg", "na", "nr", "kha", "lif", "gaa", "rm", "co",
    "fj", "to", "ik", "kl", "aa", "gv", "ht", "lg"
])  # fmt: skip


class DetectorAnswer(NamedTuple):
    """The answer of one detector: each language's part of the letters, and whether the detector is sure."""

    parts: dict[str, float]
    is_sure: bool

    @property
    def first(self) -> str:
        """The language with the greatest part, "" for none."""
        return max(self.parts, key=lambda name: self.parts[name], default="")


class DetectedLanguages(NamedTuple):
    """Each language's part of the letters in shared scripts, how sure (0 to 1), and why."""

    parts: dict[str, float]
    confidence: float
    phrase: str


def detect(text: str, scripts: frozenset[str], claims: list[LanguageClaim]) -> DetectedLanguages:
    """The languages of `text`, of those that are written in `scripts`."""
    few = few_pieces(text)
    if few:
        answer = ask_cld2(few, scripts)
        if answer.is_sure and answer.parts[answer.first] >= _ALL_BUT_ALL:
            return DetectedLanguages(answer.parts, 0.98, "detector is sure")
    sample = many_pieces(text)
    if not sample and (pieces := list_pieces(text)):
        found = _detect_in_list(pieces, scripts, claims)
        if found.parts:
            return found
    sample = sample or all_sentences(text)
    answer = ask_cld2(sample, scripts)
    if answer.is_sure and (answer.parts[answer.first] >= _SURE_PART or len(sample) >= _ENOUGH_CHARACTERS):
        return DetectedLanguages(answer.parts, 0.95, "detector is sure")
    return _combine_answers(answer, _ask_py3langid(sample, scripts), claims, len(sample))


def _detect_in_list(sample: str, scripts: frozenset[str], claims: list[LanguageClaim]) -> DetectedLanguages:
    """The languages of tables and lists; names look like any language, so that one detector's word is not enough."""
    answer = ask_cld2(sample, scripts)
    if answer.is_sure and answer.parts[answer.first] >= _ALL_BUT_ALL:
        return DetectedLanguages(answer.parts, 0.9, "detector is sure")
    return _combine_answers(answer, _ask_py3langid(sample, scripts), claims, 0)


def detect_short(text: str, scripts: frozenset[str], claims: list[LanguageClaim]) -> DetectedLanguages:
    """The language of a few words: what the page claims if the detector's best guess is the same, else none."""
    guess = ask_cld2(text, scripts, best_effort=True).first if claims else ""
    for claim in claims:
        if guess == claim.language:
            return DetectedLanguages({guess: 1.0}, 0.5, f"a few words; {claim.phrase}")
    return DetectedLanguages({}, 0.0, "too little text")


def ask_cld2(sample: str, scripts: frozenset[str], best_effort: bool = False) -> DetectorAnswer:
    """cld2's answer, without languages that are not written in `scripts`."""
    utf8 = sample.encode("utf-8", "ignore")
    try:
        is_sure, _, found = pycld2.detect(utf8, isPlainText=True, bestEffort=best_effort)
    except pycld2.error:  # cld2 refuses control characters and non-characters; no letter is lost with them
        utf8 = "".join(letter if letter.isprintable() else " " for letter in utf8.decode()).encode()
        is_sure, _, found = pycld2.detect(utf8, isPlainText=True, bestEffort=best_effort)
    if len(sample) < _ENOUGH_CHARACTERS:
        is_sure = is_sure and found[0][3] >= _TELLING_SCORE
    parts: dict[str, float] = {}
    for _, code, percent, _ in found:
        language = short_code(code)
        if code not in _NO_LANGUAGES and percent and not scripts.isdisjoint(shared_scripts_of(language)):
            parts[language] = parts.get(language, 0.0) + percent
    total = sum(parts.values())
    answer = DetectorAnswer({code: percent / total for code, percent in parts.items()}, bool(is_sure) and bool(parts))
    if answer.first in _UNLIKELY and (answer.parts[answer.first] < _ALL_BUT_ALL or len(sample) < _ENOUGH_CHARACTERS):
        return answer._replace(is_sure=False)
    return answer


def _ask_py3langid(sample: str, scripts: frozenset[str]) -> str:
    """py3langid's language if it is fairly sure, else ""."""
    start = max(0, (len(sample) - _SECOND_CHARACTERS) // 2)
    code, probability = _second_detector().classify(sample[start : start + _SECOND_CHARACTERS])
    language = short_code(code)
    if code == "zxx" or probability < _SECOND_PROBABILITY or scripts.isdisjoint(shared_scripts_of(language)):
        return ""
    return language


@functools.cache
def _second_detector() -> Any:
    detector = load_second_detector()
    detector.set_languages([code for code in detector.labels if code == "zxx" or short_code(code) in CLD2_LANGUAGES])
    return detector


def _combine_answers(
    first: DetectorAnswer, second: str, claims: list[LanguageClaim], characters: int
) -> DetectedLanguages:
    """The language that two of three (both detectors, the page's claims) name; for long texts one detector may do."""
    best = first.first
    for claim in claims:
        if claim.language in (second, *first.parts):
            return DetectedLanguages(_with_first(claim.language, first), 0.85, f"detector is unsure; {claim.phrase}")
    if best and best == second:
        return DetectedLanguages(first.parts, 0.85, "two detectors agree")
    if best and are_confusable(best, second):
        return DetectedLanguages(first.parts, 0.6, f"detectors say {best} and {second}")
    is_split = first.parts.get(best, 0.0) < _MAJORITY and not second
    if characters < _ENOUGH_CHARACTERS or not (best or second) or is_split:
        return DetectedLanguages({}, 0.0, "detectors do not agree" if best and second else "detector is unsure")
    if second and (not first.is_sure or best in _UNLIKELY):
        return DetectedLanguages(_with_first(second, first), 0.5, f"one detector says {second}, one is unsure")
    return DetectedLanguages(first.parts, 0.5, "detector is unsure")


def _with_first(language: str, answer: DetectorAnswer) -> dict[str, float]:
    """The parts, with that of the first language given to `language`."""
    parts = dict(answer.parts)
    greatest = parts.pop(answer.first, 1.0)
    parts[language] = parts.get(language, 0.0) + greatest
    return parts
