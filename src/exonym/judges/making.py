"""Judges made from plain data, so that worker processes can make them too.

{"kind": "language", "languages": ["th"], "identifier": "default", "hearsay": true}
"""

from typing import Any

from exonym.errors import ConfigError
from exonym.judges.base import Judge
from exonym.judges.language import LanguageJudge
from exonym.language.base import Identifier


def make_judge(settings: dict[str, Any]) -> Judge:
    """The judge that `settings` describe."""
    kind = settings.get("kind")
    if kind != "language":
        raise ConfigError(f"judge.kind must be 'language', got {kind!r}.")
    languages = tuple(settings.get("languages") or ())
    if not languages or not all(isinstance(language, str) and language for language in languages):
        raise ConfigError(f"target.languages must be names of languages, got {list(languages)!r}.")
    identifier = make_identifier(settings.get("identifier", "default"), languages[0])
    return LanguageJudge(languages, identifier, hearsay=bool(settings.get("hearsay", True)))


def make_identifier(name: str, target: str = "th") -> Identifier:
    """The identifier of that name; the classic one prefers `target` where several languages fit."""
    if name == "default":
        from exonym.language.detector import DefaultIdentifier

        return DefaultIdentifier()
    if name == "classic":
        from exonym.language.classic import ClassicIdentifier
        from exonym.language.profiles import shipped_profiles

        return ClassicIdentifier(shipped_profiles().profiles, target.partition("-")[0])
    raise ConfigError(f'judge.identifier must be "classic" or "default", got {name!r}. Set it in [judge].')
