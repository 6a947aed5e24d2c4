"""Training of a link model from examples, and how well it does on sites that it has not seen.

material = link_material(examples, options.reading, progress)      # texts are read once
validation = validated(material, options, progress)
model = train_link_model(material, options, progress)
"""

from dataclasses import replace
from typing import Any

import numpy as np

from exonym.learning.examples import Progress, no_progress
from exonym.learning.folds import possible_folds
from exonym.learning.held_out import held_out_scores, validation_of
from exonym.learning.validation import Validation
from exonym.models.calibration import Calibration
from exonym.models.links.trained import TrainedLinkModel
from exonym.models.links.weights import LinkWeights
from exonym.models.terms import term_needs
from exonym.segments.dataset import LinkExamples
from exonym.segments.fitted import Fitted
from exonym.segments.held_out import calibration_on, fitted, reading_of, trial_of
from exonym.segments.material import LinkMaterial, link_material
from exonym.segments.options import LinkTrainOptions
from exonym.version import __version__

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


def _weights(model: Fitted, material: LinkMaterial, options: LinkTrainOptions, calibration: Calibration) -> LinkWeights:
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
