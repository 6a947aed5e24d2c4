"""The claims of the thesis about its crawlers, compared with our results, topic by topic.

The rule was written down before any web of the reports was crawled: a claim holds if one harvest rate is higher than
the other over the whole budget, as in the thesis, and also early, over as many pages as are relevant. On a web of
limited size, crawlers differ early only: with a large budget, all find nearly everything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from exonym.experiments.tflswc2014.crawls import BEST_PAGE, BEST_SEGMENT, BREADTH_FIRST, SEGMENT, SimulatedCrawl
from exonym.published.thesis import PAPER, TOPICS
from exonym.report.table import Table, TableRow

PAIRS = ((SEGMENT, BEST_SEGMENT), (BEST_SEGMENT, BEST_PAGE), (BEST_SEGMENT, BREADTH_FIRST))


@dataclass(frozen=True, slots=True)
class TopicClaimResult:
    """One claim about one topic: the harvest rates of both crawlers, early and over the whole budget."""

    topic: str
    better: str
    other: str
    early: tuple[float, float]
    late: tuple[float, float]

    @property
    def outcome(self) -> str:
        """Whether the claim holds, and when."""
        early, late = self.early[0] > self.early[1], self.late[0] > self.late[1]
        if early and late:
            return "holds"
        if early or late:
            return f"holds {'early' if early else 'over the budget'} only"
        return "does not hold"

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return {**asdict(self), "outcome": self.outcome}


def verdicts_on(topic: str, crawls: Mapping[str, SimulatedCrawl], moments: tuple[int, int]) -> list[TopicClaimResult]:
    """Every claim about a topic; `moments` are the numbers of pages to compare after, early and late."""
    return [
        TopicClaimResult(
            topic, better, other, *((crawls[better].harvest(at), crawls[other].harvest(at)) for at in moments)
        )
        for better, other in PAIRS
    ]


def claims_table(verdicts: Sequence[TopicClaimResult], note: str) -> Table:
    """All claims, with our harvest rates."""
    columns = ("topic", "claim", "early", "early, other", "points", "budget", "budget, other", "points, budget", "here")
    caption = "What the thesis claims, and what our results show"
    return Table("claims", caption, columns, tuple(map(_row, verdicts)), note, paper=PAPER)


def _row(verdict: TopicClaimResult) -> TableRow:
    points = [f"{100 * (better - other):+.1f}" for better, other in (verdict.early, verdict.late)]
    claim = f"{verdict.better} > {verdict.other}"
    name = TOPICS[verdict.topic].name
    return (name, claim, *verdict.early, points[0], *verdict.late, points[1], verdict.outcome)
