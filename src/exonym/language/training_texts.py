"""The text that the shipped profiles are trained from: data of packages on this machine, no network.

Running text trains far better than lists of names, so Django's translated messages are used where there are enough
of them, and the names of languages, places and units in Babel's CLDR data elsewhere. Both are needed for training
only (`pip install 'exonym[train]'`), never for identifying. Only data files are read; nothing of Django is imported.
"""

import importlib
import io
import re
import struct
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exonym.errors import ConfigError
from exonym.language.profiles import count_letters

# Our tags, and after "=" the name that packages use where it differs. As in the papers, languages are left out that
# are rare and easily confused with a larger neighbour (here Bosnian, Asturian, Faroese, Xhosa).
_TAGS = (
    "af am ar as az be bg bn br ca ckb cs cy da de dz el en eo es et eu fa fi fr ga gd gl gu ha he hi hr hu hy id ig "
    "is it ja ka kk km kn ko ku ky lo lt lv mk ml mn mr ms mt my ne nl no-bok=nb no-nyn=nn or pa pl ps pt ro ru sd si "
    "sk sl so sq sr sv sw ta te tg th ti tk tl=fil tr tt ug uk ur uz vi yi yo zh-Hans=zh_Hans zh-Hant=zh_Hant zu"
)
_NAMES = {tag: name or tag for tag, _, name in (entry.partition("=") for entry in _TAGS.split())}
_ENOUGH_LETTERS = 5_000  # of running text, to do without names
_FULLY_TRANSLATED = "de"  # the originals of a complete translation are all of Django's English messages

_NAME_TABLES = (
    *("languages", "territories", "scripts", "variants", "time_zones", "meta_zones", "months", "days", "quarters"),
    *("eras", "day_periods", "currency_names", "currency_names_plural", "unit_patterns", "unit_display_names"),
    *("date_fields", "measurement_systems"),
)
_PLACEHOLDER = re.compile(r"%(\([a-z_]+\))?[-0-9.]*l*[a-z%]|<[^<>]*>|\{[^{}]*\}|&\w+;")


def tags() -> tuple[str, ...]:
    """The tags of all profiles that `installed_text` has text for."""
    return tuple(_NAMES)


def source_names() -> tuple[str, ...]:
    """The packages with their versions, because other versions may have other text."""
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
    """Django's messages in a language, without placeholders."""
    folder = _FULLY_TRANSLATED if name == "en" else name
    for locale in _locales():
        for path in sorted(locale.glob(f"{folder}/LC_MESSAGES/*.mo")):
            for original, translated in catalogue(path.read_bytes()):
                if name == "en" or translated != original:
                    yield _PLACEHOLDER.sub(" ", original if name == "en" else translated)


@cache
def _locales() -> tuple[Path, ...]:
    """Django's folders of catalogues: all its folders are searched for them, once for all languages."""
    spec = find_spec("django")
    root = Path(spec.origin or "").parent if spec else Path()
    return tuple(sorted(path for path in root.rglob("locale") if path.is_dir()))


def catalogue(data: bytes) -> Iterator[tuple[str, str]]:
    """The messages of a compiled gettext catalogue and their translations, with line ends between plural forms."""
    from babel.messages.mofile import read_mo

    try:
        messages = list(read_mo(io.BytesIO(data)))
    except (OSError, ValueError, struct.error):
        raise ConfigError("Django's messages are damaged. Install it anew: pip install 'exonym[train]'") from None
    for message in messages:
        if message.id:  # the message without a text is the catalogue's head
            original, translated = (
                text if isinstance(text, str) else "\n".join(text or ()) for text in (message.id, message.string)
            )
            yield original, translated


def _names(name: str) -> Iterator[str]:
    """CLDR's names in a language, without those spelt as in English, most of which were never translated."""
    localedata: Any = importlib.import_module("babel.localedata")
    own, english = localedata.load(name), localedata.load("en")
    for table in _NAME_TABLES:
        known = set(_strings(english.get(table)))
        yield from (_PLACEHOLDER.sub(" ", text) for text in _strings(own.get(table)) if text not in known)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif hasattr(value, "values") or isinstance(value, list | tuple):
        for inner in value.values() if hasattr(value, "values") else value:
            yield from _strings(inner)
