"""What model to train, and how: requests and options of topic models and of link models, most of which are the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from exonym.errors import ConfigError
from exonym.models.links.features import FEATURES, Feature
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkModelKind
from exonym.models.terms import TermOptions
from exonym.models.topic import ModelKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainRequest:
    """What a request for a topic model and one for a link model have in common."""

    name: str  # of the model
    compare: bool = False  # validate both kinds of models
    plain_only: bool = False  # validate by the thesis' plain folds alone, not by site
    command: str = ""  # as typed, for the model's provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """Options of every training."""

    folds: int = 10
    repeats: int = 10
    by_site: bool = True  # examples of one site are held out together
    seed: int = 0
    jobs: int = 0  # processes; 0 for as many as there are cores
    most_terms: int = 50_000
    least_examples: int = 2  # a model knows the terms that at least this many of its examples have

    def __post_init__(self) -> None:
        least = {"folds": 2, "repeats": 1, "seed": 0, "jobs": 0, "most_terms": 1, "least_examples": 1}
        _check_least(self, least)


@dataclass(frozen=True, slots=True)
class TrainOptions(CommonOptions):
    """How a topic model is trained."""

    kind: ModelKind = "linear"
    terms: TermOptions = field(default_factory=TermOptions)
    threshold: Literal["g-mean"] | float = "g-mean"

    def __post_init__(self) -> None:
        CommonOptions.__post_init__(self)
        if self.kind not in get_args(ModelKind):
            raise ConfigError(f"a topic model is naive-bayes or linear, not {self.kind!r}.")
        if self.threshold != "g-mean" and not (isinstance(self.threshold, float | int) and 0 <= self.threshold <= 1):
            raise ConfigError(f'the threshold is "g-mean" or a number from 0 to 1, got {self.threshold!r}.')


@dataclass(frozen=True, slots=True)
class LinkTrainOptions(CommonOptions):
    """How a link model is trained."""

    kind: LinkModelKind = "bayes"
    reading: ReadOptions = field(default_factory=ReadOptions)
    features: tuple[Feature, ...] = FEATURES
    ablation_repeats: int = 1  # of each model that shows what a feature contributes

    def __post_init__(self) -> None:
        CommonOptions.__post_init__(self)
        _check_least(self, {"ablation_repeats": 1})
        if self.kind not in get_args(LinkModelKind):
            raise ConfigError(f"a link model is bayes or linear, not {self.kind!r}.")
        if not self.features or not set(self.features) <= set(FEATURES):
            raise ConfigError(f"the features of links are {', '.join(FEATURES)}; name one of them or more.")


def _check_least(options: CommonOptions, least: Mapping[str, int]) -> None:
    for name, lowest in least.items():
        if getattr(options, name) < lowest:
            raise ConfigError(f"{name} must be {lowest} or more, got {getattr(options, name)}.")
