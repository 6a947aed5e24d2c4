"""TOML files that people write: parsed, checked against a struct, every mistake reported by file, line, key and rule.

crawl.toml, nation files and the profiles of generated webs are read with it. A check raises `WrongValueError`, which
has the keys that lead to the value; `TomlFile.error` adds the file and the line, and makes a ConfigError of it.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct, inspect

from exonym.errors import ConfigError
from exonym.system.files import read_text

Key = str | int  # a number is the place in an array of tables, as in [[languages]]
AnyStruct = TypeVar("AnyStruct", bound=Struct)

_NAME = r"""(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)"""
_NAMES = re.compile(_NAME)
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")


class WrongValueError(Exception):
    """A value is not as it must be.

    `keys` lead to it, `value` is a text to look for from their line on, `advice` says what to do; if it is empty,
    the caller adds it.
    """

    def __init__(self, fact: str, *keys: Key, value: object = "", advice: str = "") -> None:
        super().__init__(fact)
        self.keys = keys
        self.value = value if isinstance(value, str) else ""
        self.advice = advice


class KnownKeys(NamedTuple):
    """All keys of a kind of file, in full as in limits.pages, and where to look if a wrong key is near none of them."""

    names: Sequence[str]
    advice: str


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A parsed file. Without a text it is not a file but options of a command: its errors name no line."""

    name: str
    table: Mapping[str, Any]
    text: str = ""

    @classmethod
    def read(cls, path: Path, what: str, missing: str = "") -> "TomlFile":
        """The file at `path`; errors ask for `what`, and if the file does not exist, they advise `missing`."""
        text = read_text(path, what, missing)
        try:
            return cls(str(path), tomllib.loads(text), text)
        except tomllib.TOMLDecodeError as error:
            reason = " ".join(str(error).split())
            place = _AT_LINE.search(reason)
            line = int(place[1]) if place else text.rstrip().count("\n") + 1
            reason = reason.replace(place[0], "") if place else reason.replace(" (at end of document)", " at the end")
            raise ConfigError(f"{path}:{line}: not valid TOML: {reason}. Correct it there.") from None
        except RecursionError:
            raise ConfigError(f"{path}:1: not valid TOML: nested too deeply. Name {what}.") from None

    def error(self, wrong: WrongValueError, advice: str = "") -> ConfigError:
        """The error for a wrong value in this file; `advice` is for one that has none of its own."""
        where = f"{self.name}:{line_of(self.text, wrong.keys, wrong.value)}" if self.text else self.name
        return ConfigError(f"{where}: {wrong}", wrong.advice or advice)


def line_of(text: str, keys: Sequence[Key], value: str = "") -> int:
    """The line of a TOML text that writes what `keys` lead to, or comes nearest; 1 if none does.

    With a `value` it is the first line from there on that has this text.

    >>> line_of("[a]\\nb = 1\\n[[c]]\\nd = 1\\n[[c]]\\nd = 2", ("c", 1, "d"))
    6
    """
    nearest, matched = 1, 0
    for number, path in _assignments(text):
        common = next((at for at, pair in enumerate(zip(path, keys, strict=False)) if pair[0] != pair[1]), len(keys))
        common = min(common, len(path))
        if common > matched and common in (len(path), len(keys)):
            nearest, matched = number, common
    lines = text.split("\n")
    return next((at + 1 for at in range(nearest - 1, len(lines)) if value in lines[at]), nearest)


def _assignments(text: str) -> Iterator[tuple[int, list[Key]]]:
    """Each line that assigns a key or opens a section, with the whole path of keys."""
    section: list[Key] = []
    tables: dict[str, int] = {}  # by the name of an array of tables: how many have begun
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            section = list(_names(header[2]))
            if header[1] == "[[":
                name = ".".join(map(str, section))
                section.append(tables.get(name, 0))
                tables[name] = tables.get(name, 0) + 1
            yield number, section
        elif assignment := _ASSIGNMENT.match(line):
            yield number, [*section, *_names(assignment[1])]


