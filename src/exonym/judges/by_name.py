"""Judges made by the names that crawl.toml and `judge_settings` give them. Only this module of judges opens files."""

import os
from pathlib import Path

from exonym.config import Settings
from exonym.config.settings import About, Topic
from exonym.errors import ConfigError
from exonym.judges.base import Judge
from exonym.judges.combining import AllOf, AnyOf
from exonym.judges.judge_settings import Plain, parts_of
from exonym.language.base import NO_CLUES, Clues, Identified, Identifier

Identifiers = dict[str, Identifier]
_KINDS = ("language", "about", "topic", "words", "table", "all", "any")


# From crawl.toml to plain data.


def judge_settings(settings: Settings, directory: str | os.PathLike[str]) -> Plain:
    """The judge that a crawl.toml describes; file names in it are relative to `directory`, the crawl's."""
    here = os.path.abspath(directory)
    judges: list[Plain] = []
    if settings.target.languages:
        judges.append({"kind": "language", "languages": settings.target.languages})
    if settings.about.nation:
        judges.append(_about_settings(settings.about, here))
    if settings.topic.model:
        judges.append(_topic_settings(settings.topic, here))
    if settings.table.file:
        table = settings.table
        file = os.path.join(here, table.file)
        facts = {"languages": table.languages, "threshold": table.threshold, "rule": table.rule}
        judges.append({"kind": "table", "file": file, **facts})
    joined = _join_settings(settings.target.match, judges)
    for part in parts_of(joined):
        part |= {"identifier": settings.judge.identifier, "inherit_language": settings.judge.inherit_language}
    return joined


def _join_settings(how: str, judges: list[Plain]) -> Plain:
    return judges[0] if len(judges) == 1 else {"kind": how, "judges": judges}


def _about_settings(about: About, directory: str) -> Plain:
    is_file = about.nation.endswith(".toml") or "/" in about.nation
    nation = {
        "kind": "about",
        "nation": os.path.join(directory, about.nation) if is_file else about.nation,
        "names": os.path.join(directory, about.names) if about.names else "",
        "languages": about.languages,
        "domains": about.domains,
        "share": about.share,
        "variety": about.variety,
    }
    topic = _topic_settings(Topic(model=about.topic, languages=about.languages), directory) if about.topic else None
    return _join_settings("all", [nation, topic] if topic else [nation])


def _topic_settings(topic: Topic, directory: str) -> Plain:
    model = {
        "kind": "topic",
        "model": os.path.join(directory, topic.model),
        "languages": topic.languages,
        "threshold": topic.threshold,
    }
    words = {"kind": "words", "words": topic.words, "languages": topic.languages}
    return _join_settings("all", [model, words] if topic.words else [model])


# From plain data to judges.


def make_judge(settings: Plain) -> Judge:
    """The judge that `settings` describe."""
    return _make(settings, {})


def _make(settings: Plain, identifiers: Identifiers) -> Judge:
    kind = settings.get("kind")
    if kind not in _KINDS:
        raise ConfigError(f"judge.kind must be one of {', '.join(_KINDS)}, got {str(kind)[:60]!r}.")
    if kind in ("all", "any"):
        inner = settings.get("judges") or ()
        if not inner:
            raise ConfigError(f"judge.judges must be the judges that {kind} decides by, got none.")
        judges = [_make(part, identifiers) for part in inner]
        return AllOf(judges) if kind == "all" else AnyOf(judges)
    language = _language_judge(settings, identifiers)
    if kind == "about":
        return _about_judge(settings, language)
    if kind == "topic":
        from exonym.judges.topic import TopicJudge
        from exonym.models.topic_file import load_model

        return TopicJudge(load_model(Path(settings["model"])), language, float(settings.get("threshold", 0.0)))
    if kind == "words":
        from exonym.judges.words import WordsJudge

        return WordsJudge(settings["words"], language)
    if kind == "table":
        from exonym.judges.weight_table import WeightTableJudge
        from exonym.models.weight_table_file import load_table

        table, rule = load_table(Path(settings["file"])), settings.get("rule", "table")
        table = table if rule == "table" else table.with_rule(rule)
        return WeightTableJudge(table, language, settings.get("threshold", 0.0))
    return language


def _language_judge(settings: Plain, identifiers: Identifiers) -> Judge:
    """The judge of a page's language; judges other than `language` accept any language if none is named."""
    # Not at the top: the driver of a crawl imports this module for the settings, and judges nothing.
    from exonym.judges.language import AnyLanguage, LanguageJudge

    languages = tuple(settings.get("languages") or ())
    if not all(isinstance(language, str) and language for language in languages):
        raise ConfigError(f"target.languages must be names of languages, got {list(languages)!r}.")
    if not languages and settings["kind"] == "language":
        raise ConfigError("target.languages must be names of languages, got none.")
    # Judges with the same identifier share one object.
    name, target = settings.get("identifier", "default"), (*languages, "th")[0]
    key = f"{name} {target}" if name == "classic" else str(name)
    if key not in identifiers:
        identifiers[key] = Remembering(make_identifier(name, target))
    if not languages:
        return AnyLanguage(identifiers[key])
    return LanguageJudge(languages, identifiers[key], bool(settings.get("inherit_language", True)))


def _about_judge(settings: Plain, language: Judge) -> Judge:
    from exonym.judges.about import AboutJudge, AboutRule
    from exonym.nations import load_nation, with_names
    from exonym.nations.matching.page_names import PageNames

    nation = load_nation(settings["nation"])
    if settings.get("names"):
        nation = with_names(nation, Path(settings["names"]))
    rule = AboutRule(settings["share"], settings["variety"], frozenset(settings["domains"]))
    return AboutJudge(nation.name, PageNames(nation), language, rule)


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


class Remembering:
    """An identifier that caches its last answer: several judges of one page identify the same text."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier
        self._question: tuple[str, Clues] | None = None
        self._answer: Identified | None = None

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text`."""
        if self._answer is None or self._question != (text, clues):
            self._answer = self._identifier.identify(text, clues)
            self._question = text, clues
        return self._answer
