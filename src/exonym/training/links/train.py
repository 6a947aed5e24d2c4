"""Training of a link model from examples, and how well such models do on sites that they have not seen.

matrix = link_matrix(examples, options.reading, progress)      # texts are read once
validation = validated(matrix, options, progress)
model = train_link_model(matrix, options, progress)
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Floats, RowNumbers
from exonym.models.calibration import PLAIN, Calibration
from exonym.models.links.features import Feature
from exonym.models.links.trained import LinkWeights, TrainedLinkModel, bayes_probability
from exonym.models.terms import term_needs
from exonym.progress import Progress, no_progress
from exonym.training.fit import under_sampled
from exonym.training.folds import possible_folds
from exonym.training.links.examples import LinkExamples
from exonym.training.links.fit import FittedLinks, fit_bayes, fit_logistic, log_odds
from exonym.training.links.matrix import LinkMatrix, link_matrix
from exonym.training.options import LinkTrainOptions
from exonym.training.platt import fit_calibration
from exonym.training.provenance import trained_from
from exonym.training.scores import best_threshold
from exonym.training.validation import AreProbabilities, Fold, Trial, Validation, held_out_scores, validate

__all__ = ["Ablation", "LinkTrainOptions", "ablation", "link_matrix", "train_link_model", "validated"]

_DEFAULT = LinkTrainOptions()
# Words to go through; with fewer, starting processes takes longer.
_WORTH_PROCESSES = {"bayes": 100_000_000, "linear": 5_000_000}


def train_link_model(
    examples: LinkExamples | LinkMatrix, options: LinkTrainOptions = _DEFAULT, progress: Progress = no_progress
) -> TrainedLinkModel:
    """A model of all examples; calibrated, and its threshold chosen, on held-out ones."""
    matrix = _matrix(examples, options, progress)
    scores = held_out_scores(_trial(matrix, options), 1, progress).scores[0]
    if options.kind == "linear":
        calibration = fit_calibration(scores, matrix.positives)
    else:
        calibration = PLAIN._replace(threshold=best_threshold(scores, matrix.positives))
    model = fitted(matrix, np.arange(len(matrix)), options, (options.seed,))
    return TrainedLinkModel(
        name="segments",
        kind=options.kind,
        options=options.reading,
        weights=_weights(model, matrix, options, calibration),
        needs=term_needs(options.reading.terms),
        provenance=trained_from(matrix, options, "train segments", "links"),
    )


def validated(
    examples: LinkExamples | LinkMatrix, options: LinkTrainOptions = _DEFAULT, progress: Progress = no_progress
) -> Validation:
    """How well such a model judges links to sites that it was not trained on."""
    return validate(_trial(_matrix(examples, options, progress), options), options.repeats, progress)


def _matrix(examples: LinkExamples | LinkMatrix, options: LinkTrainOptions, progress: Progress) -> LinkMatrix:
    return examples if isinstance(examples, LinkMatrix) else link_matrix(examples, options.reading, progress)


def _trial(matrix: LinkMatrix, options: LinkTrainOptions) -> Trial:
    return Trial(
        kind=options.kind,
        positives=matrix.positives,
        sites=matrix.sites,
        folds=possible_folds(matrix.positives, matrix.sites, options.folds, options.by_site, "links"),
        seed=options.seed,
        score=_score_fold,
        shared=(matrix, options),
        calibrate=fit_calibration if options.kind == "linear" else _as_probabilities,
        work=matrix.counts.nnz / _WORTH_PROCESSES[options.kind],
        jobs=options.jobs,
    )


def _score_fold(shared: tuple[LinkMatrix, LinkTrainOptions], fold: Fold) -> Floats:
    matrix, options = shared
    model = fitted(matrix, fold.outside, options, fold.seed)
    of_places, of_words = log_odds(model, matrix, fold.inside)
    if options.kind == "linear":
        return of_places + of_words
    readings = np.stack([of_places, of_words], axis=1)
    return bayes_probability(readings, np.zeros(len(fold.inside)), options.features)


def _as_probabilities(scores: Floats, relevant: Flags) -> AreProbabilities:
    """Naive Bayes is not calibrated, as in the thesis; only its threshold is chosen."""
    return AreProbabilities(best_threshold(scores, relevant))


def fitted(matrix: LinkMatrix, rows: RowNumbers, options: LinkTrainOptions, seed: tuple[int, ...]) -> FittedLinks:
    """A model of the rows; `seed` decides which rows of the larger class it takes."""
    is_bayes = options.kind == "bayes"
    rows = under_sampled(rows, matrix.positives, is_bayes, seed)
    return (fit_bayes if is_bayes else fit_logistic)(matrix, rows, options)


def _weights(
    model: FittedLinks, matrix: LinkMatrix, options: LinkTrainOptions, calibration: Calibration
) -> LinkWeights:
    """By name, what was learned by number; values of weight 0 need not be kept."""
    levels = zip(matrix.levels, model.places, strict=True)
    return LinkWeights(
        features=options.features,
        bias=model.bias,
        steps=model.steps,
        places=tuple(
            {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}
            for names, weights in levels
        ),
        word_bias=model.word_bias,
        terms=tuple(matrix.terms[column] for column in model.columns),
        words=model.words,
        rarities=model.rarities,
        calibration=calibration,
    )


# What each feature contributes: models without it, and models of it alone, validated on the same folds.


class Ablation(NamedTuple):
    """A set of features and how well a model of them does."""

    feature: Feature | None  # None: all of them
    alone: bool  # whether it is the only one, or the one that is left out
    validation: Validation


def ablation(
    examples: LinkExamples | LinkMatrix, options: LinkTrainOptions, progress: Progress = no_progress
) -> list[Ablation]:
    """All features, then all but each, then each alone; `ablation_repeats` repetitions of each."""
    matrix = _matrix(examples, options, progress)
    features = options.features
    trials: list[tuple[Feature | None, bool, tuple[Feature, ...]]] = [(None, False, features)]
    if len(features) > 1:
        trials += [(one, False, tuple(other for other in features if other != one)) for one in features]
        trials += [(one, True, (one,)) for one in features]
    options = replace(options, repeats=options.ablation_repeats)
    ablations = []
    for number, (feature, alone, chosen) in enumerate(trials):
        show = _as_part(progress, number, len(trials))
        ablations.append(Ablation(feature, alone, validated(matrix, replace(options, features=chosen), show)))
    return ablations


def _as_part(progress: Progress, number: int, parts: int) -> Progress:
    """Progress of one of several parts."""
    return lambda what, done, total: progress("Leaving out features", number * total + done, parts * total)
