"""HAPRC's queries put to a collection: what each retrieves, the table that it leaves, what that makes of documents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exonym.experiments.haprc.published import Decision
from exonym.models.weight_table import TYPICAL_SHARE, TableSettings, WeightTable, log_frequencies, updated
from exonym.models.weight_table_words import TextToTerms, WordReader
from exonym.training.corpus import CorpusDocument
from exonym.training.retrieval import Retrieval


@dataclass(frozen=True, slots=True)
class HaprcMaterial:
    """What an experiment is made of, and the names of its files."""

    documents: Sequence[CorpusDocument]
    log: Sequence[str]
    decisions: Sequence[Decision]
    names: dict[str, str]

    @property
    def queries(self) -> list[str]:
        """Those that decisions are known for, in their order."""
        return list(dict.fromkeys(row.query for row in self.decisions))


class ReadMaterial:
    """The material as terms, read once for many settings."""

    def __init__(self, material: HaprcMaterial, reading: TextToTerms, method: str = "lucene") -> None:
        self.material = material
        self.reading = reading
        self._reader = WordReader(reading)
        words = [self._reader.words(document.text) for document in material.documents]
        self._counts = [Counter(terms) for terms in words]
        self._retrieval = Retrieval(words, method)
        self._places = {document.identifier: place for place, document in enumerate(material.documents)}

    @cached_property
    def _log(self) -> Counter[str]:
        return log_frequencies(map(self._reader.words, self.material.log))

    def answers(self, settings: TableSettings) -> list["QueryAnswer"]:
        """All queries in their order, put to one table that is kept between them."""
        table, answers = WeightTable(settings, self.reading), list[QueryAnswer]()
        for query in self.material.queries:
            terms = self._reader.words(query)
            places = self._retrieval.top(terms, settings.documents)
            table = updated(table, terms, self._log, [self._counts[place] for place in places]).table
            retrieved = [self.material.documents[place].identifier for place in places]
            counts = self._counts_of(query, retrieved)
            weights = {name: table.page_weight((), (), found) for name, found in counts.items()}
            plain = {name: sum(found[term] for term in set(terms)) for name, found in counts.items()}
            answers.append(QueryAnswer(query, tuple(retrieved), weights, plain, table))
        return answers

    def _counts_of(self, query: str, retrieved: Sequence[str]) -> dict[str, Counter[str]]:
        """The terms of documents that are listed or retrieved for a query; those not in the corpus are left out."""
        listed = [row.document for row in self.material.decisions if row.query == query]
        known = [name for name in dict.fromkeys([*listed, *retrieved]) if name in self._places]
        return {name: self._counts[self._places[name]] for name in known}


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What came of one query."""

    query: str
    retrieved: tuple[str, ...]  # best first
    weights: dict[str, float]  # of documents that are listed or retrieved
    plain: dict[str, int]  # how often the same documents have a word of the query
    table: WeightTable

    def downloads(self, document: str, share: float = TYPICAL_SHARE) -> bool | None:
        """Whether a document is; None if it is not in the corpus. `share` of the typical weight is the threshold."""
        if document not in self.weights:
            return None
        return self.weights[document] > self.threshold(share)

    def threshold(self, share: float = TYPICAL_SHARE) -> float:
        """The weight to exceed: the one in the settings, or this share of the typical document's."""
        given = self.table.settings.page_threshold
        return self.table.typical_weight * share if given is None else given

    def downloads_by_count(self, document: str) -> bool | None:
        """The same without a table: by how often words of the query occur, against half of what is typical."""
        if document not in self.plain:
            return None
        typical = sum(self.plain[name] for name in self.retrieved) / max(1, len(self.retrieved))
        return self.plain[document] > typical * TYPICAL_SHARE
