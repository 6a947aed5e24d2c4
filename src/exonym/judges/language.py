"""Pages written, all or partly, in the languages that a crawl is for."""

from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.language.detector import FEWEST_LETTERS, SMALLEST_SHARE, Identified, identify, script_of

_PARTLY = 0.1  # detectors see small shares of foreign languages in any text
_NAMES = {"th": "Thai", "ja": "Japanese", "ko": "Korean", "zh": "Chinese", "lo": "Lao", "km": "Khmer", "my": "Burmese"}


class LanguageJudge:
    """Judges a page by the share of its letters that is in one of `languages`."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        if not languages:
            raise ConfigError("target.languages must name one language or more, got none.")
        self._languages = languages

    def judge(self, document: Document) -> Verdict:
        """Relevant if a target language is the page's own, or a part of the page is written in it."""
        found = identify(document.blocks, document.language_tag, document.charset)
        shares = {language: found.shares.get(language, 0.0) for language in self._languages}
        best = max(shares, key=shares.__getitem__)
        relevant = found.language in shares or any(_contains(found, name, part) for name, part in shares.items())
        relevance = min(1.0, sum(shares.values()))
        return Verdict(relevance, relevant, found.language, found.shares, _evidence(best, shares[best], found.evidence))


def _contains(found: Identified, language: str, share: float) -> bool:
    """Whether a part of a page is in `language`: a script of its own is seen in much smaller shares."""
    script = script_of(language)
    if not script or share < SMALLEST_SHARE:
        return share >= _PARTLY
    return found.letters.get(script, 0) >= FEWEST_LETTERS


def _evidence(language: str, share: float, how: str) -> str:
    script = script_of(language)
    what = f"{share:.0%} of letters are {script} script" if script else f"{share:.0%} of the text"
    return f"{_NAMES.get(language, language)}: {what} ({how})".replace("%", " %")
