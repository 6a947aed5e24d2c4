"""The topic-specific weight table of HAPRC: terms with weights, which measure how much a page is about a topic.

The table is a value: `updated` makes the next one from it, query by query; `weight_table_file` stores it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from exonym.errors import ConfigError
from exonym.models.weight_table_words import TextToTerms

LARGEST = 1e12  # of any weight: sums of such stay finite, however long a page is
_MOST_DOCUMENTS = 10_000
TYPICAL_SHARE = 0.5  # half way between a page with none of the terms and a typical document of the topic

PAPER_THRESHOLD = 1.0  # by the rule "paper": with a body weight of 1, some term occurs twice

TermCounts = Iterable[str] | Mapping[str, int]
PageRule = Literal["weighted", "paper"]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The parameters that HAPRC leaves open; the paper gives a range for alpha and no figure for the others.

    `rule` decides about a page. "paper" is what the paper's pseudo-code prints: each term of the table counts for
    itself, times the weights of the places where it is, and one that exceeds the threshold is enough; the weight of a
    term only decides whether the term is in the table. "weighted" is ours: the sum of all terms, each times its weight.
    """

    alpha: float = 0.25  # how much of its old weight a term keeps: the middle of the paper's 0 to 0.5
    documents: int = 7  # n; the paper lists seven for a query
    url_weight: float = 2.0
    title_weight: float = 3.0
    body_weight: float = 1.0
    term_threshold: float = 0.0  # terms enter above it
    page_threshold: float | None = None  # pages are relevant above it; None: that of the rule
    rule: PageRule = "weighted"

    def __post_init__(self) -> None:
        """Raise ConfigError for values that the rule cannot use."""
        if not 0.0 <= self.alpha <= 0.5:
            raise ConfigError(f"alpha must be from 0 to 0.5, got {self.alpha}.")
        if not 1 <= self.documents <= _MOST_DOCUMENTS:
            raise ConfigError(f"documents must be from 1 to {_MOST_DOCUMENTS:,}, got {self.documents}.")
        for name in ("url_weight", "title_weight", "body_weight", "term_threshold", "page_threshold"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= LARGEST:
                raise ConfigError(f"{name} must be a number from 0 to {LARGEST:g}, got {value}.")
        if self.rule not in get_args(PageRule):
            raise ConfigError(f"rule must be {' or '.join(get_args(PageRule))}, got {str(self.rule)[:60]!r}.")


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term's weight, and the counts that it was last computed from."""

    weight: float
    term_frequency: int  # in the documents
    document_frequency: int  # of the documents
    query_frequency: int  # in the query log


@dataclass(frozen=True, slots=True)
class WeightTable:
    """A topic: its terms, where they come from, and the weight from which a page is about it."""

    settings: TableSettings = field(default_factory=TableSettings)
    reading: TextToTerms = field(default_factory=TextToTerms)
    terms: Mapping[str, WeightedTerm] = field(default_factory=dict)
    last_query: Mapping[str, int] = field(default_factory=dict)  # its terms, and how often the log has each
    queries_seen: int = 0
    documents_seen: int = 0
    typical_weight: float = 0.0  # mean weight of the documents that the table was last computed from
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def threshold(self) -> float:
        """The weight that a relevant page exceeds: that of the settings, or of the rule.

        By the rule "weighted", this is half the typical document's weight.
        """
        if self.settings.page_threshold is not None:
            return self.settings.page_threshold
        return PAPER_THRESHOLD if self.settings.rule == "paper" else self.typical_weight * TYPICAL_SHARE

    def contributions(self, url_terms: TermCounts, title_terms: TermCounts, body_terms: TermCounts) -> dict[str, float]:
        """What each of the table's terms weighs on a page; terms that are not on the page are left out."""
        url, title, body = (_counted(terms) for terms in (url_terms, title_terms, body_terms))
        places, is_weighted = self.settings, self.settings.rule == "weighted"
        contributions: dict[str, float] = {}
        known = self.terms.keys()
        for term in (known & url.keys()) | (known & title.keys()) | (known & body.keys()):
            placed = url.get(term, 0) * places.url_weight + title.get(term, 0) * places.title_weight
            placed += body.get(term, 0) * places.body_weight
            weight = placed * self.terms[term].weight if is_weighted else placed
            if weight > 0:
                contributions[term] = weight
        return contributions

    def weight(self, contributions: Mapping[str, float]) -> float:
        """The weight of a page: of its heaviest term by the rule "paper", else the exact sum, whatever the order."""
        if self.settings.rule == "paper":
            return max(contributions.values(), default=0.0)
        return math.fsum(contributions.values())

    def with_rule(self, rule: PageRule) -> "WeightTable":
        """The same table, which decides by this rule."""
        return replace(self, settings=replace(self.settings, rule=rule))

    def page_weight(self, url_terms: TermCounts, title_terms: TermCounts, body_terms: TermCounts) -> float:
        """How much a page is about the topic, by the rule of the settings."""
        return self.weight(self.contributions(url_terms, title_terms, body_terms))


def deciding(contributions: Mapping[str, float], most: int = 5) -> list[tuple[str, float]]:
    """The terms that decided, with their shares of the sum of all contributions, largest first."""
    whole = math.fsum(contributions.values())
    ranked = sorted(contributions.items(), key=lambda item: (-item[1], item[0]))
    return [(term, added / whole) for term, added in ranked[:most]]


def _counted(terms: TermCounts) -> Mapping[str, int]:
    return terms if isinstance(terms, Mapping) else Counter(terms)


# How a weight table changes: W = (1-α)·qf + (1-α)·(tf·df) + α·W_old, for each term of a query.
#
# tf is how often a term occurs in the documents found for the query, df in how many of them, qf how often in the query
# log. The paper's equation 3.1 prints W_old without α, its algorithm with it. The rule here is that of the algorithm,
# by which weights cannot grow without end.


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a step of the rule, and the terms that the step added, changed and removed, alphabetically."""

    table: WeightTable
    entered: tuple[str, ...]
    changed: tuple[str, ...]
    left: tuple[str, ...]  # no longer above the threshold


def new_weight(alpha: float, counts: tuple[int, int, int], old: float) -> float:
    """A term's weight by the rule; `counts` are its tf, df and qf.

    >>> new_weight(0.25, (6, 3, 2), old=8.0)
    17.0
    """
    tf, df, qf = counts
    return min(LARGEST, (1 - alpha) * qf + (1 - alpha) * (tf * df) + alpha * old)


def updated(
    table: WeightTable, query: Iterable[str], log: Mapping[str, int], documents: Sequence[TermCounts]
) -> Change:
    """The table after a query, given as its terms, with the documents found for it.

    `log` has how often each term occurs in the query log (`log_frequencies`). Other terms keep their weights.
    """
    frequencies = {term: log.get(term, 0) for term in sorted(set(query))}
    change = _apply_rule(table, frequencies, documents)
    return replace(change, table=replace(change.table, last_query=frequencies, queries_seen=table.queries_seen + 1))


def grown(table: WeightTable, documents: Sequence[TermCounts]) -> WeightTable:
    """The table after pages that were judged relevant, given as their terms, in place of documents found.

    The rule is applied once, to the table's terms and those of the last query, with the query log's counts as they
    were. tf·df grows with the square of the number of pages: bring `table.settings.documents` of them at a time, so
    that weights stay of the same size. No pages, no change.
    """
    if not documents:
        return table
    known = {term: weighted.query_frequency for term, weighted in table.terms.items()}
    return _apply_rule(table, {**table.last_query, **known}, documents).table


def log_frequencies(queries: Iterable[Iterable[str]]) -> Counter[str]:
    """How often each term occurs in the queries of a log."""
    return Counter(term for query in queries for term in query)


def _apply_rule(table: WeightTable, query: Mapping[str, int], documents: Sequence[TermCounts]) -> Change:
    counted = [Counter(document) for document in documents]
    terms, entered, changed, left = dict(table.terms), [], [], []
    for term, qf in sorted(query.items()):
        before = terms.pop(term, None)
        tf = sum(document[term] for document in counted)
        df = sum(document[term] > 0 for document in counted)
        weight = new_weight(table.settings.alpha, (tf, df, qf), before.weight if before else 0.0)
        after = WeightedTerm(weight, tf, df, qf)
        if after.weight > table.settings.term_threshold:
            terms[term] = after
            if before is None:
                entered.append(term)
            elif before.weight != after.weight:
                changed.append(term)
        elif before is not None:
            left.append(term)
    table = replace(table, terms=terms, documents_seen=table.documents_seen + len(counted))
    if counted:
        weights = sorted(table.page_weight((), (), document) for document in counted)  # the sum has one order
        table = replace(table, typical_weight=sum(weights) / len(weights))
    return Change(table, tuple(entered), tuple(changed), tuple(left))
