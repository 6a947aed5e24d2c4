"""Graphs come back as they were written, are whole or not there, and tell when they are damaged."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import DirectoryError
from exonym.model import Outcome, language_code
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.exchange import export_tables
from exonym.webgraph.graph import KNOWN, REQUIRED
from exonym.webgraph.manifest import MANIFEST, Manifest

TH, EN = language_code("th"), language_code("en")


def write(directory: Path) -> Graph:
    """Three pages on two servers, and one that is only known: 0 → 1, 3; 1 → 0; 2 → nothing."""
    with GraphWriter(directory) as writer:
        writer.put("server", np.array([0, 0, 1, 1]))
        writer.put("segment", np.array([0, 1, 2, 2]))
        writer.put("domain", np.array([0, 0, 1, 1]))
        writer.put("outcome", np.array([Outcome.PAGE, Outcome.PAGE, Outcome.FAILED, KNOWN]))
        writer.put("language", np.array([TH, EN, 0, 0]))
        writer.put("relevant", np.array([True, False, False, False]))
        writer.put("offsets", np.array([0, 2, 3, 3, 3]))
        writer.put("targets", np.array([1, 3, 0]))
        writer.put("seeds", np.array([0]))
        writer.put_texts("url", ["http://a.th/", "http://a.th/b/", "http://c.com/ก", "http://c.com/d"])
        writer.finish(Manifest(languages=["th"], domains=["th", "com"], provenance={"made by": "hand"}))
    return Graph.open(directory)


def test_graph_comes_back_as_it_was_written(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph")
    assert graph.server.tolist() == [0, 0, 1, 1]
    assert graph.language.tolist() == [TH, EN, 0, 0]
    assert graph.relevant.tolist() == [True, False, False, False]
    assert [graph.links_of(node).tolist() for node in range(4)] == [[1, 3], [0], [], []]
    assert graph.texts("url").part(1, 3) == ["http://a.th/b/", "http://c.com/ก"]
    assert graph.texts("url")[2] == "http://c.com/ก"
    assert len(graph.texts("url")) == len(graph) == 4


def test_manifest_counts_what_is_there(tmp_path: Path) -> None:
    manifest = write(tmp_path / "graph").manifest
    assert (manifest.nodes, manifest.fetched, manifest.links) == (4, 2, 3)
    assert (manifest.servers, manifest.segments) == (2, 3)
    assert (manifest.domains, manifest.languages) == (["th", "com"], ["th"])


def test_format_is_golden(tmp_path: Path) -> None:
    write(tmp_path / "graph")
    manifest = json.loads((tmp_path / "graph" / MANIFEST).read_text())
    assert (manifest["format"], manifest["version"]) == ("exonym-graph", 1)
    assert {name: manifest["columns"][name]["dtype"] for name in REQUIRED} == {
        "server": "<u4", "segment": "<u4", "domain": "<u2", "outcome": "|u1", "language": "<u2", "relevant": "|b1",
        "offsets": "<i8", "targets": "<u4", "seeds": "<u4",
    }  # fmt: skip
    data = (tmp_path / "graph" / "targets.npy").read_bytes()
    assert data.startswith(b"\x93NUMPY")
    assert data.endswith(bytes([1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]))
    assert (tmp_path / "graph" / "language.npy").read_bytes().endswith(np.array([TH, EN, 0, 0], "<u2").tobytes())


def test_columns_are_mapped_and_cannot_be_changed(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph")
    assert isinstance(graph.targets, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        graph.targets[0] = 7


def test_what_was_not_kept_is_told(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph")
    assert graph.has("url")
    assert not graph.has("anchor")
    with pytest.raises(DirectoryError, match="has no column anchor"):
        graph.texts("anchor")


def test_graph_that_was_not_finished_is_not_there(tmp_path: Path) -> None:
    with GraphWriter(tmp_path / "graph") as writer:
        writer.put("seeds", np.array([0]))
    assert list(tmp_path.iterdir()) == []


def test_graph_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "graph")
    with pytest.raises(DirectoryError, match="is there already"):
        GraphWriter(tmp_path / "graph")


def test_damage_is_told_in_one_line(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph")
    graph.check()
    path = tmp_path / "graph" / "targets.npy"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"\x01")
    with pytest.raises(DirectoryError, match="digest differs"):
        Graph.open(tmp_path / "graph").check()
    path.write_bytes(data[:-6])
    with pytest.raises(DirectoryError, match="targets"):
        Graph.open(tmp_path / "graph").column("targets")
    path.unlink()
    with pytest.raises(DirectoryError, match="is missing"):
        Graph.open(tmp_path / "graph").column("targets")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "lacks the column"),
        ("nonsense", "is damaged"),
        ('{"nodes": "many"}', "is damaged"),
        ('{"version": 9}', "reads exonym-graph 1"),
        ('{"format": "other"}', "reads exonym-graph 1"),
    ],
)
def test_manifest_of_another_kind_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(DirectoryError, match=said):
        Graph.open(tmp_path)


def test_directory_without_a_graph_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="has no graph in it"):
        Graph.open(tmp_path / "nowhere")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=12), st.data())
def test_texts_come_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str], data: st.DataObject) -> None:
    directory = tmp_path_factory.mktemp("texts") / "graph"
    with GraphWriter(directory) as writer:
        for name in REQUIRED:
            writer.put(name, np.zeros(1 if name == "offsets" else 0))
        writer.put_texts("anchor", texts)
        writer.finish(Manifest())
    found = Graph.open(directory).texts("anchor")
    first = data.draw(st.integers(0, len(texts)))
    last = data.draw(st.integers(first, len(texts)))
    assert found.part(first, last) == texts[first:last]
    assert [found[number] for number in range(len(found))] == texts


def test_tables_for_other_programs_have_every_page_and_link(tmp_path: Path) -> None:
    import pyarrow.parquet

    graph = write(tmp_path / "graph")
    assert list(export_tables(graph, tmp_path / "tables")) == [4]
    pages = pyarrow.parquet.read_table(tmp_path / "tables" / "pages.parquet").to_pylist()
    links = pyarrow.parquet.read_table(tmp_path / "tables" / "links.parquet").to_pylist()
    assert pages[0] == {
        "url": "http://a.th/", "domain": "th", "fetched": True, "outcome": 0, "language": "th", "relevant": True
    }  # fmt: skip
    assert [page["fetched"] for page in pages] == [True, True, True, False]
    assert [(link["source"], link["target"]) for link in links] == [
        ("http://a.th/", "http://a.th/b/"),
        ("http://a.th/", "http://c.com/d"),
        ("http://a.th/b/", "http://a.th/"),
    ]
