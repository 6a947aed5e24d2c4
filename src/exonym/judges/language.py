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
        shares = {language: _share(identified, language) for language in self._languages}
        best = max(shares, key=shares.__getitem__)
        relevant = any(_is_partly_in(identified, language, share) for language, share in shares.items())
        if self._inherit_language and not relevant and not identified.language and document.parent_language:
            return self._like_its_parent(document.parent_language, identified)
        relevance = min(1.0, sum(_shares_by_primary(shares).values()))
        return Verdict(
            relevance, relevant, identified.language, identified.shares, _evidence(best, shares[best], identified)
        )

    def _like_its_parent(self, parent: str, identified: Identified) -> Verdict:
        """The verdict on a page without enough text: it inherits the language of the page that linked to it."""
        relevant = parent in map(_primary, self._languages)
        why = (
            f"unknown: {'; '.join(identified.evidence)}; taken to be {name_of(parent)}, like the page that linked here"
        )
        return Verdict(_INHERITED * relevant, relevant, parent, identified.shares, why)


class AnyLanguage:
    """Finds every page relevant, and identifies its language."""

    def __init__(self, identifier: Identifier | None = None) -> None:
        self._identifier = identifier or DefaultIdentifier()

    def judge(self, document: Document) -> Verdict:
        """Relevant, with the page's language."""
        identified = self._identifier.identify(document.blocks, clues_of(document))
        named = name_of(identified.language) if identified.language else "unknown"
        return Verdict(1.0, True, identified.language, identified.shares, f"{named}: {'; '.join(identified.evidence)}")


def _share(identified: Identified, language: str) -> float:
    """The share of `language`, which may be one way to write Chinese (zh-Hant), in a page."""
    return identified.shares.get(_primary(language), 0.0) if _is_so_written(identified, language) else 0.0


def _primary(language: str) -> str:
    return language.partition("-")[0]


def _is_so_written(identified: Identified, language: str) -> bool:
    variant = language.partition("-")[2]
    return not variant or identified.variant in ("", variant)


def _shares_by_primary(shares: dict[str, float]) -> dict[str, float]:
    """Shares by primary language: zh and zh-Hant are the same letters."""
    once: dict[str, float] = {}
    for language, share in shares.items():
        primary = _primary(language)
        once[primary] = max(share, once.get(primary, 0.0))
    return once


def _is_partly_in(identified: Identified, language: str, share: float) -> bool:
    """Whether a page or a part of it is in `language`: a script of its own is seen in much smaller shares."""
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
