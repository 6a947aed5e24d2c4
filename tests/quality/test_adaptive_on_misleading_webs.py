"""The adaptive strategy on webs that are made to mislead it, or to say nothing: at least as good as the rules."""

from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Flags
from exonym.metrics import area
from exonym.simulation.engine.loop import simulate
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

PAGES = 20_000


def made(directory: Path, profile: str) -> Graph:
    generate(directory, Order(PAGES, 3, profile, load_profile(profile)))
    return Graph.open(directory)


def found_by(strategy: str, graph: Graph) -> Flags:
    run = simulate(graph, strategy_of(strategy, graph), Plan(k=2))
    return run.relevant[run.is_page]


@pytest.mark.parametrize("profile", ["thai2006", "linkfarm", "stuffed", "blogrolls", "scattered"])
def test_adaptive_finds_more_than_the_rules(profile: str, tmp_path: Path) -> None:
    graph = made(tmp_path / "web", profile)
    existing = relevant_pages_of(graph)
    rules = ("bfs", "soft", "cjk:language=th", "lswc:S=1,T=1", "lswc:S=3,T=5")
    best = max(area(found_by(rule, graph), existing) for rule in rules)
    assert area(found_by("adaptive", graph), existing) > best
    assert area(found_by("adaptive:prior=none", graph), existing) > best


def test_stuffed_anchors_buy_few_visits(tmp_path: Path) -> None:
    graph = made(tmp_path / "web", "stuffed")
    is_relevant_server = np.zeros(graph.manifest.servers, np.bool_)
    is_relevant_server[graph.server[graph.relevant]] = True
    existing = relevant_pages_of(graph)
    run = simulate(graph, strategy_of("adaptive", graph), Plan(k=2, budget=existing))
    # Nine in ten anchors of links between irrelevant pages outside are in the language, and of every ten pages that are
    # asked for, fewer than one is on a server that has nothing.
    assert np.count_nonzero(~is_relevant_server[graph.server[run.nodes]]) < 0.1 * existing
