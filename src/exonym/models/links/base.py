"""What every link model does: it reads a link once, and predicts the relevance of its target as often as needed."""

from typing import Protocol

import numpy as np

from exonym.batches import Floats, Readings
from exonym.models.links.features import LinkTexts


class LinkModel(Protocol):
    """Predicts from a link whether the segment that it leads to is relevant."""

    @property
    def name(self) -> str:
        """The name of the model."""

    def read(self, texts: LinkTexts) -> Readings:
        """The texts and places of links as numbers: all that the model needs but the degree of the source."""

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        """How likely the target segments are relevant, given the relevance degrees of the source segments."""


def blank_reading(model: LinkModel) -> Readings:
    """One row: the model's reading of a link of which nothing is known."""
    return np.asarray(model.read(LinkTexts(*([""] for _ in LinkTexts._fields))), np.float32)


class NeutralModel:
    """Knows nothing: with it, a segment's score is the mean relevance of the segments that link to it."""

    name = "neutral"

    def read(self, texts: LinkTexts) -> Readings:
        """Zeros: nothing is read."""
        return np.zeros((len(texts.urls), 2), np.float32)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        """1 for every link."""
        return np.ones(len(readings))
