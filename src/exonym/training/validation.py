"""Cross-validation, the same for every kind of model: how well models judge examples, and sites, they have not seen.

A `Trial` states how a model is trained on some examples and scores others. Its examples are dealt into folds. Each
fold is scored by a model that was trained on all other folds, and its scores become probabilities by a calibration
that was fitted to the scores of the other folds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, Integers
from exonym.models.calibration import Calibration
from exonym.progress import Progress
from exonym.system.processes import TaskRunner, cores, done_with_shared_data
from exonym.training.examples import Example
from exonym.training.folds import Folds, dealt
from exonym.training.scores import Scores, scores_of
from exonym.training.train_options import LinkTrainOptions, TrainOptions

# Held-out scores: each example scored by a model that was trained without its fold.


class Fold(NamedTuple):
    """What one model is trained on, what is held out from it, and the seed of its random choices."""

    outside: Integers  # rows to train on
    inside: Integers  # rows to score
    seed: tuple[int, ...]  # of the trial, then the numbers of the repetition and of the fold


class AreProbabilities(NamedTuple):
    """In place of a `Calibration`, for scores that are probabilities already."""

    threshold: float

    def probabilities(self, scores: Floats) -> Floats:
        """The scores."""
        return scores


class Trial(NamedTuple):
    """Examples, and how models are trained on some of them and tried on others."""

    kind: str  # of model
    positives: Flags
    sites: Integers
    folds: Folds
    seed: int
    score: Callable[[Any, Fold], Floats]  # trains outside, scores inside; gets `shared`, sent once to every process
    shared: Any
    calibrate: Callable[[Floats, Flags], Calibration | AreProbabilities]
    work: float = 0.0  # the cost of one fold, as a share of the least cost that is worth starting processes for
    jobs: int = 1
    runner: TaskRunner | None = None  # does the folds, in place of processes


class HeldOut(NamedTuple):
    """Held-out scores of all examples, and the fold of each: a row for each repetition."""

    scores: Floats
    fold_of: Integers


def held_out_scores(trial: Trial, repeats: int, progress: Progress) -> HeldOut:
    """The score of each example in each repetition, by the model of the folds that it is not in."""
    fold_of = np.stack(
        [dealt(trial.positives, trial.sites, trial.folds, (trial.seed, repeat)) for repeat in range(repeats)]
    )
    tasks = [
        Fold(np.flatnonzero(row != fold), np.flatnonzero(row == fold), (trial.seed, repeat, fold))
        for repeat, row in enumerate(fold_of)
        for fold in range(trial.folds.number)
    ]
    scores = np.zeros(fold_of.shape)
    # Processes are used if several were requested, or if the work outweighs starting them.
    is_worth_it = trial.jobs > 1 or trial.work * len(tasks) >= 1
    jobs = min(cores(trial.jobs), len(tasks)) if is_worth_it else 1
    progress("Validating", 0, len(tasks))
    shared = trial.score, trial.shared
    if trial.runner:
        results: Iterator[tuple[tuple[int, ...], Floats]] = trial.runner.done(_score_fold, shared, tasks)
    else:
        results = done_with_shared_data(_score_fold, shared, tasks, jobs)
    for done, ((_, repeat, fold), scores_in_fold) in enumerate(results, 1):
        scores[repeat, fold_of[repeat] == fold] = scores_in_fold
        progress("Validating", done, len(tasks))
    return HeldOut(scores, fold_of)


def _score_fold(shared: tuple[Callable[[Any, Fold], Floats], Any], fold: Fold) -> tuple[tuple[int, ...], Floats]:
    score, data = shared
    return fold.seed, score(data, fold)


# How well a kind of model does, by its held-out scores.


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """Result of a cross-validation: `Scores` of each repetition, and each example's mean held-out probability."""

    kind: str  # of model
    folds: int
    repeats: int
    by_site: bool
    rounds: tuple[Scores, ...]  # of each repetition, summed over its folds
    probabilities: NDArray[np.float64]  # of each example: mean over repetitions, always held out
    threshold: float = 0.5  # mean of those chosen
    remark: str = ""  # why the folds are not as requested, such as fewer folds

    @property
    def g_mean(self) -> float:
        """The mean of G-mean over the repetitions."""
        return self.mean_of("g_mean")

    @property
    def g_mean_deviation(self) -> float:
        """The standard deviation of G-mean over the repetitions."""
        return float(np.std([scores.g_mean for scores in self.rounds]))

    def mean_of(self, rate: Literal["g_mean", "precision", "recall", "specificity"]) -> float:
        """The mean of one of the rates of `Scores` over the repetitions."""
        return float(np.mean([getattr(scores, rate) for scores in self.rounds]))


