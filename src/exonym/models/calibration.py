"""How the scores of a model become probabilities: a slope and an offset, and the threshold for a yes.

`exonym.training.platt` fits the three numbers to scores of held-out examples.
"""

from typing import NamedTuple

import numpy as np

from exonym.batches import Floats

_FURTHEST = 700.0  # exp() of more does not fit


class Calibration(NamedTuple):
    """Turns scores into probabilities: sigmoid(slope * score + offset)."""

    slope: float
    offset: float
    threshold: float  # probabilities from here on mean yes

    def probabilities(self, scores: Floats) -> Floats:
        """The probability of each score."""
        return sigmoids(self.slope * scores + self.offset)


PLAIN = Calibration(slope=1.0, offset=0.0, threshold=0.5)  # scores are log-odds already


def sigmoids(logits: Floats) -> Floats:
    """The probabilities whose log-odds are `logits`."""
    probabilities: Floats = 1 / (1 + np.exp(np.clip(-logits, -_FURTHEST, _FURTHEST)))
    return probabilities
