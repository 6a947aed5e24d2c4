"""Strategies in the user's own files: `mine.py:Mine`, or with options `mine.py:Mine:S=3`.

An error in such a file is for the user to correct: it is reported in one line, with its line number in the file.
"""

import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from exonym.batches import Group
from exonym.errors import ConfigError, ExonymError
from exonym.strategies.base import LEARNER_METHODS, Strategy
from exonym.strategies.by_name import value_of

_FORM = re.compile(r"(?P<file>.+\.py):(?P<name>[^:]*)(?::(?P<options>.*))?", re.DOTALL)
_PARTS = ("group", "needs", "score", "learn", "rank")


class OwnStrategy(NamedTuple):
    """A class in a file, and its options."""

    file: Path
    name: str
    options: str


def own_of(text: str) -> OwnStrategy | None:
    """The class that a text like `mine.py:Mine` names; None if the text names a strategy that ships with Exonym."""
    if text.endswith(".py"):
        raise ConfigError(f"{text} names no class. Name the class of the strategy after a colon: {text}:Mine")
    match = _FORM.fullmatch(text)
    return OwnStrategy(Path(match["file"]), match["name"], match["options"] or "") if match else None


def make_own(own: OwnStrategy) -> Strategy:
    """The strategy, loaded from its file."""
    options: dict[str, Any] = {}
    for part in filter(str.strip, own.options.split(",")):
        key, sign, value = part.partition("=")
        if not sign or not key.strip().isidentifier():
            raise ConfigError(f"{own.file}:{own.name}: {part[:60]!r} is no option. Write options as S=3,T=5.")
        options[key.strip()] = value_of(value.strip())
    with errors_of(own), redirect_stdout(sys.stderr):  # stdout is for results
        module = _load_module(own.file)
        kind = getattr(module, own.name, None)
        if not isinstance(kind, type):
            names = [
                name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
            ]
            raise ConfigError(f"{own.file} has no class {own.name!r}. It has {', '.join(names) or 'none'}.")
        strategy = kind(**options)
    check_parts(strategy, f"{own.file}: {own.name}")
    return cast(Strategy, strategy)


def check_parts(strategy: object, name: str) -> None:
    """Raise ConfigError unless an object has all attributes of a strategy; `name` is for the message."""
    learns = any(hasattr(strategy, part) for part in LEARNER_METHODS)
    missing = [part for part in (*_PARTS, *LEARNER_METHODS * learns) if not hasattr(strategy, part)]
    if missing:
        raise ConfigError(f"{name} has no {missing[0]}. Derive it from exonym.Rule, which has all but score.")
    if not isinstance(strategy.group, Group) or not isinstance(strategy.needs, frozenset):  # type: ignore[attr-defined]
        own = type(strategy).__name__
        raise ConfigError(f"{name}: {own}.group must be a Group, and {own}.needs a frozenset of names.")


def _load_module(file: Path) -> ModuleType:
    path = file.resolve()
    if not path.is_file():
        raise ConfigError(f"{file} is not there. Name the Python file of the strategy.")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # the file may import its neighbours; last, so that they hide no other module
    name = f"exonym_own_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look there
    spec.loader.exec_module(module)
    return module


@contextmanager
def errors_of(own: OwnStrategy) -> Iterator[None]:
    """Turn any error in the block into a ConfigError of one line that names the line of the user's file."""
    try:
        yield
    except ConfigError as error:  # what it returned is wrong
        raise ConfigError(f"{own.file}, {own.name}: {error.fact}", error.advice) from error
    except ExonymError:
        raise
    except (Exception, SystemExit) as error:
        path = str(own.file.resolve())
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        if isinstance(error, SyntaxError) and error.filename == path:
            lines.append(error.lineno)
        where = f"{own.file}, line {lines[-1]}" if lines else f"{own.file}, {own.name}"  # the innermost line
        first_line = str(error).partition("\n")[0]
        raise ConfigError(f"{where}: {type(error).__name__}: {first_line}. Correct the strategy.") from error
