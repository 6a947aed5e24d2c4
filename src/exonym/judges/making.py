"""Judges made from plain data, so that worker processes can make them too.

{"kind": "language", "languages": ["th"]}
"""

from typing import Any

from exonym.errors import ConfigError
from exonym.judges.base import Judge
from exonym.judges.language import LanguageJudge


def make_judge(settings: dict[str, Any]) -> Judge:
    """The judge that `settings` describe."""
    kind = settings.get("kind")
    if kind != "language":
        raise ConfigError(f"judge.kind must be 'language', got {kind!r}.")
    languages = tuple(settings.get("languages") or ())
    if not all(isinstance(language, str) and language for language in languages):
        raise ConfigError(f"target.languages must be names of languages, got {list(languages)!r}.")
    return LanguageJudge(languages)
