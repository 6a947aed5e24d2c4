"""The order of pages by a model: once there are answers of both kinds, a quick model chooses the next pages.

The model is trained on the labels alone, again after every few answers, and is not kept: it only orders pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from exonym.crawl_directory.visited_pages import PageWords
from exonym.errors import ExonymError
from exonym.labelling.order import Candidate, by_doubt, ordered
from exonym.models.terms import Fields
from exonym.training.examples import Example

POOL = 400  # pages that a model scores at a time: to score a whole crawl would take too long


class Scorer(Protocol):
    """The part of a topic model that is needed here."""

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
    """Rows of each pool in turn, in a pool those on which the model is least sure first.

    A pool is taken as without a model: over all sites, and from both sides of the judge's threshold.
    """
    by_row = {candidate.row: candidate for candidate in candidates}
    waiting = ordered(candidates, "informative", seed)
    while pool := list(islice(waiting, POOL)):
        margins = []
        for row in pool:
            page = words(row)
            if not page.problem:
                margins.append((abs(model.probability(page.fields) - model.threshold), by_row[row]))
        yield from by_doubt(margins, seed)


LEAST_OF_EACH = 5  # answers yes, and no, before a model is of use
BATCH = 10  # pages between one model and the next
_MOST_EXAMPLES = 1_000  # the latest ones: training must not keep a person waiting


def taught(
    candidates: Sequence[Candidate],
    words: Callable[[int], PageWords],
    examples: Callable[[], list[Example]],
    seed: int,
) -> Iterator[int]:
    """Rows as without a model until there are enough `examples`; then the most doubtful of a pool, few at a time."""
    by_row = {candidate.row: candidate for candidate in candidates}
    waiting = ordered(candidates, "informative", seed)
    pool: dict[int, Fields] = {}
    while True:
        model = quick_model(examples())
        if model is None:
            rows = [*islice(pool, BATCH)] or [*islice(waiting, BATCH)]
        else:
            while len(pool) < POOL and (row := next(waiting, -1)) >= 0:
                page = words(row)
                if not page.problem:
                    pool[row] = page.fields
            margins = [(abs(model.probability(fields) - model.threshold), by_row[row]) for row, fields in pool.items()]
            rows = [*islice(by_doubt(margins, seed), BATCH)]
        if not rows:
            return
        for row in rows:
            pool.pop(row, None)
            yield row


def quick_model(examples: Sequence[Example]) -> Scorer | None:
    """A model of the latest examples; None if there are too few, or if they have no terms to learn from."""
    latest = examples[-_MOST_EXAMPLES:]
    relevant = sum(example.positive for example in latest)
    if min(relevant, len(latest) - relevant) < LEAST_OF_EACH:
        return None
    from exonym.models.terms import TermOptions
    from exonym.training.topic import TrainOptions, train_topic

    language, _ = Counter(example.language or "en" for example in latest).most_common(1)[0]
    try:
        options = TrainOptions(terms=TermOptions(language), folds=3, repeats=1, jobs=1, threshold=0.5)
        return train_topic(latest, options)
    except ExonymError:  # such as pages without any term: then the order is that without a model
        return None
