"""The default identifier: which language a text is in, and which share of it is in which language.

Scripts that write one language decide by themselves and cost next to nothing. Chinese characters are looked at
one by one, and only what Latin, Cyrillic, Arabic … letters write is shown to detectors. What the page claims
(<html lang>, its charset) decides where these leave doubt, and only for what its letters can write.
"""

from typing import NamedTuple

from exonym.language.base import NO_CLUES, Clues, Identified
from exonym.language.claims import LanguageClaim, claims_of
from exonym.language.confusable import confusable_with
from exonym.language.detectors import CLD2_LANGUAGES, DetectedLanguages, detect, detect_short
from exonym.language.han import read_han
from exonym.language.sampling import running_text, undecided_text
from exonym.language.scripts import (
    OWN_SCRIPTS,
    SHARED_SCRIPTS,
    USUAL_LANGUAGE,
    letters_by_script,
    script_of,
    shared_scripts_of,
)

FEWEST_LETTERS = 10
SMALLEST_SHARE = 0.02
_FEWEST_CLAIMED = 3  # letters of one script that a claim bears out
_SHORT_TEXT = 150  # letters; the title is read too
_ENOUGH_LETTERS = 40  # below this, a detector guesses
_WORTH_ASKING = 0.15  # a smaller share of shared scripts is names and menus
_ENOUGH_RUNNING = 100  # letters in sentences, to decide without menus
_ALL_BUT_ALL = 0.9
# English is on pages in every language, in menus, names and programs; a Chinese character says more than a letter.
_WEIGHTS = {"en": 0.4, "zh": 2.0, "ja": 2.0, "ko": 2.0}

_SCRIPT_NAMES = {"ja": "Japanese", "ko": "Korean", "zh": "Chinese"}
_NEVER_NAMED = frozenset(["dz", "lif"])  # Tibetan script is taken for Tibetan; Limbu's is not counted


class _Reading(NamedTuple):
    """The languages of some scripts' letters (shares, 0 to 1), how sure, why; of Chinese, the variant."""

    languages: dict[str, dict[str, float]]  # by script
    confidence: float
    phrase: str = ""
    variant: str = ""


class _Page(NamedTuple):
    text: str
    counts: dict[str, int]  # letters by script
    letters: int
    claims: list[LanguageClaim]


