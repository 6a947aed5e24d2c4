"""Reads nation files: shipped ones, those that `exonym nation make` wrote, those that people edited. Errors name lines.

A nation is a TOML file of facts and, in the same directory, a table of names (`PT.toml`, `PT.names.tsv`). Each line of
the table has a kind, a source and a name with its other forms. Names of shipped nations are read from packages.
"""

import difflib
from dataclasses import replace
from pathlib import Path
from typing import Any

from exonym.config.toml_file import KnownKeys, TomlFile, WrongValueError, unknown_key
from exonym.errors import ConfigError
from exonym.nations.file_checks import CHECKS
from exonym.nations.nation import Name, Nation, distinct, names_in
from exonym.nations.shipped import DATA, NATION_SUFFIX, names_file_of, packaged_names, shipped_codes, shipped_file
from exonym.nations.short_forms import with_short_forms
from exonym.system.files import read_text

_OWN_KIND = "own"  # of names that a user adds without saying what they are
_KNOWN = KnownKeys(list(CHECKS), f"The keys are: {', '.join(CHECKS)}.")
_MISSING = "Make a nation file with: exonym nation make TH -o FILE"


def load_nation(given: str | Path) -> Nation:
    """The nation with this code if it ships ("TH"), or the one in the file at this path ("PT.toml")."""
    path = _file_of(given)
    file = TomlFile.read(path, "a nation file", _MISSING)
    values: dict[str, Any] = {}
    try:
        for key, value in file.table.items():
            if key not in CHECKS:
                raise unknown_key(key, _KNOWN)
            try:
                values[key] = CHECKS[key](value)
            except WrongValueError as wrong:
                raise WrongValueError(f"{key} {wrong}", key, *wrong.keys, value=wrong.value) from None
        for key in ("code", "name"):
            if key not in values:
                raise WrongValueError(f"{key} is missing.", advice=f'Write it at the top, as in {key} = "…".')
    except WrongValueError as wrong:
        raise file.error(wrong) from None
    names: tuple[Name, ...] = values.pop("names", ())
    nation = Nation(**values)
    names_file = names_file_of(path)
    if names_file.exists():
        names += _names_in(names_file, read_text(names_file, "a table of names"))
    elif path.parent == DATA:
        names += with_short_forms(nation, _names_in(names_file, packaged_names(path.stem)))
    return replace(nation, names=distinct(names))


def with_names(nation: Nation, path: Path) -> Nation:
    """The nation with the names in a text file added, `name` or `+name`, and others removed, `-name`.

    Lines are applied in their order; a line may give other forms, `Koh Samui|~Samui`; `#` begins a comment.
    """
    names = dict.fromkeys(nation.names)
    lines = read_text(path, "a file of names, one a line", "Write one name a line into it.").splitlines()
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text.startswith("-"):
            spelling = " ".join(text[1:].split())
            unwanted = {name for name in names if name.text.casefold() == spelling.casefold()}
            if not unwanted:
                near = difflib.get_close_matches(spelling, {name.text for name in names}, n=1, cutoff=0.8)
                advice = f"Did you mean {near[0]}?" if near else "Take the line out."
                what = f"{spelling[:60]!r} is no name of {nation.name}, so it cannot be removed"
                raise ConfigError(f"{path}:{number}: {what}. {advice}")
            names = {name: None for name in names if name not in unwanted}
        elif text:
            names |= dict.fromkeys(_names_at(path, number, text.removeprefix("+"), (_OWN_KIND, path.name)))
    return replace(nation, names=tuple(names))


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


def _names_in(path: Path, text: str) -> tuple[Name, ...]:
    names: list[Name] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            columns = line.rstrip("\r").split("\t")
            if len(columns) != 3 or not all(column.strip() for column in columns):
                rule = "a line has a kind, a source and a name with a tab between"
                raise ConfigError(f"{path}:{number}: {rule}, got {line.strip()[:60]!r}. Correct it there.")
            kind, source, forms = columns
            names += _names_at(path, number, forms, (kind, source))
    return tuple(names)


def _names_at(path: Path, number: int, text: str, kind_and_source: tuple[str, str]) -> list[Name]:
    names = names_in(text, *kind_and_source)
    if not names or names[0].text.startswith("~"):
        raise ConfigError(
            f"{path}:{number}: {text.strip()[:60]!r} begins with no name. Write the name first, then other forms, "
            "as in Koh Samui|~Samui."
        )
    return names
