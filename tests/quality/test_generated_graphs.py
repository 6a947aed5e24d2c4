"""Generated webs are as published, and nothing in them tells a page's language that should not.

Published figures: Tables 3 to 5 within 2 points and the shapes of Figures 2 and 3, at sizes a hundredth of the paper's.
Leaks: a classifier that is trained on one web and tried on another, told only numbers, order and spelling, must do no
better than chance; told degrees as well, no better than by degrees alone, for these differ as the published counts of
links say.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from exonym.batches import Outcome
from exonym.webgraph import Graph
from exonym.webgraph.generating.check import Check, check_graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile
from exonym.webgraph.url_spelling import segment_name_of, url_of

POINTS = 0.02
PAGES = 200_000
# How far the area under the curve may be from one half: 4 standard errors, sqrt(1 / 6n), of n pages of each kind.
FEW, CHANCE_OF_FEW = 2_000, 0.037
MANY, CHANCE_OF_MANY = 10_000, 0.017
Matrix = NDArray[np.float64]
Positions = NDArray[np.intp]


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Graph, Graph]:
    place = tmp_path_factory.mktemp("webs")
    for seed in (1, 2):
        generate(place / str(seed), Order(PAGES, seed, "thai2006", load_profile("thai2006")))
    return Graph.open(place / "1"), Graph.open(place / "2")


@pytest.mark.parametrize("which", [0, 1])
def test_every_published_share_is_met_within_two_points(which: int, webs: tuple[Graph, Graph]) -> None:
    found = check_graph(webs[which])
    assert {row.name: row.difference for row in found.rows if not within(row.difference)} == {}
    assert found.reached == 1.0


@pytest.mark.parametrize("which", [0, 1])
def test_figures_2_and_3_have_their_published_shapes(which: int, webs: tuple[Graph, Graph]) -> None:
    assert [shape.name for shape in check_graph(webs[which]).figures if not shape.holds] == []


def test_published_shares_are_met_at_half_the_size(tmp_path: Path) -> None:
    generate(tmp_path / "web", Order(PAGES // 2, 3, "thai2006", load_profile("thai2006")))
    found: Check = check_graph(Graph.open(tmp_path / "web"))
    assert found.farthest <= POINTS
    assert all(abs(row.difference or 0) <= POINTS * row.published for row in found.counts)
    assert [shape.name for shape in found.figures if not shape.holds] == []


def within(difference: float | None) -> bool:
    return difference is not None and abs(difference) <= POINTS


def test_numbers_and_spelling_of_a_page_tell_nothing(webs: tuple[Graph, Graph]) -> None:
    first, second = webs
    nodes, others = pages_of(first), pages_of(second)
    scores = learned(page_features(first, nodes), first.relevant[nodes])(page_features(second, others))
    assert area(scores, second.relevant[others]) == pytest.approx(0.5, abs=CHANCE_OF_MANY)


def test_numbers_and_spelling_of_servers_and_segments_tell_nothing(webs: tuple[Graph, Graph]) -> None:
    first, second = webs
    nodes, others = one_of_each_server(first), one_of_each_server(second)
    scores = learned(place_features(first, nodes), first.relevant[nodes])(place_features(second, others))
    assert area(scores, second.relevant[others]) == pytest.approx(0.5, abs=CHANCE_OF_FEW)


def test_numbers_and_spelling_add_nothing_to_degrees(webs: tuple[Graph, Graph]) -> None:
    first, second = webs
    nodes, others = pages_of(first), pages_of(second)
    told, due = first.relevant[nodes], second.relevant[others]
    alone = area(learned(degrees(first, nodes), told)(degrees(second, others)), due)
    both = learned(np.hstack([page_features(first, nodes), degrees(first, nodes)]), told)
    together = area(both(np.hstack([page_features(second, others), degrees(second, others)])), due)
    assert together <= alone + CHANCE_OF_MANY


def test_incoming_links_tell_no_more_than_their_published_numbers(webs: tuple[Graph, Graph]) -> None:
    # By Table 4 a Thai page has 29.3 M / 1.71 M = 17.2 links from fetched pages, another 66.1 M / 12.3 M = 5.4.
    graph, _ = webs
    sources = np.repeat(np.arange(len(graph)), np.diff(graph.offsets))
    fetched, relevant = graph.outcome == Outcome.PAGE, np.asarray(graph.relevant)
    assert fetched[sources].all()
    incoming = np.bincount(graph.targets, minlength=len(graph))
    assert incoming[relevant].mean() == pytest.approx(17.2, rel=0.02)
    assert incoming[fetched & ~relevant].mean() == pytest.approx(5.4, rel=0.02)


def test_the_classifier_would_find_a_leak(webs: tuple[Graph, Graph]) -> None:
    first, second = webs
    nodes, others = pages_of(first), pages_of(second)
    scores = learned(leaky(first, nodes), first.relevant[nodes])(leaky(second, others))
    assert area(scores, second.relevant[others]) > 0.5 + 2 * CHANCE_OF_MANY


def test_order_of_links_on_a_page_tells_nothing(webs: tuple[Graph, Graph]) -> None:
    graph, _ = webs
    counts = np.diff(graph.offsets)
    place = np.arange(len(graph.targets)) - np.repeat(graph.offsets[:-1], counts)
    many = np.repeat(counts >= 10, counts)
    relative = (place[many] + 0.5) / np.repeat(counts, counts)[many]
    assert area(relative, graph.relevant[graph.targets[many]]) == pytest.approx(0.5, abs=CHANCE_OF_MANY)


def pages_of(graph: Graph) -> Positions:
    """As many relevant as irrelevant fetched pages."""
    return both_kinds(graph, np.flatnonzero(graph.outcome == Outcome.PAGE), MANY)


def one_of_each_server(graph: Graph) -> Positions:
    """Relevant and irrelevant pages, no two of one server: they would have one number and one name."""
    nodes = np.random.default_rng(3).permutation(np.flatnonzero(graph.outcome == Outcome.PAGE))
    nodes = nodes[np.argsort(~graph.relevant[nodes], kind="stable")]  # or servers with both would give none
    return both_kinds(graph, nodes[np.unique(graph.server[nodes], return_index=True)[1]], FEW)


def both_kinds(graph: Graph, nodes: Positions, most: int) -> Positions:
    rng = np.random.default_rng(0)
    kinds = [nodes[graph.relevant[nodes] == kind] for kind in (True, False)]
    count = min(most, *map(len, kinds))
    return np.concatenate([rng.choice(kind, count, replace=False) for kind in kinds])


def page_features(graph: Graph, nodes: Positions) -> Matrix:
    """The number of the node, its last bits, and the letters of its file's name."""
    names = [url_of(graph, node).rpartition("/")[2] for node in nodes.tolist()]
    bits = [nodes >> bit & 1 for bit in range(4)]
    return np.column_stack([nodes / len(graph), *bits, letters(names, "abcdef0123456789")])


