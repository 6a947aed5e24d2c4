"""Whole sites, segments or pages: what crawls by each of these units find, and where they fetch irrelevant pages.

    python benchmarks/units.py [--topic tourism] [--pages 40000] [--directory DIR] [--json]

The thesis argues that a crawler of whole sites wastes requests on sites that are relevant only in part. Link models are
trained for each unit on one practice web (seed 3); another (seed 11) is crawled from 20 relevant pages, at most 300
pages of a server. Relevance is the truth of the webs (an oracle). "Early" is over as many pages as are relevant. With a
directory, webs and models that are there are used again.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np

from exonym.batches import Outcome
from exonym.models.links.base import LinkUnit
from exonym.models.links.link_model_file import save_link_model
from exonym.models.links.trained import LinkModelKind
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.simulation.engine.loop import simulate
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.training.links.command import LinkModelRequest, train_links
from exonym.training.links.link_examples import Gathering
from exonym.training.links.tuning import relevant_seeds
from exonym.training.train_options import LinkTrainOptions
from exonym.webgraph import Graph
from exonym.webgraph.manifest import MANIFEST

SEED, TRAIN_SEED = 11, 3
SEEDS, BUDGET, PAGES_PER_SERVER = 20, 10_000, 300
# The kinds of models that the papers had: naive Bayes for segments and pages, a linear one for sites.
KINDS: dict[LinkUnit, LinkModelKind] = {"segment": "bayes", "site": "linear", "page": "bayes"}
Figures = dict[str, float | int | str]


def made(directory: Path, topic: str, seed: int, pages: int) -> Graph:
    """The practice web as a graph, unless it is there."""
    if (directory / MANIFEST).exists():
        return Graph.open(directory)
    return write_topic_graph(PracticeWeb(seed, pages, PracticeOptions(topics=True)), directory, f"thai-{topic}")


def trained(graph: Graph, unit: LinkUnit) -> Path:
    """The link model of a unit, unless it is there."""
    path = graph.directory.with_name(f"{graph.directory.name}-{unit}.links")
    if not path.exists():
        options = LinkTrainOptions(KINDS[unit], folds=5, repeats=1)
        request = LinkModelRequest(
            graph.directory, Gathering(unit=unit), options, name=unit, nation="TH", ablation=False
        )
        save_link_model(train_links(request).model, path)
    return path


def crawled(graph: Graph, text: str, early: int) -> Figures:
    """Harvest rates, and irrelevant pages by what their servers have."""
    seeds = relevant_seeds(graph, SEEDS, SEED)
    plan = Plan(k=1, budget=BUDGET, pages_per_server=PAGES_PER_SERVER, seeds=seeds)
    run = simulate(graph, strategy_of(text, graph), plan)
    nodes, relevant = run.nodes[run.is_page], run.relevant[run.is_page]
    server, is_page = np.asarray(graph.server), np.asarray(graph.outcome) == Outcome.PAGE
    is_good = np.zeros(graph.manifest.servers, np.bool_)  # servers with a relevant page
    is_good[server[is_page & graph.relevant]] = True
    irrelevant_early = nodes[:early][~relevant[:early]]
    on_good = int(np.count_nonzero(is_good[server[irrelevant_early]]))
    return {
        "strategy": text.partition(":")[0],
        "pages": len(nodes),
        "harvest_early": float(relevant[:early].mean()),
        "harvest": float(relevant.mean()),
        "found": int(relevant.sum()),
        "irrelevant_early_on_partly_relevant_servers": on_good,
        "irrelevant_early_on_other_servers": len(irrelevant_early) - on_good,
    }


def main() -> None:
    """Print what was found."""
    asked = _options()
    with tempfile.TemporaryDirectory(prefix="exonym-bench-") as place:
        work = asked.directory or Path(place)
        graph, known = (
            made(work / f"{asked.topic}-{seed}", asked.topic, seed, asked.pages) for seed in (SEED, TRAIN_SEED)
        )
        models = {unit: trained(known, unit) for unit in KINDS}
        early = int(np.count_nonzero(graph.relevant & (graph.outcome == Outcome.PAGE)))
        segment, site, page = (models[unit] for unit in KINDS)
        strategies = [f"segment:model={segment}", "best-segment", "mean-segment", f"site:model={site}"]
        strategies += [f"naive-bayes:model={page}", "best-page", "bfs"]
        found = [crawled(graph, text, early) for text in strategies]
    if asked.json:
        print(json.dumps({"topic": asked.topic, "pages": asked.pages, "relevant": early, "crawls": found}))
        return
    print(
        f"{asked.topic}, {graph.manifest.fetched:,} pages, {early:,} of them relevant; irrelevant pages fetched early"
    )
    for one in found:
        print(
            f"  {one['strategy']:<13} harvest {one['harvest_early']:6.1%} early, {one['harvest']:6.1%} over "
            f"{one['pages']:6,} pages; irrelevant: {one['irrelevant_early_on_partly_relevant_servers']:5,} on servers "
            f"relevant in part, {one['irrelevant_early_on_other_servers']:5,} on others"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topic", default="tourism", choices=["tourism", "estate", "diving"])
    parser.add_argument("--pages", type=int, default=40_000)
    parser.add_argument("--directory", type=Path, help="of webs and models; without it, they are removed at the end")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
