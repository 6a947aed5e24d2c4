"""Training of a link model from examples, and how well it does on sites that it has not seen.

material = link_material(examples, options.reading, progress)      # texts are read once
validation = validated(material, options, progress)
model = train_link_model(material, options, progress)
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, RowNumbers
from exonym.models.calibration import Calibration, calibrated_on
from exonym.models.links.trained import TrainedLinkModel, bayes_probability
from exonym.models.links.weights import PLAIN, LinkWeights
from exonym.models.terms import term_needs
from exonym.progress import Progress, no_progress
from exonym.training.links.examples import LinkExamples
from exonym.training.links.fit import FittedLinks, fit_bayes, fit_logistic, log_odds
from exonym.training.links.matrix import LinkMaterial, link_material
from exonym.training.links.options import LinkTrainOptions
from exonym.training.scores import best_threshold
from exonym.training.topic import under_sampled
from exonym.training.validation import (
    Fold,
    ScoreCalibration,
    Trial,
    Validation,
    held_out_scores,
    possible_folds,
    validation_of,
)
from exonym.version import __version__

# How link models are tried on links that they have not seen.

_WORTH_PROCESSES = {"bayes": 100_000_000, "linear": 5_000_000}  # words to go through; with fewer, it takes longer


def fitted(material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions, seed: tuple[int, ...]) -> FittedLinks:
    """A model of the rows; `seed` decides which rows of the larger class are taken."""
    # The topic models' rule: as many as of the smaller class for naive Bayes, up to ten times as many for the other.
    kind = "naive-bayes" if options.kind == "bayes" else options.kind
    rows = under_sampled(rows, material.relevant, kind, seed)
    return (fit_bayes if options.kind == "bayes" else fit_logistic)(material, rows, options)


def trial_of(material: LinkMaterial, options: LinkTrainOptions) -> Trial:
    """The examples, to be held out in turn."""
    work = material.counts.nnz / _WORTH_PROCESSES[options.kind]
    return Trial(
        material.relevant, material.sites, options.seed, _scores_of_others, (material, options), work, options.jobs
    )


def _scores_of_others(shared: tuple[LinkMaterial, LinkTrainOptions], fold: Fold) -> Floats:
    material, options = shared
    return _scores(fitted(material, fold.outside, options, fold.seed), material, fold.inside, options)


def reading_of(options: LinkTrainOptions) -> ScoreCalibration:
    """How scores are read: naive Bayes's, which are probabilities, as they are; the others calibrated."""
    return ScoreCalibration(
        lambda scores, relevant: calibration_on(scores, relevant, options),
        lambda scores, found: found.probabilities(scores) if options.kind == "linear" else scores,
    )


def calibration_on(scores: Floats, relevant: NDArray[np.bool_], options: LinkTrainOptions) -> Calibration:
    """How scores are read: naive Bayes's as they are, as in the thesis, but for the threshold."""
    if options.kind == "linear":
        return calibrated_on(scores, relevant, "g-mean")
    return PLAIN._replace(threshold=best_threshold(scores, relevant))


def _scores(model: FittedLinks, material: LinkMaterial, rows: RowNumbers, options: LinkTrainOptions) -> Floats:
    placed, said = log_odds(model, material, rows)
    if options.kind == "linear":
        return placed + said
    return bayes_probability(np.stack([placed, said], axis=1), np.zeros(len(rows)), options.features)


__all__ = ["LinkTrainOptions", "link_material", "train_link_model", "validated", "with_link_provenance"]

_DEFAULT = LinkTrainOptions()


def train_link_model(
    examples: LinkExamples | LinkMaterial, options: LinkTrainOptions = _DEFAULT, progress: Progress = no_progress
) -> TrainedLinkModel:
    """A model of all examples; calibrated, and its threshold chosen, on held-out ones."""
    material = _material(examples, options, progress)
    folds = possible_folds(material.relevant, material.sites, options.folds, options.by_site)
    held = held_out_scores(trial_of(material, options), folds, 1, progress)
    model = fitted(material, np.arange(len(material)), options, (options.seed,))
    weights = _weights(model, material, options, calibration_on(held.scores[0], material.relevant, options))
    needs, provenance = term_needs(options.reading.terms), _provenance(material, options)
    return TrainedLinkModel("segments", options.kind, options.reading, weights, needs, provenance)


def validated(
    examples: LinkExamples | LinkMaterial, options: LinkTrainOptions = _DEFAULT, progress: Progress = no_progress
) -> Validation:
    """How well such a model judges links to sites that it was not trained on."""
    material = _material(examples, options, progress)
    folds = possible_folds(material.relevant, material.sites, options.folds, options.by_site)
    held = held_out_scores(trial_of(material, options), folds, options.repeats, progress)
    found = validation_of(options.kind, held, material.relevant, folds, reading_of(options))
    return replace(found, remark=found.remark.replace("pages", "links"))


def with_link_provenance(model: TrainedLinkModel, name: str, more: dict[str, Any]) -> TrainedLinkModel:
    """The model under a name, with more said of where it comes from: who, when, by which command, from what."""
    return replace(model, name=name, provenance={**model.provenance, **more})


def _material(examples: LinkExamples | LinkMaterial, options: LinkTrainOptions, progress: Progress) -> LinkMaterial:
    return examples if isinstance(examples, LinkMaterial) else link_material(examples, options.reading, progress)


def _weights(
    model: FittedLinks, material: LinkMaterial, options: LinkTrainOptions, calibration: Calibration
) -> LinkWeights:
    """By name, what was learned by number; values that say nothing need not be kept."""
    levels = zip(material.levels, model.places, strict=True)
    return LinkWeights(
        features=options.features,
        bias=model.bias,
        steps=model.steps,
        places=tuple(
            {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}
            for names, weights in levels
        ),
        word_bias=model.word_bias,
        terms=tuple(material.terms[column] for column in model.columns),
        words=model.words,
        rarities=model.rarities,
        calibration=calibration,
    )


def _provenance(material: LinkMaterial, options: LinkTrainOptions) -> dict[str, Any]:
    from importlib.metadata import version

    relevant = int(material.relevant.sum())
    return {
        "made_by": f"Exonym {__version__}, train segments",
        "relevant_links": relevant,
        "irrelevant_links": len(material) - relevant,
        "sites": len(np.unique(material.sites)),
        "seed": options.seed,
        "most_terms": options.most_terms,
        "least_links": options.least_links,
        "libraries": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }
