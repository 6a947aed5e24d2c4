"""Training of a topic model from examples, and how well it does.

material = material_of(examples, options.terms, progress)      # pages are read once
validation = cross_validated(material, options, progress)
model = train_topic(material, options, progress)
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exonym.learning.examples import Example, Progress, no_progress
from exonym.learning.fitting import fitted, scores_by
from exonym.learning.folds import possible_folds
from exonym.learning.held_out import Floats, Fold, Reading, Trial, held_out_scores, validation_of
from exonym.learning.material import Material, material_of
from exonym.learning.options import TrainOptions
from exonym.learning.validation import Validation
from exonym.models.calibration import calibrated_on
from exonym.models.terms import term_needs
from exonym.models.topic import TopicModel
from exonym.version import __version__

__all__ = ["TrainOptions", "cross_validated", "material_of", "train_topic"]

_DEFAULT = TrainOptions()
_WORTH_PROCESSES = 20_000_000  # frequencies to go through; with fewer, beginning processes takes longer


def train_topic(
    examples: Sequence[Example] | Material, options: TrainOptions = _DEFAULT, progress: Progress = no_progress
) -> TopicModel:
    """A model of all examples; calibrated, and its threshold chosen, on held-out pages."""
    material = _material(examples, options, progress)
    folds = possible_folds(material.positives, material.sites, options.folds, options.by_site)
    held = held_out_scores(_trial(material, options), folds, 1, progress)
    reading = calibrated_on(held.scores[0], material.positives, options.threshold)
    model = fitted(material, np.arange(len(material)), options, (options.seed,))
    return TopicModel(
        name="topic",
        kind=options.kind,
        options=options.terms,
        terms=tuple(material.terms[column] for column in model.columns),
        weights=model.weights,
        bias=model.bias,
        rarities=model.rarities,
        slope=reading.slope,
        offset=reading.offset,
        threshold=reading.threshold,
        needs=term_needs(options.terms),
        provenance=_provenance(material, options),
    )


def cross_validated(
    examples: Sequence[Example] | Material, options: TrainOptions = _DEFAULT, progress: Progress = no_progress
) -> Validation:
    """How well such a model judges pages that it was not trained on."""
    material = _material(examples, options, progress)
    folds = possible_folds(material.positives, material.sites, options.folds, options.by_site)
    held = held_out_scores(_trial(material, options), folds, options.repeats, progress)
    reading = Reading(
        lambda scores, positives: calibrated_on(scores, positives, options.threshold),
        lambda scores, calibration: calibration.probabilities(scores),
    )
    return validation_of(options.kind, held, material.positives, folds, reading)


def _trial(material: Material, options: TrainOptions) -> Trial:
    work = material.counts.nnz / _WORTH_PROCESSES
    return Trial(
        material.positives, material.sites, options.seed, _scores_of_others, (material, options), work, options.jobs
    )


def _scores_of_others(shared: tuple[Material, TrainOptions], fold: Fold) -> Floats:
    material, options = shared
    return scores_by(fitted(material, fold.outside, options, fold.seed), material, fold.inside)


def with_provenance(model: TopicModel, name: str, more: dict[str, Any]) -> TopicModel:
    """The model under a name, with more said of where it comes from: who, when, by which command, from what."""
    return replace(model, name=name, provenance={**model.provenance, **more})


def validation_figures(validation: Validation) -> dict[str, Any]:
    """What a model's provenance says of how well it did."""
    return {
        "folds": validation.folds,
        "repeats": validation.repeats,
        "by_site": validation.by_site,
        "g_mean": validation.g_mean,
        "g_mean_deviation": validation.g_mean_deviation,
        "precision": validation.precision,
        "recall": validation.recall,
        "remark": validation.remark,
    }


def _material(examples: Sequence[Example] | Material, options: TrainOptions, progress: Progress) -> Material:
    if isinstance(examples, Material):
        return examples
    return material_of(examples, options.terms, progress, options.jobs)


def _provenance(material: Material, options: TrainOptions) -> dict[str, Any]:
    from importlib.metadata import version

    relevant = int(material.positives.sum())
    return {
        "made_by": f"Exonym {__version__}, train topic",
        "relevant_pages": relevant,
        "irrelevant_pages": len(material) - relevant,
        "sites": len(np.unique(material.sites)),
        "seed": options.seed,
        "most_terms": options.most_terms,
        "least_pages": options.least_pages,
        "libraries": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }
