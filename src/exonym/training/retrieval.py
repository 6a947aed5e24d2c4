"""The documents of a collection that match a query best, by BM25.

Of documents with equal scores the first in the collection ranks higher, and the order of a query's terms does not
matter: the same collection and query give the same documents.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bm25s import BM25


class Ranking(NamedTuple):
    """A form of BM25, and its two parameters."""

    method: str  # a name that bm25s has for it
    k1: float = 1.5
    b: float = 0.75


# "paper" is the classic form, idf = log((N - n + 0.5) / (n + 0.5)), with the parameters that give Table 4.1 of the
# HAPRC paper. In the classic form, a term that at least half of all documents have scores 0: it matches no document.
RANKINGS = {
    "lucene": Ranking("lucene"),
    "paper": Ranking("robertson", 1.0, 0.5),
    "robertson": Ranking("robertson"),
    "atire": Ranking("atire"),
}


class Retrieval:
    """A collection, given as the terms of its documents, that can be searched."""

    def __init__(self, documents: Sequence[Sequence[str]], ranking: Ranking = RANKINGS["lucene"]) -> None:
        self._size = len(documents)
        self._index: BM25 | None = None
        if any(documents):
            import bm25s

            # The other backend compiles itself at first use, which takes longer than all queries of a table.
            self._index = bm25s.BM25(**ranking._asdict(), dtype="float64", backend="numpy")
            self._index.index([list(document) for document in documents], show_progress=False)
        self._known = frozenset(term for document in documents for term in document)

    def top(self, query: Iterable[str], most: int) -> list[int]:
        """The places of the `most` best documents, best first; documents with none of the terms are left out."""
        known = sorted(term for term in query if term in self._known)
        if not known or self._index is None:
            return []
        scores = self._index.get_scores(known).tolist()
        fitting = [place for place in range(self._size) if scores[place] > 0]
        return sorted(fitting, key=lambda place: (-scores[place], place))[:most]
