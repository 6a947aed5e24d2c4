"""The rule of Chan and Yamana (2010) for Chinese, Japanese and Korean: a national domain, or an anchor in the language.

They had one domain for each language (`.cn`); here a nation may have several, and any language may be chosen.
"""

import numpy as np

from exonym.batches import NO_ROW, Codes, Floats, Ids, LinkBatch, language_code
from exonym.errors import ConfigError
from exonym.strategies.base import NOT_FOLLOWED, Rule
from exonym.urls import domain_from, id_of


class NationalDomain(Rule):
    """`cjk`: follow links into the nation's domains, and those whose anchor is in the language; first found first."""

    needs = frozenset(["domain", "anchor_language"])
    facts = frozenset(["domain", "anchor_language"])

    def __init__(self, language: str = "", domains: str = "") -> None:
        self.language = language
        self.domains = " ".join(_domain(text) for text in domains.split())
        self.languages = tuple(language.split())
        self._domains: Ids = np.array([id_of(domain) for domain in self.domains.split()], dtype=np.uint64)
        codes = {language_code(name) for name in self.languages} - {0}
        self._codes: Codes = np.array(sorted(codes), dtype=np.uint16)

    def score(self, links: LinkBatch) -> Floats:
        assert links.domain is not None
        assert links.anchor_language is not None
        # Seeds are always followed: they were chosen by hand, and have no anchor.
        followed = links.source == NO_ROW
        followed = followed | np.isin(links.domain, self._domains) | np.isin(links.anchor_language, self._codes)
        return np.where(followed, 0.0, NOT_FOLLOWED)


def _domain(text: str) -> str:
    if not (domain := domain_from(text)):
        raise ConfigError(f'domains must be top-level domains, as in "cn tw", got {text[:60]!r}.')
    return domain
