"""The claims of the thesis, compared with our results, topic by topic; each says which outcome refutes it.

The rules were written down before any web of the reports was crawled. A claim about two crawlers holds if one harvest
rate is higher than the other over the whole budget, as in the thesis, and also early, over as many pages as are
relevant. On a web of limited size, crawlers differ early only: with a large budget, all find nearly everything. A
figure is reproduced within three points.

The generator of the webs was set by Tables 5 to 7, so that our ratios are near them says nothing about the thesis: it
is *calibration*, and reported as such.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from exonym.experiments.tflswc2014.crawls import BEST_PAGE, BEST_SEGMENT, BREADTH_FIRST, SEGMENT, SimulatedCrawl
from exonym.published.thesis import PAPER, SEGMENT_LINKS, TOPICS
from exonym.report.table import Table, TableRow
from exonym.training.links.threshold_search import Reached

# The thesis says in words that its crawler is above the three others; the order of the others is in its curves only.
PAIRS = (
    (SEGMENT, BEST_SEGMENT),
    (SEGMENT, BEST_PAGE),
    (SEGMENT, BREADTH_FIRST),
    (BEST_SEGMENT, BEST_PAGE),
    (BEST_SEGMENT, BREADTH_FIRST),
)
BEST_THRESHOLD = 0.5  # of Table 3, for all topics
NEAR = 0.03  # three points

FigureKind = Literal["result", "calibration"]


@dataclass(frozen=True, slots=True)
class TopicClaimResult:
    """One claim about one topic: the harvest rates of both crawlers, early and over the whole budget."""

    topic: str
    better: str
    other: str
    early: tuple[float, float]
    late: tuple[float, float]

    fails: ClassVar[str] = "the other crawler is as good or better, early or over the budget"

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
        return {**asdict(self), "fails": self.fails, "outcome": self.outcome}


def verdicts_on(topic: str, crawls: Mapping[str, SimulatedCrawl], moments: tuple[int, int]) -> list[TopicClaimResult]:
    """Every claim about two crawlers; `moments` are the numbers of pages to compare after, early and late."""
    return [
        TopicClaimResult(
            topic, better, other, *((crawls[better].harvest(at), crawls[other].harvest(at)) for at in moments)
        )
        for better, other in PAIRS
    ]


def claims_table(verdicts: Sequence[TopicClaimResult], note: str) -> Table:
    """All claims about two crawlers, with our harvest rates."""
    columns = ("topic", "claim", "early", "early, other", "points", "budget", "budget, other", "points, budget", "here")
    caption = "What the thesis claims, and what our results show"
    note = f"A claim does not hold if {TopicClaimResult.fails}. {note}"
    return Table("claims", caption, columns, tuple(map(_row, verdicts)), note, paper=PAPER)


def _row(verdict: TopicClaimResult) -> TableRow:
    points = [f"{100 * (better - other):+.1f}" for better, other in (verdict.early, verdict.late)]
    claim = f"{verdict.better} > {verdict.other}"
    name = TOPICS[verdict.topic].name
    return (name, claim, *verdict.early, points[0], *verdict.late, points[1], verdict.outcome)


# Figures of the thesis' tables.


@dataclass(frozen=True, slots=True)
class FigureResult:
    """A figure that the thesis prints, and ours; `tolerance` 0 asks for the same figure."""

    topic: str
    name: str
    source: str
    kind: FigureKind
    published: float
    ours: float
    tolerance: float = NEAR

    @property
    def fails(self) -> str:
        """The outcome that refutes the claim."""
        if self.tolerance:
            return f"it is below {self.published - self.tolerance:.1%} or above {self.published + self.tolerance:.1%}"
        return f"it is not {self.published:g}"

    @property
    def outcome(self) -> str:
        """Whether our figure is that of the thesis."""
        is_near = abs(self.ours - self.published) <= self.tolerance
        if self.kind == "calibration":
            return "calibrated" if is_near else "not calibrated"
        return "reproduced" if is_near else "not reproduced"

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        return {**asdict(self), "fails": self.fails, "outcome": self.outcome}


def figures_on(
    topic: str, g_mean: float, thresholds: Mapping[float, Reached], segment_links: Sequence[Table]
) -> list[FigureResult]:
    """The figures of Tables 3, 4 and 5 to 7; `segment_links` are our Tables 5 to 7."""
    published = TOPICS[topic]
    best = max(thresholds, key=lambda threshold: thresholds[threshold].f_measure)
    f_measures = published.thresholds[BEST_THRESHOLD][2], thresholds[BEST_THRESHOLD].f_measure
    figures = [
        FigureResult(topic, "the best threshold", "Table 3", "result", BEST_THRESHOLD, best, tolerance=0),
        FigureResult(topic, f"F with the threshold {BEST_THRESHOLD:g}", "Table 3", "result", *f_measures),
        FigureResult(topic, "G-mean, naive Bayes", "§5.3", "result", published.g_mean, g_mean),
    ]
    place = list(TOPICS).index(topic)
    for number, table in enumerate(segment_links, 5):
        for label, _, _, ratio, *_ in table.rows:
            if not isinstance(ratio, float):  # there is no such link
                continue
            ratios = SEGMENT_LINKS[str(label)][place], ratio
            figures.append(FigureResult(topic, f"links: {label}", f"Table {number}", "calibration", *ratios))
    return figures


def figures_table(figures: Sequence[FigureResult]) -> Table:
    """All figures, with what would refute them."""
    columns = ("topic", "figure", "published", "ours", "kind", "outcome", "refuted if")
    rows = tuple(
        (
            *(TOPICS[one.topic].name, f"{one.name} ({one.source})", _shown(one, one.published), _shown(one, one.ours)),
            *(one.kind, one.outcome, one.fails),
        )
        for one in figures
    )
    note = (
        "A result may be reproduced or not. Calibration is what the generator of the webs was set to (on webs 3, 5 and "
        "7 of 40,000 pages): where it is met, that is no result; where it is not, the web differs from the thesis'."
    )
    return Table("figures", "Figures of the thesis, and ours", columns, rows, note, paper=PAPER)


def _shown(figure: FigureResult, value: float) -> str:
    return f"{value:.1%}" if figure.tolerance else f"{value:g}"
