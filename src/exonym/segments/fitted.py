"""Weights as they are learned, by number; and what they say of examples that are numbers too."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.linear import scaled
from exonym.models.links.features import Feature, Floats
from exonym.segments.material import LinkMaterial

Rows = NDArray[np.intp]

# Columns of steps and of places that each feature is made of.
STEP_COLUMNS: dict[Feature, tuple[int, ...]] = {"degree": (0,), "names": (1, 2)}
PLACE_COLUMNS: dict[Feature, tuple[int, ...]] = {"countries": (0, 1), "domains": (2, 3)}


class Fitted(NamedTuple):
    """A model before it is calibrated."""

    bias: float
    steps: Floats  # (3, STEPS)
    places: list[Floats]  # for each of PLACES: of each level, 0 for those that were not met
    word_bias: float
    columns: Rows  # of its terms in the material
    words: Floats  # of these terms
    rarities: Floats  # of these terms; empty for naive Bayes


def log_odds(model: Fitted, material: LinkMaterial, rows: Rows) -> tuple[Floats, Floats]:
    """What the model makes of links: of all but words (the degree, too), and of words."""
    placed = np.full(len(rows), model.bias)
    for column, weights in enumerate(model.steps):
        placed += weights[material.steps[rows, column]]
    for column, weights in enumerate(model.places):
        placed += weights[material.places[rows, column]]
    return placed, _said(model, material, rows) + model.word_bias


def _said(model: Fitted, material: LinkMaterial, rows: Rows) -> Floats:
    if not len(model.columns):
        return np.zeros(len(rows))
    counts = material.counts[rows][:, model.columns]
    found: Floats = (scaled(counts, model.rarities) if len(model.rarities) else counts) @ model.words
    return found
