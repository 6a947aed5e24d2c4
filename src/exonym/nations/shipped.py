"""The top-level domains of a language, by the nations that ship; reads facts alone, for names take longer."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


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
