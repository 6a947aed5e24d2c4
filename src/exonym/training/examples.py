"""Examples that models are trained from: pages that a person or a rule called relevant or irrelevant."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Integers
from exonym.errors import ConfigError
from exonym.models.terms import Fields

_FEWEST = 2  # of each class: one to train on, one to hold out


class Example(NamedTuple):
    """A page and whether it is of the topic."""

    url: str
    site: str  # pages of one site are alike; validation keeps them together
    fields: Fields
    positive: bool
    language: str = ""


def classes_and_sites(examples: Sequence[Example]) -> tuple[Flags, Integers]:
    """Which examples are relevant, and the number of each one's site; ConfigError if a class is too small."""
    positives = np.array([example.positive for example in examples], np.bool_)
    check_classes(positives, "{} pages", "Give more {} pages.")
    numbers: dict[str, int] = {}
    sites = [numbers.setdefault(example.site, len(numbers)) for example in examples]
    return positives, np.array(sites, np.int64)


def check_classes(positives: Flags, examples: str, advice: str) -> None:
    """Raise ConfigError if a class is too small to learn from; {} in the texts is replaced by the class."""
    for name, count in (("relevant", int(positives.sum())), ("irrelevant", int((~positives).sum()))):
        if count < _FEWEST:
            raise ConfigError(
                f"too few {examples.format(name)} to learn from: {count} of {len(positives):,}; "
                f"at least {_FEWEST} are needed, hundreds are good. {advice.format(name)}"
            )
