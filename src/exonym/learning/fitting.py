"""One model from some of the examples: under-sampling, choice of terms, weights; and what it says of other examples.

Everything that is learned is learned here, from the rows given: nothing of a held-out page gets in.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.linear import MORE, MOST_PAGES, fit_linear, rarities, scaled
from exonym.learning.material import Material
from exonym.learning.naive_bayes import fit_naive_bayes
from exonym.learning.options import TrainOptions
from exonym.learning.vocabulary import chosen_terms, document_frequencies
from exonym.models.topic import ModelKind

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Fitted(NamedTuple):
    """A model before it is calibrated."""

    columns: Rows  # of its terms in the material
    weights: Floats
    bias: float
    rarities: Floats  # empty for naive Bayes


def under_sampled(rows: Rows, positives: NDArray[np.bool_], kind: ModelKind, seed: tuple[int, ...]) -> Rows:
    """All rows of the smaller class and some of the larger, drawn by chance; in order."""
    chance = np.random.default_rng(seed)
    smaller, larger = sorted([rows[positives[rows]], rows[~positives[rows]]], key=len)
    size = min(_most_of_larger(len(smaller), kind), len(larger))
    drawn = chance.choice(larger, size, replace=False) if size < len(larger) else larger
    return np.sort(np.concatenate([smaller, drawn]))


def _most_of_larger(smaller: int, kind: ModelKind) -> int:
    """As many as of the smaller for naive Bayes, as in the thesis; the linear model weighs classes and takes more."""
    return smaller if kind == "naive-bayes" else max(smaller, min(MORE * smaller, MOST_PAGES - smaller))


def fitted(material: Material, rows: Rows, options: TrainOptions, seed: tuple[int, ...]) -> Fitted:
    """A model of the rows, in which both classes weigh the same; `seed` decides which rows of the larger are taken."""
    rows = under_sampled(rows, material.positives, options.kind, seed)
    counts, positives = material.counts[rows], material.positives[rows]
    frequencies = document_frequencies(counts)
    columns = chosen_terms(frequencies, options.least_pages, options.most_terms)
    counts = counts[:, columns]
    if options.kind == "naive-bayes":
        return Fitted(columns, *fit_naive_bayes(counts, positives), np.zeros(0))
    rarity = rarities(frequencies[columns], len(rows))
    return Fitted(columns, *fit_linear(scaled(counts, rarity), positives), rarity)


def scores_by(model: Fitted, material: Material, rows: Rows) -> Floats:
    """Log-odds of the rows, were there as many relevant as irrelevant pages."""
    # Terms that the model does not know get weight 0: cheaper than cutting them out.
    counts, width = material.counts[rows], material.counts.shape[1]
    weights = np.zeros(width)
    weights[model.columns] = model.weights
    if len(model.rarities):
        rarity = np.zeros(width)
        rarity[model.columns] = model.rarities
        counts = scaled(counts, rarity)
    found: Floats = counts @ weights + model.bias
    return found
