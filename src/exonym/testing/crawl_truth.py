"""How well a crawl of a practice web judged its pages: its verdicts compared with the truth."""

from pathlib import Path

from exonym.batches import Outcome
from exonym.practice import PracticeWeb
from exonym.practice.topical.subjects import relevant_to
from exonym.testing.live import rows_of
from exonym.training.scores import Scores


def truth_of_crawl(directory: Path, web: PracticeWeb, target: str) -> Scores:
    """Counts over the pages that a crawl of `web` fetched; a page without a known truth is on no topic."""
    scores = Scores()
    for row in rows_of(directory):
        if row.outcome == Outcome.PAGE:
            truth = web.truth(row.url)
            said, true = row.relevant, truth is not None and relevant_to(truth, target)
            scores += Scores(int(said and true), int(not said and true), int(not said and not true), int(said > true))
    return scores
