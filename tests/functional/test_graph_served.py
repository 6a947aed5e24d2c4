"""Web graphs served as webs: a crawl of what a graph says, imported, is that graph."""

import json
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, refused

from exonym.batches import Outcome
from exonym.errors import ExonymError
from exonym.extract.charset_labels import charset_named
from exonym.practice import GraphWeb, running_practice_web
from exonym.testing.live import check_directory, crawl, write_settings
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.url_spelling import url_of

PAGES = 2_000


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    directory = tmp_path_factory.mktemp("generated") / "graph"
    generate(directory, Order(PAGES, 11, "thai2006", load_profile("thai2006")))
    return Graph.open(directory)


@pytest.fixture(scope="module")
def imported(generated: Graph, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The generated graph served, crawled to its end breadth first, and imported."""
    web, place = GraphWeb(generated), tmp_path_factory.mktemp("crawled")
    asked: dict[str, dict[str, Any]] = {
        "seeds": {"urls": web.seeds()},
        "target": {"languages": [web.language]},
        "strategy": {"name": "bfs"},
        "judge": {"inherit_language": False},
        "limits": {"pages_per_server": 0},
    }
    with running_practice_web(web) as address:
        write_settings(place / "crawl", {**asked, "network": {"connect_to": str(address)}})
        crawl(place / "crawl")
    check_directory(place / "crawl")
    return import_graph(place / "graph", ImportRequest((place / "crawl",), jobs=1)).graph


def facts_of(graph: Graph) -> dict[str, tuple[int, int, bool]]:
    """Outcome, language and relevance by URL."""
    columns = zip(graph.outcome.tolist(), graph.language.tolist(), graph.relevant.tolist(), strict=True)
    return {url_of(graph, node): facts for node, facts in enumerate(columns)}


def links_of(graph: Graph) -> dict[str, list[tuple[str, int]]]:
    """Targets in order, each with the language of its first anchor, by source."""
    urls, found = [url_of(graph, node) for node in range(len(graph))], {}
    for node, url in enumerate(urls):
        first, last = graph.offsets[node : node + 2].tolist()
        links: dict[str, int] = {}  # whoever reads a page counts a target once
        ends = zip(
            graph.targets[first:last].tolist(), graph.column("anchor_language")[first:last].tolist(), strict=True
        )
        for target, language in ends:
            links.setdefault(urls[target], language)
        found[url] = list(links.items())
    return found


def groups_of(graph: Graph, name: str) -> set[frozenset[str]]:
    """The URLs that are together in a group, whatever its number."""
    groups: dict[int, list[str]] = {}
    for node, number in enumerate(graph.column(name).tolist()):
        groups.setdefault(number, []).append(url_of(graph, node))
    return set(map(frozenset, groups.values()))


# A crawl of a graph that is served, imported, is that graph.


def test_crawl_of_a_served_graph_has_its_pages_outcomes_languages_and_relevance(
    generated: Graph, imported: Graph
) -> None:
    # Pages that a generated graph only knows are requests that fail.
    wanted = {
        url: (Outcome.FAILED if outcome == KNOWN else outcome, language, relevant)
        for url, (outcome, language, relevant) in facts_of(generated).items()
    }
    found = facts_of(imported)
    assert found.keys() == wanted.keys()
    assert [(url, found[url], wanted[url]) for url in wanted if found[url] != wanted[url]] == []


def test_crawl_of_a_served_graph_has_its_links_in_order_and_the_languages_of_their_anchors(
    generated: Graph, imported: Graph
) -> None:
    wanted, found = links_of(generated), links_of(imported)
    assert [(url, found[url], wanted[url]) for url in wanted if found[url] != wanted[url]] == []
    assert len(imported.targets) == sum(map(len, wanted.values()))


def test_crawl_of_a_served_graph_has_its_seeds_servers_segments_and_domains(generated: Graph, imported: Graph) -> None:
    seeds = [{url_of(graph, node) for node in graph.seeds.tolist()} for graph in (generated, imported)]
    assert seeds[0] == seeds[1]
    assert groups_of(imported, "server") == groups_of(generated, "server")
    assert groups_of(imported, "segment") == groups_of(generated, "segment")
    domains = [
        {url_of(graph, node): graph.manifest.domains[number] for node, number in enumerate(graph.domain.tolist())}
        for graph in (generated, imported)
    ]
    assert domains[0] == domains[1]
    assert imported.manifest.languages == generated.manifest.languages


def test_crawl_of_a_served_graph_has_the_charsets_of_its_pages(generated: Graph, imported: Graph) -> None:
    charsets = [
        {url_of(graph, node): graph.manifest.charsets[number] for node, number in enumerate(column.tolist())}
        for graph, column in ((graph, graph.column("charset")) for graph in (generated, imported))
    ]
    # Some pages have no label; of others readers know the charset by the name that the web gives to what is meant.
    wanted = {url: charset_named(label) for url, label in charsets[0].items() if label}
    assert len(set(wanted.values())) > 5
    assert {url: charsets[1][url] for url in wanted} == wanted


def test_imported_graph_can_be_served_again(generated: Graph, imported: Graph) -> None:
    first, again = GraphWeb(generated), GraphWeb(imported)
    assert sorted(again.seeds()) == sorted(first.seeds())
    for url in [first.url(node) for node in range(0, len(generated), 50)]:
        assert again.respond(url).status == first.respond(url).status


# In a process of its own


def test_process_that_cannot_open_the_graph_says_so(generated: Graph, tmp_path: Path) -> None:
    own = tmp_path / "graph"
    shutil.copytree(generated.directory, own)
    web = GraphWeb(Graph.open(own))
    (own / "manifest.json").unlink()
    with pytest.raises(ExonymError, match="has no graph in it"), running_practice_web(web):
        pass


# The command


def test_command_serves_a_graph_and_tells_its_facts(generated: Graph) -> None:
    command = [EXONYM, "practice-web", "--graph", str(generated.directory), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        process.wait()
    assert told["pages"] == PAGES
    assert told["servers"] == generated.manifest.servers
    assert told["seeds"] == [url_of(generated, node) for node in generated.seeds.tolist()]
    assert (told["language"], told["languages"][0], told["graph"]) == ("th", "th", str(generated.directory))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--graph", "nowhere"], "nowhere has no graph in it"),
        (["--graph", "nowhere", "--size", "500"], "leave --size, --random-seed, --topics and --real-size out"),
        (["--graph", "nowhere", "--random-seed", "1"], "leave --size, --random-seed, --topics and --real-size out"),
    ],
)
def test_command_refuses_in_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert message in refused("practice-web", *arguments, cwd=tmp_path)
