"""Judges made from plain data (see `asking`), so that worker processes can make them too."""

from collections.abc import Callable
from pathlib import Path

from exonym.errors import ConfigError
from exonym.judges.base import Judge
from exonym.judges.combining import AllOf, AnyOf
from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.settings import Plain
from exonym.language.base import NO_CLUES, Clues, Identified, Identifier

Identifiers = dict[str, Identifier]


def make_judge(settings: Plain) -> Judge:
    """The judge that `settings` describe."""
    return _made(settings, {})


def _made(settings: Plain, identifiers: Identifiers) -> Judge:
    kind = settings.get("kind")
    make = _MAKERS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise ConfigError(f"judge.kind must be one of {', '.join(_MAKERS)}, got {str(kind)[:60]!r}.")
    return make(settings, identifiers)


def _language(settings: Plain, identifiers: Identifiers) -> Judge:
    languages = _languages(settings)
    if not languages:
        raise ConfigError("target.languages must be names of languages, got none.")
    return LanguageJudge(languages, _identifier(settings, identifiers), bool(settings.get("inherit_language", True)))


def _languages(settings: Plain) -> tuple[str, ...]:
    languages = tuple(settings.get("languages") or ())
    if not all(isinstance(language, str) and language for language in languages):
        raise ConfigError(f"target.languages must be names of languages, got {list(languages)!r}.")
    return languages


def _identifier(settings: Plain, identifiers: Identifiers) -> Identifier:
    """The identifier asked for; judges that tell languages in the same way have one together."""
    name, target = settings.get("identifier", "default"), (*_languages(settings), "th")[0]
    key = f"{name} {target}" if name == "classic" else str(name)
    if key not in identifiers:
        identifiers[key] = Remembering(make_identifier(name, target))
    return identifiers[key]


def _allowed(settings: Plain, identifiers: Identifiers) -> Judge:
    """Judges whether a page is in one of the languages, if any are named."""
    if _languages(settings):
        return _language(settings, identifiers)
    return AnyLanguage(_identifier(settings, identifiers))


def _about(settings: Plain, identifiers: Identifiers) -> Judge:
    from exonym.judges.about import AboutJudge, AboutRule
    from exonym.nations import load_nation, with_names
    from exonym.nations.matching.matcher import matcher_of

    nation = load_nation(settings["nation"])
    if settings.get("names"):
        nation = with_names(nation, Path(settings["names"]))
    rule = AboutRule(settings["share"], settings["variety"], frozenset(settings["domains"]))
    return AboutJudge(nation.name, matcher_of(nation), _allowed(settings, identifiers), rule)


def _topic(settings: Plain, identifiers: Identifiers) -> Judge:
    from exonym.judges.topic import TopicJudge
    from exonym.models.topic_file import load_model

    threshold = float(settings.get("threshold", 0.0))
    return TopicJudge(load_model(Path(settings["model"])), _allowed(settings, identifiers), threshold)


def _words(settings: Plain, identifiers: Identifiers) -> Judge:
    from exonym.judges.words import WordsJudge

    return WordsJudge(settings["words"], _allowed(settings, identifiers))


def _table(settings: Plain, identifiers: Identifiers) -> Judge:
    from exonym.judges.weight_table import WeightTableJudge
    from exonym.models.weight_table_file import load_table

    table = load_table(Path(settings["file"]))
    return WeightTableJudge(table, _allowed(settings, identifiers), settings.get("threshold", 0.0))


def _all(settings: Plain, identifiers: Identifiers) -> Judge:
    return AllOf(_within(settings, identifiers))


def _any(settings: Plain, identifiers: Identifiers) -> Judge:
    return AnyOf(_within(settings, identifiers))


def _within(settings: Plain, identifiers: Identifiers) -> list[Judge]:
    inner = settings.get("judges") or ()
    if not inner:
        raise ConfigError(f"judge.judges must be the judges that {settings['kind']} decides by, got none.")
    return [_made(one, identifiers) for one in inner]


_MAKERS: dict[str, Callable[[Plain, Identifiers], Judge]] = {
    "language": _language,
    "about": _about,
    "topic": _topic,
    "words": _words,
    "table": _table,
    "all": _all,
    "any": _any,
}


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


# An identifier for several judges of one page: the second to ask is told what the first was.


class Remembering:
    """Asks another identifier, and remembers its last answer."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier
        self._asked: tuple[str, Clues] | None = None
        self._answer: Identified | None = None

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text`, worked out once."""
        if self._answer is None or self._asked != (text, clues):
            self._answer = self._identifier.identify(text, clues)
            self._asked = text, clues
        return self._answer
