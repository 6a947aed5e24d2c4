"""The segment crawler over a large web with texts: seconds to read links and to crawl, beside other strategies.

    python benchmarks/segments.py [--pages 1000000] [--graph GRAPH] [--json]

Without a graph one is made first (a practice web, seed 5: ten minutes and 4.5 GB for 1,000,000 pages), and kept beside
if --graph names it. The link model is trained on another web of 10,000 pages. Every strategy runs by itself, as
`exonym simulate` does it, with k 256; the peers are bfs, which reads nothing, mean-segment, and the same crawler with
all links read, those that come to nothing too (on a tenth of the pages: it takes long).
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from exonym.models.links.link_model_file import save_link_model
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.training.links.command import LinkModelRequest, train_links
from exonym.training.links.link_examples import Gathering
from exonym.training.train_options import LinkTrainOptions
from exonym.webgraph import Graph
from exonym.webgraph.manifest import MANIFEST

SEED, TRAIN_SEED = 5, 3
K = 256
TARGET = "thai-tourism"
ASKED_SECONDS = 120
Figures = dict[str, float | int | str]


def made(directory: Path, seed: int, pages: int) -> Graph:
    """The practice web as a graph, unless it is there."""
    if (directory / MANIFEST).exists():
        return Graph.open(directory)
    return write_topic_graph(PracticeWeb(seed, pages, PracticeOptions(topics=True)), directory, TARGET)


def trained(work: Path, pages: int) -> Path:
    """A link model of another web."""
    graph = made(work / "train", TRAIN_SEED, pages)
    options = LinkTrainOptions("bayes", folds=2, repeats=1)
    request = LinkModelRequest(graph.directory, Gathering(), options, name="bench", nation="TH", ablation=False)
    save_link_model(train_links(request).model, work / "bench.links")
    return work / "bench.links"


def simulated(graph: Graph, text: str, plan: Plan, reads_all: bool = False) -> Figures:
    """Seconds to read links, and to crawl."""
    strategy = strategy_of(text, graph)
    if reads_all and isinstance(strategy, SegmentCrawler):
        strategy.least_relevance = 0.0
    begun = time.perf_counter()
    simulation = Simulation(graph, strategy, plan)
    simulation.prepare()
    read = time.perf_counter()
    run = simulation.run()
    ended = time.perf_counter()
    return {
        "strategy": text.partition(":")[0] + (", all links read" if reads_all else ""),
        "visits": len(run.nodes),
        "relevant": int(run.relevant.sum()),
        "reading_seconds": read - begun,
        "crawling_seconds": ended - read,
        "seconds": ended - begun,
    }


def main() -> None:
    """Print what was measured."""
    asked = _options()
    with tempfile.TemporaryDirectory(prefix="exonym-bench-") as place:
        work = Path(place)
        graph = made(asked.graph or work / "web", SEED, asked.pages)
        segment = f"segment:model={trained(work, asked.train_pages)}"
        simulated(graph, "mean-segment", Plan(k=K, budget=1_000))  # what is compiled is compiled now
        every, tenth = Plan(k=K), Plan(k=K, budget=graph.manifest.fetched // 10)
        found = [simulated(graph, text, every) for text in ("bfs", "mean-segment", segment)]
        part = [simulated(graph, segment, tenth, reads_all) for reads_all in (False, True)]
    if asked.json:
        print(json.dumps({"pages": graph.manifest.fetched, "links": graph.manifest.links, "all": found, "tenth": part}))
        return
    print(f"{graph.manifest.fetched:,} pages, {graph.manifest.links:,} links, k {K}, {os.cpu_count()} cores")
    print(f"The whole web (asked of segment: {ASKED_SECONDS} s):")
    _print(found)
    print("A tenth of the pages:")
    _print(part)


def _print(found: list[Figures]) -> None:
    for one in found:
        print(
            f"  {one['strategy']:<26} {one['visits']:>9,} visits, {one['relevant']:>7,} relevant; "
            f"{one['seconds']:6.1f} s, of them reading {one['reading_seconds']:6.1f}; "
            f"{float(one['seconds']) / float(found[0]['seconds']):5.1f} x {found[0]['strategy']}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--train-pages", type=int, default=10_000)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
