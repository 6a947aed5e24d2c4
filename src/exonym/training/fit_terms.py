"""Weights of terms learned from examples: naive Bayes as in the thesis, and logistic regression.

Logistic regression takes frequencies that are damped, weighted by rarity, and scaled to length 1: a word that occurs
ten times is not ten times as informative, a word that is everywhere is hardly informative, and a long page must not
outweigh a short one. Naive Bayes ignores all three.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, RowNumbers

# Multinomial naive Bayes, as in the thesis: how much likelier a term is in relevant pages than in others.


def fit_naive_bayes(counts: Any, positives: NDArray[np.bool_], smoothing: float = 1.0) -> tuple[Floats, float]:
    """Weights of the terms and the bias: log-odds of a page are `bias + counts @ weights`."""
    weights = _log_shares(counts[positives], smoothing) - _log_shares(counts[~positives], smoothing)
    relevant = int(positives.sum())
    return weights, float(np.log(relevant / (len(positives) - relevant)))


def _log_shares(counts: Any, smoothing: float) -> Floats:
    """Log of each term's share of all term occurrences in these pages."""
    sums = np.asarray(counts.sum(axis=0), np.float64).ravel() + smoothing
    shares: Floats = np.log(sums) - np.log(sums.sum())
    return shares


# How much the model trusts its examples (inverse of regularisation), and how many pages of the larger class it takes
# for one of the smaller. Chosen among seven pairs, in one repetition, on three sections of benchmarks/topic_texts.py
# that it does not report: best for graphics and web, second for math (92.9 %; 93.3 % with 1.0 and 3).
TRUST = 1.0
MORE = 10
MOST_EXAMPLES = 30_000  # so that a hundred models are trained in a minute or two


def rarities(frequencies: NDArray[np.int64], pages: int) -> Floats:
    """Inverse document frequency, never 0."""
    weights: Floats = np.log((1 + pages) / (1 + frequencies)) + 1
    return weights


def scaled(counts: Any, rarity: Floats) -> Any:
    """The matrix to learn from: frequencies damped, weighted by rarity, each row of length 1 (or 0)."""
    matrix = counts.copy()
    matrix.data = np.log1p(matrix.data) * rarity[matrix.indices]
    squares = matrix.copy()
    squares.data = squares.data**2
    lengths = np.sqrt(np.asarray(squares.sum(axis=1), np.float64).ravel())
    lengths[lengths == 0] = 1.0
    matrix.data /= np.repeat(lengths, np.diff(matrix.indptr))
    return matrix


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


# Which examples a model is trained on: all of the smaller class, and some of the larger.


def under_sampled(rows: RowNumbers, positives: Flags, is_balanced: bool, seed: tuple[int, ...]) -> RowNumbers:
    """All rows of the smaller class and some of the larger, drawn at random; in order.

    A balanced sample, as for naive Bayes in the thesis, has as many rows of the larger class. Linear models weight the
    classes themselves and take more rows.
    """
    chance = np.random.default_rng(seed)
    smaller, larger = sorted([rows[positives[rows]], rows[~positives[rows]]], key=len)
    least = len(smaller)
    size = min(least if is_balanced else max(least, min(MORE * least, MOST_EXAMPLES - least)), len(larger))
    drawn = chance.choice(larger, size, replace=False) if size < len(larger) else larger
    return np.sort(np.concatenate([smaller, drawn]))


# Which terms a model has: those on enough pages, and of them the most frequent.


def document_frequencies(counts: Any) -> NDArray[np.int64]:
    """How many pages (rows) have each term (column)."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def chosen_terms(frequencies: NDArray[np.int64], least_examples: int, most_terms: int) -> NDArray[np.intp]:
    """Columns of the terms to keep, in order. Where no term is on enough pages, all terms."""
    frequent = np.flatnonzero(frequencies >= least_examples)
    columns = frequent if len(frequent) else np.flatnonzero(frequencies)
    if len(columns) > most_terms:
        # Of terms that are equally frequent, the first in order are kept.
        columns = np.sort(columns[np.argsort(-frequencies[columns], kind="stable")[:most_terms]])
    return columns
