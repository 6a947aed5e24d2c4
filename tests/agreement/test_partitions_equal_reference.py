"""The compiled simulation of partitions visits what a `Crawl` for each partition visits, in the same order."""

from pathlib import Path

import numpy as np
import pytest
from random_graphs import random_graph
from test_engine_equals_reference import MAKERS, simulated

from exonym.crawl import Bounds
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.plan import Plan
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.lswc import LanguageSpecific
from exonym.testing.plain_partitions import PartitionPlan, PlainPartitions
from exonym.urls import partition_of, server_of
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import REQUIRED
from exonym.webgraph.manifest import Manifest

# Their state is about more than the servers and segments that a partition owns.
SHARED = ("best-segment", "site", "site, pooled", "pooling")


@pytest.mark.parametrize("lag", [0, 3])
@pytest.mark.parametrize("name", [name for name in MAKERS if name not in SHARED])
def test_partitions_visit_what_crawls_of_their_own_visit(name: str, lag: int, tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "plain", 1, nodes=40)
    assert {partition_of(server_of(url), 3) for url in graph.texts("url").part(0, len(graph))} == {0, 1, 2}
    plain = PlainPartitions(graph, MAKERS[name], PartitionPlan(3, lag)).run()
    assert simulated(tmp_path / "compiled", 1, MAKERS[name], Plan(k=3, partitions=3, lag=lag), nodes=40) == plain


@pytest.mark.parametrize("name", [*SHARED, "wandering", "lswc 3 5"])
def test_copies_of_a_strategy_in_partitions_tell_each_other_what_they_learned(name: str, tmp_path: Path) -> None:
    plain = PlainPartitions(random_graph(tmp_path / "plain", 2), MAKERS[name], PartitionPlan(3, 1, 2)).run()
    assert simulated(tmp_path / "compiled", 2, MAKERS[name], Plan(k=3, partitions=3, lag=1, model_lag=2)) == plain


@pytest.mark.parametrize("name", ["bfs", "lswc 3 5", "wandering"])
def test_limits_hold_for_all_partitions_together(name: str, tmp_path: Path) -> None:
    bounds = Bounds(pages=25, pages_per_server=4)
    plain = PlainPartitions(random_graph(tmp_path / "plain", 1), MAKERS[name], PartitionPlan(3, 1), bounds).run()
    plan = Plan(k=3, budget=25, pages_per_server=4, partitions=3, lag=1)
    assert simulated(tmp_path / "compiled", 1, MAKERS[name], plan) == plain


class _Asked(LanguageSpecific):
    """LSWC that has no table of scores, so that its rounds are those of partitions."""

    facts = None


@pytest.mark.parametrize("k", [1, 16])
def test_one_partition_visits_what_an_undivided_crawl_visits(k: int, tmp_path: Path) -> None:
    def visits(strategy: LanguageSpecific, name: str) -> list[int]:
        graph = random_graph(tmp_path / name, 3, nodes=900)
        return Simulation(graph, strategy, Plan(k=k)).run().nodes.tolist()

    undivided = visits(LanguageSpecific(S=3, T=5), "table")
    assert len(undivided) > 80
    assert visits(_Asked(S=3, T=5), "asked") == undivided


# By hand: server a is of partition 0 of 2, and b of partition 1. Page a0 links to a1 and b0, and b0 to a2; all links of
# a2 and a1 lead nowhere. A round is a page of each partition.


def by_hand(directory: Path) -> Graph:
    a = next(name for name in ("a.com", "c.com", "d.com", "e.com") if partition_of(name, 2) == 0)
    b = next(name for name in ("b.com", "f.com", "g.com", "h.com") if partition_of(name, 2) == 1)
    columns = {name: np.zeros(4, kind) for name, kind in REQUIRED.items()}
    columns |= {"server": np.array([0, 0, 0, 1]), "segment": np.array([0, 0, 0, 1])}
    columns |= {"offsets": np.array([0, 2, 2, 2, 3]), "targets": np.array([1, 3, 2]), "seeds": np.array([0])}
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, values)
        writer.put_texts("url", [f"http://{server}/{page}" for server, page in [(a, 0), (a, 1), (a, 2), (b, 0)]])
        writer.finish(Manifest(domains=["com"]))
    return Graph.open(directory)


@pytest.mark.parametrize(
    ("lag", "rounds"),
    [
        (0, 3),  # a0; a1 and b0; a2
        (2, 7),  # a0; a1; none; b0, whose link was found in round 0; two rounds in which a2 is under way; a2
    ],
)
def test_links_to_another_partition_arrive_after_the_lag(lag: int, rounds: int, tmp_path: Path) -> None:
    run = Simulation(by_hand(tmp_path / "graph"), BreadthFirst(), Plan(k=2, partitions=2, lag=lag)).run()
    assert run.nodes.tolist() == [0, 1, 3, 2]
    assert run.rounds == rounds
