"""How link models are tried on links that they have not seen."""

import numpy as np
from numpy.typing import NDArray

from exonym.learning.fitting import under_sampled
from exonym.learning.held_out import Fold, Reading, Trial
from exonym.learning.scores import best_threshold
from exonym.models.calibration import Calibration, calibrated_on
from exonym.models.links.features import Floats
from exonym.models.links.trained import bayes_probability
from exonym.models.links.weights import PLAIN
from exonym.segments.bayes import fit_bayes
from exonym.segments.fitted import Fitted, Rows, log_odds
from exonym.segments.linear import fit_logistic
from exonym.segments.material import LinkMaterial
from exonym.segments.options import LinkTrainOptions

_WORTH_PROCESSES = {"bayes": 100_000_000, "linear": 5_000_000}  # words to go through; with fewer, it takes longer


def fitted(material: LinkMaterial, rows: Rows, options: LinkTrainOptions, seed: tuple[int, ...]) -> Fitted:
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


def reading_of(options: LinkTrainOptions) -> Reading:
    """How scores are read: naive Bayes's, which are probabilities, as they are; the others calibrated."""
    return Reading(
        lambda scores, relevant: calibration_on(scores, relevant, options),
        lambda scores, found: found.probabilities(scores) if options.kind == "linear" else scores,
    )


def calibration_on(scores: Floats, relevant: NDArray[np.bool_], options: LinkTrainOptions) -> Calibration:
    """How scores are read: naive Bayes's as they are, as in the thesis, but for the threshold."""
    if options.kind == "linear":
        return calibrated_on(scores, relevant, "g-mean")
    return PLAIN._replace(threshold=best_threshold(scores, relevant))


def _scores(model: Fitted, material: LinkMaterial, rows: Rows, options: LinkTrainOptions) -> Floats:
    placed, said = log_odds(model, material, rows)
    if options.kind == "linear":
        return placed + said
    return bayes_probability(np.stack([placed, said], axis=1), np.zeros(len(rows)), options.features)
