"""Platt scaling: fits a model's calibration, and chooses its threshold, on the scores of held-out examples.

Models are trained as if both classes had one size. Held-out examples have the true shares of the classes, so
calibration also corrects for under-sampling.
"""

import math
from typing import Literal

import numpy as np

from exonym.batches import Flags, Floats
from exonym.models.calibration import Calibration, sigmoids
from exonym.training.scores import best_threshold

_ENOUGH = 10  # examples of each class, to fit two numbers to
_STEPS = 100
_STEEPEST = 1e5


def fit_calibration(scores: Floats, positives: Flags, threshold: Literal["g-mean"] | float = "g-mean") -> Calibration:
    """Slope and offset fitted to held-out scores; the threshold is `threshold`, or the one with the best G-mean."""
    relevant = int(positives.sum())
    irrelevant = len(positives) - relevant
    slope, offset = 1.0, math.log((relevant + 1) / (irrelevant + 1))
    is_enough = min(relevant, irrelevant) >= _ENOUGH
    if is_enough:
        fit = _platt(scores, positives)
        # A slope below 0: the model is no better than chance, and inverting it does not help. Huge: all scores alike.
        if 0 < fit[0] < _STEEPEST and abs(fit[1]) < _STEEPEST:
            slope, offset = fit
    if threshold != "g-mean":
        return Calibration(slope, offset, threshold)
    if not is_enough:
        return Calibration(slope, offset, float(sigmoids(np.array([offset]))[0]))  # where the score is 0
    return Calibration(slope, offset, best_threshold(sigmoids(slope * scores + offset), positives))


def _platt(scores: Floats, positives: Flags) -> tuple[float, float]:
    """Slope and offset of greatest likelihood (Newton's method), with Platt's targets, which avoid 0 and 1."""
    relevant = int(positives.sum())
    targets = np.where(positives, (relevant + 1) / (relevant + 2), 1 / (len(positives) - relevant + 2))
    spread = float(np.std(scores)) or 1.0  # scores of naive Bayes run to thousands
    design = np.stack([scores / spread, np.ones(len(scores))]).astype(np.float64)
    weights = np.array([0.0, math.log((relevant + 1) / (len(positives) - relevant + 1))], np.float64)
    for _ in range(_STEPS):
        step = _newton_step(design, targets, weights)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]) / spread, float(weights[1])


def _newton_step(design: Floats, targets: Floats, weights: Floats) -> Floats:
    """A step of Newton's method, halved until it lowers the loss."""
    guesses = sigmoids(weights @ design)
    gradient = design @ (guesses - targets)
    curvature = (design * (guesses * (1 - guesses))) @ design.T + 1e-9 * np.eye(2)
    step = np.linalg.solve(curvature, gradient).astype(np.float64)
    before = _loss(design, targets, weights)
    for _ in range(30):
        if _loss(design, targets, weights - step) <= before:
            return step
        step = step / 2
    return np.zeros(2)


def _loss(design: Floats, targets: Floats, weights: Floats) -> float:
    logits = weights @ design
    return float((np.logaddexp(0, logits) - targets * logits).sum())
