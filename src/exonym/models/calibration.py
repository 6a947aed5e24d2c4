"""From scores to probabilities: Platt scaling on scores of held-out pages, and the threshold above which to say yes.

Models are trained as if both classes were of one size; held-out pages have the shares that pages have, so that
this also puts back what under-sampling took away.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from exonym.batches import Flags, Floats
from exonym.training.scores import best_threshold

_ENOUGH = 10  # pages of each class, to fit two numbers to
_STEPS = 100
_STEEPEST = 1e5
_FURTHEST = 700.0


class Calibration(NamedTuple):
    """How scores are read."""

    slope: float
    offset: float
    threshold: float

    def probabilities(self, scores: Floats) -> Floats:
        """The probabilities that scores mean."""
        return _sigmoid(self.slope * scores + self.offset)


def calibrated_on(scores: Floats, positives: Flags, threshold: Literal["g-mean"] | float) -> Calibration:
    """Slope, offset and threshold, from held-out scores."""
    relevant = int(positives.sum())
    irrelevant = len(positives) - relevant
    slope, offset = 1.0, math.log((relevant + 1) / (irrelevant + 1))
    if min(relevant, irrelevant) >= _ENOUGH:
        fit = _platt(scores, positives)
        # Below 0 the model is no better than chance, and turning it round would not help; far up, all scores are alike.
        if 0 < fit[0] < _STEEPEST and abs(fit[1]) < _STEEPEST:
            slope, offset = fit
    if threshold != "g-mean":
        return Calibration(slope, offset, threshold)
    if min(relevant, irrelevant) < _ENOUGH:
        return Calibration(slope, offset, float(_sigmoid(np.array([offset]))[0]))  # where the score is 0
    probabilities = _sigmoid(slope * scores + offset)
    return Calibration(slope, offset, best_threshold(probabilities, positives))


def _platt(scores: Floats, positives: Flags) -> tuple[float, float]:
    """Slope and offset of greatest likelihood (Newton's method), with Platt's targets, which shun 0 and 1."""
    relevant = int(positives.sum())
    targets = np.where(positives, (relevant + 1) / (relevant + 2), 1 / (len(positives) - relevant + 2))
    spread = float(np.std(scores)) or 1.0  # scores of naive Bayes run to thousands
    design = np.stack([scores / spread, np.ones(len(scores))]).astype(np.float64)
    found = np.array([0.0, math.log((relevant + 1) / (len(positives) - relevant + 1))], np.float64)
    for _ in range(_STEPS):
        step = _newton_step(design, targets, found)
        found -= step
        if np.abs(step).max() < 1e-9:
            break
    return float(found[0]) / spread, float(found[1])


def _newton_step(design: Floats, targets: Floats, found: Floats) -> Floats:
    """A step that lowers the loss: halved until it does."""
    guesses = _sigmoid(found @ design)
    gradient = design @ (guesses - targets)
    curvature = (design * (guesses * (1 - guesses))) @ design.T + 1e-9 * np.eye(2)
    step = np.linalg.solve(curvature, gradient).astype(np.float64)
    before = _loss(design, targets, found)
    for _ in range(30):
        if _loss(design, targets, found - step) <= before:
            return step
        step = step / 2
    return np.zeros(2)


def _loss(design: Floats, targets: Floats, found: Floats) -> float:
    logits = found @ design
    return float((np.logaddexp(0, logits) - targets * logits).sum())


def _sigmoid(logits: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(np.clip(-logits, -_FURTHEST, _FURTHEST)))
    return found
