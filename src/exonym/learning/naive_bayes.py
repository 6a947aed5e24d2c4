"""Multinomial naive Bayes, as in the thesis: how much likelier a term is in relevant pages than in others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