class DefaultIdentifier:
    """Says in which language a text is written, by its scripts, its characters, two detectors and its claims."""

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text` (lines are blocks of a page)."""
        return identify(text, clues)


def known_languages() -> frozenset[str]:
    """The codes of all languages that the default identifier can name."""
    return (CLD2_LANGUAGES | frozenset(OWN_SCRIPTS.values())) - _NEVER_NAMED


def identify(text: str, clues: Clues = NO_CLUES) -> Identified:
    """The language of `text` (lines are blocks of a page)."""
    if clues.is_frameset:
        return Identified("", {}, 0.0, ("a frameset: its frames have the text",))
    counts = letters_by_script(text)
    if clues.title and sum(counts.values()) < _SHORT_TEXT:
        text = f"{clues.title}\n{text}"
        counts = letters_by_script(text)
    page = _Page(text, counts, sum(counts.values()), claims_of(clues))
    if page.letters < FEWEST_LETTERS:
        return _identify_few_letters(page)
    readings = [reading for read in (_read_own, _read_han, _read_shared) if (reading := read(page)) is not None]
    return _decide(page, readings)


def _identify_few_letters(page: _Page) -> Identified:
    """Unknown, unless the letters are all of one language's script and the page claims that language."""
    if page.letters >= _FEWEST_CLAIMED and len(page.counts) == 1:
        script = next(iter(page.counts))
        for language, _, phrase in page.claims:
            if OWN_SCRIPTS.get(script) == language:
                evidence = (f"all of its {page.letters} letters are {script} script", phrase)
                return Identified(language, {language: 1.0}, 0.6, evidence, letters=page.counts)
    return Identified("", {}, 0.0, ("too little text",), letters=page.counts)


def _read_own(page: _Page) -> _Reading | None:
    languages = {script: {OWN_SCRIPTS[script]: 1.0} for script in page.counts if script in OWN_SCRIPTS}
    return _Reading(languages, 0.99) if languages else None


def _read_han(page: _Page) -> _Reading | None:
    han, kana, hangul = (page.counts.get(script, 0) for script in ("Han", "Kana", "Hangul"))
    if not han:
        return None
    if hangul * 2 >= han and hangul > kana:
        return _Reading({"Han": {"ko": 1.0}}, 0.95, "Chinese characters among Hangul")
    written = read_han(page.text, han, kana, page.claims)
    return _Reading({"Han": {written.language: 1.0}}, written.confidence, written.phrase, written.variant)


def _read_shared(page: _Page) -> _Reading | None:
    counts = {script: page.counts[script] for script in SHARED_SCRIPTS if script in page.counts}
    shared = sum(counts.values())
    if not shared or shared < _WORTH_ASKING * page.letters:
        return None
    text = page.text if shared > _ALL_BUT_ALL * page.letters else undecided_text(page.text)
    ask = detect if shared >= _ENOUGH_LETTERS else detect_short
    return _assign_to_scripts(counts, ask(text, frozenset(counts), page.claims))


def _assign_to_scripts(counts: dict[str, int], found: DetectedLanguages) -> _Reading:
    """The detectors' answer by script: each language goes to the script that most of its letters can be in."""
    languages: dict[str, dict[str, float]] = {}
    for language, part in found.parts.items():
        script = max(shared_scripts_of(language), key=lambda name: counts.get(name, 0))
        languages.setdefault(script, {})[language] = part
    for script in counts:
        total = sum(languages.get(script, {}).values())
        if total:
            languages[script] = {name: part / total for name, part in languages[script].items()}
        elif script in USUAL_LANGUAGE:
            languages[script] = {USUAL_LANGUAGE[script]: 1.0}
    return _Reading(languages, found.confidence, found.phrase)


def _decide(page: _Page, readings: list[_Reading]) -> Identified:
    languages = {script: parts for reading in readings for script, parts in reading.languages.items()}
    shares = _shares(page.counts, languages)
    language, prevails = _main_language(page, languages, shares)
    if not prevails:
        phrases = [reading.phrase for reading in readings if reading.phrase]
        return Identified("", shares, 0.0, (*phrases, "no language prevails"), letters=page.counts)
    of_it = [one for one in readings if any(language in parts for parts in one.languages.values())]
    confidence = max(one.confidence for one in of_it) * min(1.0, 0.5 + shares[language])
    others = _possible_others(language, page.counts)
    evidence = (
        _script_phrase(language, shares[language], page.counts),
        *(one.phrase for one in of_it if one.phrase),
        *(f"may also be {other}" for other in others),
        *(claim.phrase for claim in page.claims if claim.language == language),
    )
    variant = next((one.variant for one in of_it if one.variant), "") if language == "zh" else ""
    evidence = tuple(dict.fromkeys(evidence))
    return Identified(language, shares, min(confidence, 0.8) if others else confidence, evidence, variant, page.counts)


def _shares(counts: dict[str, int], languages: dict[str, dict[str, float]]) -> dict[str, float]:
    letters = sum(counts.values())
    shares: dict[str, float] = {}
    for script, parts in languages.items():
        for language, part in parts.items():
            shares[language] = shares.get(language, 0.0) + part * counts.get(script, 0) / letters
    return shares


def _main_language(page: _Page, languages: dict[str, dict[str, float]], shares: dict[str, float]) -> tuple[str, bool]:
    """The language of the greatest weight, and whether its share is enough; by sentences alone if there are enough."""
    spoken = shares
    if max(shares.values(), default=1.0) < _ALL_BUT_ALL:
        running = letters_by_script(running_text(page.text))
        if sum(running.values()) >= _ENOUGH_RUNNING:
            spoken = _shares(running, languages)
    language = max(spoken, key=lambda name: spoken[name] * _WEIGHTS.get(name, 1.0), default="")
    return language, max(spoken.get(language, 0.0), shares.get(language, 0.0)) >= _WORTH_ASKING


def _script_phrase(language: str, share: float, counts: dict[str, int]) -> str:
    scripts = shared_scripts_of(language)
    if not scripts:
        return percent(share) + f" of letters are {_SCRIPT_NAMES.get(language) or script_of(language)} script"
    script = max(scripts, key=lambda name: counts.get(name, 0))
    return percent(counts.get(script, 0) / sum(counts.values())) + f" of letters are {script} script"


def percent(share: float) -> str:
    """A share as people write it: 83 %."""
    return f"{share * 100:.0f} %"


def _possible_others(language: str, counts: dict[str, int]) -> tuple[str, ...]:
    """The languages that this one is easily confused with, of those that the text's scripts can write."""
    script = max(shared_scripts_of(language), key=lambda name: counts.get(name, 0), default="")
    return tuple(other for other in confusable_with(language) if script in shared_scripts_of(other))
