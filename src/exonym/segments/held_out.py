"""What models say of every example that they have not seen: the folds of each repetition, here or in processes."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.calibration import Calibration, calibrated_on
from exonym.learning.examples import Progress
from exonym.learning.fitting import under_sampled
from exonym.learning.folds import Folds, dealt
from exonym.learning.parallel import cores, done_in_processes
from exonym.learning.scores import best_threshold
from exonym.segments.bayes import fit_bayes
from exonym.segments.features import Floats
from exonym.segments.fitted import Fitted, Rows, log_odds
from exonym.segments.linear import fit_logistic
from exonym.segments.material import LinkMaterial
from exonym.segments.options import LinkTrainOptions
from exonym.segments.predicting import bayes_probability
from exonym.segments.weights import PLAIN

_WORTH_PROCESSES = {"bayes": 100_000_000, "linear": 5_000_000}  # words to go through; with fewer, it takes longer


class _Task(NamedTuple):
    repeat: int
    fold: int
    fold_of: NDArray[np.int64]


class _Held(NamedTuple):
    repeat: int
    fold: int
    scores: Floats


class HeldOut(NamedTuple):
    """Scores of all examples, and how they were dealt: a row for each repetition."""

    scores: Floats  # bayes: probabilities; linear: log-odds
    fold_of: NDArray[np.int64]


def fitted(material: LinkMaterial, rows: Rows, options: LinkTrainOptions, seed: tuple[int, ...]) -> Fitted:
    """A model of the rows; `seed` decides which rows of the larger class are taken."""
    # The topic models' rule: as many as of the smaller class for naive Bayes, up to ten times as many for the other.
    kind = "naive-bayes" if options.kind == "bayes" else options.kind
    rows = under_sampled(rows, material.relevant, kind, seed)
    return (fit_bayes if options.kind == "bayes" else fit_logistic)(material, rows, options)


def held_out_scores(
    material: LinkMaterial, options: LinkTrainOptions, folds: Folds, repeats: int, progress: Progress
) -> HeldOut:
    """The score of each example in each repetition, by the model of the folds that it is not in."""
    numbers = range(repeats)
    fold_of = np.stack([dealt(material.relevant, material.sites, folds, (options.seed, one)) for one in numbers])
    tasks = [_Task(repeat, fold, fold_of[repeat]) for repeat in numbers for fold in range(folds.number)]
    scores = np.zeros(fold_of.shape)
    progress("Validating", 0, len(tasks))
    for done, held in enumerate(_done(material, options, tasks), 1):
        scores[held.repeat, fold_of[held.repeat] == held.fold] = held.scores
        progress("Validating", done, len(tasks))
    return HeldOut(scores, fold_of)


def calibration_on(scores: Floats, relevant: NDArray[np.bool_], options: LinkTrainOptions) -> Calibration:
    """How scores are read: naive Bayes's as they are, as in the thesis, but for the threshold."""
    if options.kind == "linear":
        return calibrated_on(scores, relevant, "g-mean")
    return PLAIN._replace(threshold=best_threshold(scores, relevant))


def probabilities_of(scores: Floats, calibration: Calibration, options: LinkTrainOptions) -> Floats:
    """What scores mean."""
    return calibration.probabilities(scores) if options.kind == "linear" else scores


def _done(material: LinkMaterial, options: LinkTrainOptions, tasks: list[_Task]) -> Iterator[_Held]:
    jobs = min(cores(options.jobs), len(tasks))
    asked = options.jobs > 1  # somebody who names a number means it
    if jobs > 1 and (asked or material.counts.nnz * len(tasks) >= _WORTH_PROCESSES[options.kind]):
        return done_in_processes(_hold_out, (material, options), tasks, jobs)
    return (_hold_out((material, options), task) for task in tasks)


def _hold_out(shared: tuple[LinkMaterial, LinkTrainOptions], task: _Task) -> _Held:
    material, options = shared
    outside, inside = np.flatnonzero(task.fold_of != task.fold), np.flatnonzero(task.fold_of == task.fold)
    model = fitted(material, outside, options, (options.seed, task.repeat, task.fold))
    return _Held(task.repeat, task.fold, _scores(model, material, inside, options))


def _scores(model: Fitted, material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> Floats:
    placed, said = log_odds(model, material, rows)
    if options.kind == "linear":
        return placed + said
    return bayes_probability(np.stack([placed, said], axis=1), np.zeros(len(rows)), options.features)
