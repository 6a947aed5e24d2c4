"""What a search for a threshold, and for S and D, found, as tables; Table 3 of the thesis is beside the first."""

from collections.abc import Sequence

from exonym.published.thesis import PAPER, TOPICS, PublishedTopic
from exonym.report.table import Table, TableRow
from exonym.training.links.threshold_search import Reached
from exonym.training.links.tuning import Tried

_CAPTION = "Harvest rate, coverage rate and F-measure obtained from varying relevance degree threshold"
_OURS = ("pages", "relevant", "harvest", "coverage", "F")
_ORACLE = (
    "Oracle: only links into segments of this relevance degree or more are followed, by the graph's truth, from the "
    "pages that link to relevant ones. Best: {:g}."
)
_NOT_BLIND = "The best pair was found by looking at this graph: on another it is a guess. Best F: S {}, D {}."


def threshold_table(thresholds: Sequence[float], found: Sequence[Reached], topic: str = "") -> Table:
    """Table 3; beside ours the figures of one topic, or of all three."""
    published = [TOPICS[topic]] if topic else list(TOPICS.values())
    columns = ("threshold", *_OURS, *(f"{one.name}, published" for one in published))
    rows = tuple(_row(threshold, one, published) for threshold, one in zip(thresholds, found, strict=True))
    name = f"thresholds-{topic}" if topic else "thresholds"
    caption = f"Table 3. {_CAPTION}" + (f": {TOPICS[topic].name}" if topic else "")
    best = max(zip(found, thresholds, strict=True), key=lambda pair: pair[0].f_measure, default=(None, 0.0))[1]
    return Table(name, caption, columns, rows, _ORACLE.format(best), paper=PAPER)


def _row(threshold: float, found: Reached, published: Sequence[PublishedTopic]) -> TableRow:
    theirs = [_said(one.thresholds.get(threshold)) for one in published]
    return (f"{threshold:g}", found.fetched, found.relevant, found.harvest, found.coverage, found.f_measure, *theirs)


def _said(figures: tuple[float, float, float] | None) -> str:
    """Harvest rate, coverage and F in one cell."""
    return " | ".join(f"{figure:.1%}" for figure in figures) if figures else "–"


def patience_table(tried: Sequence[Tried], model: str) -> Table:
    """What each S and D came to."""
    rows = tuple(
        (f"S {one.patience}, D {one.distance}", *one.reached[:2], *_shares(one.reached), one.reason) for one in tried
    )
    caption = f"The segment crawler with other S and D, {f'link model {model}' if model else 'without a link model'}"
    best = max(tried, key=lambda one: one.reached.f_measure)
    note = _NOT_BLIND.format(best.patience, best.distance)
    return Table("patience", caption, ("S and D", *_OURS, "ended by"), rows, note)


def _shares(reached: Reached) -> tuple[float, float, float]:
    return reached.harvest, reached.coverage, reached.f_measure
