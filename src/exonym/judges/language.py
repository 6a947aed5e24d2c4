"""Pages written, all or partly, in the languages that a crawl is for."""

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.language.base import PARTLY, Identified, Identifier, clues_of
from exonym.language.detector import FEWEST_LETTERS, SMALLEST_SHARE, DefaultIdentifier, percent
from exonym.language.scripts import script_of
from exonym.language_names import name_of

_INHERITED = 0.5  # the relevance of a page whose language is its parent's


class LanguageJudge:
    """Judges a page by the share of its letters that is in one of `languages`."""

    def __init__(
        self, languages: tuple[str, ...], identifier: Identifier | None = None, inherit_language: bool = True
    ) -> None:
        if not languages:
            raise ConfigError("target.languages must name one language or more, got none.")
        self._languages = languages
        self._identifier = identifier or DefaultIdentifier()
        self._inherit_language = inherit_language

    def judge(self, document: Document) -> Verdict:
        """Relevant if a target language is the page's own, or a part of the page is written in it."""
        identified = self._identifier.identify(document.blocks, clues_of(document))
        shares: dict[str, float] = {}
        by_primary: dict[str, float] = {}
        for language in self._languages:  # zh and zh-Hant are the same letters: their shares do not add up
            share = identified.shares.get(_primary(language), 0.0) if _is_so_written(identified, language) else 0.0
            shares[language] = share
            by_primary[_primary(language)] = max(share, by_primary.get(_primary(language), 0.0))
        relevant = any(_is_partly_in(identified, language, share) for language, share in shares.items())
        parent = document.parent_language
        if self._inherit_language and not relevant and not identified.language and parent:
            # A page without enough text inherits the language of the page that linked to it.
            relevant = parent in by_primary
            doubt = f"unknown: {'; '.join(identified.evidence)}"
            why = f"{doubt}; taken to be {name_of(parent)}, like the page that linked here"
            return Verdict(_INHERITED * relevant, relevant, parent, identified.shares, why, inherited=True)
        best = max(shares, key=shares.__getitem__)
        why = _evidence(best, shares[best], identified)
        relevance = min(1.0, sum(by_primary.values()))
        return Verdict(relevance, relevant, identified.language, identified.shares, why)


class AnyLanguage:
    """Finds every page relevant, and identifies its language."""

    def __init__(self, identifier: Identifier | None = None) -> None:
        self._identifier = identifier or DefaultIdentifier()

    def judge(self, document: Document) -> Verdict:
        """Relevant, with the page's language."""
        identified = self._identifier.identify(document.blocks, clues_of(document))
        named = name_of(identified.language) if identified.language else "unknown"
        return Verdict(1.0, True, identified.language, identified.shares, f"{named}: {'; '.join(identified.evidence)}")


def _primary(language: str) -> str:
    return language.partition("-")[0]


def _is_so_written(identified: Identified, language: str) -> bool:
    """Whether a page in Chinese is in the variant that `language` names, as zh-Hant does."""
    variant = language.partition("-")[2]
    return not variant or identified.variant in ("", variant)


def _is_partly_in(identified: Identified, language: str, share: float) -> bool:
    """Whether a page or a part of it is in `language`: much smaller shares count of languages with their own script."""
    if _is_main(identified, language):
        return True
    script = script_of(language)
    if not script or share < SMALLEST_SHARE:
        return share >= PARTLY
    return identified.letters.get(script, 0) >= FEWEST_LETTERS


def _is_main(identified: Identified, language: str) -> bool:
    return identified.language == _primary(language) and _is_so_written(identified, language)


def _evidence(language: str, share: float, identified: Identified) -> str:
    """One line, as in "Thai: 83 % of letters are Thai script; charset label says windows-874"."""
    if _is_main(identified, language):
        return f"{name_of(language)}: {'; '.join(identified.evidence)}"
    script = script_of(language)
    what = percent(share) + (f" of letters are {script} script" if script else " of the text")
    page = f"the page is {name_of(identified.language)}: " if identified.language else ""
    return f"{name_of(language)}: {what}; {page}{', '.join(identified.evidence)}"
