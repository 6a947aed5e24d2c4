"""Hubs and authorities compared with eigenvectors of dense matrices, and with arithmetic."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from random_graphs import random_graph

from exonym.batches import Outcome
from exonym.errors import GraphError
from exonym.seeds.seed import Seed
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.analyses.link_parts import link_parts, relevant_pages
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.hits import AUTHORITIES, TOLERANCE, HitsChoice, hits, hits_seeds
from exonym.webgraph.manifest import Manifest

Made = Callable[..., Graph]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A graph of these links, every page on a server of its own unless told otherwise."""

    def make(
        links: list[list[int]],
        server: list[int] | None = None,
        relevant: list[int] | None = None,
        outcome: list[int] | None = None,
        urls: bool = True,
    ) -> Graph:
        nodes = len(links)
        of_server = np.array(server or range(nodes))
        columns = {
            "server": of_server,
            "segment": of_server,
            "domain": of_server % 2,
            "outcome": np.array(outcome or [Outcome.PAGE] * nodes),
            "language": np.zeros(nodes),
            "relevant": np.isin(np.arange(nodes), range(nodes) if relevant is None else relevant),
            "offsets": np.cumsum([0, *map(len, links)]),
            "targets": np.array([target for targets in links for target in targets]),
            "seeds": np.array([0]),
        }
        with GraphWriter(tmp_path / "graph") as writer:
            for name, values in columns.items():
                writer.put(name, values)
            if urls:
                writer.put_texts(
                    "url", [f"http://s{one}.{'th' if one % 2 == 0 else 'com'}/{n}" for n, one in enumerate(of_server)]
                )
            writer.finish(Manifest(languages=["th"], domains=["th", "com"]))
        return Graph.open(tmp_path / "graph")

    return make


def dense(graph: Graph, relevant_only: bool) -> np.ndarray:
    """The links between servers as a dense matrix, written from the definition, a link at a time."""
    matrix = np.zeros((len(graph), len(graph)))
    for part in link_parts(graph):
        for source, target in zip(part.sources.tolist(), part.targets.tolist(), strict=True):
            if graph.server[source] != graph.server[target]:
                matrix[source, target] = 1
    if relevant_only:
        root = relevant_pages(graph)
        base = root | matrix[root].any(axis=0) | matrix[:, root].any(axis=1)
        matrix[~base] = 0
        matrix[:, ~base] = 0
    return matrix


def principal(matrix: np.ndarray) -> np.ndarray:
    """The principal eigenvector of a symmetric matrix, without negative entries."""
    values, vectors = np.linalg.eigh(matrix)
    assert values[-1] - values[-2] > 1e-3  # else it is not the only one
    return np.abs(vectors[:, -1])


@pytest.mark.parametrize("relevant_only", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_scores_are_principal_eigenvectors(seed: int, relevant_only: bool, tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "graph", seed)
    matrix = dense(graph, relevant_only)
    scores = hits(graph, relevant_only)
    assert scores.links == matrix.sum()
    assert scores.change <= TOLERANCE
    assert scores.hubs == pytest.approx(principal(matrix @ matrix.T), abs=1e-6)
    assert scores.authorities == pytest.approx(principal(matrix.T @ matrix), abs=1e-6)


def test_small_web_is_as_worked_out_by_hand(made: Made) -> None:
    """0 links to 2, 3 and 4; 1 links to 2. With hubs (x, y): authorities (x + y, x, x), so hubs (3x + y, x + y).

    The matrix [[3, 1], [1, 1]] has the largest eigenvalue 2 + √2 and y / x = √2 - 1 = 0.414.
    """
    scores = hits(made([[2, 3, 4], [2], [], [], []]))
    assert scores.hubs[1] / scores.hubs[0] == pytest.approx(2**0.5 - 1)
    assert scores.authorities[2] / scores.authorities[3] == pytest.approx(2**0.5)  # (x + y) / x
    assert scores.hubs[2:] == pytest.approx([0, 0, 0])


def test_links_inside_a_server_and_repeated_links_do_not_count(made: Made) -> None:
    # Page 0 links to its own server five times and to page 6 twice; page 5 links to two other servers.
    scores = hits(made([[1, 2, 3, 4, 1, 6, 6], [], [], [], [], [6, 7], [], []], server=[0, 0, 0, 0, 0, 1, 2, 3]))
    assert scores.links == 3
    assert scores.hubs[5] > scores.hubs[0] > 0
    assert scores.authorities[1] == 0


def test_best_pages_become_seeds_at_most_some_of_a_server(made: Made) -> None:
    graph = made([[4, 5, 6], [4, 5], [4], [4], [], [], []], server=[0, 0, 1, 2, 3, 4, 5])

    def urls(**changed: object) -> list[str]:
        found = hits_seeds(graph, HitsChoice(**{"count": 10, **changed}), lambda _: None)  # type: ignore[arg-type]
        return [one.url for one in found if isinstance(one, Seed)]

    assert urls() == ["http://s0.th/0", "http://s1.com/2", "http://s2.th/3"]
    assert urls(per_server=2) == ["http://s0.th/0", "http://s0.th/1", "http://s1.com/2", "http://s2.th/3"]
    assert urls(per_server=0, count=2) == ["http://s0.th/0", "http://s0.th/1"]
    assert urls(domains=frozenset(["com"])) == ["http://s1.com/2"]
    assert urls(by=AUTHORITIES) == ["http://s3.com/4", "http://s4.th/5", "http://s5.com/6"]


def test_pages_that_failed_or_were_never_fetched_are_no_seeds(made: Made) -> None:
    outcome = [Outcome.PAGE, Outcome.PAGE, Outcome.FAILED, KNOWN, Outcome.PAGE]
    graph = made([[2, 3, 4], [2], [], [], []], outcome=outcome)
    found = hits_seeds(graph, HitsChoice(10, AUTHORITIES), lambda _: None)
    assert [one.url for one in found if isinstance(one, Seed)] == ["http://s4.th/4"]


def test_only_relevant_pages_become_seeds_if_so_wanted_but_their_neighbours_count(made: Made) -> None:
    """Hub 0 is irrelevant and links to the relevant 2 and 3; hub 1 is relevant and links to 2.

    Page 4 links to five pages that have nothing to do with relevant ones: it is the best hub of the whole graph.
    """
    links = [[2, 3], [2], [], [], [5, 6, 7, 8, 9], *[[] for _ in range(5)]]
    graph = made(links, relevant=[1, 2, 3])
    assert np.argmax(hits(graph).hubs) == 4
    scores = hits(graph, relevant_only=True)
    assert scores.links == 3
    assert np.argmax(scores.hubs) == 0
    found = list(hits_seeds(graph, HitsChoice(10, relevant_only=True), lambda _: None))
    assert [one.url for one in found if isinstance(one, Seed)] == ["http://s1.com/1"]


def test_graph_without_addresses_is_refused(made: Made) -> None:
    with pytest.raises(GraphError, match="has no addresses"):
        list(hits_seeds(made([[1], []], urls=False), HitsChoice(1), lambda _: None))


def test_graph_without_links_between_servers_is_refused(made: Made) -> None:
    with pytest.raises(GraphError, match="no links between servers"):
        list(hits_seeds(made([[1], []], server=[0, 0]), HitsChoice(1), lambda _: None))


def test_same_graph_gives_the_same_scores(tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "graph", 1)
    first, again = hits(graph), hits(graph)
    assert np.array_equal(first.hubs, again.hubs)
    assert np.array_equal(first.authorities, again.authorities)
