"""A researcher's own strategy, from a file: `mine.py:Mine`, or with options `mine.py:Mine:S=3`.

An error in the file is the researcher's to correct: it is reported in one line, with the line of the file.
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
    """The class that a text names; None if it names a strategy of ours."""
    if text.endswith(".py"):
        raise ConfigError(f"{text} names no class. Name the strategy's class behind a colon: {text}:Mine")
    found = _FORM.fullmatch(text)
    return OwnStrategy(Path(found["file"]), found["name"], found["options"] or "") if found else None


def make_own(own: OwnStrategy) -> Strategy:
    """The strategy, made from its file."""
    options = dict(_option(own, part) for part in own.options.split(",") if part.strip())
    with errors_of(own), redirect_stdout(sys.stderr):  # what it prints must not get among results
        strategy = _class_in(_module(own.file), own)(**options)
    check_parts(strategy, f"{own.file}: {own.name}")
    return cast(Strategy, strategy)


def check_parts(strategy: object, name: str) -> None:
    """Raise ConfigError unless an object of the user's has all that a strategy has; `name` is for the message."""
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


def _module(file: Path) -> ModuleType:
    path = file.resolve()
    if not path.is_file():
        raise ConfigError(f"{file} is not there. Name the Python file of the strategy.")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # it may import files beside it; last, so that it hides nothing
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
    """Raise whatever goes wrong inside as a one-line ConfigError that names the line of the user's file."""
    try:
        yield
    except ExonymError:
        raise
    except (Exception, SystemExit) as error:
        first_line = str(error).partition("\n")[0]
        raise ConfigError(
            f"{_place(error, own)}: {type(error).__name__}: {first_line}. Correct the strategy."
        ) from error


def _place(error: BaseException, own: OwnStrategy) -> str:
    """The last line of the file on the way to the error."""
    path = str(own.file.resolve())
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"{own.file}, line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{own.file}, line {lines[-1]}" if lines else f"{own.file}, {own.name}"
