"""Language specific web crawling (Somboonviwat, Tamura, Kitsuregawa 2006): trust servers, then pages, then distance.

A server is relevant from its first relevant page on, and irrelevant when S downloads found none. The papers do not say
whether a request that failed is a download: with `count_failures` it is. The step up for links on English pages can be
switched off by `english`, to see what it does.
"""

import numpy as np

from exonym.batches import Flags, Floats, Integers, LinkBatch, language_code
from exonym.errors import ConfigError
from exonym.strategies.base import NOT_FOLLOWED, Counting, Standings

LONGEST_DISTANCE = 90  # steps of 1/128 below 0.75: the score stays above 0

_ENGLISH = language_code("en")
_UNDECIDED, _RELEVANT, _IRRELEVANT = range(3)
_FROM_RELEVANT_SAME_SERVER = 0.875
_FROM_RELEVANT = 0.8125
_FROM_IRRELEVANT = 0.75
_STEP = 1 / 128


class LanguageSpecific(Counting):
    """`lswc` S, T: links to relevant servers first, then from relevant pages, then by distance; none beyond T."""

    facts = frozenset(["source_relevant", "source_language", "distance", "same_server"])
    languages = ("en",)
    standings = 3

    def __init__(
        self,
        S: int = 3,  # noqa: N803 (the paper's letters)
        T: int = 5,  # noqa: N803
        english: bool = True,
        count_failures: bool = True,
    ) -> None:
        super().__init__()
        if S < 1:
            raise ConfigError(f"S must be 1 or more, got {S}.")
        if not 1 <= T <= LONGEST_DISTANCE:
            raise ConfigError(f"T must be 1 to {LONGEST_DISTANCE}, got {T}.")
        self.S = S
        self.T = T
        self.farthest = T + 1
        self.english = english
        self.count_failures = self.counts_failures = count_failures

    def score_of(self, links: LinkBatch, standings: Standings) -> Floats:
        same_server = links.server == links.source_server
        trusted = np.where(same_server, _FROM_RELEVANT_SAME_SERVER, _FROM_RELEVANT)
        steps = links.distance.astype(np.float64) - (self.english & _came_through_english(links))
        score = np.where(links.source_relevant, trusted, _FROM_IRRELEVANT - _STEP * steps)
        return np.where(links.distance <= self.T, score, NOT_FOLLOWED)

    def standing(self, pages: Integers, relevant: Integers) -> Standings:
        return np.where(relevant > 0, _RELEVANT, np.where(pages >= self.S, _IRRELEVANT, _UNDECIDED)).astype(np.uint8)

    def rank_of(self, standings: Standings) -> Floats:
        return np.array([0.0, 1.0, NOT_FOLLOWED])[standings]


def _came_through_english(links: LinkBatch) -> Flags:
    """Whether the path is target-language page → English page → link: often the English entry page of a site."""
    through_english: Flags = ~links.source_relevant & (links.distance == 2) & (links.source_language == _ENGLISH)
    return through_english
