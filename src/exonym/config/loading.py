"""Reads crawl.toml. Every mistake in it becomes an error of one line: file and line, key, rule, value, what to do."""

import copy
import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from exonym.config.other_crawls import CONFIG_NAME, other_crawl
from exonym.config.settings import (
    SECTIONS,
    OptionValue,
    Section,
    Settings,
    StrategyChoice,
    is_header_text,
    is_operator,
)
from exonym.config.toml_file import (
    KnownKeys,
    TomlFile,
    WrongValueError,
    section_of,
    struct_of,
    unknown_key,
    wrong_value,
)
from exonym.errors import ConfigError, DirectoryError, UrlError
from exonym.language_names import language_of
from exonym.urls import domain_from, url_of_line

# Keys of earlier versions, which are still read, and what they are called now.
OLD_KEYS = {"judge.hearsay": "inherit_language"}
SettingChanges = Mapping[str, Any]  # values by their keys in full, as in limits.pages
_HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})")


def load(path: Path, changes: SettingChanges | None = None) -> Settings:
    """The settings in the file at `path`, with changes; raises ConfigError or DirectoryError with one helpful line."""
    if path.name == CONFIG_NAME and not path.exists():
        raise _no_crawl(path.parent)
    what = "a file that `exonym new` wrote"
    file = TomlFile.read(path, what, missing=f"Name {what}.")
    if not changes:
        return _settings_in(file)
    _settings_in(file)  # what is wrong in the file is reported with its line, apart from what is wrong in the changes
    return settings_of(_changed(file.table, changes), "--set", "Correct the option --set.")


def _no_crawl(directory: Path) -> DirectoryError:
    what = f"is no crawl directory: it has no {CONFIG_NAME}" if directory.exists() else "does not exist"
    return DirectoryError(f"{str(directory)[:200]} {what}. {other_crawl(directory)}")


def _changed(table: Mapping[str, Any], changes: SettingChanges) -> dict[str, Any]:
    """A table with other values of some keys."""
    changed = copy.deepcopy(dict(table))
    for key, value in changes.items():
        section, _, leaf = key.rpartition(".")
        inner = changed
        for name in section.split("."):
            inner = inner.setdefault(name, {})
        inner[leaf] = value
    return changed


def change_of(text: str) -> tuple[str, Any]:
    """A setting and its value, as an option --set has them; the value is written as in crawl.toml, without quotes too.

    >>> change_of("limits.pages=500"), change_of("strategy.name=soft")
    (('limits.pages', 500), ('strategy.name', 'soft'))
    """
    key, equals, value = text.partition("=")
    if not equals or "." not in key:
        raise ConfigError(f"--set {text[:60]!r} is not a setting. Write it as in limits.pages_per_server=50.")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def settings_of(table: Mapping[str, Any], path: str = CONFIG_NAME, advice: str = "") -> Settings:
    """The settings in a parsed TOML table, which messages call `path`; `advice` says how to correct a wrong value."""
    return _settings_in(TomlFile(path, table), advice)


def _settings_in(file: TomlFile, advice: str = "") -> Settings:
    known = KnownKeys(known_keys(), "See docs/reference/crawl-toml.md for the keys there are.")
    sections: dict[str, Section] = {}
    try:
        for name, section in _sections_of(file.table):
            if name not in SECTIONS:
                raise unknown_key(name, known)
            keys = name.split(".")
            values = section_of(section, *keys)
            if name == "strategy":
                values = _strategy_values(values)
            values = {OLD_KEYS.get(f"{name}.{key}", key): value for key, value in values.items()}
            sections[keys[-1]] = struct_of(SECTIONS[name], values, known, *keys)
        return _check_settings(Settings(**sections))  # type: ignore[arg-type]
    except WrongValueError as wrong:
        place = ".".join(map(str, wrong.keys[:-1]))
        raise file.error(wrong, advice or f"Set it in crawl.toml, section [{place}].") from None


