"""Training of a topic model from examples, and how well it does.

material = material_of(examples, options.terms, progress)      # pages are read once
validation = cross_validated(material, options, progress)
model = train_topic(material, options, progress)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, RowNumbers
from exonym.errors import ConfigError
from exonym.models.calibration import calibrated_on
from exonym.models.terms import TermOptions, term_needs
from exonym.models.topic import ModelKind, TopicModel
from exonym.progress import Progress, no_progress
from exonym.training.examples import Example
from exonym.training.fit import (
    MORE,
    MOST_PAGES,
    chosen_terms,
    document_frequencies,
    fit_linear,
    fit_naive_bayes,
    rarities,
    scaled,
)
from exonym.training.term_matrix import TermMatrix, material_of
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

# What to train, and how.


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What to train, and how."""

    kind: ModelKind = "linear"
    terms: TermOptions = field(default_factory=TermOptions)
    folds: int = 10
    repeats: int = 10
    by_site: bool = True  # pages of one site are held out together
    seed: int = 0
    jobs: int = 0  # processes; 0 for as many as there are cores
    most_terms: int = 50_000
    least_pages: int = 2  # a term is on at least so many of the pages that are trained on
    threshold: Literal["g-mean"] | float = "g-mean"

    def __post_init__(self) -> None:
        if self.kind not in get_args(ModelKind):
            raise ConfigError(f"a topic model is naive-bayes or linear, not {self.kind!r}.")
        least = {"folds": 2, "repeats": 1, "seed": 0, "jobs": 0, "most_terms": 1, "least_pages": 1}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise ConfigError(f"{name} must be {lowest} or more, got {getattr(self, name)}.")
        if self.threshold != "g-mean" and not (isinstance(self.threshold, float | int) and 0 <= self.threshold <= 1):
            raise ConfigError(f'the threshold is "g-mean" or a number from 0 to 1, got {self.threshold!r}.')


# One model from some of the examples: under-sampling, choice of terms, weights; and what it says of other examples.
#
# Everything that is learned is learned here, from the rows given: nothing of a held-out page gets in.


class FittedTopic(NamedTuple):
    """A model before it is calibrated."""

    columns: RowNumbers  # of its terms in the material
    weights: Floats
    bias: float
    rarities: Floats  # empty for naive Bayes


def under_sampled(rows: RowNumbers, positives: NDArray[np.bool_], kind: ModelKind, seed: tuple[int, ...]) -> RowNumbers:
    """All rows of the smaller class and some of the larger, drawn by chance; in order."""
    chance = np.random.default_rng(seed)
    smaller, larger = sorted([rows[positives[rows]], rows[~positives[rows]]], key=len)
    size = min(_most_of_larger(len(smaller), kind), len(larger))
    drawn = chance.choice(larger, size, replace=False) if size < len(larger) else larger
    return np.sort(np.concatenate([smaller, drawn]))


def _most_of_larger(smaller: int, kind: ModelKind) -> int:
    """As many as of the smaller for naive Bayes, as in the thesis; the linear model weighs classes and takes more."""
    return smaller if kind == "naive-bayes" else max(smaller, min(MORE * smaller, MOST_PAGES - smaller))


def fitted(material: TermMatrix, rows: RowNumbers, options: TrainOptions, seed: tuple[int, ...]) -> FittedTopic:
    """A model of the rows, in which both classes weigh the same; `seed` decides which rows of the larger are taken."""
    rows = under_sampled(rows, material.positives, options.kind, seed)
    counts, positives = material.counts[rows], material.positives[rows]
    frequencies = document_frequencies(counts)
    columns = chosen_terms(frequencies, options.least_pages, options.most_terms)
    counts = counts[:, columns]
    if options.kind == "naive-bayes":
        return FittedTopic(columns, *fit_naive_bayes(counts, positives), np.zeros(0))
    rarity = rarities(frequencies[columns], len(rows))
    return FittedTopic(columns, *fit_linear(scaled(counts, rarity), positives), rarity)


def scores_by(model: FittedTopic, material: TermMatrix, rows: RowNumbers) -> Floats:
    """Log-odds of the rows, were there as many relevant as irrelevant pages."""
    # Terms that the model does not know get weight 0: cheaper than cutting them out.
    counts, width = material.counts[rows], material.counts.shape[1]
    weights = np.zeros(width)
    weights[model.columns] = model.weights
    if len(model.rarities):
        rarity = np.zeros(width)
        rarity[model.columns] = model.rarities
        counts = scaled(counts, rarity)
    found: Floats = counts @ weights + model.bias
    return found


__all__ = ["TrainOptions", "cross_validated", "material_of", "train_topic"]

_DEFAULT = TrainOptions()
_WORTH_PROCESSES = 20_000_000  # frequencies to go through; with fewer, beginning processes takes longer


def train_topic(
    examples: Sequence[Example] | TermMatrix, options: TrainOptions = _DEFAULT, progress: Progress = no_progress
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
    examples: Sequence[Example] | TermMatrix, options: TrainOptions = _DEFAULT, progress: Progress = no_progress
) -> Validation:
    """How well such a model judges pages that it was not trained on."""
    material = _material(examples, options, progress)
    folds = possible_folds(material.positives, material.sites, options.folds, options.by_site)
    held = held_out_scores(_trial(material, options), folds, options.repeats, progress)
    reading = ScoreCalibration(
        lambda scores, positives: calibrated_on(scores, positives, options.threshold),
        lambda scores, calibration: calibration.probabilities(scores),
    )
    return validation_of(options.kind, held, material.positives, folds, reading)


def _trial(material: TermMatrix, options: TrainOptions) -> Trial:
    work = material.counts.nnz / _WORTH_PROCESSES
    return Trial(
        material.positives, material.sites, options.seed, _scores_of_others, (material, options), work, options.jobs
    )


def _scores_of_others(shared: tuple[TermMatrix, TrainOptions], fold: Fold) -> Floats:
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


def _material(examples: Sequence[Example] | TermMatrix, options: TrainOptions, progress: Progress) -> TermMatrix:
    if isinstance(examples, TermMatrix):
        return examples
    return material_of(examples, options.terms, progress, options.jobs)


def _provenance(material: TermMatrix, options: TrainOptions) -> dict[str, Any]:
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
