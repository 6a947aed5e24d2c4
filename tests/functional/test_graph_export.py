"""A graph, exported as tables and imported again, is the same; a damaged one is refused by every command."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import printed_here, refused_here, run_here

from exonym.batches import language_code, language_name
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import digest_of
from exonym.webgraph.manifest import MANIFEST, Manifest
from exonym.webgraph.url_spelling import url_of

TH, EN = language_code("th"), language_code("en")
URLS = ["http://a.th/", "http://a.th/b/?c=%20d", "http://c.com/%E0%B8%81"]


def draw(directory: Path) -> Graph:
    """Three pages in a ring, with all that tables can hold."""
    columns = {
        "server": [0, 0, 1],
        "segment": [0, 1, 2],
        "domain": [0, 0, 1],
        "outcome": [0, 0, 0],
        "language": [TH, EN, 0],
        "relevant": [True, False, True],
        "offsets": [0, 2, 3, 4],
        "targets": [1, 2, 2, 0],
        "seeds": [0],
        "charset": [1, 0, 2],
        "relevance": [1.0, 0.25, 0.5],
        "text_length": [700, 40, 0],
        "anchor_language": [TH, EN, 0, TH],
    }
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, np.array(values))
        writer.put_texts("url", URLS)
        writer.put_texts("anchor", ["ข่าว", 'a "quoted", line', "", "หน้าแรก"])
        writer.finish(Manifest(languages=["th"], domains=["th", "com"], charsets=["", "utf-8", "tis-620"]))
    return Graph.open(directory)


def facts_of(graph: Graph) -> tuple[dict[str, tuple[object, ...]], list[tuple[object, ...]]]:
    """Pages by URL with their facts, and links with theirs."""
    urls = [url_of(graph, node) for node in range(len(graph))]
    sources = np.repeat(np.arange(len(graph)), np.diff(graph.offsets)).tolist()
    charsets = [graph.manifest.charsets[number] for number in graph.column("charset").tolist()]
    columns = [graph.language, graph.relevant, graph.column("relevance"), graph.column("text_length"), graph.outcome]
    pages = zip(charsets, *(column.tolist() for column in columns), strict=True)
    anchors = graph.texts("anchor").part(0, graph.manifest.links)
    languages = map(language_name, graph.column("anchor_language").tolist())
    links = zip(sources, graph.targets.tolist(), anchors, languages, strict=True)
    named = [(urls[source], urls[target], *rest) for source, target, *rest in links]
    return dict(zip(urls, pages, strict=True)), sorted(named)


def test_every_fact_comes_back_from_tables(tmp_path: Path) -> None:
    graph = draw(tmp_path / "graph")
    tables, again = tmp_path / "tables", tmp_path / "again"
    printed_here("graph", "export", str(graph.directory), "-o", str(tables))
    files = ("--pages", str(tables / "pages.parquet"), "--links", str(tables / "links.parquet"))
    printed_here("graph", "import", "-o", str(again), *files)
    assert facts_of(Graph.open(again)) == facts_of(graph)


def damage(directory: Path, name: str, values: list[int]) -> None:
    """Puts other numbers into a column, and their digest into the manifest."""
    path = directory / f"{name}.npy"
    array = np.array(values).astype(np.load(path).dtype)
    np.save(path, array)
    manifest = json.loads((directory / MANIFEST).read_text("utf-8"))
    manifest["columns"][name] |= {"length": len(array), "digest": digest_of(array)}
    (directory / MANIFEST).write_text(json.dumps(manifest), "utf-8")


@pytest.mark.parametrize(
    ("name", "values"),
    [("targets", [1, 2, 2, 2**31]), ("offsets", [0, 9, 3, 4]), ("seeds", [3]), ("anchor.offsets", [0, -1, 9, 9, 9])],
)
def test_commands_refuse_wrong_numbers_in_one_line(tmp_path: Path, name: str, values: list[int]) -> None:
    graph = str(draw(tmp_path / "graph").directory)
    damage(tmp_path / "graph", name, values)
    commands: list[tuple[str, ...]] = [
        ("analyse", graph),
        ("check", graph),
        ("show", graph, "--check"),
        ("export", graph, "-o", str(tmp_path / "tables")),
    ]
    for command in commands:
        assert f"{name}.npy does not fit" in refused_here("graph", *command)
    assert not (tmp_path / "tables").exists()
    printed_here("graph", "show", graph)


@pytest.mark.parametrize("said", [{"nodes": -1}, {"links": 10**30}, {"domains": []}, {"provenance": {"a": [{}] * 3}}])
def test_any_manifest_can_be_shown(tmp_path: Path, said: dict[str, Any]) -> None:
    graph = draw(tmp_path / "graph").directory
    manifest = json.loads((graph / MANIFEST).read_text("utf-8"))
    (graph / MANIFEST).write_text(json.dumps({**manifest, **said}), "utf-8")
    for options in ([], ["--json"]):
        said_then = run_here("graph", "show", graph, *options)
        assert (said_then.code, said_then.err) == (0, "")


def test_exported_tables_can_be_imported_again(tmp_path: Path) -> None:
    graph, tables, again = (str(tmp_path / name) for name in ("graph", "tables", "again"))
    printed_here("graph", "generate", "-o", graph, "--size", "1000", "--random-seed", "7")
    printed_here("graph", "export", graph, "-o", tables)
    pages, links = f"{tables}/pages.parquet", f"{tables}/links.parquet"
    printed_here("graph", "import", "-o", again, "--pages", pages, "--links", links)
    shown = [json.loads(printed_here("graph", "show", name, "--check", "--json")) for name in (graph, again)]
    assert [found["nodes"] for found in shown] == [shown[0]["nodes"]] * 2
    assert [found["links"] for found in shown] == [shown[0]["links"]] * 2
    assert [found["servers"] for found in shown] == [shown[0]["servers"]] * 2
    first, second = (Graph.open(Path(name)) for name in (graph, again))
    assert pages_of(second) == pages_of(first)


def pages_of(graph: Graph) -> set[tuple[object, ...]]:
    """URL, outcome, language, charset and relevance of every node."""
    charsets = [graph.manifest.charsets[number] for number in graph.column("charset").tolist()]
    urls = [url_of(graph, node) for node in range(len(graph))]
    return set(
        zip(urls, graph.outcome.tolist(), graph.language.tolist(), charsets, graph.relevant.tolist(), strict=True)
    )


def test_graph_is_shown_with_its_counts(tmp_path: Path) -> None:
    graph = str(tmp_path / "graph")
    printed_here("graph", "generate", "-o", graph, "--size", "1000", "--random-seed", "7")
    out = printed_here("graph", "show", graph)
    assert "pages fetched" in out
    assert "thai2006" in out
