"""Where the text that the shipped profiles are trained from comes from: packages on this machine, no network.

Running text trains far better than lists of names, so Django's translated messages are taken where there are enough
of them, and the names of languages, places and units in Babel's CLDR data elsewhere. Both are needed for training
only (`pip install 'exonym[train]'`), never for identifying. Only data files are read; nothing of Django is imported.
"""

import importlib
import re
import struct
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exonym.errors import ConfigError
from exonym.language.profiles import count_letters

# Our tags, and after "=" the name a package has for it where it is another. The papers too left out languages that
# are seldom met and easily taken for a greater neighbour (here Bosnian, Asturian, Faroese, Xhosa).
_TAGS = (
    "af am ar as az be bg bn br ca ckb cs cy da de dz el en eo es et eu fa fi fr ga gd gl gu ha he hi hr hu hy id ig "
    "is it ja ka kk km kn ko ku ky lo lt lv mk ml mn mr ms mt my ne nl no-bok=nb no-nyn=nn or pa pl ps pt ro ru sd si "
    "sk sl so sq sr sv sw ta te tg th ti tk tl=fil tr tt ug uk ur uz vi yi yo zh-Hans=zh_Hans zh-Hant=zh_Hant zu"
)
_NAMES = {tag: name or tag for tag, _, name in (entry.partition("=") for entry in _TAGS.split())}
_ENOUGH_LETTERS = 5_000  # of running text, to do without names
_TRANSLATED_BY_MOST = "de"  # the messages of one full translation are all the English there is

_NAME_TABLES = (
    *("languages", "territories", "scripts", "variants", "time_zones", "meta_zones", "months", "days", "quarters"),
    *("eras", "day_periods", "currency_names", "currency_names_plural", "unit_patterns", "unit_display_names"),
    *("date_fields", "measurement_systems"),
)
_PLACEHOLDER = re.compile(r"%(\([a-z_]+\))?[-0-9.]*l*[a-z%]|<[^<>]*>|\{[^{}]*\}|&\w+;")
_MO_MAGIC = 0x950412DE


def tags() -> tuple[str, ...]:
    """The tags of all profiles that `installed_text` has text for."""
    return tuple(_NAMES)


def source_names() -> tuple[str, ...]:
    """The packages and their versions: other versions may give other text."""
    try:
        return tuple(f"{package} {version(package)}" for package in ("Babel", "Django"))
    except PackageNotFoundError as error:
        raise ConfigError(f"{error.name} is not installed. Install it first: pip install 'exonym[train]'") from None


def installed_text(tag: str) -> str:
    """Text in the language `tag` from installed packages, the same at every call."""
    source_names()
    if tag not in _NAMES:
        raise ConfigError(f"{tag[:60]!r} has no text in installed packages. Train it from a file: {tag[:20]}.txt")
    running = "\n".join(_messages(_NAMES[tag]))
    return running if count_letters(running) >= _ENOUGH_LETTERS else "\n".join(_names(_NAMES[tag]))


def _messages(name: str) -> Iterator[str]:
    """Django's messages in a language, without what is filled in later."""
    spec = find_spec("django")
    root = Path(spec.origin or "").parent if spec else Path()
    folder = _TRANSLATED_BY_MOST if name == "en" else name
    for path in sorted(root.rglob(f"locale/{folder}/LC_MESSAGES/*.mo")):
        for original, translated in catalogue(path.read_bytes()):
            if original and (name == "en" or translated != original):
                yield _PLACEHOLDER.sub(" ", original if name == "en" else translated)


def catalogue(data: bytes) -> Iterator[tuple[str, str]]:
    """The messages of a compiled gettext catalogue and their translations, plural forms parted by line ends."""
    order = "<" if data[:4] == struct.pack("<I", _MO_MAGIC) else ">"
    try:
        _, _, count, originals, translations = struct.unpack_from(f"{order}5I", data)
        for number in range(count):
            pair = []
            for table in (originals, translations):
                length, start = struct.unpack_from(f"{order}2I", data, table + 8 * number)
                pair.append(data[start : start + length].decode("utf-8", "replace").replace("\0", "\n"))
            yield pair[0].rpartition("\4")[2], pair[1]  # what stands before \4 tells equal messages apart
    except struct.error:
        raise ConfigError("Django's messages are damaged. Install it anew: pip install 'exonym[train]'") from None


def _names(name: str) -> Iterator[str]:
    """CLDR's names in a language; what is spelt as in English is left out, for it was mostly never translated."""
    localedata: Any = importlib.import_module("babel.localedata")
    own, english = localedata.load(name), localedata.load("en")
    for table in _NAME_TABLES:
        known = set(_strings(english.get(table)))
        yield from (_PLACEHOLDER.sub(" ", text) for text in _strings(own.get(table)) if text not in known)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif hasattr(value, "values"):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
