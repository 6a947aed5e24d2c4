"""Writes a nation to files that people can read and edit: facts as commented TOML, names as a table."""

from collections.abc import Mapping
from pathlib import Path

from exonym.config.template import toml_value
from exonym.errors import ConfigError, DirectoryError
from exonym.nations.nation import Nation, grouped
from exonym.nations.shipped import NATION_SUFFIX, names_file_of
from exonym.system.files import disk_errors

_COMMENTS = {
    "domains": "top-level domains; internationalised ones as xn--…",
    "country_codes": "two letters, three letters, digits",
    "charsets": "as pages name them; only those that point to this nation",
    "demonyms": "what its people and things are called, as in Thai",
    "stop_words": "names that are ordinary words too; alone they are no evidence",
    "seeds": "web addresses where a crawl of this nation may begin",
}
_EXAMPLE = '# island = ["Koh Samui|Ko Samui|~Samui"]'
_HEADER = """\
# {name}, as Exonym knows it. Edit it as you like: nothing writes over this file.
# The long list of names is in {beside}; `exonym nation show FILE` checks both.
"""
_NAMES_HEADER = """\
# Names of {name}: kind, source, and the name with its other forms (|other spelling, |~short form), tabs between.
"""


def save_nation(nation: Nation, path: Path) -> Path:
    """Write a nation to new files in one directory, the facts to `path`; returns the path of the names."""
    check_free(path)
    beside = names_file_of(path)
    _write_new(beside, names_text(nation))
    _write_new(path, facts_text(nation, beside.name))
    return beside


def check_free(path: Path) -> None:
    """Raise if saving a nation at `path` is impossible or would overwrite a file."""
    if path.suffix != NATION_SUFFIX:
        raise ConfigError(f"{path} does not end in {NATION_SUFFIX}. Name a file like {path.stem or 'PT'}.toml.")
    if not path.parent.is_dir():
        raise DirectoryError(f"{path.parent} is no directory. Make it first, or name another file with -o.")
    for taken in (path, names_file_of(path)):
        with disk_errors(taken):
            if taken.exists():
                raise ConfigError(f"{taken} exists and is not overwritten. Move it away, or name another file with -o.")


def _write_new(path: Path, text: str) -> None:
    with disk_errors(path), path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def names_text(nation: Nation) -> str:
    """All names as the table that belongs to a nation file."""
    used = dict.fromkeys(name.source for name in nation.names)
    notes = "".join(f"# {source}: {nation.sources.get(source, '')}\n" for source in used)
    return _NAMES_HEADER.format(name=_title(nation)) + notes + "\n".join(grouped(nation.names)) + "\n"


def facts_text(nation: Nation, beside: str) -> str:
    """Everything but the names, as TOML."""
    notes = "".join(f"#   {text}\n" for text in nation.sources.values() if text.isprintable())
    lines = [_HEADER.format(name=_title(nation), beside=beside) + (f"# It is from:\n{notes}" if notes else "")]
    for key in ("code", "name", "country_codes", "domains", "calling_code", "currency", "charsets"):
        lines += _assigned(nation, key)
    for key in ("demonyms", "stop_words", "seeds"):
        lines += _assigned(nation, key)
    for language in nation.languages:
        values = (("code", language.code), ("script", language.script), ("share", language.share))
        lines += ["", "[[languages]]", *(f"{key} = {toml_value(value)}" for key, value in values)]
    lines += ["", "[prefixes]  # words before names, and what they mean", *_pairs(nation.prefixes)]
    lines += ["", "[suffixes]  # words behind names, or behind a hyphen: -shi", *_pairs(nation.suffixes)]
    lines += ["", "[names]  # more names by kind, each with its other forms, as in:", _EXAMPLE]
    lines += ["", "[facts]  # where the facts above are from", *_pairs(nation.facts)]
    lines += ["", "[sources]  # what the sources are, and the licence of their data", *_pairs(nation.sources)]
    return "\n".join(lines) + "\n"


def _assigned(nation: Nation, key: str) -> list[str]:
    value = getattr(nation, key)
    comment = f"  # {_COMMENTS[key]}" if key in _COMMENTS else ""
    written = toml_value(list(value) if isinstance(value, tuple) else value)
    if len(written) + len(key) > 100:
        items = "\n".join(f"    {toml_value(item)}," for item in value)
        return [f"{key} = [{comment}", items, "]"]
    return [f"{key} = {written}{comment}"]


def _title(nation: Nation) -> str:
    """The nation's name if it can be in a comment, else its code."""
    return nation.name if nation.name.isprintable() else nation.code


def _pairs(table: Mapping[str, str]) -> list[str]:
    lines = []
    for key, text in table.items():
        is_bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
        lines.append(f"{key if is_bare else toml_value(key)} = {toml_value(text)}")
    return lines
