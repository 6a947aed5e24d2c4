"""From settings to objects: the only place that picks classes by name."""

import inspect
import re
from pathlib import Path
from typing import Any

from exonym.config import Settings
from exonym.errors import ConfigError, UrlError
from exonym.strategies import STRATEGIES
from exonym.strategies.base import Strategy
from exonym.urls import normal_form

_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text in quotes"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])")  # but `example.org:8080` is a server and its port


def make_strategy(name: str, options: dict[str, Any]) -> Strategy:
    """The strategy `name` with its options, checked by name and type."""
    if name not in STRATEGIES:
        raise ConfigError(f"strategy.name must be one of {', '.join(STRATEGIES)}, got {name!r}. Set it in [strategy].")
    known = strategy_options(name)
    for key in options:
        if key not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no options"
            raise ConfigError(f"strategy.{key} is not an option of {name}, which {takes}. Set it in [strategy].")
    return STRATEGIES[name](**{key: _option(key, value, type(known[key])) for key, value in options.items()})


def _option(key: str, value: Any, kind: type) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        rule = _KINDS.get(kind, kind.__name__)
        raise ConfigError(f"strategy.{key} must be {rule}, got {value!r}. Set it in crawl.toml, [strategy].")
    return value


def strategy_options(name: str) -> dict[str, Any]:
    """The options of a strategy and their defaults."""
    parameters = inspect.signature(STRATEGIES[name]).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not inspect.Parameter.empty}


def judge_settings(settings: Settings) -> dict[str, Any]:
    """The judge that a crawl's target asks for, as plain data for the processes that read pages."""
    return {
        "kind": "language",
        "languages": settings.target.languages,
        "identifier": settings.judge.identifier,
        "hearsay": settings.judge.hearsay,
    }


def seed_urls(settings: Settings, directory: Path) -> list[str]:
    """All seeds in normal form: those in crawl.toml, and those in the file it names."""
    texts = list(settings.seeds.urls)
    if settings.seeds.file:
        texts += _lines_of(directory / settings.seeds.file)
    return [_seed(text) for text in texts]


def _lines_of(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"seeds.file {path} cannot be read: {error}. Name a text file, one address a line.") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _seed(text: str) -> str:
    try:
        return normal_form(text if _SCHEME.match(text) else f"https://{text}")
    except UrlError as error:
        raise ConfigError(f"seed {error}") from None
