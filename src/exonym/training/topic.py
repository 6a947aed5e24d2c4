"""Trains a topic model from examples, and validates such models on pages that they have not seen.

matrix = count_terms(examples, options.terms, progress)      # pages are read once
validation = cross_validated(matrix, options, progress)
model = train_topic(matrix, options, progress)
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from exonym.batches import Floats, RowNumbers
from exonym.models.terms import term_needs
from exonym.models.topic import TopicModel
from exonym.progress import Progress, no_progress
from exonym.system.processes import TaskRunner
from exonym.training.examples import Example
from exonym.training.fit_terms import (
    chosen_terms,
    document_frequencies,
    fit_linear,
    fit_naive_bayes,
    rarities,
    scaled,
    under_sampled,
)
from exonym.training.folds import possible_folds
from exonym.training.platt import fit_calibration
from exonym.training.provenance import trained_from
from exonym.training.term_matrix import TermMatrix, count_terms
from exonym.training.train_options import TrainOptions
from exonym.training.validation import Fold, Trial, Validation, held_out_scores, validate

__all__ = ["TrainOptions", "count_terms", "cross_validated", "train_topic"]

_DEFAULT = TrainOptions()
_WORTH_PROCESSES = 20_000_000  # frequencies to go through; with fewer, starting processes takes longer


def train_topic(
    examples: Sequence[Example] | TermMatrix,
    options: TrainOptions = _DEFAULT,
    progress: Progress = no_progress,
    runner: TaskRunner | None = None,
) -> TopicModel:
    """A model of all examples; calibrated, and its threshold chosen, on held-out pages."""
    matrix = _matrix(examples, options, progress)
    scores = held_out_scores(_trial(matrix, options, runner), 1, progress).scores[0]
    calibration = fit_calibration(scores, matrix.positives, options.threshold)
    model = fitted(matrix, np.arange(len(matrix)), options, (options.seed,))
    return TopicModel(
        name="topic",
        kind=options.kind,
        options=options.terms,
        terms=tuple(matrix.terms[column] for column in model.columns),
        weights=model.weights,
        bias=model.bias,
        rarities=model.rarities,
        **calibration._asdict(),
        needs=term_needs(options.terms),
        provenance=trained_from(matrix, options, "train topic", "pages"),
    )


def cross_validated(
    examples: Sequence[Example] | TermMatrix,
    options: TrainOptions = _DEFAULT,
    progress: Progress = no_progress,
    runner: TaskRunner | None = None,
) -> Validation:
    """How well such a model judges pages that it was not trained on."""
    return validate(_trial(_matrix(examples, options, progress), options, runner), options.repeats, progress)


def _matrix(examples: Sequence[Example] | TermMatrix, options: TrainOptions, progress: Progress) -> TermMatrix:
    if isinstance(examples, TermMatrix):
        return examples
    return count_terms(examples, options.terms, progress, options.jobs)


def _trial(matrix: TermMatrix, options: TrainOptions, runner: TaskRunner | None) -> Trial:
    return Trial(
        kind=options.kind,
        positives=matrix.positives,
        sites=matrix.sites,
        folds=possible_folds(matrix.positives, matrix.sites, options.folds, options.by_site),
        seed=options.seed,
        score=_score_fold,
        shared=(replace(matrix, terms=[]), options),  # which terms they are, no fold asks
        calibrate=partial(fit_calibration, threshold=options.threshold),
        work=matrix.counts.nnz / _WORTH_PROCESSES,
        jobs=options.jobs,
        runner=runner,
    )


def _score_fold(shared: tuple[TermMatrix, TrainOptions], fold: Fold) -> Floats:
    matrix, options = shared
    return scores_by(fitted(matrix, fold.outside, options, fold.seed), matrix, fold.inside)


# One model from some of the examples, and its scores of other examples.
#
# Everything that is learned is learned here, from the rows given: nothing of a held-out page gets in.


class FittedTopic(NamedTuple):
    """A model before it is calibrated."""

    columns: RowNumbers  # of its terms in the matrix
    weights: Floats
    bias: float
    rarities: Floats  # empty for naive Bayes


def fitted(matrix: TermMatrix, rows: RowNumbers, options: TrainOptions, seed: tuple[int, ...]) -> FittedTopic:
    """A model of the rows in which both classes weigh the same; `seed` decides which rows of the larger it takes."""
    rows = under_sampled(rows, matrix.positives, options.kind == "naive-bayes", seed)
    counts, positives = matrix.counts[rows], matrix.positives[rows]
    frequencies = document_frequencies(counts)
    columns = chosen_terms(frequencies, options.least_examples, options.most_terms)
    counts = counts[:, columns]
    if options.kind == "naive-bayes":
        return FittedTopic(columns, *fit_naive_bayes(counts, positives), np.zeros(0))
    rarity = rarities(frequencies[columns], len(rows))
    return FittedTopic(columns, *fit_linear(scaled(counts, rarity), positives), rarity)


def scores_by(model: FittedTopic, matrix: TermMatrix, rows: RowNumbers) -> Floats:
    """Log-odds of the rows, if there were as many relevant as irrelevant pages."""
    # Terms that the model does not know get weight 0: cheaper than cutting them out.
    counts, width = matrix.counts[rows], matrix.counts.shape[1]
    weights = np.zeros(width)
    weights[model.columns] = model.weights
    if len(model.rarities):
        rarity = np.zeros(width)
        rarity[model.columns] = model.rarities
        counts = scaled(counts, rarity)
    scores: Floats = counts @ weights + model.bias
    return scores
