"""How well a crawl of a practice web judged its pages: its verdicts beside the truth."""

from pathlib import Path

from exonym.batches import Outcome
from exonym.practice import PracticeWeb
from exonym.practice.topical.subjects import relevant_to
from exonym.testing.live import rows_of
from exonym.training.scores import Scores


def truth_of_crawl(directory: Path, web: PracticeWeb, target: str) -> Scores:
    """Counts over the pages that a crawl of `web` fetched; pages beside the counted ones are on no topic."""
    scores = Scores()
    for row in rows_of(directory):
        if row.outcome == Outcome.PAGE:
            truth = web.truth(row.url)
            scores += _scores(row.relevant, truth is not None and relevant_to(truth, target))
    return scores


def _scores(said: bool, is_true: bool) -> Scores:
    return Scores(int(said and is_true), int(not said and is_true), int(not said and not is_true), int(said > is_true))
