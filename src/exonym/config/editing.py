"""Changes settings in an existing crawl.toml: every comment and every other line stays as it is."""

import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exonym.config.template import toml_value
from exonym.errors import ConfigError
from exonym.system.files import disk_errors, replacing

_VALUE = r'(?:\[(?:[^\]"#\'\n]|"[^"\n]*"|\'[^\'\n]*\')*\]|"[^"\n]*"|[^#\n]*?)'


def set_values(path: Path, section: str, values: Mapping[str, Any]) -> None:
    """Set `values` in a section of the file at `path`, atomically."""
    with disk_errors(path):
        text = path.read_bytes().decode("utf-8")
        with replacing(path) as draft:
            draft.write_bytes(edited(text, section, values, str(path)).encode())
            shutil.copymode(path, draft)


def edited(text: str, section: str, values: Mapping[str, Any], path: str = "crawl.toml") -> str:
    """The text of a TOML file with `values` in a section; ConfigError where that cannot be done by lines."""
    lines = text.splitlines(keepends=True)
    header = re.compile(rf"\ufeff?[ \t]*\[{re.escape(section)}\][ \t]*(?:#.*)?\s*")
    first = next((place + 1 for place, line in enumerate(lines) if header.fullmatch(line)), 0)  # after the header
    if not first:
        raise ConfigError(f"{path} has no section [{section}] on a line of its own. Add it, or set the values by hand.")
    for key, value in values.items():
        _set(lines, first, key, toml_value(value))
    changed = "".join(lines)
    if not _differ_only(text, changed, section, values):
        wanted = ", ".join(f"{key} = {toml_value(value)}" for key, value in values.items())
        raise ConfigError(f"{path}: [{section}] is written in a way that cannot be changed here. Set {wanted} by hand.")
    return changed


def _set(lines: list[str], first: int, key: str, value: str) -> None:
    """Change the line of a key; if there is none, add one below the comment that shows its default, or at the top."""
    end = next((place for place in range(first, len(lines)) if lines[place].startswith("[")), len(lines))
    line_of = re.compile(rf"([ \t]*{key}[ \t]*=[ \t]*){_VALUE}([ \t]*(?:#.*)?\s*)")
    shown = re.compile(rf"[ \t]*#[ \t]*{key}[ \t]*=.*\s*")
    for place in range(first, end):
        if found := line_of.fullmatch(lines[place]):
            lines[place] = f"{found[1]}{value}{found[2]}"
            return
    place = next((place + 1 for place in range(first, end) if shown.fullmatch(lines[place])), first)
    newline = "\r\n" if lines[first - 1].endswith("\r\n") else "\n"
    if not lines[place - 1].endswith("\n"):
        lines[place - 1] += newline
    lines.insert(place, f"{key} = {value}{newline}")


def _differ_only(before: str, after: str, section: str, values: Mapping[str, Any]) -> bool:
    """Whether a TOML parser sees the wanted change and no other."""
    try:
        expected, found = (tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n")) for text in (before, after))
    except tomllib.TOMLDecodeError:
        return False
    inner = expected
    for name in section.split("."):
        inner = inner.setdefault(name, {})
    inner.update(values)
    return expected == found
