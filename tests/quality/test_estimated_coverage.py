"""Crawls of generated webs tell how much of the relevant pages they have found, and are about right."""

from pathlib import Path
from statistics import mean

import pytest

from exonym.probes.completeness import completeness_of
from exonym.simulation.engine.loop import simulate
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile

PAGES = 60_000


@pytest.mark.parametrize("profile", ["thai2006", "portals", "stuffed"])
def test_estimates_are_near_and_their_intervals_hold(profile: str, tmp_path: Path) -> None:
    generate(tmp_path / "web", Order(PAGES, 3, profile, load_profile(profile)))
    graph = Graph.open(tmp_path / "web")
    existing = relevant_pages_of(graph)
    run = simulate(graph, strategy_of("adaptive", graph), Plan(k=4, budget=2 * existing))
    told = [(each.relevant / existing, found) for each in run.estimates if (found := completeness_of(each))]
    assert len(told) > 10
    assert min(true for true, _ in told) < 0.95  # while there was something to doubt
    for first, most in ((0.75, 0.05), (0.9, 0.03)):
        assert mean(abs(found.share - true) for true, found in told if true >= first) < most
    holds = [found.low <= true <= found.high for true, found in told]
    assert sum(holds) >= 0.8 * len(holds)
    # The first reviews come when next to nothing was found, however much of that little.
    assert [completeness_of(each) for each in run.estimates[:5]] == [None] * 5
