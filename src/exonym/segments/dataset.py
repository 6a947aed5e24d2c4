"""What a link model is trained from: links between segments of different sites whose relevance degrees are known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.errors import ConfigError
from exonym.models.links.features import Floats, LinkTexts


@dataclass(frozen=True, slots=True, eq=False)
class LinkExamples:
    """Columns of one length: a row for each sample of a link from one segment to another."""

    texts: LinkTexts
    degrees: Floats  # relevance degree of each source segment
    relevant: NDArray[np.bool_]  # whether the target segment's degree reaches the threshold
    sites: NDArray[np.int64]  # number of the target's site: what is held out together

    def __post_init__(self) -> None:
        lengths = {len(column) for column in (*self.texts, self.degrees, self.relevant, self.sites)}
        if len(lengths) != 1:
            raise ConfigError("the columns of link examples must have one length.")

    def __len__(self) -> int:
        return len(self.relevant)
