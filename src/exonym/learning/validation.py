"""Cross-validation: how well a model judges pages, and sites, that it was not trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.examples import Example
from exonym.learning.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """What came of it."""

    kind: str  # of model
    folds: int
    repeats: int
    by_site: bool
    rounds: tuple[Scores, ...]  # one a repetition, summed over its folds
    probabilities: NDArray[np.float64]  # of each example: mean over repetitions, always held out
    threshold: float = 0.5  # mean of those chosen
    remark: str = ""  # why it was not done as asked: fewer folds, say

    @property
    def g_mean(self) -> float:
        """Mean over the repetitions."""
        return float(np.mean([scores.g_mean for scores in self.rounds]))

    @property
    def g_mean_deviation(self) -> float:
        """Standard deviation over the repetitions."""
        return float(np.std([scores.g_mean for scores in self.rounds]))

    @property
    def precision(self) -> float:
        """Mean over the repetitions."""
        return float(np.mean([scores.precision for scores in self.rounds]))

    @property
    def recall(self) -> float:
        """Mean over the repetitions."""
        return float(np.mean([scores.recall for scores in self.rounds]))


class Mistake(NamedTuple):
    """A page that was judged wrongly while it was held out."""

    url: str
    positive: bool  # what its label says
    probability: float


def worst_mistakes(examples: Sequence[Example], validation: Validation, count: int = 20) -> list[Mistake]:
    """The pages on the wrong side of the threshold, furthest from their label first; ties by URL."""
    wrong = [
        Mistake(example.url, example.positive, probability)
        for example, probability in zip(examples, validation.probabilities.tolist(), strict=True)
        if (probability >= validation.threshold) != example.positive
    ]
    return sorted(wrong, key=lambda one: (-abs(float(one.positive) - one.probability), one.url))[:count]
