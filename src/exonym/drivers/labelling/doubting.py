"""The pages on which a topic model is least sure, pool by pool: to score a whole crawl would take too long."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from exonym.crawl_directory.pages import PageWords
from exonym.drivers.labelling.choosing import Candidate, by_doubt, ordered
from exonym.models.terms import Fields

POOL = 400


class Scorer(Protocol):
    """What is asked of a topic model here."""

    @property
    def threshold(self) -> float:
        """From which probability on a page is of the topic."""
        ...

    def probability(self, fields: Fields) -> float:
        """How likely a page is of the topic."""
        ...

    def telling(self, fields: Fields, most: int = 5) -> list[tuple[str, float]]:
        """The terms that decided."""
        ...


def doubtful(
    candidates: Sequence[Candidate], words: Callable[[int], PageWords], model: Scorer, seed: int
) -> Iterator[int]:
    """Rows, those on which the model is least sure first, of each pool in turn.

    A pool is taken as without a model: over all sites, and from both sides of the judge's threshold.
    """
    by_row = {candidate.row: candidate for candidate in candidates}
    waiting = ordered(candidates, "informative", seed)
    while pool := list(islice(waiting, POOL)):
        margins = []
        for row in pool:
            found = words(row)
            if not found.problem:
                margins.append((abs(model.probability(found.fields) - model.threshold), by_row[row]))
        yield from by_doubt(margins, seed)
