"""Scores of every example by models that have not seen it: the folds of each repetition, here or in processes."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.learning.examples import Progress
from exonym.learning.folds import Folds, dealt
from exonym.learning.scores import Scores, scores_of
from exonym.learning.validation import Validation
from exonym.models.calibration import Calibration
from exonym.system.processes import cores, done_with_shared_data

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Fold(NamedTuple):
    """What one model is trained on, what is held out from it, and the chance that it may take."""

    outside: Numbers  # rows to be trained on
    inside: Numbers  # rows to be scored
    seed: tuple[int, ...]


class Trial(NamedTuple):
    """Examples to be held out in turn, and what trains on some and scores the others."""

    positives: NDArray[np.bool_]
    sites: Numbers
    seed: int
    score: Callable[[Any, Fold], Floats]  # is given `shared`, which goes once to every process
    shared: Any
    work: float  # what one fold costs, as a part of what is worth a process
    jobs: int = 0


class HeldOut(NamedTuple):
    """Scores of all examples, and how they were dealt: a row for each repetition."""

    scores: Floats
    fold_of: Numbers


class Reading(NamedTuple):
    """What scores mean: how to calibrate on some, and the probabilities of others by that."""

    calibrate: Callable[[Floats, NDArray[np.bool_]], Calibration]
    probabilities: Callable[[Floats, Calibration], Floats]


class _Task(NamedTuple):
    repeat: int
    fold: int
    rows: Fold


def held_out_scores(trial: Trial, folds: Folds, repeats: int, progress: Progress) -> HeldOut:
    """The score of each example in each repetition, by the model of the folds that it is not in."""
    numbers = range(repeats)
    fold_of = np.stack([dealt(trial.positives, trial.sites, folds, (trial.seed, one)) for one in numbers])
    tasks = [_task(trial, fold_of, repeat, fold) for repeat in numbers for fold in range(folds.number)]
    scores = np.zeros(fold_of.shape)
    progress("Validating", 0, len(tasks))
    for done, (repeat, fold, found) in enumerate(_done(trial, tasks), 1):
        scores[repeat, fold_of[repeat] == fold] = found
        progress("Validating", done, len(tasks))
    return HeldOut(scores, fold_of)


def _task(trial: Trial, fold_of: Numbers, repeat: int, fold: int) -> _Task:
    is_inside = fold_of[repeat] == fold
    return _Task(repeat, fold, Fold(np.flatnonzero(~is_inside), np.flatnonzero(is_inside), (trial.seed, repeat, fold)))


def _done(trial: Trial, tasks: list[_Task]) -> Iterator[tuple[int, int, Floats]]:
    jobs = min(cores(trial.jobs), len(tasks))
    shared = trial.score, trial.shared
    asked = trial.jobs > 1  # somebody who names a number means it
    if jobs > 1 and (asked or trial.work * len(tasks) >= 1):
        return done_with_shared_data(_scored, shared, tasks, jobs)
    return (_scored(shared, task) for task in tasks)


def _scored(shared: tuple[Callable[[Any, Fold], Floats], Any], task: _Task) -> tuple[int, int, Floats]:
    score, given = shared
    return task.repeat, task.fold, score(given, task.rows)


def validation_of(kind: str, held: HeldOut, positives: NDArray[np.bool_], folds: Folds, reading: Reading) -> Validation:
    """How well models did on what was held out from them."""
    rounds, probabilities, thresholds = [], np.zeros(len(positives)), []
    for scores, fold_of in zip(held.scores, held.fold_of, strict=True):
        counts, found = Scores(), np.zeros(len(positives))
        for fold in range(folds.number):
            rows = fold_of == fold
            # From the held-out scores of the other folds, never from its own.
            calibration = reading.calibrate(scores[~rows], positives[~rows])
            found[rows] = reading.probabilities(scores[rows], calibration)
            counts += scores_of(found[rows] >= calibration.threshold, positives[rows])
            thresholds.append(calibration.threshold)
        rounds.append(counts)
        probabilities += found / len(held.scores)
    return Validation(
        kind=kind,
        folds=folds.number,
        repeats=len(held.scores),
        by_site=folds.by_site,
        rounds=tuple(rounds),
        probabilities=probabilities,
        threshold=float(np.mean(thresholds)),
        remark=folds.remark,
    )
