"""Scores of every example by models that have not seen it: the folds of each repetition, here or in processes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, Integers
from exonym.models.calibration import Calibration
from exonym.progress import Progress
from exonym.system.processes import cores, done_with_shared_data
from exonym.training.examples import Example
from exonym.training.scores import Scores, scores_of

# Folds: examples dealt into parts, each of which is held out once.
#
# By site, pages of one site are in one fold: they share menus and slogans, and a model that has seen one knows the
# rest. Plain folds, as in the thesis, let that leak.


_TRIES = 20


class Folds(NamedTuple):
    """How examples are dealt."""

    number: int
    by_site: bool
    remark: str = ""  # why not as asked


def possible_folds(positives: Flags, sites: Integers, asked: int, by_site: bool) -> Folds:
    """As many folds as asked, or as there can be: each needs pages, or sites, of both classes."""
    pages = min(int(positives.sum()), int((~positives).sum()))
    relevant, irrelevant = len(np.unique(sites[positives])), len(np.unique(sites[~positives]))
    most = min(relevant, irrelevant) if by_site else pages
    what = "sites" if by_site else "pages"
    if most >= asked:
        return Folds(asked, by_site)
    if most >= 2:
        return Folds(most, by_site, f"{most} folds in place of {asked}: one class has only {most} {what}.")
    side = "relevant" if relevant < 2 else "irrelevant"
    plain = possible_folds(positives, sites, asked, False)
    remark = f"plain folds: all {side} pages are of one site, so that no other site could be held out."
    return Folds(plain.number, False, f"{remark} {plain.remark}".strip())


def dealt(positives: Flags, sites: Integers, folds: Folds, seed: Sequence[int]) -> Integers:
    """The fold of each example, classes shared out as evenly as can be."""
    chance = np.random.default_rng(tuple(seed))
    if not folds.by_site:
        return _plain(positives, folds.number, chance)
    for _ in range(_TRIES):
        found = _by_site(positives, sites, folds.number, chance)
        if _can_be_trained(found, positives, folds.number):
            return found
    # Very few sites, some of both classes. There is a way (two sites of each class, two folds), so chance finds it.
    while not _can_be_trained(found, positives, folds.number):
        found = chance.integers(0, folds.number, int(sites.max()) + 1)[sites]
    return found


def _plain(positives: Flags, count: int, chance: np.random.Generator) -> Integers:
    found = np.zeros(len(positives), np.int64)
    for side in (positives, ~positives):
        rows = chance.permutation(np.flatnonzero(side))
        found[rows] = np.arange(len(rows)) % count
    return found


def _by_site(positives: Flags, sites: Integers, count: int, chance: np.random.Generator) -> Integers:
    """Largest sites first, each into the fold that it leaves most even."""
    whole = int(sites.max()) + 1
    pages = np.stack([np.bincount(sites[positives], minlength=whole), np.bincount(sites[~positives], minlength=whole)])
    shares = pages / pages.sum(axis=1, keepdims=True)  # of each class, whatever its size
    order = chance.permutation(whole)
    order = order[np.argsort(-shares.max(axis=0)[order], kind="stable")]
    held, fold_of = np.zeros((2, count)), np.zeros(whole, np.int64)
    for site in order:
        # Growth of the sum of squares, which is least when all folds are alike.
        growth = (held * shares[:, site, None]).sum(axis=0)
        best = np.flatnonzero(growth <= growth.min() + 1e-15)
        fold = best[np.argmin(held[:, best].sum(axis=0))]
        held[:, fold] += shares[:, site]
        fold_of[site] = fold
    return fold_of[sites]


def _can_be_trained(found: Integers, positives: Flags, count: int) -> bool:
    """Whether both classes are outside every fold."""
    return all(0 < int(positives[found != fold].sum()) < int((found != fold).sum()) for fold in range(count))


# Cross-validation: how well a model judges pages, and sites, that it was not trained on.


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


class Fold(NamedTuple):
    """What one model is trained on, what is held out from it, and the chance that it may take."""

    outside: Integers  # rows to be trained on
    inside: Integers  # rows to be scored
    seed: tuple[int, ...]


class Trial(NamedTuple):
    """Examples to be held out in turn, and what trains on some and scores the others."""

    positives: NDArray[np.bool_]
    sites: Integers
    seed: int
    score: Callable[[Any, Fold], Floats]  # is given `shared`, which goes once to every process
    shared: Any
    work: float  # what one fold costs, as a part of what is worth a process
    jobs: int = 0


class HeldOut(NamedTuple):
    """Scores of all examples, and how they were dealt: a row for each repetition."""

    scores: Floats
    fold_of: Integers


class ScoreCalibration(NamedTuple):
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


def _task(trial: Trial, fold_of: Integers, repeat: int, fold: int) -> _Task:
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


def validation_of(
    kind: str, held: HeldOut, positives: NDArray[np.bool_], folds: Folds, reading: ScoreCalibration
) -> Validation:
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