def _names(text: str) -> Iterator[str]:
    return (name[0].strip("\"'") for name in _NAMES.finditer(text))


# Values checked against a struct


def struct_of(kind: type[AnyStruct], table: Mapping[str, Any], known: KnownKeys, *keys: str) -> AnyStruct:
    """The table that `keys` lead to as a struct of this kind, each value checked by its annotation."""
    fields = {item.encode_name: item for item in msgspec.structs.fields(kind)}
    values = {}
    for key, value in table.items():
        if key not in fields:
            raise unknown_key(".".join((*keys, key)), known)
        values[fields[key].name] = _value(value, fields[key].type, known, *keys, key)
    for key, item in fields.items():
        if item.required and key not in table:
            raise WrongValueError(f"{'.'.join((*keys, key))} is missing.", *keys)
    return kind(**values)


def _value(value: object, kind: Any, known: KnownKeys, *keys: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Struct):
        return struct_of(kind, section_of(value, *keys), known, *keys)
    inner = get_args(kind)[1] if get_origin(kind) is dict else None
    if isinstance(inner, type) and issubclass(inner, Struct):
        tables = section_of(value, *keys)
        return {key: struct_of(inner, section_of(part, *keys, key), known, *keys, key) for key, part in tables.items()}
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, OverflowError):
        raise wrong_value(".".join(keys), rule_of(kind), value) from None


def section_of(value: object, *keys: str) -> dict[str, Any]:
    """The value if it is a table."""
    if isinstance(value, dict):
        return value
    name = ".".join(keys)
    advice = f"Write [{name}] on a line of its own."
    raise WrongValueError(f"{name} must be a section, got {shown(value)}.", *keys, advice=advice)


def wrong_value(key: str, rule: str, value: object) -> WrongValueError:
    """What to raise if the value of a key, written in full as in limits.pages, breaks its rule."""
    return WrongValueError(f"{key} must be {rule}, got {shown(value)}.", *key.split("."))


def rule_of(kind: Any) -> str:
    """What a value of this annotated type must be, in words."""
    return _rule(inspect.type_info(kind))


def _rule(info: inspect.Type) -> str:
    while isinstance(info, inspect.Metadata):
        info = info.type
    match info:
        case inspect.UnionType(types=kinds):
            return " or ".join(map(_rule, kinds))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=None):
            return "a whole number"
        case inspect.IntType(ge=least):
            return f"a whole number of {least} or more"
        case inspect.FloatType(gt=0.0, le=most):
            return f"a number above 0, {most:g} at most"
        case inspect.FloatType(ge=None):
            return "a number"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least:g} to {most:.0f}"
        case inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case inspect.ListType():
            return 'a list of texts, as in ["a", "b"]'
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)} numbers"
        case inspect.DictType():
            return "a section"
        case _:
            return "a text in quotes"


def unknown_key(key: str, known: KnownKeys) -> WrongValueError:
    """What to raise for a key, written in full, that is not known."""
    near = _nearest(key, known.names)
    advice = f"Did you mean {near}?" if near else known.advice
    clean = key[:80] if key.isprintable() else repr(key[:80])
    return WrongValueError(f"unknown key {clean}.", *key.split("."), advice=advice)


def _nearest(key: str, known: Sequence[str]) -> str:
    """The known key, or [section], that was likely meant: in the same section first, then anywhere."""
    section, _, leaf = key.rpartition(".")
    sections = dict.fromkeys(name.rpartition(".")[0] for name in known if "." in name)
    if not section and (close := difflib.get_close_matches(key, sections, n=1)):
        return f"[{close[0]}]"
    everywhere = {name.rpartition(".")[2]: name for name in reversed(known)}
    inside = {leaf: name for leaf, name in everywhere.items() if name.rpartition(".")[0] == section}
    if leaf in everywhere:
        return everywhere[leaf]
    for names in (inside, everywhere):
        if close := difflib.get_close_matches(leaf, names, n=1, cutoff=0.65):
            return names[close[0]]
    return ""


def shown(value: object) -> str:
    """A value as TOML writes it, more or less, cut where it is long."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
