"""Logistic regression on frequencies that are damped, weighted by rarity, and brought to length 1.

A word said ten times does not tell ten times as much, a word that is everywhere tells little, and a long page must not
outweigh a short one. That is what naive Bayes gets wrong.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats

# Multinomial naive Bayes, as in the thesis: how much likelier a term is in relevant pages than in others.


def fit_naive_bayes(counts: Any, positives: NDArray[np.bool_], smoothing: float = 1.0) -> tuple[Floats, float]:
    """Weights of the terms and the bias: log-odds of a page are `bias + counts @ weights`."""
    said_for = _log_shares(counts[positives], smoothing)
    said_against = _log_shares(counts[~positives], smoothing)
    relevant = int(positives.sum())
    return said_for - said_against, float(np.log(relevant / (len(positives) - relevant)))


def _log_shares(counts: Any, smoothing: float) -> Floats:
    """Log of each term's share of all that is said in these pages."""
    said = np.asarray(counts.sum(axis=0), np.float64).ravel() + smoothing
    shares: Floats = np.log(said) - np.log(said.sum())
    return shares


# How much the model trusts its examples (inverse of regularisation), and how many pages of the larger class it takes
# for one of the smaller. Chosen among seven pairs, in one repetition, on three sections of benchmarks/topic_texts.py
# that it does not report: best for graphics and web, second for math (92.9 %; 93.3 % with 1.0 and 3).
TRUST = 1.0
MORE = 10
MOST_PAGES = 30_000  # so that a hundred models are trained in a minute or two


def rarities(frequencies: NDArray[np.int64], pages: int) -> Floats:
    """Inverse document frequency, never 0."""
    weights: Floats = np.log((1 + pages) / (1 + frequencies)) + 1
    return weights


def scaled(counts: Any, rarity: Floats) -> Any:
    """The matrix that is learned from: rows of length 1 (or 0)."""
    found = counts.copy()
    found.data = np.log1p(found.data) * rarity[found.indices]
    lengths = row_lengths(found)
    found.data /= np.repeat(lengths, np.diff(found.indptr))
    return found


def row_lengths(matrix: Any) -> Floats:
    """Euclidean length of each row; 1 for an empty row."""
    squares = matrix.copy()
    squares.data = squares.data**2
    lengths = np.sqrt(np.asarray(squares.sum(axis=1), np.float64).ravel())
    lengths[lengths == 0] = 1.0
    return lengths


def fit_linear(matrix: Any, positives: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights of the terms and the bias: log-odds of a page are `bias + matrix @ weights`, both classes being equal."""
    from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped, unused-ignore]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped, unused-ignore]

    # The dual problem has a number for each page, not for each term: the same weights three times as fast.
    solver = {"solver": "liblinear", "dual": True, "random_state": 0, "max_iter": 1_000}
    model = LogisticRegression(C=TRUST, class_weight="balanced", **solver)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a little short of the best is good enough
        model.fit(matrix, positives)
    return np.asarray(model.coef_[0], np.float64), float(model.intercept_[0])


# Which terms a model is made of: those on enough pages, and of them the most frequent.


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
