"""Scores of every example by models that have not seen it: the folds of each repetition, here or in processes."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.calibration import Calibration, calibrated_on
from exonym.learning.examples import Progress
from exonym.learning.fitting import fitted, scores_by
from exonym.learning.folds import Folds, dealt
from exonym.learning.material import Material
from exonym.learning.options import TrainOptions
from exonym.learning.parallel import cores, done_in_processes

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_WORTH_PROCESSES = 20_000_000  # frequencies to go through; with fewer, beginning processes takes longer


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

    scores: Floats
    fold_of: Numbers


def held_out_scores(
    material: Material, options: TrainOptions, folds: Folds, repeats: int, progress: Progress
) -> HeldOut:
    """The score of each example in each repetition, by the model of the folds that it is not in."""
    fold_of = np.stack(
        [dealt(material.positives, material.sites, folds, (options.seed, repeat)) for repeat in range(repeats)]
    )
    tasks = [_Task(repeat, fold, fold_of[repeat]) for repeat in range(repeats) for fold in range(folds.number)]
    scores = np.zeros(fold_of.shape)
    progress("Validating", 0, len(tasks))
    for done, held in enumerate(_done(material, options, tasks), 1):
        scores[held.repeat, fold_of[held.repeat] == held.fold] = held.scores
        progress("Validating", done, len(tasks))
    return HeldOut(scores, fold_of)


def calibrations(held: HeldOut, repeat: int, material: Material, options: TrainOptions) -> list[Calibration]:
    """Of each fold: from the held-out scores of the other folds, never from its own."""
    fold_of, scores = held.fold_of[repeat], held.scores[repeat]
    others = [fold_of != fold for fold in range(int(fold_of.max()) + 1)]
    return [calibrated_on(scores[rows], material.positives[rows], options.threshold) for rows in others]


def _done(material: Material, options: TrainOptions, tasks: list[_Task]) -> Iterator[_Held]:
    jobs = min(cores(options.jobs), len(tasks))
    asked = options.jobs > 1  # somebody who names a number means it
    if jobs > 1 and (asked or material.counts.nnz * len(tasks) >= _WORTH_PROCESSES):
        return done_in_processes(_hold_out, (material, options), tasks, jobs)
    return (_hold_out((material, options), task) for task in tasks)


def _hold_out(shared: tuple[Material, TrainOptions], task: _Task) -> _Held:
    material, options = shared
    outside, inside = np.flatnonzero(task.fold_of != task.fold), np.flatnonzero(task.fold_of == task.fold)
    model = fitted(material, outside, options, (options.seed, task.repeat, task.fold))
    return _Held(task.repeat, task.fold, scores_by(model, material, inside))
