"""A practice web written as a graph says what a crawl of the same web, imported, says."""

from typing import Any

import pytest
from commands import json_of

from exonym.batches import Outcome
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.testing.live import crawl_practice_web
from exonym.webgraph import Graph

TIMELESS = PracticeOptions(
    topics=True, retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False, sitemaps=False
)
ASKED: dict[str, dict[str, Any]] = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}}

Links = dict[str, list[tuple[str, str, str]]]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Graph, Graph]:
    """Written from the web, and imported from a crawl of it."""
    place, web = tmp_path_factory.mktemp("web"), PracticeWeb(seed=2, pages=300, options=TIMELESS)
    crawl_practice_web(place / "crawl", web, ASKED)
    assert json_of("graph", "import", "-o", place / "imported", place / "crawl", "--keep-around")["fetched"] > 200
    return write_topic_graph(web, place / "written", "thai-tourism", jobs=1), Graph.open(place / "imported")


def links_of(graph: Graph) -> Links:
    urls, anchors, around = (graph.texts(name) for name in ("url", "anchor", "around"))
    found: Links = {}
    for node in range(len(graph)):
        first, last = graph.offsets[node : node + 2].tolist()
        targets = [urls[target] for target in graph.targets[first:last].tolist()]
        if graph.outcome[node] == Outcome.PAGE:
            found[urls[node]] = list(zip(targets, anchors.part(first, last), around.part(first, last), strict=True))
    return found


def test_links_and_their_texts_are_the_same(graphs: tuple[Graph, Graph]) -> None:
    written, crawled = map(links_of, graphs)
    assert set(crawled) <= set(written)
    assert {url: written[url] for url in crawled} == crawled
    said = [text for links in crawled.values() for _, _, text in links]
    assert sum(map(bool, said)) > len(said) / 2


def test_outcomes_and_countries_are_the_same(graphs: tuple[Graph, Graph]) -> None:
    facts = []
    for graph in graphs:
        urls = graph.texts("url").part(0, len(graph))
        columns = zip(graph.outcome.tolist(), graph.column("country").tolist(), strict=True)
        facts.append(dict(zip(urls, columns, strict=True)))
    written, crawled = facts
    asked = {url: fact for url, fact in crawled.items() if fact[0] <= Outcome.FORBIDDEN}
    assert {url: written[url] for url in asked} == asked
    assert any(country for _, country in asked.values())
