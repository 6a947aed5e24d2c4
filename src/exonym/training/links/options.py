"""What link model to train, and how."""

from dataclasses import dataclass, field
from typing import get_args

from exonym.errors import ConfigError
from exonym.models.links.features import FEATURES, Feature
from exonym.models.links.reading import ReadOptions
from exonym.models.links.trained import LinkModelKind


@dataclass(frozen=True, slots=True)
class LinkTrainOptions:
    """What link model to train, and how."""

    kind: LinkModelKind = "bayes"
    reading: ReadOptions = field(default_factory=ReadOptions)
    features: tuple[Feature, ...] = FEATURES
    folds: int = 10
    repeats: int = 10
    ablation_repeats: int = 1  # of each of its ten models
    by_site: bool = True  # links to one site are held out together
    seed: int = 0
    jobs: int = 0  # processes; 0 for as many as there are cores
    most_terms: int = 50_000
    least_links: int = 2  # a term is in at least so many of the links that are trained on

    def __post_init__(self) -> None:
        if self.kind not in get_args(LinkModelKind):
            raise ConfigError(f"a link model is bayes or linear, not {self.kind!r}.")
        if not self.features or not set(self.features) <= set(FEATURES):
            raise ConfigError(f"the features of links are {', '.join(FEATURES)}; name one of them or more.")
        least = {"folds": 2, "repeats": 1, "ablation_repeats": 1, "seed": 0, "jobs": 0, "most_terms": 1}
        for name, lowest in {**least, "least_links": 1}.items():
            if getattr(self, name) < lowest:
                raise ConfigError(f"{name} must be {lowest} or more, got {getattr(self, name)}.")
