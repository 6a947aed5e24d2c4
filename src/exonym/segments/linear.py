"""The stronger predictor: one logistic model over all features, so that what says the same is not counted twice."""

from typing import Any

import numpy as np

from exonym.learning.linear import fit_linear, rarities, scaled
from exonym.learning.vocabulary import chosen_terms, document_frequencies
from exonym.models.links.features import STEPS, Floats
from exonym.segments.fitted import PLACE_COLUMNS, STEP_COLUMNS, Fitted, Rows
from exonym.segments.material import LinkMaterial
from exonym.segments.options import LinkTrainOptions


def fit_logistic(material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> Fitted:
    """Weights learned from the rows, both classes weighing the same."""
    columns, rarity, said = _words(material, rows, options)
    values = _values(material, rows, options)
    matrix = _joined([_one_hot(codes, count) for codes, count in values] + said, len(rows))
    weights, bias = fit_linear(matrix, material.relevant[rows]) if matrix.shape[1] else (np.zeros(0), 0.0)
    ends = np.cumsum([count for _, count in values], dtype=np.int64)
    parts = np.split(weights, ends) if values else [weights]
    steps, places = _placed(parts[:-1], material, options)
    return Fitted(bias, steps, places, 0.0, columns, parts[-1], rarity)


def _words(material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> tuple[Rows, Floats, list[Any]]:
    """Columns of the terms, their rarities, and the matrix that is learned from."""
    if "words" not in options.features:
        return np.zeros(0, np.intp), np.zeros(0), []
    counts = material.counts[rows]
    frequencies = document_frequencies(counts)
    columns = chosen_terms(frequencies, options.least_links, options.most_terms)
    rarity = rarities(frequencies[columns], len(rows))
    return columns, rarity, [scaled(counts[:, columns], rarity)] if len(columns) else []


def _values(material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> list[tuple[Any, int]]:
    """Codes of each discrete feature's columns, and how many values there are."""
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
