"""Link models that pool all links between two segments, beside models that predict link by link.

    python benchmarks/pooling.py [--topic tourism] [--size 40000] [--train 3] [--crawl 5] [--webs DIRECTORY] [--json]

For both kinds of models: the G-mean by site and by plain folds on the web with seed --train; then the harvest rate of
`segment` on the web with seed --crawl, early (over as many pages as are relevant) and over 10,000 pages, from 20
relevant pages, at most 300 pages per server, k 1, as `exonym experiment tflswc2014` crawls. Webs are made first, and
kept if --webs names a directory. Ten minutes per topic at the default size, on two cores.
"""

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from exonym.batches import Outcome
from exonym.metrics import harvest_over
from exonym.models.links.base import LinkPool
from exonym.models.links.link_reader import read_options_of
from exonym.models.links.trained import LinkModelKind
from exonym.nations import load_nation
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.plan import Plan
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.training.links.link_examples import Gathering, gather_links
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import train_link_model, validated
from exonym.training.links.tuning import relevant_seeds
from exonym.training.train_options import LinkTrainOptions
from exonym.webgraph import Graph
from exonym.webgraph.manifest import MANIFEST

BUDGET, SEEDS, PAGES_PER_SERVER = 10_000, 20, 300
Figures = dict[str, float | int | str]


def made(webs: Path, topic: str, seed: int, size: int) -> Graph:
    """A practice web as a graph, unless it is there."""
    directory = webs / f"{topic}-{seed}"
    if (directory / MANIFEST).exists():
        return Graph.open(directory)
    return write_topic_graph(PracticeWeb(seed, size, PracticeOptions(topics=True)), directory, f"thai-{topic}")


def measured(known: Graph, crawled: Graph, pool: LinkPool, asked: argparse.Namespace) -> list[Figures]:
    """The figures of both kinds of models that are trained on one web and used on another."""
    reading = read_options_of(load_nation("TH"))
    matrix = link_matrix(gather_links(known, Gathering(pool=pool)).examples, reading)
    relevant = int(np.count_nonzero(crawled.relevant & (crawled.outcome == Outcome.PAGE)))
    plan = Plan(1, BUDGET, PAGES_PER_SERVER, relevant_seeds(crawled, SEEDS, 0))
    found: list[Figures] = []
    for kind in get_args(LinkModelKind):
        options = LinkTrainOptions(kind, reading, folds=asked.folds, repeats=asked.repeats)
        by_site, plain = (validated(matrix, replace(options, by_site=by_site)).g_mean for by_site in (True, False))
        strategy = SegmentCrawler(doubt=asked.doubt)
        strategy.use(train_link_model(matrix, options))
        simulation = Simulation(crawled, strategy, plan)
        simulation.prepare()
        run = simulation.run()
        pages = run.relevant[run.is_page]
        harvests = {"early": harvest_over(pages, relevant), "budget": harvest_over(pages, BUDGET)}
        found.append({"kind": kind, "pool": pool, "by_site": by_site, "plain": plain, **harvests, "pages": len(pages)})
    return found


def main() -> None:
    """Print what was measured."""
    asked = _options()
    with tempfile.TemporaryDirectory(prefix="exonym-bench-") as place:
        webs = asked.webs or Path(place)
        known, crawled = (made(webs, asked.topic, seed, asked.size) for seed in (asked.train, asked.crawl))
        found = [row for pool in get_args(LinkPool) for row in measured(known, crawled, pool, asked)]
    if asked.json:
        print(json.dumps({"topic": asked.topic, "train": asked.train, "crawl": asked.crawl, "rows": found}))
        return
    print(f"thai-{asked.topic}, {asked.size:,} pages, trained on web {asked.train}, crawled web {asked.crawl}")
    for row in found:
        shares = "  ".join(
            f"{name} {100 * float(row[name]):5.2f} %" for name in ("by_site", "plain", "early", "budget")
        )
        print(f"  {row['kind']:<7} {row['pool']:<5} {shares}  of {row['pages']:,} pages")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topic", choices=["tourism", "estate", "diving"], default="tourism")
    parser.add_argument("--size", type=int, default=40_000)
    parser.add_argument("--train", type=int, default=3, help="seed of the web to train on")
    parser.add_argument("--crawl", type=int, default=5, help="seed of the web to crawl")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--doubt", type=float, default=0.0)
    parser.add_argument("--webs", type=Path, help="where webs are, or are to be kept")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
