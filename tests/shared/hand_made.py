"""A link model small enough to work out by hand what it says."""

import math

import numpy as np

from exonym.models.links.base import LinkUnit
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkWeights, TrainedLinkModel
from exonym.models.terms import TermOptions

LN3 = math.log(3)  # log-odds of 3/4


def hand_made(unit: LinkUnit = "segment") -> TrainedLinkModel:
    """3/4 for links into .th and 1/4 into .com; more where all words around are names, less from mixed segments."""
    steps = np.zeros((3, 10))
    steps[0, 5] = -3 * LN3  # a degree of 0.5
    steps[1, 9] = 3 * LN3  # nothing but names around the link
    weights = LinkWeights(
        features=("degree", "names", "domains"),
        bias=0.0,
        steps=steps,
        places=({}, {}, {}, {"com": -LN3, "th": LN3}),
        word_bias=0.0,
        terms=(),
        words=np.zeros(0),
        rarities=np.zeros(0),
    )
    options = ReadOptions(names=("Thailand",), terms=TermOptions("en"))
    return TrainedLinkModel("by hand", "bayes", options, weights, unit=unit)
