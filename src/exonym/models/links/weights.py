"""What a link model has learned: a weight for each value of each feature, whatever its kind."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from exonym.batches import Floats
from exonym.errors import ConfigError
from exonym.models.calibration import PLAIN, Calibration
from exonym.models.links.features import FEATURES, PLACES, STEPS, Feature

_LARGEST = 1e6  # of any number: sums of such stay finite


@dataclass(frozen=True, slots=True, eq=False)
class LinkWeights:
    """Log-odds that values add; a country, domain or word that was not met in training adds nothing."""

    features: tuple[Feature, ...]  # those that were learned from
    bias: float
    steps: Floats  # (3, STEPS): of the source's degree, of the names in texts, of the names in URLs
    places: tuple[Mapping[str, float], ...]  # as PLACES
    word_bias: float
    terms: tuple[str, ...]
    words: Floats  # of each term
    rarities: Floats  # linear: inverse document frequency of each term; naive Bayes: none (empty)
    calibration: Calibration = PLAIN

    def __post_init__(self) -> None:
        _check_shapes(self)
        single = [self.bias, self.word_bias, self.calibration.slope, self.calibration.offset]
        placed = [weight for place in self.places for weight in place.values()]
        numbers = np.concatenate([self.steps.ravel(), self.words, self.rarities, np.array(single + placed, np.float64)])
        # Written so that NaN, which compares as false, is refused too.
        is_bounded = (np.abs(numbers) <= _LARGEST).all() and (self.rarities >= 0).all()
        if not is_bounded or not 0 <= self.calibration.threshold <= 1:
            raise ConfigError("a number in the link model is out of bounds.")


def _check_shapes(weights: LinkWeights) -> None:
    if not weights.features or not set(weights.features) <= set(FEATURES):
        raise ConfigError(f"a link model has some of the features {', '.join(FEATURES)}.")
    if weights.steps.shape != (3, STEPS) or len(weights.places) != len(PLACES):
        raise ConfigError("a link model has a weight for each step and place; this one has not.")
    count = len(weights.terms)
    if weights.words.shape != (count,) or weights.rarities.shape not in ((0,), (count,)):
        raise ConfigError("a link model has a weight for each of its terms; this one has not.")
    if len(set(weights.terms)) != count:
        raise ConfigError("a term is in the link model twice.")
