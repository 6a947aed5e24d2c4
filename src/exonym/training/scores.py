"""How well guesses agree with labels: counts, the rates made of them, and the precision-recall curve."""

import math
from dataclasses import dataclass

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
        return Scores(
            self.true_positives + other.true_positives,
            self.false_negatives + other.false_negatives,
            self.true_negatives + other.true_negatives,
            self.false_positives + other.false_positives,
        )

    @property
    def recall(self) -> float:
        """Share of the relevant pages that are found; 0 where there are none."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def specificity(self) -> float:
        """Share of the irrelevant pages that are told to be so; 0 where there are none."""
        return _share(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def precision(self) -> float:
        """Share of the pages called relevant that are; 0 where none is called so."""
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
    thresholds, found, called = _called_at(probabilities, positives)
    return thresholds, found / np.maximum(called, 1), found / max(int(positives.sum()), 1)


def best_threshold(probabilities: Floats, positives: Flags) -> float:
    """The threshold with the best G-mean; between it and the next lower probability, the middle."""
    thresholds, found, called = _called_at(probabilities, positives)
    relevant = max(int(positives.sum()), 1)
    irrelevant = max(len(positives) - int(positives.sum()), 1)
    g_means = np.sqrt(found / relevant * (1 - (called - found) / irrelevant))
    best = int(np.argmax(g_means))
    lower = thresholds[best + 1] if best + 1 < len(thresholds) else 0.0
    return float((thresholds[best] + lower) / 2)


def _called_at(probabilities: Floats, positives: Flags) -> tuple[Floats, Floats, Floats]:
    """At each distinct probability, highest first: how many relevant pages reach it, and how many pages."""
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) if len(ranked) else np.zeros(0, np.intp)
    found = np.cumsum(positives[order], dtype=np.float64)
    return ranked[last], found[last], (last + 1).astype(np.float64)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
