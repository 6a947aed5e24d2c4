"""Weights of a link model learned from examples: naive Bayes as in the thesis, and logistic regression.

Logistic regression is the stronger predictor: it learns all features at once, so that two features that say the same
are not counted twice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Integers, RowNumbers
from exonym.models.links.features import STEPS, Feature
from exonym.training.fit_terms import chosen_terms, document_frequencies, fit_linear, fit_naive_bayes, rarities
from exonym.training.links.matrix import LinkMatrix
from exonym.training.train_options import LinkTrainOptions


class FittedLinks(NamedTuple):
    """A model before it is calibrated: weights by number."""

    bias: float
    steps: Floats  # (3, STEPS)
    places: list[Floats]  # for each of PLACES, the weight of each level; 0 for levels that do not occur in the rows
    word_bias: float
    columns: RowNumbers  # of its terms in the matrix
    words: Floats  # of these terms
    rarities: Floats  # of these terms; empty for naive Bayes


def log_odds(model: FittedLinks, matrix: LinkMatrix, rows: RowNumbers) -> tuple[Floats, Floats]:
    """The model's scores of links: by all features but words (the degree, too), and by words."""
    of_places, of_words = np.full(len(rows), model.bias), np.zeros(len(rows))
    for column, weights in enumerate(model.steps):
        of_places += weights[matrix.steps[rows, column]]
    for column, weights in enumerate(model.places):
        of_places += weights[matrix.places[rows, column]]
    if len(model.columns):
        if len(model.rarities):
            words = matrix.scaled_words(rows, model.columns, model.rarities)
        else:
            words = matrix.counts[rows][:, model.columns]
        of_words = words @ model.words
    return of_places, of_words + model.word_bias


class _Column(NamedTuple):
    """A column of a discrete feature: the number of each link's value, and the weight of each value, to be learned."""

    is_place: bool
    codes: Integers
    weights: Floats  # a view of the model's own array


# Columns of steps and of places that each feature is made of.
_STEP_COLUMNS: dict[Feature, tuple[int, ...]] = {"degree": (0,), "names": (1, 2)}
_PLACE_COLUMNS: dict[Feature, tuple[int, ...]] = {"countries": (0, 1), "domains": (2, 3)}


def _discrete_columns(
    matrix: LinkMatrix, rows: RowNumbers, features: Sequence[Feature]
) -> tuple[Floats, list[Floats], list[_Column]]:
    """Weights of steps and of places, all 0, and the columns that they are to be learned from."""
    steps, places = np.zeros((3, STEPS)), [np.zeros(len(levels)) for levels in matrix.levels]
    columns = []
    for feature in features:
        of_steps, of_places = _STEP_COLUMNS.get(feature, ()), _PLACE_COLUMNS.get(feature, ())
        columns += [_Column(False, matrix.steps[rows, column], steps[column]) for column in of_steps]
        columns += [_Column(True, matrix.places[rows, column], places[column]) for column in of_places]
    return steps, places, columns


# Logistic regression over all features.


def fit_logistic(matrix: LinkMatrix, rows: RowNumbers, options: LinkTrainOptions) -> FittedLinks:
    """Weights learned from the rows, both classes weighing the same."""
    from scipy.sparse import csr_array, hstack  # type: ignore[import-untyped, unused-ignore]

    steps, places, discrete = _discrete_columns(matrix, rows, options.features)
    ones, starts = np.ones(len(rows)), np.arange(len(rows) + 1, dtype=np.int32)
    inputs = [  # each column as a matrix with a column for each of its values (one-hot)
        csr_array((ones, column.codes.astype(np.int32), starts), shape=(len(rows), len(column.weights)))
        for column in discrete
    ]
    columns, rarity = np.zeros(0, np.intp), np.zeros(0)
    if "words" in options.features:
        frequencies = document_frequencies(matrix.counts[rows])
        columns = chosen_terms(frequencies, options.least_examples, options.most_terms)
        rarity = rarities(frequencies[columns], len(rows))
        inputs += [matrix.scaled_words(rows, columns, rarity)] if len(columns) else []
    bias, words = 0.0, np.zeros(0)
    if inputs:
        learned, bias = fit_linear(csr_array(hstack(inputs, format="csr")), matrix.positives[rows])
        ends = np.cumsum([len(column.weights) for column in discrete], dtype=np.int64)
        *of_columns, words = np.split(learned, ends)
        for column, weights in zip(discrete, of_columns, strict=True):
            column.weights[:] = weights
    return FittedLinks(bias, steps, places, 0.0, columns, words, rarity)


# The thesis' predictor: naive Bayes over the discrete features of links, and multinomial naive Bayes over words.


def fit_bayes(matrix: LinkMatrix, rows: RowNumbers, options: LinkTrainOptions) -> FittedLinks:
    """Weights learned from the rows."""
    relevant = matrix.positives[rows]
    prior = float(np.log(relevant.sum() / (~relevant).sum()))
    steps, places, discrete = _discrete_columns(matrix, rows, options.features)
    for column in discrete:
        met, codes = np.arange(STEPS), column.codes
        if column.is_place:
            # Only values that occur: the others have no weight, and do not take part in smoothing.
            met, codes = np.unique(codes, return_inverse=True)
        column.weights[met] = value_weights(codes, relevant, len(met))
    columns, words = np.zeros(0, np.intp), np.zeros(0)
    if "words" in options.features:
        counts = matrix.counts[rows]
        columns = chosen_terms(document_frequencies(counts), options.least_examples, options.most_terms)
        words = fit_naive_bayes(counts[:, columns], relevant)[0] if len(columns) else words
    return FittedLinks(prior, steps, places, prior, columns, words, np.zeros(0))


def value_weights(codes: Integers, relevant: Flags, count: int, smoothing: float = 1.0) -> Floats:
    """How much likelier each of `count` values is for links to relevant segments, as log-odds (Laplace)."""
    with_value = np.bincount(codes[relevant], minlength=count) + smoothing
    of_others = np.bincount(codes[~relevant], minlength=count) + smoothing
    weights: Floats = np.log(with_value / with_value.sum()) - np.log(of_others / of_others.sum())
    return weights
