"""Reads crawl.toml. Every mistake in it is told as one line: key, rule, value, what to do."""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from exonym.config.settings import SECTIONS, OptionValue, Section, Settings, is_header_text, is_operator
from exonym.errors import ConfigError, DirectoryError, UrlError
from exonym.language_names import language_of
from exonym.urls import domain_from, url_of_line

CONFIG_NAME = "crawl.toml"
_HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})")


def load(path: Path) -> Settings:
    """The settings in the file at `path`; raises ConfigError or DirectoryError with one helpful line."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        raise DirectoryError(f"{path} does not exist. Make it with: exonym new {path.parent} --language th") from None
    except OSError as error:
        raise DirectoryError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}: line {line} is not UTF-8. Save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {_one_line(error)}. Correct it there.") from None
    except RecursionError:
        raise ConfigError(f"{path}: not valid TOML: nested too deeply. Begin from what `exonym new` writes.") from None
    return settings_of(table, str(path))


def settings_of(table: Mapping[str, Any], path: str = CONFIG_NAME) -> Settings:
    """The settings that a parsed TOML table asks for; `path` names it in messages."""
    sections: dict[str, Section] = {}
    try:
        for name, values in _in_sections(table):
            if name not in SECTIONS:
                raise ConfigError(_unknown(name))
            if not isinstance(values, dict):
                raise ConfigError(
                    f"{name} must be a section, got {_shown(values)}. Write [{name}] on a line of its own."
                )
            sections[name.rpartition(".")[2]] = _section(name, values)
        settings = Settings(**sections)  # type: ignore[arg-type]
        return _checked(settings)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _in_sections(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
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


def _section(name: str, values: dict[str, Any]) -> Section:
    if name == "strategy":
        values = _strategy_values(values)
    fields = {item.name: item for item in msgspec.structs.fields(SECTIONS[name])}
    for key, value in values.items():
        if key not in fields:
            raise ConfigError(_unknown(f"{name}.{key}"))
        values[key] = _value(f"{name}.{key}", value, fields[key].type)
    return SECTIONS[name](**values)


def _value(key: str, value: object, kind: Any) -> object:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, OverflowError):
        raise _wrong(key, rule_of(kind), value) from None


def _wrong(key: str, rule: str, value: object) -> ConfigError:
    section = key.rpartition(".")[0]
    return ConfigError(f"{key} must be {rule}, got {_shown(value)}. Set it in crawl.toml, section [{section}].")


def rule_of(kind: Any) -> str:
    """What a value of this annotated type must be, in words."""
    info = inspect.type_info(kind)
    while isinstance(info, inspect.Metadata):
        info = info.type
    match info:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least):
            return f"a whole number of {least} or more"
        case inspect.FloatType(gt=0.0, le=most):
            return f"a number above 0, {most:g} at most"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least:g} to {most:.0f}"
        case inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case inspect.ListType():
            return 'a list of texts, as in ["a", "b"]'
        case _:
            return "a text in quotes"


def _strategy_values(values: dict[str, Any]) -> dict[str, Any]:
    """Name and options apart: which options there are is the strategy's business, not ours."""
    options = {key: value for key, value in values.items() if key != "name"}
    for key, value in options.items():
        if difflib.get_close_matches(key.lower(), ["name"], cutoff=0.7):
            raise ConfigError(f"unknown key strategy.{key}. Did you mean strategy.name?")
        if not isinstance(value, OptionValue):
            raise _wrong(f"strategy.{key}", "a number, a text, true or false", value)
    return {**{key: value for key, value in values.items() if key == "name"}, "options": options}


def _unknown(key: str) -> str:
    near = _nearest(key)
    advice = f"Did you mean {near}?" if near else "See docs/reference/crawl-toml.md for the keys there are."
    return f"unknown key {_clean(key)}. {advice}"


def _nearest(key: str) -> str:
    """The known key or section that was likely meant: in the same section first, then anywhere."""
    section, _, leaf = key.rpartition(".")
    if not section and (close := difflib.get_close_matches(key, SECTIONS, n=1)):
        return f"[{close[0]}]"
    everywhere = {name.rpartition(".")[2]: name for name in reversed(known_keys())}
    inside = {leaf: name for leaf, name in everywhere.items() if name.startswith(f"{section}.")}
    if leaf in everywhere:
        return everywhere[leaf]
    for names in (inside, everywhere):
        if close := difflib.get_close_matches(leaf, names, n=1, cutoff=0.65):
            return names[close[0]]
    return ""


def _checked(settings: Settings) -> Settings:
    """The settings with languages and addresses in their one spelling; raises where a text has the wrong form."""
    asked = (settings.target.languages, settings.about.nation, settings.topic.model, settings.table.file)
    if not any(asked):
        raise ConfigError('target.languages is missing. Set it in section [target], as in languages = ["th"].')
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
        raise _wrong("politeness.operator", "a web page or an e-mail address", operator)
    if network.user_agent and not is_header_text(network.user_agent):
        raise _wrong("network.user_agent", "plain ASCII text", network.user_agent)
    if network.connect_to and not _is_host_and_port(network.connect_to):
        raise _wrong("network.connect_to", "a host and a port, as in 127.0.0.1:8080", network.connect_to)
    if not all(map(str.strip, settings.topic.words)):
        raise _wrong("target.topic.words", 'words, as in ["scuba", "coral reef"]', "")
    if not settings.strategy.name:
        raise _wrong("strategy.name", "the name of a strategy, as in lswc", settings.strategy.name)
    about = settings.about
    paths = {
        "seeds.file": settings.seeds.file,
        "target.about.nation": about.nation,
        "target.about.names": about.names,
        "target.about.topic": about.topic,
        "target.topic.model": settings.topic.model,
        "target.table.file": settings.table.file,
    }
    for key, path in paths.items():
        if "\0" in path:
            raise _wrong(key, "the path of a file", path)


def _is_host_and_port(text: str) -> bool:
    found = _HOST_AND_PORT.fullmatch(text)
    return found is not None and 0 < int(found[2]) < 65_536


def _languages(section: str, texts: list[str]) -> list[str]:
    try:
        return list(dict.fromkeys(language_of(text) for text in texts))
    except ConfigError as error:
        raise ConfigError(f"{section}.languages: {error}") from None


def _domain(text: str) -> str:
    if not (domain := domain_from(text)):
        raise _wrong("target.about.domains", 'top-level domains, as in ["th"]', text)
    return domain


def _seed(text: str) -> str:
    try:
        url = url_of_line(text)
    except UrlError as error:
        raise ConfigError(f"seeds.urls: {error}") from None
    if not url:
        raise _wrong("seeds.urls", 'addresses, as in ["https://example.org/"]', text)
    return url


def _shown(value: object) -> str:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _clean(key: str) -> str:
    return key[:80] if key.isprintable() else repr(key[:80])


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
