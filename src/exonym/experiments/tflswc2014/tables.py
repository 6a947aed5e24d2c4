"""The tables and figures of the segment experiment, with the numbers that the thesis prints."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from exonym.batches import Outcome
from exonym.experiments.tflswc2014.crawls import SimulatedCrawl
from exonym.experiments.tflswc2014.models import MODELS, TrainedModels
from exonym.metrics import coverage_of
from exonym.published.thesis import PAPER, SEGMENT_LINKS, TOPICS, PublishedTopic
from exonym.report.table import Chart, Table, TableRow
from exonym.training.links.link_examples import degrees_of
from exonym.training.links.threshold_search import Reached
from exonym.training.links.tuning import Tried
from exonym.webgraph import Graph
from exonym.webgraph.analyses.graph_subject import THAI_2014, GraphSubject
from exonym.webgraph.analyses.names import NamesNation
from exonym.webgraph.analyses.segments import tables_of_segments

POINTS = 20  # of a figure
_THRESHOLD = 0.5
_COMPARED = GraphSubject(compared=frozenset([THAI_2014]))
_OURS = 4  # columns of Tables 5 to 7 before the published ones
_OBSERVED = (
    "Of the pages that segment, best-segment and bfs fetched early: later on, a web of this size has few relevant "
    "pages left that links can lead to."
)
_THRESHOLDS = "Harvest rate, coverage rate and F-measure obtained from varying relevance degree threshold"
_REACHED = ("pages", "relevant", "harvest", "coverage", "F")
_ORACLE = (
    "Oracle: only links into segments of this relevance degree or more are followed, by the graph's truth, from the "
    "pages that link to relevant ones. Best: {:g}."
)
_NOT_BLIND = "The best pair was chosen on this graph: on another one it is a guess. Best F: S {}, D {}."


def crawl_table(topic: str, graph: Graph, crawls: Sequence[SimulatedCrawl], moments: tuple[int, int]) -> Table:
    """The pages that every crawler fetched: relevant ones, and irrelevant ones inside and outside relevant segments."""
    measured = tuple(dict.fromkeys(moments))
    columns = ("crawler", "pages", "relevant", *(f"harvest over {at:,}" for at in measured), "coverage")
    more = ("irrelevant, in relevant segments", "irrelevant, elsewhere", "failed", "ended by")
    existing = int(np.count_nonzero(graph.relevant))
    rows: tuple[TableRow, ...] = tuple(
        (
            crawl.name,
            len(crawl.nodes),
            crawl.found(moments[1]),
            *(crawl.harvest(at) for at in measured),
            coverage_of(crawl.found(moments[1]), existing),
            *_wasted(graph, crawl, moments[0]),
            crawl.reason,
        )
        for crawl in crawls
    )
    note = f"What is irrelevant or failed is counted over the first {moments[0]:,} pages."
    return Table(f"crawls-{topic}", f"The crawlers: {TOPICS[topic].name}", (*columns, *more), rows, note)


def _wasted(graph: Graph, crawled: SimulatedCrawl, pages: int) -> tuple[int, int, int]:
    """Among the first `pages` pages: irrelevant ones in relevant segments, irrelevant ones elsewhere, and failures."""
    is_page = graph.outcome == Outcome.PAGE
    of_segments = np.nan_to_num(degrees_of(graph, is_page)) >= _THRESHOLD
    nodes, irrelevant = crawled.nodes[:pages], ~crawled.relevant[:pages]
    there, inside = is_page[nodes], of_segments[graph.segment[nodes]]
    parts = (irrelevant & there & inside, irrelevant & there & ~inside, ~there)
    first, second, third = (int(np.count_nonzero(part)) for part in parts)
    return first, second, third


def harvest_table(topic: str, crawls: Sequence[SimulatedCrawl], budget: int) -> Table:
    """Figures 12 to 14: the harvest rate in the course of a crawl."""
    published = TOPICS[topic]
    moments = sorted({max(1, budget * step // POINTS) for step in range(1, POINTS + 1)})
    names = tuple(crawl.name for crawl in crawls)
    rows: tuple[TableRow, ...] = tuple((f"{at:,}", *(crawl.harvest(at) for crawl in crawls)) for at in moments)
    caption = f"Figure {published.figure}. Harvest rate results on {published.name} topic"
    note = "A crawl that ended before is measured over what it fetched. The thesis prints curves, and no numbers."
    chart = Chart("line", ("pages",), names)
    return Table(f"figure-{published.figure}", caption, ("pages", *names), rows, note, chart, PAPER)


def training_table(trainings: Mapping[str, TrainedModels]) -> Table:
    """Table 4, and the G-means."""
    columns = ("topic", "relevant, published", "relevant", "irrelevant, published", "irrelevant")
    means = ("G-mean, published", *(f"G-mean, {name}" for name in MODELS))
    rows: tuple[TableRow, ...] = tuple(
        (
            *(TOPICS[topic].name, TOPICS[topic].relevant, models.relevant, TOPICS[topic].irrelevant, models.irrelevant),
            TOPICS[topic].g_mean,
            *(f"{models.g_means[name]:.1%} ± {100 * models.deviations[name]:.1f}" for name in MODELS),
        )
        for topic, models in trainings.items()
    )
    note = (
        "Links between segments of different sites. Ours are validated on sites that were held out (ten folds, "
        "under-sampled, repeated ten times, once on small webs; with the standard deviation), theirs on links that "
        "were: sites may be on both sides. bayes and linear pool all links between two segments, bayes-by-link takes "
        "the first. site and page predict whether a whole site, or a single page, is relevant, from other links: their "
        "G-means cannot be compared with the others."
    )
    caption = "Table 4. Training dataset for the Segment Predictor, and its G-mean"
    return Table("training", caption, (*columns, *means), rows, note, paper=PAPER)


def segment_link_tables(topic: str, crawled: Graph, names_nation: NamesNation) -> list[Table]:
    """Tables 5 to 7 of the pages crawled, with the published ratios of one topic."""
    return [_of_topic(table, topic) for table in tables_of_segments(crawled, _COMPARED, names_nation)]


def _of_topic(table: Table, topic: str) -> Table:
    name, caption = f"{table.name}-{topic}", f"{table.caption}: {TOPICS[topic].name}"
    if len(table.columns) < _OURS:  # it says what is missing
        return replace(table, name=name, caption=caption)
    columns, place = (*table.columns[:_OURS], "published"), list(TOPICS).index(topic)
    rows = tuple((*row[:_OURS], SEGMENT_LINKS[str(row[0])][place]) for row in table.rows)
    note = f"{table.note} {_OBSERVED}"
    return replace(table, name=name, caption=caption, columns=columns, rows=rows, note=note, chart=None)


# Searches for a threshold, and for S and D.


def threshold_table(thresholds: Sequence[float], found: Sequence[Reached], topic: str = "") -> Table:
    """Table 3: our figures, and the published ones of one topic or of all three."""
    published = [TOPICS[topic]] if topic else list(TOPICS.values())
    columns = ("threshold", *_REACHED, *(f"{one.name}, published" for one in published))
    rows = tuple(_threshold_row(threshold, one, published) for threshold, one in zip(thresholds, found, strict=True))
    name = f"thresholds-{topic}" if topic else "thresholds"
    caption = f"Table 3. {_THRESHOLDS}" + (f": {TOPICS[topic].name}" if topic else "")
    best = max(zip(found, thresholds, strict=True), key=lambda pair: pair[0].f_measure, default=(None, 0.0))[1]
    return Table(name, caption, columns, rows, _ORACLE.format(best), paper=PAPER)


def _threshold_row(threshold: float, found: Reached, published: Sequence[PublishedTopic]) -> TableRow:
    # One cell has harvest rate, coverage and F-measure of the thesis.
    theirs = [" | ".join(f"{figure:.1%}" for figure in one.thresholds.get(threshold, ())) or "–" for one in published]
    return (f"{threshold:g}", found.fetched, found.relevant, *found.shares, *theirs)


def patience_table(tried: Sequence[Tried], model: str) -> Table:
    """The results of each pair of S and D."""
    rows = tuple(
        (f"S {pair.patience}, D {pair.distance}", *pair.reached[:2], *pair.reached.shares, pair.reason)
        for pair in tried
    )
    caption = f"The segment crawler with other S and D, {f'link model {model}' if model else 'without a link model'}"
    best = max(tried, key=lambda pair: pair.reached.f_measure)
    note = _NOT_BLIND.format(best.patience, best.distance)
    return Table("patience", caption, ("S and D", *_REACHED, "ended by"), rows, note)