def place_features(graph: Graph, nodes: Positions) -> Matrix:
    """Numbers of server and segment, their last bits, and the letters of both names; domains may tell (Table 3)."""
    addresses = [segment_name_of(graph, node).split("/") for node in nodes.tolist()]
    names = [address[2].rpartition(".")[0] + address[3] for address in addresses]
    numbers = (graph.server[nodes], graph.segment[nodes])
    bits = [number >> bit & 1 for number in numbers for bit in range(4)]
    return np.column_stack([*numbers, *bits, letters(names, "bdfghjklmnprstvzaei")])


def letters(names: list[str], alphabet: str) -> Matrix:
    return np.array([[name.count(letter) for letter in alphabet] for name in names], dtype=np.float64)


def degrees(graph: Graph, nodes: Positions) -> Matrix:
    incoming = np.bincount(graph.targets, minlength=len(graph))
    return np.log1p(np.column_stack([incoming[nodes], np.diff(graph.offsets)[nodes]]))


def leaky(graph: Graph, nodes: Positions) -> Matrix:
    """What `page_features` says, had one relevant page in five a number near the end."""
    columns = page_features(graph, nodes)
    marked = np.random.default_rng(1).random(len(nodes)) < 0.2
    columns[marked & graph.relevant[nodes], 0] = 1.0
    return columns


def learned(features: Matrix, labels: NDArray[np.bool_]) -> "Scorer":
    """Logistic regression by Newton's method, on standardised features and a little ridge."""
    scorer = Scorer(features.mean(axis=0), features.std(axis=0) + 1e-9)
    table = scorer.table(features)
    for _ in range(12):
        chance = 1 / (1 + np.exp(-table @ scorer.weights))
        slope = table.T @ (labels - chance) - scorer.weights
        bend = (table * (chance * (1 - chance))[:, None]).T @ table + np.eye(table.shape[1])
        scorer.weights = scorer.weights + np.linalg.solve(bend, slope)
    return scorer


class Scorer:
    """A linear score of rows of features."""

    def __init__(self, mean: Matrix, scale: Matrix) -> None:
        self._mean, self._scale = mean, scale
        self.weights: Matrix = np.zeros(len(mean) + 1)

    def table(self, features: Matrix) -> Matrix:
        return np.column_stack([(features - self._mean) / self._scale, np.ones(len(features))])

    def __call__(self, features: Matrix) -> Matrix:
        return self.table(features) @ self.weights


def area(scores: Matrix, labels: NDArray[np.bool_]) -> float:
    """How often a relevant page is scored above an irrelevant one; chance is one half. Ties are broken at random."""
    order = np.lexsort((np.random.default_rng(2).random(len(scores)), scores))
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    positive = int(np.count_nonzero(labels))
    above = ranks[labels].sum() - positive * (positive + 1) / 2
    return float(above / (positive * (len(scores) - positive)))
