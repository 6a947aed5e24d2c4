"""The documents of a collection that fit a query best, by BM25.

Ties go to the document that stands first, and the order of a query's terms does not matter: the same collection and
query give the same documents.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bm25s import BM25

# By "robertson" a term that half of all documents have, or more, tells nothing, and finds none.
METHODS = ("lucene", "robertson", "atire")


class Retrieval:
    """A collection, given as the terms of its documents, that queries can be put to."""

    def __init__(self, documents: Sequence[Sequence[str]], method: str = "lucene") -> None:
        self._size = len(documents)
        self._index = _indexed(documents, method) if any(documents) else None
        self._known = frozenset(term for document in documents for term in document)

    def top(self, query: Iterable[str], most: int) -> list[int]:
        """The places of the `most` best documents, best first; documents with none of the terms are no answer."""
        known = sorted(term for term in query if term in self._known)
        if not known or self._index is None:
            return []
        scores = self._index.get_scores(known).tolist()
        fitting = [place for place in range(self._size) if scores[place] > 0]
        return sorted(fitting, key=lambda place: (-scores[place], place))[:most]


def _indexed(documents: Sequence[Sequence[str]], method: str) -> "BM25":
    import bm25s

    # The other backend compiles itself at first use, which takes longer than all queries of a table.
    index = bm25s.BM25(method=method, dtype="float64", backend="numpy")
    index.index([list(document) for document in documents], show_progress=False)
    return index
