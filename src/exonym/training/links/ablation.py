"""What each feature contributes: models without it, and models of it alone, validated on the same folds."""

from dataclasses import replace
from typing import NamedTuple

from exonym.models.links.features import Feature
from exonym.progress import Progress, no_progress
from exonym.training.links.examples import LinkExamples
from exonym.training.links.matrix import LinkMatrix, link_matrix
from exonym.training.links.train import validated
from exonym.training.options import LinkTrainOptions
from exonym.training.validation import Validation


class Ablation(NamedTuple):
    """A set of features and how well a model of them does."""

    feature: Feature | None  # None: all of them
    alone: bool  # whether it is the only one, or the one that is left out
    validation: Validation


def ablation(
    examples: LinkExamples | LinkMatrix, options: LinkTrainOptions, progress: Progress = no_progress
) -> list[Ablation]:
    """All features, then all but each, then each alone; `ablation_repeats` repetitions of each."""
    matrix = examples if isinstance(examples, LinkMatrix) else link_matrix(examples, options.reading, progress)
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
