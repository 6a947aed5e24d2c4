"""The topic-specific weight table of HAPRC: terms with weights, which say how much a page is about a topic.

The table is a value: `weight_rule` makes the next one from it, query by query; `table_file` keeps it between them.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from exonym.errors import ConfigError
from exonym.learning.table_words import Reading

LARGEST = 1e12  # of any weight: sums of such stay finite, however long a page is
_MOST_DOCUMENTS = 10_000
TYPICAL_SHARE = 0.5  # half way between a page with none of the terms and a typical document of the topic

Terms = Iterable[str] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What HAPRC leaves to its user; the paper gives a range for alpha and no figure for the others."""

    alpha: float = 0.25  # how much of its old weight a term keeps: the middle of the paper's 0 to 0.5
    documents: int = 7  # n; the paper lists seven for a query
    url_weight: float = 2.0
    title_weight: float = 3.0
    body_weight: float = 1.0
    term_threshold: float = 0.0  # terms enter above it
    page_threshold: float | None = None  # pages are relevant above it; None: learned from the documents

    def __post_init__(self) -> None:
        """Refuses what the rule cannot be worked out with."""
        if not 0.0 <= self.alpha <= 0.5:
            raise ConfigError(f"alpha must be from 0 to 0.5, got {self.alpha}.")
        if not 1 <= self.documents <= _MOST_DOCUMENTS:
            raise ConfigError(f"documents must be from 1 to {_MOST_DOCUMENTS:,}, got {self.documents}.")
        for name in ("url_weight", "title_weight", "body_weight", "term_threshold", "page_threshold"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= LARGEST:
                raise ConfigError(f"{name} must be a number from 0 to {LARGEST:g}, got {value}.")


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term's weight, and the counts that it was last worked out from."""

    weight: float
    term_frequency: int  # in the documents
    document_frequency: int  # of the documents
    query_frequency: int  # in the query log


@dataclass(frozen=True, slots=True)
class WeightTable:
    """A topic: its terms, how they came about, and from which weight on a page is about it."""

    settings: TableSettings = field(default_factory=TableSettings)
    reading: Reading = field(default_factory=Reading)
    terms: Mapping[str, WeightedTerm] = field(default_factory=dict)
    last_query: Mapping[str, int] = field(default_factory=dict)  # its terms, and how often the log has each
    queries_seen: int = 0
    documents_seen: int = 0
    typical_weight: float = 0.0  # mean weight of the documents that the table was last worked out from
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def threshold(self) -> float:
        """The weight that a relevant page exceeds: the one given, or half the typical document's."""
        given = self.settings.page_threshold
        return self.typical_weight * TYPICAL_SHARE if given is None else given

    def contributions(self, url_terms: Terms, title_terms: Terms, body_terms: Terms) -> dict[str, float]:
        """What each of the table's terms adds to a page's weight; terms that the page has not are left out."""
        url, title, body = (_counted(terms) for terms in (url_terms, title_terms, body_terms))
        places = self.settings
        found: dict[str, float] = {}
        known = self.terms.keys()
        for term in (known & url.keys()) | (known & title.keys()) | (known & body.keys()):
            placed = url.get(term, 0) * places.url_weight + title.get(term, 0) * places.title_weight
            added = (placed + body.get(term, 0) * places.body_weight) * self.terms[term].weight
            if added > 0:
                found[term] = added
        return found

    def page_weight(self, url_terms: Terms, title_terms: Terms, body_terms: Terms) -> float:
        """How much a page is about the topic: every term, where it stands, times its weight, summed."""
        return weight_of(self.contributions(url_terms, title_terms, body_terms))


def weight_of(contributions: Mapping[str, float]) -> float:
    """The sum, the same in whatever order."""
    return math.fsum(contributions.values())


def deciding(contributions: Mapping[str, float], most: int = 5) -> list[tuple[str, float]]:
    """The terms that decided, with their shares of the weight, largest first."""
    whole = weight_of(contributions)
    ranked = sorted(contributions.items(), key=lambda item: (-item[1], item[0]))
    return [(term, added / whole) for term, added in ranked[:most]]


def _counted(terms: Terms) -> Mapping[str, int]:
    return terms if isinstance(terms, Mapping) else Counter(terms)
