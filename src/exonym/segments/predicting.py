"""From readings to probabilities: equation 9 of the thesis, and the logistic model's."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exonym.learning.calibration import Calibration
from exonym.segments.features import Feature, Floats
from exonym.segments.link_model import Readings
from exonym.segments.weights import PLAIN


def bayes_probability(readings: Readings | Floats, degree: Floats, features: Sequence[Feature]) -> Floats:
    """The mean of what links and words say (equation 9); `degree` is what the source's degree adds to the links'.

    A model without words, or of words alone, has one of the two only.
    """
    linked, said = PLAIN.probabilities(readings[:, 0] + degree), PLAIN.probabilities(readings[:, 1].astype(np.float64))
    if "words" not in features:
        return linked
    return said if tuple(features) == ("words",) else (linked + said) / 2


def linear_probability(readings: Readings | Floats, degree: Floats, calibration: Calibration) -> Floats:
    """What calibrated log-odds mean."""
    return calibration.probabilities(readings[:, 0] + degree)


def normalised(rows: NDArray[np.int64], counts: Floats, rarities: Floats) -> Floats:
    """Frequencies damped, weighted by rarity, and each row brought to length 1: as `learning.linear.scaled`."""
    values = np.log1p(counts) * rarities
    lengths = np.sqrt(np.bincount(rows, values**2))
    lengths[lengths == 0] = 1.0
    found: Floats = values / lengths[rows]
    return found
