"""The two crawls of one nation: baseline and rule, from the same seeds, with their pages counted by language."""

from typing import Any, NamedTuple

import numpy as np

from exonym.batches import Outcome, language_name
from exonym.crawl_views.language_comparison import grouped
from exonym.experiments.cjk2010.published import CrawlPair
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.graph import Nodes

PagesByLanguage = dict[str, int]


class Pair(NamedTuple):
    """Pages by language that the baseline and the rule found, and that the baseline had found after as many pages."""

    nation: CrawlPair
    baseline: PagesByLanguage
    rule: PagesByLanguage
    cut: PagesByLanguage

    def values(self) -> dict[str, Any]:
        """For JSON. Scripts rely on these names; more may be added, none may go."""
        ours = {"baseline": self.baseline, "rule": self.rule, "baseline_cut": self.cut}
        published = {"baseline": self.nation.baseline, "rule": self.nation.rule}
        return {"language": self.nation.language, "published": published, "ours": ours}


def crawled_pair(graph: Graph, nation: CrawlPair, part: float) -> Pair:
    """Both crawls, with `part` times as many pages as the published ones."""
    baseline = _documents(graph, "bfs")
    rule = _documents(graph, f"cjk:language={nation.language},domains={nation.domain}")
    sizes = [max(1, round(part * sum(counts.values()))) for counts in (nation.baseline, nation.rule)]
    rule = rule[: sizes[1]]
    cut = baseline[: len(rule)]
    return Pair(nation, *(languages_of(graph, nodes) for nodes in (baseline[: sizes[0]], rule, cut)))


def _documents(graph: Graph, text: str) -> Nodes:
    """The pages that a crawl fetches, in order; the paper does not count requests that fail."""
    from exonym.simulation.engine.loop import simulate

    nodes = simulate(graph, strategy_of(text, graph), Plan(k=1)).nodes
    documents: Nodes = nodes[graph.outcome[nodes] == Outcome.PAGE]
    return documents


def languages_of(graph: Graph, nodes: Nodes) -> PagesByLanguage:
    """Pages by language; those of unknown language are among the others."""
    codes, counts = np.unique(graph.language[nodes], return_counts=True)
    return grouped({language_name(code): count for code, count in zip(codes.tolist(), counts.tolist(), strict=True)})
