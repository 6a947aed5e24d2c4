"""What every link model does: it reads a link once, and predicts the relevance of its target as often as needed."""

from typing import Literal, Protocol

import numpy as np

from exonym.batches import Floats, Readings
from exonym.errors import ConfigError, ModelError
from exonym.models.links.features import LinkTexts

LinkUnit = Literal["segment", "site", "page"]  # what a model predicts the relevance of; a site is a server
# What a model predicts from: all links from one segment to another together, or each link by itself.
LinkPool = Literal["pair", "link"]


class LinkModel(Protocol):
    """Predicts from a link whether the segment (site, page) that it leads to is relevant."""

    @property
    def name(self) -> str:
        """The name of the model."""

    def read(self, texts: LinkTexts) -> Readings:
        """The texts and places of links as numbers: all that the model needs but the degree of the source."""

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        """How likely the target segments are relevant, given the relevance degrees of the source segments."""


def pools_links(model: LinkModel) -> bool:
    """Whether `probability` expects, for a pair of segments, the sum of the readings of all links between them.

    A model states that with `pool = "pair"`; without that attribute, it predicts link by link.
    """
    return getattr(model, "pool", "link") == "pair"


def check_unit(model: LinkModel, unit: LinkUnit) -> None:
    """Raise if a model was trained for another unit; a model that names none fits every unit."""
    trained_for: LinkUnit = getattr(model, "unit", unit)
    if trained_for != unit:
        raise ConfigError(
            f"model must be trained for {unit}s, got one for {trained_for}s ({model.name}). "
            f"Train one: exonym model links train --unit {unit}."
        )


def blank_reading(model: LinkModel) -> Readings:
    """One row: the model's reading of a link of which nothing is known."""
    reading = np.asarray(model.read(LinkTexts(*([""] for _ in LinkTexts._fields))), np.float32)
    if reading.ndim != 2 or len(reading) != 1:
        raise ModelError(f"the link model {model.name!r} made {reading.shape} of a link. It must give a row a link.")
    return reading


class NeutralModel:
    """Knows nothing: with it, a segment's score is the mean relevance of the segments that link to it."""

    name = "neutral"

    def read(self, texts: LinkTexts) -> Readings:
        """Zeros: nothing is read."""
        return np.zeros((len(texts.urls), 2), np.float32)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        """1 for every link."""
        return np.ones(len(readings))
