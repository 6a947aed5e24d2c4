"""The stronger predictor: one logistic model over all features, so that what says the same is not counted twice."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, Integers, RowNumbers
from exonym.models.links.features import STEPS, Feature
from exonym.training.fit import chosen_terms, document_frequencies, fit_linear, fit_naive_bayes, rarities, scaled
from exonym.training.links.matrix import LinkMaterial
from exonym.training.links.options import LinkTrainOptions

# Weights as they are learned, by number; and what they say of examples that are numbers too.


# Columns of steps and of places that each feature is made of.
STEP_COLUMNS: dict[Feature, tuple[int, ...]] = {"degree": (0,), "names": (1, 2)}
PLACE_COLUMNS: dict[Feature, tuple[int, ...]] = {"countries": (0, 1), "domains": (2, 3)}


class FittedLinks(NamedTuple):
    """A model before it is calibrated."""

    bias: float
    steps: Floats  # (3, STEPS)
    places: list[Floats]  # for each of PLACES: of each level, 0 for those that were not met
    word_bias: float
    columns: RowNumbers  # of its terms in the material
    words: Floats  # of these terms
    rarities: Floats  # of these terms; empty for naive Bayes


def log_odds(model: FittedLinks, material: LinkMaterial, rows: RowNumbers) -> tuple[Floats, Floats]:
    """What the model makes of links: of all but words (the degree, too), and of words."""
    placed = np.full(len(rows), model.bias)
    for column, weights in enumerate(model.steps):
        placed += weights[material.steps[rows, column]]
    for column, weights in enumerate(model.places):
        placed += weights[material.places[rows, column]]
    return placed, _said(model, material, rows) + model.word_bias


def _said(model: FittedLinks, material: LinkMaterial, rows: RowNumbers) -> Floats:
    if not len(model.columns):
        return np.zeros(len(rows))
    counts = material.counts[rows][:, model.columns]
    found: Floats = (scaled(counts, model.rarities) if len(model.rarities) else counts) @ model.words
    return found


def fit_logistic(material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions) -> FittedLinks:
    """Weights learned from the rows, both classes weighing the same."""
    columns, rarity, said = _words(material, rows, options)
    values = _values(material, rows, options)
    matrix = _joined([_one_hot(codes, count) for codes, count in values] + said, len(rows))
    weights, bias = fit_linear(matrix, material.relevant[rows]) if matrix.shape[1] else (np.zeros(0), 0.0)
    ends = np.cumsum([count for _, count in values], dtype=np.int64)
    parts = np.split(weights, ends) if values else [weights]
    steps, places = _placed(parts[:-1], material, options)
    return FittedLinks(bias, steps, places, 0.0, columns, parts[-1], rarity)


def _words(material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions) -> tuple[RowNumbers, Floats, list[Any]]:
    """Columns of the terms, their rarities, and the matrix that is learned from."""
    if "words" not in options.features:
        return np.zeros(0, np.intp), np.zeros(0), []
    counts = material.counts[rows]
    frequencies = document_frequencies(counts)
    columns = chosen_terms(frequencies, options.least_links, options.most_terms)
    rarity = rarities(frequencies[columns], len(rows))
    return columns, rarity, [scaled(counts[:, columns], rarity)] if len(columns) else []


def _values(material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions) -> list[tuple[Any, int]]:
    """Integers of each discrete feature's columns, and how many values there are."""
    found: list[tuple[Any, int]] = []
    for feature in options.features:
        found += [(material.steps[rows, column], STEPS) for column in STEP_COLUMNS.get(feature, ())]
        places = PLACE_COLUMNS.get(feature, ())
        found += [(material.places[rows, column], len(material.levels[column])) for column in places]
    return found


def _placed(parts: list[Floats], material: LinkMaterial, options: LinkTrainOptions) -> tuple[Floats, list[Floats]]:
    """Weights where models keep them, in the order of `_values`."""
    steps, places = np.zeros((3, STEPS)), [np.zeros(len(levels)) for levels in material.levels]
    left = iter(parts)
    for feature in options.features:
        for column in STEP_COLUMNS.get(feature, ()):
            steps[column] = next(left)
        for column in PLACE_COLUMNS.get(feature, ()):
            places[column] = next(left)
    return steps, places


def _one_hot(codes: Any, count: int) -> Any:
    from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

    starts = np.arange(len(codes) + 1, dtype=np.int32)
    return csr_array((np.ones(len(codes)), codes.astype(np.int32), starts), shape=(len(codes), count))


def _joined(matrices: list[Any], length: int) -> Any:
    from scipy.sparse import csr_array, hstack

    return csr_array(hstack(matrices, format="csr")) if matrices else csr_array((length, 0))


# The thesis' predictor: naive Bayes over the discrete features of links, and multinomial naive Bayes over words.


def fit_bayes(material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions) -> FittedLinks:
    """Weights learned from the rows."""
    relevant = material.relevant[rows]
    prior = float(np.log(relevant.sum() / (~relevant).sum()))
    columns, words = np.zeros(0, np.intp), np.zeros(0)
    if "words" in options.features:
        counts = material.counts[rows]
        columns = chosen_terms(document_frequencies(counts), options.least_links, options.most_terms)
        words = fit_naive_bayes(counts[:, columns], relevant)[0] if len(columns) else words
    return FittedLinks(
        bias=prior,
        steps=_steps(material.steps[rows], relevant, options.features),
        places=_places(material, rows, options.features),
        word_bias=prior,
        columns=columns,
        words=words,
        rarities=np.zeros(0),
    )


def value_weights(codes: Integers, relevant: Flags, count: int, smoothing: float = 1.0) -> Floats:
    """How much likelier each of `count` values is for links to relevant segments, as log-odds (Laplace)."""
    for_it = np.bincount(codes[relevant], minlength=count) + smoothing
    against = np.bincount(codes[~relevant], minlength=count) + smoothing
    found: Floats = np.log(for_it / for_it.sum()) - np.log(against / against.sum())
    return found


def _steps(steps: Integers, relevant: Flags, features: Sequence[Feature]) -> Floats:
    weights = np.zeros((3, STEPS))
    for feature in features:
        for column in STEP_COLUMNS.get(feature, ()):
            weights[column] = value_weights(steps[:, column], relevant, STEPS)
    return weights


def _places(material: LinkMaterial, rows: RowNumbers, features: Sequence[Feature]) -> list[Floats]:
    weights = [np.zeros(len(levels)) for levels in material.levels]
    for feature in features:
        for column in PLACE_COLUMNS.get(feature, ()):
            # Only values that were met: the others say nothing, and do not take part in smoothing.
            met, codes = np.unique(material.places[rows, column], return_inverse=True)
            weights[column][met] = value_weights(codes, material.relevant[rows], len(met))
    return weights
