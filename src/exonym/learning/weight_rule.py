"""How a weight table changes: W = (1-α)·qf + (1-α)·(tf·df) + α·W_old, for each term of a query.

tf is how often a term occurs in the documents found for the query, df in how many of them, qf how often in the query
log. The paper's equation 3.1 prints W_old without α, its algorithm with it: the algorithm stands, by which weights
cannot grow without end.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from exonym.learning.weight_table import LARGEST, Terms, WeightedTerm, WeightTable


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a step of the rule, and what became of its terms (each in alphabetical order)."""

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


def updated(table: WeightTable, query: Iterable[str], log: Mapping[str, int], documents: Sequence[Terms]) -> Change:
    """The table after a query, given as its terms, with the documents found for it.

    `log` has how often each term occurs in the query log (`log_frequencies`). Other terms keep their weights.
    """
    asked = {term: log.get(term, 0) for term in sorted(set(query))}
    change = _stepped(table, asked, documents)
    return replace(change, table=replace(change.table, last_query=asked, queries_seen=table.queries_seen + 1))


def grown(table: WeightTable, documents: Sequence[Terms]) -> WeightTable:
    """The table after pages that were judged relevant, given as their terms, in place of documents found.

    The rule is applied once, to the table's terms and those of the last query, with the query log's counts as they
    were. tf·df grows with the square of the number of pages: bring `table.settings.documents` of them at a time, so
    that weights stay of the same size. No pages, no change.
    """
    if not documents:
        return table
    known = {term: weighted.query_frequency for term, weighted in table.terms.items()}
    return _stepped(table, {**table.last_query, **known}, documents).table


def log_frequencies(queries: Iterable[Iterable[str]]) -> Counter[str]:
    """How often each term occurs in the queries of a log."""
    return Counter(term for query in queries for term in query)


def _stepped(table: WeightTable, asked: Mapping[str, int], documents: Sequence[Terms]) -> Change:
    counted = [Counter(document) for document in documents]
    terms, entered, changed, left = dict(table.terms), [], [], []
    for term, qf in sorted(asked.items()):
        before, after = terms.pop(term, None), _weighted(table, term, qf, counted)
        if after.weight > table.settings.term_threshold:
            terms[term] = after
            if before is None:
                entered.append(term)
            elif before.weight != after.weight:
                changed.append(term)
        elif before is not None:
            left.append(term)
    stepped = replace(table, terms=terms, documents_seen=table.documents_seen + len(counted))
    return Change(_with_typical_weight(stepped, counted), tuple(entered), tuple(changed), tuple(left))


def _weighted(table: WeightTable, term: str, qf: int, documents: Sequence[Counter[str]]) -> WeightedTerm:
    tf = sum(document[term] for document in documents)
    df = sum(document[term] > 0 for document in documents)
    old = table.terms[term].weight if term in table.terms else 0.0
    return WeightedTerm(new_weight(table.settings.alpha, (tf, df, qf), old), tf, df, qf)


def _with_typical_weight(table: WeightTable, documents: Sequence[Counter[str]]) -> WeightTable:
    """What a page must weigh follows the documents; where none were found, it stays."""
    if not documents:
        return table
    weights = sorted(table.page_weight((), (), document) for document in documents)
    return replace(table, typical_weight=sum(weights) / len(weights))
