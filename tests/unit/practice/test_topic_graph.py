"""A practice web as a graph: what its pages are and say, beside what the web itself knows."""

import json
from pathlib import Path

import pytest

from exonym.batches import Outcome, country_name, language_name
from exonym.cli.program import main
from exonym.errors import ConfigError
from exonym.nations.country import country_of_domain
from exonym.practice import PAGE_NOFOLLOW, REL_NOFOLLOW, PracticeOptions, PracticeWeb, relevant_to
from exonym.practice.graph.write import write_topic_graph
from exonym.practice.labelling import document_of
from exonym.urls import server_of, top_level_domain_of
from exonym.webgraph import Graph
from exonym.webgraph.graph import KNOWN, NOFOLLOW

TARGET = "thai-tourism"
WEB = PracticeWeb(5, 600, PracticeOptions(topics=True))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    found = write_topic_graph(WEB, tmp_path_factory.mktemp("web") / "graph", TARGET, jobs=1)
    found.check()
    return found


@pytest.fixture(scope="module")
def nodes(graph: Graph) -> dict[str, int]:
    return {url: node for node, url in enumerate(graph.texts("url").part(0, len(graph)))}


def test_every_page_is_there_with_its_truth(graph: Graph, nodes: dict[str, int]) -> None:
    relevance = graph.column("relevance")
    for page in (WEB.page(number) for number in range(WEB.page_count)):
        node = nodes[page.url]
        expected = relevant_to(page, TARGET)
        assert (bool(graph.relevant[node]), float(relevance[node])) == (expected, float(expected))
        if graph.outcome[node] == Outcome.PAGE:
            assert language_name(int(graph.language[node])) == page.language
    assert graph.relevant.any()


def test_outcomes_and_links_are_those_of_the_practice_web(graph: Graph, nodes: dict[str, int]) -> None:
    truth, urls = WEB.graph(100), graph.texts("url")
    for number in range(WEB.page_count):
        node = nodes[truth.url(number)]
        assert graph.outcome[node] == truth.outcome[number]
        # As in `extract`: links that ask not to be followed are not links, those of pages that ask are marked.
        first, last = truth.offsets[number : number + 2].tolist()
        links = zip(truth.targets[first:last].tolist(), truth.link_flags[first:last].tolist(), strict=True)
        expected = [truth.url(target) for target, flag in links if not flag & REL_NOFOLLOW]
        assert [urls[target] for target in graph.links_of(node).tolist()] == expected
        flags = graph.column("link_flags")[graph.offsets[node] : graph.offsets[node + 1]]
        assert bool((flags & NOFOLLOW).any()) == bool(len(flags) and (truth.link_flags[first] & PAGE_NOFOLLOW))


def test_texts_of_links_are_those_a_crawl_reads(graph: Graph, nodes: dict[str, int]) -> None:
    pages = [WEB.page(number) for number in range(0, WEB.page_count, 7)]
    read = [page for page in pages if page.topic and page.kind.name in ("PAGE", "BUSY")]
    assert len(read) > 30
    for page in read:
        first, last = graph.offsets[nodes[page.url] : nodes[page.url] + 2].tolist()
        anchors = [link.anchor for link in document_of(WEB, page.url).links]
        assert graph.texts("anchor").part(first, last) == anchors
        assert any(graph.texts("around").part(first, last))


def test_seeds_countries_and_provenance_are_told(graph: Graph, nodes: dict[str, int]) -> None:
    assert graph.seeds.tolist() == [nodes[url] for url in WEB.seeds()]
    for url, node in nodes.items():
        code = country_name(int(graph.column("country")[node]))
        assert code == country_of_domain(top_level_domain_of(server_of(url)))
    provenance = graph.manifest.provenance
    assert (provenance["seed"], provenance["pages"], provenance["target"]) == (5, 600, TARGET)
    assert "oracle" in provenance["truth"]
    assert int((graph.outcome == KNOWN).sum()) <= len(WEB.servers)  # months behind the last one


def test_processes_write_the_same_graph(graph: Graph, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    again = write_topic_graph(WEB, tmp_path / "graph", TARGET, lambda *come: told.append(come), jobs=2)
    assert again.manifest == graph.manifest
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] >= WEB.page_count


def test_another_target_makes_other_pages_relevant(graph: Graph, tmp_path: Path) -> None:
    other = write_topic_graph(PracticeWeb(5, 200, WEB.options), tmp_path / "graph", "thai", jobs=1)
    assert other.relevant.sum() > 0
    assert other.manifest.provenance["target"] == "thai"


def test_a_web_without_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="topics=True"):
        write_topic_graph(PracticeWeb(5, 200), tmp_path / "graph", TARGET)
    with pytest.raises(ConfigError, match="target"):
        write_topic_graph(WEB, tmp_path / "graph", "norwegian-skiing")
    assert not list(tmp_path.iterdir())


def exit_code(words: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return ended.value.code


def test_the_command_writes_a_graph_and_says_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "graph",
        "generate",
        "--profile",
        TARGET,
        "--size",
        "200",
        "--random-seed",
        "5",
        "-o",
        str(tmp_path / "graph"),
    ]
    assert exit_code([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    graph = Graph.open(tmp_path / "graph")
    assert said["nodes"] == len(graph)
    assert said["relevant"] == graph.relevant.sum()
    assert said["target"] == TARGET


@pytest.mark.parametrize("pages", ["100", "1_000_001", "many"])
def test_the_command_refuses_webs_that_are_too_small_or_too_large(pages: str, tmp_path: Path) -> None:
    assert exit_code(["graph", "generate", "--profile", TARGET, "--size", pages, "-o", str(tmp_path / "graph")]) == 2
    assert not list(tmp_path.iterdir())
