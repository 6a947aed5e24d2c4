"""Writes crawl.toml: the values that the user gave as plain lines, every other key as a comment with its default."""

import json
import textwrap
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from exonym.config.settings import SECTIONS

_HEAD = """\
# What this crawl does. Run or resume it with: exonym crawl DIR
# Lines that begin with # show the defaults; take the # away to change one.
"""
_STRATEGY_OPTIONS = "The options of the strategy follow, as in S = 3 for lswc. `exonym strategies` lists them."
_USUAL_OPTIONS: dict[str, dict[str, object]] = {"adaptive": {"floor": 0.05}}
_ABOUT_OPTIONS = {
    "floor": "adaptive: links that are less likely than this to lead to a relevant page wait; when no others are left, "
    "and the harvest rate has fallen below this, the crawl ends. 0: it goes on to the last link.",
}


def usual_options(strategy: str) -> dict[str, object]:
    """The options that a new crawl gets, where they are not the defaults of its strategy."""
    return dict(_USUAL_OPTIONS.get(strategy, {}))


def template(asked: Mapping[str, Mapping[str, object]]) -> str:
    """The text of a crawl.toml that sets what is `asked` (by section and key) and explains all other keys."""
    return _HEAD + "".join("\n" + _section(name, asked.get(name, {})) for name in SECTIONS)


def _section(name: str, asked: Mapping[str, object]) -> str:
    kind = SECTIONS[name]
    lines = [f"[{name}]", *_comment(kind.__doc__ or ""), ""]
    for item in msgspec.structs.fields(kind):
        if item.name == "options":
            continue
        default = item.default_factory() if item.default is msgspec.NODEFAULT else item.default
        value = asked.get(item.name, default)
        mark = "" if item.name in asked else "# "
        lines += [*_comment(description_of(item.type)), f"{mark}{item.name} = {toml_value(value)}"]
    if name == "strategy":
        own = {item.name for item in msgspec.structs.fields(kind)}
        lines += _comment(_STRATEGY_OPTIONS)
        for key, value in asked.items():
            if key not in own:
                lines += [*_comment(_ABOUT_OPTIONS.get(key, "")), f"{key} = {toml_value(value)}"]
    return "\n".join(lines) + "\n"


def description_of(kind: Any) -> str:
    """The description in the annotation of a setting."""
    info = inspect.type_info(kind)
    schema = info.extra_json_schema or {} if isinstance(info, inspect.Metadata) else {}
    return str(schema.get("description", ""))


def toml_value(value: object) -> str:
    """A value as TOML writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:_}"
        case float():
            return repr(value)
        case list():
            return "[" + ", ".join(toml_value(part) for part in value) + "]"
        case _:
            # JSON strings are TOML strings, but for DEL, which TOML wants escaped.
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), width=100, initial_indent="# ", subsequent_indent="# ")