def _sections_of(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All sections of a table, with those inside another one after it."""
    for name, values in table.items():
        inner = [key for key in values if f"{name}.{key}" in SECTIONS] if isinstance(values, dict) else []
        yield name, {key: value for key, value in values.items() if key not in inner} if inner else values
        yield from ((f"{name}.{key}", values[key]) for key in inner)


def known_keys() -> list[str]:
    """Every key of crawl.toml as `section.key`; a strategy's own options are not among them."""
    return [
        f"{name}.{item.name}"
        for name, kind in SECTIONS.items()
        for item in msgspec.structs.fields(kind)
        if (name, item.name) != ("strategy", "options")
    ]


def _strategy_values(values: dict[str, Any]) -> dict[str, Any]:
    """The section with the strategy's options apart from its name; which options exist, the strategy itself checks."""
    own = {item.name for item in msgspec.structs.fields(StrategyChoice)} - {"options"}
    options = {key: value for key, value in values.items() if key not in own}
    for key, value in options.items():
        if difflib.get_close_matches(key.lower(), ["name"], cutoff=0.7):
            advice = "Did you mean strategy.name?"
            raise WrongValueError(f"unknown key strategy.{key}.", "strategy", key, advice=advice)
        if not isinstance(value, OptionValue):
            raise wrong_value(f"strategy.{key}", "a number, a text, true or false", value)
    return {**{key: value for key, value in values.items() if key in own}, "options": options}


def _check_settings(settings: Settings) -> Settings:
    """The settings with languages and addresses in their one spelling; raises where a text has the wrong form."""
    targets = (settings.target.languages, settings.about.nation, settings.topic.model, settings.table.file)
    if not any(targets):
        advice = 'Set it in section [target], as in languages = ["th"].'
        raise WrongValueError("target.languages is missing.", "target", advice=advice)
    _check_texts(settings)
    target, about, seeds, topic = settings.target, settings.about, settings.seeds, settings.topic
    return msgspec.structs.replace(
        settings,
        target=msgspec.structs.replace(target, languages=_languages("target", target.languages)),
        about=msgspec.structs.replace(
            about,
            languages=_languages("target.about", about.languages),
            domains=[_domain(text) for text in about.domains],
        ),
        topic=msgspec.structs.replace(topic, languages=_languages("target.topic", topic.languages)),
        table=msgspec.structs.replace(settings.table, languages=_languages("target.table", settings.table.languages)),
        seeds=msgspec.structs.replace(seeds, urls=[_seed(text) for text in seeds.urls]),
    )


def _check_texts(settings: Settings) -> None:
    operator, network = settings.politeness.operator, settings.network
    if operator and not is_operator(operator):
        raise wrong_value("politeness.operator", "a web page or an e-mail address", operator)
    if network.user_agent and not is_header_text(network.user_agent):
        raise wrong_value("network.user_agent", "plain ASCII text", network.user_agent)
    target = _HOST_AND_PORT.fullmatch(network.connect_to)
    if network.connect_to and not (target and 0 < int(target[2]) < 65_536):
        raise wrong_value("network.connect_to", "a host and a port, as in 127.0.0.1:8080", network.connect_to)
    if not all(map(str.strip, settings.topic.words)):
        raise wrong_value("target.topic.words", 'words, as in ["scuba", "coral reef"]', "")
    if not settings.strategy.name:
        raise wrong_value("strategy.name", "the name of a strategy, as in adaptive", settings.strategy.name)
    about = settings.about
    paths = {
        "seeds.seeds_file": settings.seeds.file,
        "target.about.nation": about.nation,
        "target.about.names": about.names,
        "target.about.topic": about.topic,
        "target.topic.model": settings.topic.model,
        "target.table.file": settings.table.file,
    }
    for key, path in paths.items():
        if "\0" in path:
            raise wrong_value(key, "the path of a file", path)


def _languages(section: str, texts: list[str]) -> list[str]:
    try:
        return list(dict.fromkeys(language_of(text) for text in texts))
    except ConfigError as error:
        keys = (*section.split("."), "languages")
        raise WrongValueError(f"{section}.languages: {error.fact}", *keys, advice=error.advice) from None


def _domain(text: str) -> str:
    if not (domain := domain_from(text)):
        raise wrong_value("target.about.domains", 'top-level domains, as in ["th"]', text)
    return domain


def _seed(text: str) -> str:
    try:
        url = url_of_line(text)
    except UrlError as error:
        raise WrongValueError(f"seeds.urls: {error}", "seeds", "urls", value=text) from None
    if not url:
        raise wrong_value("seeds.urls", 'addresses, as in ["https://example.org/"]', text)
    return url
