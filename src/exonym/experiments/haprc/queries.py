"""Runs HAPRC's queries on a collection: the documents that each retrieves, the table after it, and its decisions."""

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exonym.experiments.haprc.published import Decision
from exonym.models.weight_table import TYPICAL_SHARE, TableSettings, WeightTable, log_frequencies, updated
from exonym.models.weight_table_words import TextToTerms, WordReader
from exonym.training.corpus import CorpusDocument
from exonym.training.retrieval import RANKINGS, Ranking, Retrieval


@dataclass(frozen=True, slots=True)
class HaprcMaterial:
    """The documents, query log and decisions of an experiment, and the names of their files."""

    documents: Sequence[CorpusDocument]
    log: Sequence[str]
    decisions: Sequence[Decision]
    names: dict[str, str]

    @property
    def queries(self) -> list[str]:
        """The queries that decisions are listed for, in their order."""
        return list(dict.fromkeys(row.query for row in self.decisions))


class IndexedMaterial:
    """The material split into terms and indexed, once for many settings."""

    def __init__(self, material: HaprcMaterial, reading: TextToTerms, ranking: Ranking = RANKINGS["lucene"]) -> None:
        self.material = material
        self.reading = reading
        self._reader = WordReader(reading)
        self._words = [self._reader.words(document.text) for document in material.documents]
        self._counts = [Counter(terms) for terms in self._words]
        self._retrieval = Retrieval(self._words, ranking)
        self._places = {document.identifier: place for place, document in enumerate(material.documents)}

    @cached_property
    def _log(self) -> Counter[str]:
        return log_frequencies(map(self._reader.words, self.material.log))

    def ranked_by(self, ranking: Ranking) -> "IndexedMaterial":
        """The same material, read in the same way, with documents ranked in another way."""
        other = copy.copy(self)
        other._retrieval = Retrieval(self._words, ranking)
        return other

    def answers(self, settings: TableSettings) -> list["QueryAnswer"]:
        """The answers to all queries, in order, by one table that learns from each query."""
        table, answers = WeightTable(settings, self.reading), list[QueryAnswer]()
        for query in self.material.queries:
            terms = self._reader.words(query)
            places = self._retrieval.top(terms, settings.documents)
            table = updated(table, terms, self._log, [self._counts[place] for place in places]).table
            retrieved = [self.material.documents[place].identifier for place in places]
            counts = self._counts_of(query, retrieved)
            weights = {name: table.page_weight((), (), own) for name, own in counts.items()}
            word_counts = {name: sum(own[term] for term in set(terms)) for name, own in counts.items()}
            answers.append(QueryAnswer(query, tuple(retrieved), weights, word_counts, table))
        return answers

    def weights_for(self, query: str, settings: TableSettings) -> tuple[dict[str, float], float]:
        """The weights of all documents by a table made from this query alone, and the typical weight."""
        terms = self._reader.words(query)
        found = [self._counts[place] for place in self._retrieval.top(terms, settings.documents)]
        table = updated(WeightTable(settings, self.reading), terms, self._log, found).table
        weights = (table.page_weight((), (), counts) for counts in self._counts)
        return dict(zip(self._places, weights, strict=True)), table.typical_weight

    def ranked(self, query: str, most: int) -> list[str]:
        """The documents that match a query best, best first."""
        places = self._retrieval.top(self._reader.words(query), most)
        return [self.material.documents[place].identifier for place in places]

    def _counts_of(self, query: str, retrieved: Sequence[str]) -> dict[str, Counter[str]]:
        """The terms of the documents that are listed or retrieved for a query, as far as the corpus has them."""
        listed = [row.document for row in self.material.decisions if row.query == query]
        known = [name for name in dict.fromkeys([*listed, *retrieved]) if name in self._places]
        return {name: self._counts[self._places[name]] for name in known}


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The results of one query."""

    query: str
    retrieved: tuple[str, ...]  # best first
    weights: dict[str, float]  # of the documents that are listed or retrieved
    word_counts: dict[str, int]  # how often words of the query occur in the same documents
    table: WeightTable

    def downloads(self, document: str, share: float = TYPICAL_SHARE) -> bool | None:
        """Whether to download a document; None if it is not in the corpus. `share` as in `threshold`."""
        if document not in self.weights:
            return None
        return self.weights[document] > self.threshold(share)

    def threshold(self, share: float = TYPICAL_SHARE) -> float:
        """The weight to exceed: that of the settings or of the paper's rule, else `share` of the typical weight."""
        settings = self.table.settings
        is_fixed = settings.page_threshold is not None or settings.rule == "paper"
        return self.table.threshold if is_fixed else self.table.typical_weight * share

    def downloads_by_count(self, document: str) -> bool | None:
        """The same without a table: whether words of the query occur more than half as often as is typical."""
        if document not in self.word_counts:
            return None
        typical = sum(self.word_counts[name] for name in self.retrieved) / max(1, len(self.retrieved))
        return self.word_counts[document] > typical * TYPICAL_SHARE
