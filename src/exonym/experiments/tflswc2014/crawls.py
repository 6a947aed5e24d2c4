"""The crawls of the segment experiment: the four crawlers of the thesis, and others with other models and options."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome
from exonym.experiments.tflswc2014.models import model_file
from exonym.metrics import harvest_over
from exonym.models.links.base import LinkModel
from exonym.progress import Tell
from exonym.published.thesis import TOPICS
from exonym.report.table import Table, TableRow, powers_of_two, range_name, share
from exonym.simulation.plan import Plan
from exonym.strategies.base import LoadsLinkModel
from exonym.system.processes import cores, done_in_processes
from exonym.training.links.link_examples import degrees_of
from exonym.webgraph import Graph
from exonym.webgraph.graph import Nodes

SEGMENT, BEST_SEGMENT, BEST_PAGE, BREADTH_FIRST = "segment", "best-segment S=2 D=2", "best-page", "bfs"
RELEVANT_ONLY = "relevant-only (oracle)"
_HALF = 0.5  # for history and neighbourhood: the middle of their range, not tuned
_DOUBT = 4  # of 0, 1, 2, 4, 8 and 16 tried on web 7 with models of web 3; all from 2 on did about equally well


class Crawler(NamedTuple):
    """A strategy with its options, and its name in tables."""

    name: str
    strategy: str
    options: dict[str, Any]


def crawlers_of(models: Path) -> list[Crawler]:
    """All crawlers to compare: the four of the thesis, two that it cites, and ours."""
    names = ("bayes", "linear", "bayes-by-link", "site", "page")
    bayes, linear, by_link, site, page = (str(model_file(models, name).resolve()) for name in names)
    return [
        Crawler(SEGMENT, "segment", {"model": bayes}),
        Crawler(BEST_SEGMENT, "best-segment", {}),
        Crawler(BEST_PAGE, "best-page", {}),
        Crawler(BREADTH_FIRST, "bfs", {}),
        Crawler("site (Tadapak 2010)", "site", {"model": site}),
        Crawler("naive-bayes (Srisukha 2008)", "naive-bayes", {"model": page}),
        Crawler("mean-segment", "mean-segment", {}),
        Crawler("segment, links not pooled", "segment", {"model": by_link}),
        Crawler("segment, linear model", "segment", {"model": linear}),
        Crawler("segment, S=1", "segment", {"model": bayes, "S": 1}),
        Crawler("segment, history", "segment", {"model": bayes, "history": _HALF}),
        Crawler("segment, neighbourhood", "segment", {"model": bayes, "neighbourhood": _HALF}),
        Crawler("segment, doubt", "segment", {"model": bayes, "doubt": _DOUBT}),
        Crawler("segment, linear model, doubt", "segment", {"model": linear, "doubt": _DOUBT}),
        Crawler("best-segment S=2 D=2, doubt", "segment", {"doubt": _DOUBT}),
        Crawler(RELEVANT_ONLY, "relevant-only", {}),
    ]


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedCrawl:
    """The pages of a simulated crawl."""

    name: str
    nodes: Nodes  # pages in the order in which they were fetched
    relevant: Flags  # whether each of these is relevant, by the web's truth
    reason: str  # why the crawl ended

    def found(self, pages: int) -> int:
        """How many of the first `pages` pages are relevant."""
        return int(np.count_nonzero(self.relevant[:pages]))

    def harvest(self, pages: int) -> float:
        """The harvest rate over the first `pages` pages, or over all if there are fewer."""
        return harvest_over(self.relevant, pages)


def crawl_all(graph: Graph, crawlers: list[Crawler], plan: Plan, tell: Tell) -> list[SimulatedCrawl]:
    """Simulate every crawler, some at a time, from the same seeds."""
    make, crawls = partial(_Web, graph.directory, plan), list[SimulatedCrawl]()
    # Crawlers with more options read links, which is slow: they go first.
    slowest_first = sorted(crawlers, key=lambda crawler: -len(crawler.options))
    tell(f"{graph.directory.name}: crawled by 0 of {len(crawlers)}")
    results: Iterator[SimulatedCrawl]
    if cores(0) == 1 or len(graph) < 5_000:  # starting processes would take longer
        results = map(make().crawl, slowest_first)
    else:
        results = done_in_processes(_Web.crawl, make, slowest_first, cores(0))
    for crawl in results:
        crawls.append(crawl)
        tell(f"{graph.directory.name}: crawled by {len(crawls)} of {len(crawlers)}")
    order = [crawler.name for crawler in crawlers]
    return sorted(crawls, key=lambda crawl: order.index(crawl.name))


# In a process


class _Web:
    """A graph and the plan to crawl it by; models are loaded once, because they cache the links that they have read."""

    def __init__(self, directory: Path, plan: Plan) -> None:
        self._graph, self._plan = Graph.open(directory), plan
        self._models: dict[str, LinkModel] = {}

    def crawl(self, crawler: Crawler) -> SimulatedCrawl:
        """Simulate one crawler."""
        from exonym.models.links.link_model_file import load_link_model
        from exonym.simulation.engine.loop import simulate
        from exonym.strategies.by_name import make_strategy

        options = {name: value for name, value in crawler.options.items() if name != "model"}
        strategy = make_strategy(crawler.strategy, options, self._graph.manifest.languages)
        path = crawler.options.get("model")
        if path is not None and isinstance(strategy, LoadsLinkModel):
            if path not in self._models:
                self._models[path] = load_link_model(Path(path))
            strategy.use(self._models[path])
        run = simulate(self._graph, strategy, self._plan)
        return SimulatedCrawl(crawler.name, run.nodes[run.is_page].copy(), run.relevant[run.is_page].copy(), run.reason)


# Segments by the number of relevant segments that link to them, which a mean over sources does not show.

_THRESHOLD = 0.5
_NOTE = (
    "All segments of the web that was crawled, by its truth. Equation 8 is a mean over the segments that link to "
    "another: one link from a relevant segment counts as much as twenty. Tables 5 to 7 count pairs of segments, "
    "whereas a crawler begins each segment once. The option doubt of `segment` takes this into account: few sources "
    "count less than many."
)


def source_table(topic: str, graph: Graph) -> Table:
    """Segments by the number of relevant segments that link to them."""
    degrees = np.nan_to_num(degrees_of(graph, graph.outcome == Outcome.PAGE), nan=-1.0)
    targets, sources = np.unique(_targets_of_relevant(graph, degrees), return_counts=True)
    relevant = degrees[targets] >= _THRESHOLD
    rows: list[TableRow] = []
    for first, last in powers_of_two(int(sources.max(initial=1)))[1:]:
        chosen = (sources >= first) & (sources <= last)
        counts = int(np.count_nonzero(chosen)), int(np.count_nonzero(chosen & relevant))
        rows.append((range_name(first, last), *counts, share(counts[1], counts[0])))
    columns = ("relevant segments that link to it", "segments", "relevant", "ratio")
    caption = f"Segments by how many relevant segments link to them: {TOPICS[topic].name}"
    return Table(f"sources-{topic}", caption, columns, tuple(rows), _NOTE)


def _targets_of_relevant(graph: Graph, degrees: NDArray[np.float64]) -> NDArray[np.int64]:
    """The segments with fetched pages that relevant segments link to: one entry for each pair of segments."""
    segment = np.asarray(graph.segment).astype(np.int64)
    source = np.repeat(segment, np.diff(graph.offsets))
    fetched = np.repeat(graph.outcome == Outcome.PAGE, np.diff(graph.offsets))
    target = segment[graph.targets]
    kept = fetched & (degrees[source] >= _THRESHOLD) & (degrees[target] >= 0) & (source != target)
    pairs = np.unique(source[kept] * graph.manifest.segments + target[kept])
    targets: NDArray[np.int64] = pairs % max(1, graph.manifest.segments)
    return targets
