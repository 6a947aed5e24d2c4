"""Which terms a model is made of: those on enough pages, and of them the most frequent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def document_frequencies(counts: Any) -> NDArray[np.int64]:
    """On how many pages (rows) each term (column) is."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def chosen_terms(frequencies: NDArray[np.int64], least_pages: int, most_terms: int) -> NDArray[np.intp]:
    """Columns of the terms to keep, in order. Where no term is on enough pages, all that are on any."""
    frequent = np.flatnonzero(frequencies >= least_pages)
    columns = frequent if len(frequent) else np.flatnonzero(frequencies)
    if len(columns) > most_terms:
        # Ties go to the term that is first in order, not to chance.
        columns = np.sort(columns[np.argsort(-frequencies[columns], kind="stable")[:most_terms]])
    return columns
