"""Strategies in files of the user's own: `mine.py:Mine`, or with options `mine.py:Mine:S=3`.

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
        raise ConfigError(f"{text} names no class. Name the strategy's class behind a colon: {text}:Mine")
    found = _FORM.fullmatch(text)
    return OwnStrategy(Path(found["file"]), found["name"], found["options"] or "") if found else None


def make_own(own: OwnStrategy) -> Strategy:
    """The strategy, loaded from its file."""
    options = dict(_option(own, part) for part in own.options.split(",") if part.strip())
    with errors_of(own), redirect_stdout(sys.stderr):  # stdout is for results
        strategy = _class_in(_load_module(own.file), own)(**options)
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


def _option(own: OwnStrategy, part: str) -> tuple[str, Any]:
    key, sign, value = part.partition("=")
    if not sign or not key.strip().isidentifier():
        raise ConfigError(f"{own.file}:{own.name}: {part[:60]!r} is no option. Write options as S=3,T=5.")
    return key.strip(), value_of(value.strip())


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


def _class_in(module: ModuleType, own: OwnStrategy) -> Any:
    kind = getattr(module, own.name, None)
    if isinstance(kind, type):
        return kind
    classes = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    there = f"It has {', '.join(classes)}" if classes else "It has none"
    raise ConfigError(f"{own.file} has no class {own.name!r}. {there}.")


@contextmanager
def errors_of(own: OwnStrategy) -> Iterator[None]:
    """Turn any error in the block into a ConfigError of one line that names the line of the user's file."""
    try:
        yield
    except ExonymError:
        raise
    except (Exception, SystemExit) as error:
        first_line = str(error).partition("\n")[0]
        raise ConfigError(
            f"{_line_of(error, own)}: {type(error).__name__}: {first_line}. Correct the strategy."
        ) from error


def _line_of(error: BaseException, own: OwnStrategy) -> str:
    """The file with the innermost of its lines in the traceback of the error."""
    path = str(own.file.resolve())
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"{own.file}, line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{own.file}, line {lines[-1]}" if lines else f"{own.file}, {own.name}"
