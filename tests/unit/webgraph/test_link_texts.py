"""What the links of a graph say, read at once and link by link, and the nodes of its URLs."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Outcome, country_code
from exonym.models.links.features import LinkTexts
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.link_texts import TextsOfGraph
from exonym.webgraph.manifest import Manifest
from exonym.webgraph.url_spelling import nodes_of, url_of

# 0 (.th) has two links, 1 (.com) has none, 2 (.uk) has one.
COLUMNS: dict[str, Sequence[int]] = {
    **{name: [0, 1, 2] for name in ("server", "segment", "domain")},
    **{name: [0, 0, 0] for name in ("language", "relevant")},
    "outcome": [Outcome.PAGE] * 3,
    "offsets": [0, 2, 2, 3],
    "targets": [1, 2, 0],
    "seeds": [0],
}
TEXTS = {
    "url": ["http://a.th/", "http://b.com/x", "http://c.uk/y"],
    "anchor": ["to b", "ไทย", ""],
    "around": ["see it", "", "go back"],
}


def written(directory: Path, without: str = "", **more: Sequence[int]) -> Graph:
    with GraphWriter(directory) as writer:
        for name, values in {**COLUMNS, **more}.items():
            writer.put(name, np.array(values))
        for name, column in TEXTS.items():
            if name != without:
                writer.put_texts(name, column)
        writer.finish(Manifest(domains=["th", "com", "uk"]))
    return Graph.open(directory)


def test_links_have_the_texts_and_places_of_both_ends(tmp_path: Path) -> None:
    texts = TextsOfGraph(written(tmp_path / "graph")).of(np.arange(3))
    assert texts == LinkTexts(
        urls=["http://b.com/x", "http://c.uk/y", "http://a.th/"],
        anchors=["to b", "ไทย", ""],
        around=["see it", "", "go back"],
        source_domains=["th", "th", "uk"],
        source_countries=["TH", "TH", "GB"],
        countries=["", "GB", "TH"],
    )


def test_countries_are_those_of_addresses_where_the_graph_knows_them(tmp_path: Path) -> None:
    graph = written(tmp_path / "graph", country=[country_code("US"), 0, country_code("TH")])
    texts = TextsOfGraph(graph)
    for _ in range(2):  # names are kept from one time to the next
        found = texts.of(np.array([2, 1, 0]))
        assert found.source_countries == ["TH", "US", "US"]
        assert found.countries == ["US", "TH", ""]


def test_links_may_come_in_any_order_again_or_not_at_all(tmp_path: Path) -> None:
    texts = TextsOfGraph(written(tmp_path / "graph"))
    assert texts.sources(np.array([2, 0, 1, 2])).tolist() == [2, 0, 0, 2]
    assert texts.of(np.array([2, 0, 2])).anchors == ["", "to b", ""]
    assert texts.of(np.zeros(0, np.int64)) == LinkTexts([], [], [], [], [], [])


def test_words_around_links_may_not_have_been_kept(tmp_path: Path) -> None:
    assert TextsOfGraph(written(tmp_path / "graph", without="around")).of(np.arange(3)).around == ["", "", ""]


def test_urls_are_spelled_where_none_were_kept(tmp_path: Path) -> None:
    graph = written(tmp_path / "graph", without="url")
    assert TextsOfGraph(graph).of(np.arange(3)).urls == [url_of(graph, node) for node in (1, 2, 0)]


@pytest.mark.parametrize("without", ["", "url"])
def test_nodes_are_found_by_their_urls(tmp_path: Path, without: str) -> None:
    graph = written(tmp_path / "graph", without)
    urls = [url_of(graph, node) for node in (2, 0)]
    assert nodes_of(graph, [*urls, "http://d.net/", urls[0]]) == {urls[0]: 2, urls[1]: 0}
    assert nodes_of(graph, []) == {}
