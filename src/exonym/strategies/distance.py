"""Limited distance: follow links through irrelevant pages, up to a distance from the last relevant one."""

import numpy as np

from exonym.batches import Floats, LinkBatch
from exonym.errors import ConfigError
from exonym.strategies.base import NOT_FOLLOWED, Rule

LONGEST_DISTANCE = 200  # each distance is a level of its own in the frontier


class LimitedDistance(Rule):
    """`limited-distance`: follow while distance ≤ T; `prioritized`: nearer first."""

    facts = frozenset(["distance"])

    def __init__(self, T: int = 3, prioritized: bool = False) -> None:  # noqa: N803 (the papers' letter)
        if not 1 <= T <= LONGEST_DISTANCE:
            raise ConfigError(f"T must be 1 to {LONGEST_DISTANCE}, got {T}.")
        self.T = T
        self.farthest = T + 1
        self.prioritized = prioritized

    def score(self, links: LinkBatch) -> Floats:
        score = -links.distance.astype(np.float64) if self.prioritized else np.zeros(len(links))
        return np.where(links.distance <= self.T, score, NOT_FOLLOWED)
