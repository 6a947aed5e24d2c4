"""The search for a relevance degree, on a web small enough to follow by hand, and against the gathering of examples."""

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.batches import Outcome
from exonym.errors import ConfigError
from exonym.training.links.link_examples import Gathering, part_of
from exonym.training.links.threshold_search import THRESHOLDS, Reached, reached_from, search_thresholds
from exonym.webgraph import Graph
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.manifest import Manifest

R, I = True, False  # noqa: E741  # relevant and irrelevant


def written(directory: Path, segments: list[int], relevant: list[bool], links: list[list[int]]) -> Graph:
    count = len(segments)
    with GraphWriter(directory) as writer:
        writer.put("server", np.array(segments))
        writer.put("segment", np.array(segments))
        writer.put("domain", np.zeros(count))
        writer.put("outcome", np.full(count, Outcome.PAGE))
        writer.put("language", np.zeros(count))
        writer.put("relevant", np.array(relevant))
        writer.put("offsets", np.concatenate([[0], np.cumsum([len(one) for one in links])]))
        writer.put("targets", np.array([target for one in links for target in one]))
        writer.put("seeds", np.array([0]))
        writer.finish(Manifest(languages=["en"], domains=["com"], charsets=[], provenance={}))
    return Graph.open(directory)


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    """0 links to the segments 1 (1, 2: all relevant), 2 (3, 4: half) and 3 (5 to 8: a quarter); 9 leads to none."""
    segments = [0, 1, 1, 2, 2, 3, 3, 3, 3, 4]
    relevant = [I, R, R, R, I, R, I, I, I, I]
    links = [[1, 3, 5, 9], [2], [3], [4], [5], [6, 7, 8], [], [], [], []]
    return written(tmp_path / "graph", segments, relevant, links)


def test_each_threshold_reaches_the_segments_of_that_degree(graph: Graph) -> None:
    # Of four relevant pages: all with the eight of segments 1 to 3; three with those of 1 and 2; two with 1 alone.
    expected = [Reached(8, 4, 4), Reached(4, 3, 4), Reached(2, 2, 4), Reached(2, 2, 4)]
    assert search_thresholds(graph, Gathering(), THRESHOLDS) == expected


def test_the_measures_are_those_of_equation_10() -> None:
    reached = Reached(fetched=4, relevant=3, existing=6)
    assert (reached.harvest, reached.coverage) == (0.75, 0.5)
    assert reached.f_measure == pytest.approx(0.6)
    assert Reached(0, 0, 0).f_measure == 0


def test_a_threshold_is_a_share(graph: Graph) -> None:
    for wrong in (0.0, 1.5, -1.0, float("nan")):
        with pytest.raises(ConfigError, match="--threshold must be above 0 and at most 1"):
            search_thresholds(graph, Gathering(), [wrong])


def test_a_web_without_relevant_pages_is_refused(tmp_path: Path) -> None:
    nothing = written(tmp_path / "graph", [0, 1], [I, I], [[1], []])
    with pytest.raises(ConfigError, match="has no relevant page"):
        search_thresholds(nothing, Gathering(), THRESHOLDS)


def test_where_nobody_links_to_relevant_pages_it_begins_with_them(tmp_path: Path) -> None:
    alone = written(tmp_path / "graph", [0, 1], [R, I], [[1], []])
    assert part_of(alone, Gathering()).back_links.tolist() == [True, False]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_links_are_followed_as_a_queue_would(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    links = data.draw(st.lists(st.lists(node, max_size=4), min_size=count, max_size=count))
    begin = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    directory = tmp_path_factory.mktemp("graph") / "graph"
    graph = written(directory, list(range(count)), [R] * count, links)
    found, queue = set[int](), deque(np.flatnonzero(begin).tolist())
    while queue:
        for target in links[queue.popleft()]:
            if allowed[target] and target not in found:
                found.add(target)
                queue.append(target)
    assert set(np.flatnonzero(reached_from(graph, begin, allowed)).tolist()) == found


def test_pages_that_were_never_fetched_do_not_count(tmp_path: Path) -> None:
    with GraphWriter(tmp_path / "graph") as writer:
        for name in ("server", "segment"):
            writer.put(name, np.array([0, 1, 1]))
        writer.put("domain", np.zeros(3))
        writer.put("outcome", np.array([Outcome.PAGE, Outcome.PAGE, KNOWN]))
        writer.put("language", np.zeros(3))
        writer.put("relevant", np.array([I, R, I]))
        writer.put("offsets", np.array([0, 2, 2, 2]))
        writer.put("targets", np.array([1, 2]))
        writer.put("seeds", np.array([0]))
        writer.finish(Manifest(languages=["en"], domains=["com"], charsets=[], provenance={}))
    assert search_thresholds(Graph.open(tmp_path / "graph"), Gathering(), [1.0]) == [Reached(1, 1, 1)]
