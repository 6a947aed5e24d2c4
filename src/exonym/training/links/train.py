"""Trains a link model from examples, and validates such models on sites that they have not seen.

matrix = link_matrix(examples, options.reading, progress)      # texts are read once
validation = validated(matrix, options, progress)
model = train_link_model(matrix, options, progress)
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exonym.batches import Floats, RowNumbers
from exonym.models.calibration import PLAIN
from exonym.models.links.features import Feature
from exonym.models.links.trained import LinkWeights, TrainedLinkModel, bayes_probability
from exonym.models.terms import term_needs
from exonym.progress import Progress, no_progress
from exonym.system.processes import TaskRunner
from exonym.training.fit_terms import under_sampled
from exonym.training.folds import possible_folds
from exonym.training.links.fit_links import FittedLinks, fit_bayes, fit_logistic, log_odds
from exonym.training.links.matrix import LinkMatrix, link_matrix
from exonym.training.platt import fit_calibration
from exonym.training.provenance import trained_from
from exonym.training.scores import best_threshold
from exonym.training.train_options import LinkTrainOptions
from exonym.training.validation import AreProbabilities, Fold, Trial, Validation, held_out_scores, validate

__all__ = ["Ablation", "LinkTrainOptions", "ablation", "link_matrix", "train_link_model", "validated"]

_DEFAULT = LinkTrainOptions()
# Words to go through; with fewer, starting processes takes longer.
_WORTH_PROCESSES = {"bayes": 100_000_000, "linear": 5_000_000}


def train_link_model(
    matrix: LinkMatrix,
    options: LinkTrainOptions = _DEFAULT,
    progress: Progress = no_progress,
    runner: TaskRunner | None = None,
) -> TrainedLinkModel:
    """A model of all examples, whose calibration and threshold are chosen on held-out examples."""
    scores = held_out_scores(_trial(matrix, options, runner), 1, progress).scores[0]
    if options.kind == "linear":
        calibration = fit_calibration(scores, matrix.positives)
    else:
        calibration = PLAIN._replace(threshold=best_threshold(scores, matrix.positives))
    model = fitted(matrix, np.arange(len(matrix)), options, (options.seed,))
    # By name, what was learned by number; values of weight 0 need not be kept.
    places = tuple(
        {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}
        for names, weights in zip(matrix.levels, model.places, strict=True)
    )
    weights = LinkWeights(
        features=options.features,
        bias=model.bias,
        steps=model.steps,
        places=places,
        word_bias=model.word_bias,
        terms=tuple(matrix.terms[column] for column in model.columns),
        words=model.words,
        rarities=model.rarities,
        calibration=calibration,
    )
    return TrainedLinkModel(
        name="segments",
        kind=options.kind,
        options=options.reading,
        weights=weights,
        needs=term_needs(options.reading.terms),
        provenance=trained_from(matrix, options, "train segments", "links"),
        pool="link" if matrix.lengths is None else "pair",
        unit=matrix.unit,
    )


def validated(
    matrix: LinkMatrix,
    options: LinkTrainOptions = _DEFAULT,
    progress: Progress = no_progress,
    runner: TaskRunner | None = None,
) -> Validation:
    """How well such a model judges links to sites that it was not trained on."""
    return validate(_trial(matrix, options, runner), options.repeats, progress)


def _trial(matrix: LinkMatrix, options: LinkTrainOptions, runner: TaskRunner | None) -> Trial:
    return Trial(
        kind=options.kind,
        positives=matrix.positives,
        sites=matrix.sites,
        folds=possible_folds(matrix.positives, matrix.sites, options.folds, options.by_site, "links"),
        seed=options.seed,
        score=_score_fold,
        shared=(replace(matrix, terms=[]), options),  # which terms they are, no fold asks
        # Naive Bayes is not calibrated, as in the thesis; only its threshold is chosen.
        calibrate=fit_calibration
        if options.kind == "linear"
        else lambda scores, relevant: AreProbabilities(best_threshold(scores, relevant)),
        work=matrix.counts.nnz / _WORTH_PROCESSES[options.kind],
        jobs=options.jobs,
        runner=runner,
    )


def _score_fold(shared: tuple[LinkMatrix, LinkTrainOptions], fold: Fold) -> Floats:
    matrix, options = shared
    model = fitted(matrix, fold.outside, options, fold.seed)
    of_places, of_words = log_odds(model, matrix, fold.inside)
    if options.kind == "linear":
        return of_places + of_words
    readings = np.stack([of_places, of_words], axis=1)
    return bayes_probability(readings, np.zeros(len(fold.inside)), options.features)


def fitted(matrix: LinkMatrix, rows: RowNumbers, options: LinkTrainOptions, seed: tuple[int, ...]) -> FittedLinks:
    """A model of the rows; `seed` decides which rows of the larger class it takes."""
    is_bayes = options.kind == "bayes"
    rows = under_sampled(rows, matrix.positives, is_bayes, seed)
    return (fit_bayes if is_bayes else fit_logistic)(matrix, rows, options)


# What each feature contributes: models without it, and models of it alone, validated on the same folds.


class Ablation(NamedTuple):
    """The validation of a model of some of the features."""

    feature: Feature | None  # the feature that is left out, or used alone; None: the model has all features
    alone: bool
    validation: Validation


def ablation(
    matrix: LinkMatrix,
    options: LinkTrainOptions,
    progress: Progress = no_progress,
    runner: TaskRunner | None = None,
) -> list[Ablation]:
    """All features, then all but each, then each alone; `ablation_repeats` repetitions of each."""
    features = options.features
    trials: list[tuple[Feature | None, bool, tuple[Feature, ...]]] = [(None, False, features)]
    if len(features) > 1:
        trials += [(left, False, tuple(other for other in features if other != left)) for left in features]
        trials += [(single, True, (single,)) for single in features]
    options = replace(options, repeats=options.ablation_repeats)
    ablations = []
    for number, (feature, alone, chosen) in enumerate(trials):
        show = _as_part(progress, number, len(trials))
        ablations.append(Ablation(feature, alone, validated(matrix, replace(options, features=chosen), show, runner)))
    return ablations


def _as_part(progress: Progress, number: int, parts: int) -> Progress:
    """The progress of part `number` of `parts`, as progress of the whole."""
    return lambda what, done, total: progress("Leaving out features", number * total + done, parts * total)
