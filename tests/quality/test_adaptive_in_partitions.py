"""The adaptive strategy on a cluster: copies that tell each other what they learned find nearly as much as one."""

from pathlib import Path

import pytest

from exonym.metrics import area
from exonym.simulation.engine.loop import simulate
from exonym.simulation.measuring import relevant_pages_of
from exonym.simulation.plan import Plan
from exonym.simulation.side_by_side import strategy_of
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile


@pytest.mark.parametrize("prior", ["", ":prior=none"])
def test_copies_that_tell_each_other_now_and_then_learn_nearly_as_one(prior: str, tmp_path: Path) -> None:
    generate(tmp_path / "web", Order(20_000, 3, "thai2006", load_profile("thai2006")))
    graph = Graph.open(tmp_path / "web")
    existing = relevant_pages_of(graph)
    areas = []
    for rounds in (0, 10):
        plan = Plan(k=16, budget=2 * existing, partitions=16, model_lag=rounds)
        run = simulate(graph, strategy_of(f"adaptive{prior}", graph), plan)
        areas.append(area(run.relevant[run.is_page], existing))
    assert areas[1] > 0.9 * areas[0]
