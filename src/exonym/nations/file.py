"""Reads nation files: what ships, what `exonym nation make` wrote, what people edited. Mistakes are told by line.

A nation is a TOML file of facts and, beside it, a table of names (`PT.toml`, `PT.names.tsv`), each line of it
a kind, a source and a name with its other forms. The names of nations that ship are with the packages they come from.
"""

import difflib
import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from exonym.errors import ConfigError, DirectoryError
from exonym.nations.file_checks import CHECKS, WrongValueError
from exonym.nations.nation import Name, Nation, distinct, names_in
from exonym.nations.packaged import packaged_names
from exonym.nations.shipped import DATA, NATION_SUFFIX, names_file_of, shipped_codes, shipped_file
from exonym.nations.short_forms import with_short_forms

_OWN_KIND = "own"  # of names that a user adds without saying what they are
_KNOWN = [item.name for item in fields(Nation)]


def load_nation(given: str | Path) -> Nation:
    """The nation with this code if it ships ("TH"), or the one in the file at this path ("PT.toml")."""
    return _load_file(_file_of(given))


def with_names(nation: Nation, path: Path) -> Nation:
    """The nation with the names in a text file added, `name` or `+name`, and others removed, `-name`.

    Lines count in their order; a line may give other forms, `Koh Samui|~Samui`; `#` begins a comment.
    """
    names = dict.fromkeys(nation.names)
    for number, line in enumerate(_text_in(path, "Write one name a line into it.").splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text.startswith("-"):
            unwanted = _matching(names, text[1:])
            if not unwanted:
                raise ConfigError(f"{path}:{number}: {_no_such_name(nation, names, text[1:])}")
            names = {name: None for name in names if name not in unwanted}
        elif text:
            names |= dict.fromkeys(_names_at(path, number, text.removeprefix("+"), (_OWN_KIND, path.name)))
    return replace(nation, names=tuple(names))


def _matching(names: dict[Name, None], text: str) -> set[Name]:
    wanted = " ".join(text.split()).casefold()
    return {name for name in names if name.text.casefold() == wanted}


def _no_such_name(nation: Nation, names: dict[Name, None], text: str) -> str:
    near = difflib.get_close_matches(text.strip(), {name.text for name in names}, n=1, cutoff=0.8)
    advice = f"Did you mean {near[0]}?" if near else "Take the line out."
    return f"{text.strip()[:60]!r} is no name of {nation.name}, so it cannot be removed. {advice}"


def _file_of(given: str | Path) -> Path:
    path = Path(given)
    if path.suffix == NATION_SUFFIX or len(path.parts) > 1:
        return path
    code = str(given).upper()
    if code in shipped_codes():
        return shipped_file(code)
    shipped = " ".join(shipped_codes())
    if len(code) == 2 and code.isascii() and code.isalpha():
        raise ConfigError(
            f"{code} does not ship (those that do: {shipped}). "
            f"Make its file with `exonym nation make {code}` and name that: {code}.toml"
        )
    raise ConfigError(
        f"{str(given)[:60]!r} is no nation. Write a country's two letters, as TH (those that ship: {shipped}), "
        "or a nation file, as TH.toml."
    )


def _load_file(path: Path) -> Nation:
    text = _text_in(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        number, what = line_of_toml_error(error, text)
        raise ConfigError(f"{path}:{number}: not valid TOML: {what}. Correct it there.") from None
    except RecursionError:
        raise ConfigError(f"{path}:1: not valid TOML: nested too deeply. Begin from what `make` writes.") from None
    values = {key: _checked(path, text, key, value) for key, value in table.items()}
    for key in ("code", "name"):
        if key not in values:
            raise ConfigError(f'{path}:1: {key} is missing. Write it at the top, as in {key} = "…".')
    own: tuple[Name, ...] = values.pop("names", ())
    nation = Nation(**values)
    return replace(nation, names=distinct(own + _names_beside(path, nation)))


def _checked(path: Path, text: str, key: str, value: object) -> Any:
    if key not in _KNOWN:
        near = difflib.get_close_matches(key, _KNOWN, n=1)
        advice = f"Did you mean {near[0]}?" if near else f"The keys are: {', '.join(_KNOWN)}."
        raise ConfigError(f"{path}:{line_of(text, key)}: unknown key {key[:60]!r}. {advice}")
    try:
        return CHECKS[key](value)
    except WrongValueError as wrong:
        number = line_of(text, key, wrong.inner, wrong.value, wrong.nth)
        raise ConfigError(f"{path}:{number}: {key} {wrong}") from None


def _names_beside(path: Path, nation: Nation) -> tuple[Name, ...]:
    """The names in the table beside a nation file; those of a shipped one are with the packages they come from."""
    beside = names_file_of(path)
    if beside.exists():
        return _names_in(beside, _text_in(beside))
    return with_short_forms(nation, _names_in(beside, packaged_names(path.stem))) if path.parent == DATA else ()


def _names_in(path: Path, text: str) -> tuple[Name, ...]:
    found: list[Name] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            kind, source, names = _columns(path, number, line)
            found += _names_at(path, number, names, (kind, source))
    return tuple(found)


def _columns(path: Path, number: int, line: str) -> list[str]:
    columns = line.rstrip("\r").split("\t")
    if len(columns) != 3 or not all(column.strip() for column in columns):
        raise ConfigError(
            f"{path}:{number}: a line has a kind, a source and a name with a tab between, got {line.strip()[:60]!r}. "
            "Correct it there."
        )
    return columns


def _names_at(path: Path, number: int, text: str, kind_and_source: tuple[str, str]) -> list[Name]:
    found = names_in(text, *kind_and_source)
    if not found or found[0].text.startswith("~"):
        raise ConfigError(
            f"{path}:{number}: {text.strip()[:60]!r} begins with no name. Write the name first, then other forms, "
            "as in Koh Samui|~Samui."
        )
    return found


def _text_in(path: Path, advice: str = "Make a nation file with: exonym nation make TH -o FILE") -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise DirectoryError(f"{path} does not exist. {advice}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            number = error.object.count(b"\n", 0, error.start) + 1
            raise ConfigError(f"{path}:{number}: not UTF-8. Save the file as UTF-8.") from None
        raise DirectoryError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', error)}.") from None


# On which line of a TOML file something is written: the parser of the standard library does not tell.

_HEADER = re.compile(r"\s*\[+\s*[\"']?([^\]\"'.]+)")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")


def line_of(text: str, key: str, inner: str = "", value: str = "", nth: int = 0) -> int:
    """The line that writes `key`, inside its section `inner`, and at or below that `value`; 1 if none does.

    Of sections of one name, as [[languages]], the one number `nth` is meant; the first is number 0.
    """
    lines = text.split("\n")
    start = _first(lines, key, 0)
    for _ in range(nth):
        start = _first(lines, key, start + 1) if start + 1 < len(lines) else start
    if inner:
        start = _first(lines, inner, start)
    if value:
        start = next((at for at in range(start, len(lines)) if value in lines[at]), start)
    return start + 1


def _first(lines: list[str], key: str, start: int) -> int:
    """The first line from `start` on that assigns `key` or opens its section; `start` if none does."""
    assigned = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
    for at in range(start, len(lines)):
        header = _HEADER.match(lines[at])
        if assigned.match(lines[at]) or (header and header[1].strip() == key):
            return at
    return start


def line_of_toml_error(error: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """The line of a syntax error, and what is wrong there."""
    said = " ".join(str(error).split())
    found = _AT_LINE.search(said)
    if found:
        return int(found[1]), said.replace(found[0], "")
    return text.rstrip().count("\n") + 1, said.replace(" (at end of document)", " at the end")
