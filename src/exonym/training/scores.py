"""How well guesses agree with labels: counts, the rates made of them, and the precision-recall curve."""

import math
from dataclasses import astuple, dataclass
from operator import add

import numpy as np

from exonym.batches import Flags, Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts of right and wrong guesses."""

    true_positives: int = 0
    false_negatives: int = 0
    true_negatives: int = 0
    false_positives: int = 0

    def __add__(self, other: "Scores") -> "Scores":
        return Scores(*map(add, astuple(self), astuple(other)))

    @property
    def recall(self) -> float:
        """Share of the relevant pages that are called relevant; 0 if there are none."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def specificity(self) -> float:
        """Share of the irrelevant pages that are called irrelevant; 0 if there are none."""
        return _share(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def precision(self) -> float:
        """Share of relevant pages among those called relevant; 0 if no page is called relevant."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def g_mean(self) -> float:
        """Geometric mean of recall and specificity: fair where one class is far larger."""
        return math.sqrt(self.recall * self.specificity)


def scores_of(guesses: Flags, positives: Flags) -> Scores:
    """Counts for guesses about pages whose labels are known."""
    right = guesses == positives
    return Scores(
        int((right & positives).sum()),
        int((~right & positives).sum()),
        int((right & ~positives).sum()),
        int((~right & ~positives).sum()),
    )


def pr_curve(probabilities: Floats, positives: Flags) -> tuple[Floats, Floats, Floats]:
    """Thresholds, highest first, and the precision and recall of calling relevant what reaches each of them."""
    from sklearn.metrics import precision_recall_curve  # type: ignore[import-untyped, unused-ignore]

    precision, recall, thresholds = precision_recall_curve(positives, probabilities)
    return thresholds[::-1], precision[-2::-1], recall[-2::-1]  # without the last point, which has no threshold


def best_threshold(probabilities: Floats, positives: Flags) -> float:
    """The threshold with the best G-mean; between it and the next lower probability, the middle."""
    from sklearn.metrics import roc_curve  # type: ignore[import-untyped, unused-ignore]

    fall_out, recall, thresholds = roc_curve(positives, probabilities, drop_intermediate=False)
    best = 1 + int(np.argmax(np.sqrt(recall * (1 - fall_out))[1:]))  # the first point has no threshold
    lower = thresholds[best + 1] if best + 1 < len(thresholds) else 0.0
    return float((thresholds[best] + lower) / 2)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
