"""What strategies with a link model have in common: the model, the unit that it was trained for, and its guesses."""

import numpy as np

from exonym.batches import Floats, LinkBatch, Rows
from exonym.models.links.base import LinkModel, LinkUnit, NeutralModel, check_unit
from exonym.strategies.base import Rule
from exonym.strategies.segment.segment_links import STEPS


class Guessing(Rule):
    """A rule that guesses by a link model how relevant the target of a link is; without a model every guess is 1."""

    unit: LinkUnit

    def __init__(self, model: str = "") -> None:
        self.model = model
        self.link_model: LinkModel = NeutralModel()

    def use(self, link_model: LinkModel) -> None:
        """Use this link model from now on."""
        check_unit(link_model, self.unit)
        self.link_model = link_model
        self.needs = self.needs | {"reading"}

    def guess_steps(self, links: LinkBatch, degrees: Floats) -> Rows:
        """The guess for each link, 0 to 1, in steps; `degrees` are the relevance degrees of the sources."""
        if "reading" not in self.needs:
            return np.full(len(links), STEPS, dtype=np.int64)
        assert links.reading is not None
        guesses = self.link_model.probability(links.reading, degrees)
        return np.rint(np.nan_to_num(np.clip(guesses, 0.0, 1.0)) * STEPS).astype(np.int64)
