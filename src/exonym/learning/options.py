"""What to train, and how."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from exonym.errors import ConfigError
from exonym.models.terms import TermOptions
from exonym.models.topic import ModelKind


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
