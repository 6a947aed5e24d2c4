"""The top-level domains of a language, by the nations that ship; reads facts alone, for names take longer."""

import tomllib
from functools import lru_cache
from typing import NamedTuple

from exonym.nations.listing import shipped_codes, shipped_file


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
