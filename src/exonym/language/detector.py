"""The default identifier: which language a text is in, and which share of it is in which language.

Scripts that write one language decide by themselves and cost next to nothing. Chinese characters are counted in
lists of common characters, and only text in Latin, Cyrillic, Arabic … letters is shown to detectors. The claims of the
page (<html lang>, its charset) decide where these leave doubt, and only for languages that its letters can write.
"""

from typing import NamedTuple

from exonym.language.base import NO_CLUES, Clues, Identified
from exonym.language.confusable import confusable_with
from exonym.language.declared_language import LanguageClaim, claims_of
from exonym.language.detectors import CLD2_LANGUAGES, detect, detect_short
from exonym.language.han import read_han
from exonym.language.language_menus import without_language_menus
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
_SMALLEST_LISTED = 0.01  # a smaller share is a name or a word of another script
_FEWEST_CLAIMED = 3  # letters of one script that a claim bears out
_SHORT_TEXT = 150  # letters; the title is read too
_ENOUGH_LETTERS = 40  # below this, a detector guesses
_WORTH_ASKING = 0.15  # a smaller share of shared scripts is names and menus
_ENOUGH_RUNNING = 100  # letters in sentences, to decide without menus
_ALL_BUT_ALL, _NEARLY_ALL = 0.9, 0.98
_MENU_SCRIPTS = 3  # a menu of languages has at least so many
_NEAR_LARGEST = 2 / 3  # of the largest share: sentences in a language with less do not make it the main language
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
    has_menu: bool  # of languages, which was left out


class DefaultIdentifier:
    """Identifies the language of a text by its scripts, its characters, two detectors and its claims."""

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
    has_menu = False
    if len(counts) - ("Kana" in counts) >= _MENU_SCRIPTS:
        rest = without_language_menus(text)
        if has_menu := rest != text:
            text, counts = rest, letters_by_script(rest)
    if clues.title and sum(counts.values()) < _SHORT_TEXT:
        text = f"{clues.title}\n{text}"
        counts = letters_by_script(text)
    page = _Page(text, counts, sum(counts.values()), claims_of(clues), has_menu)
    if page.letters < FEWEST_LETTERS:
        return _identify_few_letters(page)
    own = {script: {OWN_SCRIPTS[script]: 1.0} for script in page.counts if script in OWN_SCRIPTS}
    readings = [_Reading(own, 0.99) if own else None, _read_han(page), _read_shared(page)]
    return _decide(page, [reading for reading in readings if reading is not None])


def _identify_few_letters(page: _Page) -> Identified:
    """Unknown, unless the letters are all of one language's script and the page claims that language."""
    if page.letters >= _FEWEST_CLAIMED and len(page.counts) == 1:
        script = next(iter(page.counts))
        for language, _, phrase in page.claims:
            if OWN_SCRIPTS.get(script) == language:
                evidence = (f"all of its {page.letters} letters are {script} script", phrase)
                return Identified(language, {language: 1.0}, 0.6, evidence, letters=page.counts)
    return Identified("", {}, 0.0, ("too little text",), letters=page.counts)


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
    detected = ask(text, frozenset(counts), page.claims)
    # Each language goes to the script that most of its letters can be in.
    languages: dict[str, dict[str, float]] = {}
    for language, part in detected.parts.items():
        script = max(shared_scripts_of(language), key=lambda name: counts.get(name, 0))
        languages.setdefault(script, {})[language] = part
    for script in counts:
        total = sum(languages.get(script, {}).values())
        if total:
            languages[script] = {name: part / total for name, part in languages[script].items()}
        elif script in USUAL_LANGUAGE:
            languages[script] = {USUAL_LANGUAGE[script]: 1.0}
    return _Reading(languages, detected.confidence, detected.phrase)


def _decide(page: _Page, readings: list[_Reading]) -> Identified:
    languages = {script: parts for reading in readings for script, parts in reading.languages.items()}
    shares = _shares(page.counts, languages)
    language, reason = _main_language(page, languages, shares)
    listed = {name: share for name, share in shares.items() if share >= _SMALLEST_LISTED}
    menu = ("its menu of languages is left out",) if page.has_menu else ()
    if not language:
        phrases = [reading.phrase for reading in readings if reading.phrase]
        return Identified("", listed, 0.0, (*phrases, reason, *menu), letters=page.counts)
    of_it = [reading for reading in readings if any(language in parts for parts in reading.languages.values())]
    confidence = max(reading.confidence for reading in of_it) * min(1.0, 0.5 + shares[language])
    script = max(shared_scripts_of(language), key=lambda name: page.counts.get(name, 0), default="")
    # The languages that this one is easily confused with, of those that the text's script can write.
    others = [other for other in confusable_with(language) if script in shared_scripts_of(other)]
    share = page.counts.get(script, 0) / page.letters if script else shares[language]
    named = script or _SCRIPT_NAMES.get(language) or script_of(language)
    evidence = (
        f"{percent(share)} of letters are {named} script",
        *(reading.phrase for reading in of_it if reading.phrase),
        *((reason,) if reason else ()),
        *(f"may also be {other}" for other in others),
        *(claim.phrase for claim in page.claims if claim.language == language),
        *menu,
    )
    variant = next((reading.variant for reading in of_it if reading.variant), "") if language == "zh" else ""
    evidence = tuple(dict.fromkeys(evidence))
    return Identified(language, listed, min(confidence, 0.8) if others else confidence, evidence, variant, page.counts)


def _shares(counts: dict[str, int], languages: dict[str, dict[str, float]]) -> dict[str, float]:
    letters = sum(counts.values())
    shares: dict[str, float] = {}
    for script, parts in languages.items():
        for language, part in parts.items():
            shares[language] = shares.get(language, 0.0) + part * counts.get(script, 0) / letters
    return shares


def _main_language(page: _Page, languages: dict[str, dict[str, float]], shares: dict[str, float]) -> tuple[str, str]:
    """The main language ("" if none prevails), and why it is not the one with the largest share ("" if it is that).

    It is the language of the greatest weight: in sentences if there are enough, unless the page claims to be in the
    other one or has far more of it, as in tables and lists.
    """
    heaviest = language = _heaviest(shares)
    largest = max(shares, key=shares.__getitem__, default="")
    share = shares.get(language, 0.0)
    nearly_all = _NEARLY_ALL if largest == "en" else _ALL_BUT_ALL
    if shares.get(largest, 1.0) < nearly_all and all(claim.language != heaviest for claim in page.claims):
        running = letters_by_script(running_text(page.text, with_cells=shares[largest] < _ALL_BUT_ALL))
        if sum(running.values()) >= _ENOUGH_RUNNING:
            spoken = _shares(running, languages)
            first = _heaviest(spoken)
            if largest == "en" or shares.get(first, 0.0) >= _NEAR_LARGEST * shares[largest]:
                language, share = first, max(shares.get(first, 0.0), spoken.get(first, 0.0))
    if share < _WORTH_ASKING or shares[language] < _SMALLEST_LISTED:
        return "", "no language prevails"
    if shares[language] == shares[largest]:
        return language, ""
    if language != heaviest:
        return language, f"{largest} has the largest share, but sentences are in {language}"
    if largest == "en":
        return language, "en has the largest share, but is on pages in every language"
    return language, f"{largest} has the largest share, but a character of {language} says more than a letter"


def _heaviest(shares: dict[str, float]) -> str:
    return max(shares, key=lambda name: shares[name] * _WEIGHTS.get(name, 1.0), default="")


def percent(share: float) -> str:
    """A share in percent, as in 83 %."""
    return f"{share * 100:.0f} %"