def validate(trial: Trial, repeats: int, progress: Progress) -> Validation:
    """How well models do on examples that they were not trained on, and not calibrated on."""
    held, folds = held_out_scores(trial, repeats, progress), trial.folds
    rounds, mean, thresholds = [], np.zeros(len(trial.positives)), []
    for scores, fold_of in zip(held.scores, held.fold_of, strict=True):
        counts, probabilities = Scores(), np.zeros(len(trial.positives))
        for fold in range(folds.number):
            rows = fold_of == fold
            # A fold is calibrated on the held-out scores of the other folds, never on its own.
            calibration = trial.calibrate(scores[~rows], trial.positives[~rows])
            probabilities[rows] = calibration.probabilities(scores[rows])
            counts += scores_of(probabilities[rows] >= calibration.threshold, trial.positives[rows])
            thresholds.append(calibration.threshold)
        rounds.append(counts)
        mean += probabilities / repeats
    return Validation(
        kind=trial.kind,
        folds=folds.number,
        repeats=repeats,
        by_site=folds.by_site,
        rounds=tuple(rounds),
        probabilities=mean,
        threshold=float(np.mean(thresholds)),
        remark=folds.remark,
    )


class Mistake(NamedTuple):
    """A page that was judged wrongly while it was held out."""

    url: str
    positive: bool  # by its label
    probability: float


def worst_mistakes(examples: Sequence[Example], validation: Validation, count: int = 20) -> list[Mistake]:
    """The pages on the wrong side of the threshold, furthest from their label first; ties by URL."""
    wrong = [
        Mistake(example.url, example.positive, probability)
        for example, probability in zip(examples, validation.probabilities.tolist(), strict=True)
        if (probability >= validation.threshold) != example.positive
    ]
    return sorted(wrong, key=lambda page: (-abs(float(page.positive) - page.probability), page.url))[:count]


# Models validated in several ways: both kinds, by site and by plain folds.

AnyTrainOptions = TypeVar("AnyTrainOptions", TrainOptions, LinkTrainOptions)


def validated_in_all_ways(
    options: AnyTrainOptions,
    kinds: Iterable[Any],
    by_site_too: bool,
    validate_by: Callable[[AnyTrainOptions, Progress], Validation],
    progress: Progress,
) -> tuple[Validation, ...]:
    """Validations of each kind, by site and by plain folds; the kind of `options` and folds by site come first.

    Where sites cannot be held out, plain folds take their place.
    """
    done: dict[tuple[str, bool], Validation] = {}
    for kind in sorted(kinds, key=lambda kind: kind != options.kind):
        for by_site in (True, False) if by_site_too else (False,):
            if (kind, by_site) not in done:
                way = f"{kind}, {'by site' if by_site else 'plain folds'}"
                validation = validate_by(replace(options, kind=kind, by_site=by_site), _with_way(progress, way))
                done[validation.kind, validation.by_site] = validation
    return tuple(done.values())


def _with_way(progress: Progress, way: str) -> Progress:
    """Progress that names the validation being done."""
    return lambda what, done, total: progress(f"{what} ({way})", done, total)


def leak_of(validations: Iterable[Validation], kind: str) -> float | None:
    """How much better plain folds make models of a kind look than folds by site; None if not compared."""
    g_means = {validation.by_site: validation.g_mean for validation in validations if validation.kind == kind}
    return g_means[False] - g_means[True] if len(g_means) == 2 else None
