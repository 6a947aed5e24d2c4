"""The thesis' predictor: naive Bayes over the discrete features of links, and multinomial naive Bayes over words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exonym.learning.naive_bayes import fit_naive_bayes
from exonym.learning.vocabulary import chosen_terms, document_frequencies
from exonym.models.links.features import STEPS, Codes, Feature, Floats
from exonym.segments.fitted import PLACE_COLUMNS, STEP_COLUMNS, Fitted, Rows
from exonym.segments.material import LinkMaterial
from exonym.segments.options import LinkTrainOptions

Flags = NDArray[np.bool_]


def fit_bayes(material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> Fitted:
    """Weights learned from the rows."""
    relevant = material.relevant[rows]
    prior = float(np.log(relevant.sum() / (~relevant).sum()))
    columns, words = np.zeros(0, np.intp), np.zeros(0)
    if "words" in options.features:
        counts = material.counts[rows]
        columns = chosen_terms(document_frequencies(counts), options.least_links, options.most_terms)
        words = fit_naive_bayes(counts[:, columns], relevant)[0] if len(columns) else words
    return Fitted(
        bias=prior,
        steps=_steps(material.steps[rows], relevant, options.features),
        places=_places(material, rows, options.features),
        word_bias=prior,
        columns=columns,
        words=words,
        rarities=np.zeros(0),
    )


def value_weights(codes: Codes, relevant: Flags, count: int, smoothing: float = 1.0) -> Floats:
    """How much likelier each of `count` values is for links to relevant segments, as log-odds (Laplace)."""
    for_it = np.bincount(codes[relevant], minlength=count) + smoothing
    against = np.bincount(codes[~relevant], minlength=count) + smoothing
    found: Floats = np.log(for_it / for_it.sum()) - np.log(against / against.sum())
    return found


def _steps(steps: Codes, relevant: Flags, features: Sequence[Feature]) -> Floats:
    weights = np.zeros((3, STEPS))
    for feature in features:
        for column in STEP_COLUMNS.get(feature, ()):
            weights[column] = value_weights(steps[:, column], relevant, STEPS)
    return weights


def _places(material: LinkMaterial, rows: Rows, features: Sequence[Feature]) -> list[Floats]:
    weights = [np.zeros(len(levels)) for levels in material.levels]
    for feature in features:
        for column in PLACE_COLUMNS.get(feature, ()):
            # Only values that were met: the others say nothing, and do not take part in smoothing.
            met, codes = np.unique(material.places[rows, column], return_inverse=True)
            weights[column][met] = value_weights(codes, material.relevant[rows], len(met))
    return weights
