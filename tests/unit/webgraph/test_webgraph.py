"""Graphs come back as they were written, are whole or not there, and tell when they are damaged."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pyarrow import parquet

from exonym.batches import Outcome, language_code
from exonym.errors import DirectoryError, ExonymError, GraphError
from exonym.webgraph import Graph, GraphWriter, url_spelling
from exonym.webgraph.analyses.analyse import analysed
from exonym.webgraph.exporting import export_tables
from exonym.webgraph.generating.check import check_graph
from exonym.webgraph.graph import KNOWN, NOFOLLOW, REQUIRED, digest_of
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
    with pytest.raises(GraphError, match="has no column anchor"):
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
    with pytest.raises(GraphError, match="digest differs"):
        Graph.open(tmp_path / "graph").check()
    path.write_bytes(data[:-6])
    with pytest.raises(GraphError, match="targets"):
        Graph.open(tmp_path / "graph").column("targets")
    path.unlink()
    with pytest.raises(GraphError, match="is missing"):
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
    with pytest.raises(GraphError, match=said):
        Graph.open(tmp_path)


def test_directory_without_a_graph_is_told(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="has no graph in it"):
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
    graph = write(tmp_path / "graph")
    assert list(export_tables(graph, tmp_path / "tables")) == [4, 7]
    pages = parquet.read_table(tmp_path / "tables" / "pages.parquet").to_pylist()
    links = parquet.read_table(tmp_path / "tables" / "links.parquet").to_pylist()
    assert pages[0] == {
        "url": "http://a.th/", "server": "www.bababababa" + "ba.th", "segment": pages[0]["segment"], "domain": "th",
        "fetched": True, "outcome": 0, "language": "th", "relevant": True, "relevance": 1.0, "seed": True,
    }  # fmt: skip
    assert [page["fetched"] for page in pages] == [True, True, True, False]
    assert [page["seed"] for page in pages] == [True, False, False, False]
    assert [(link["source"], link["target"]) for link in links] == [
        ("http://a.th/", "http://a.th/b/"),
        ("http://a.th/", "http://c.com/d"),
        ("http://a.th/b/", "http://a.th/"),
    ]
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["links.parquet", "pages.parquet"]


def test_tables_have_every_fact_that_the_graph_has(tmp_path: Path) -> None:
    graph = write_full(tmp_path / "graph")
    list(export_tables(graph, tmp_path / "tables"))
    pages = parquet.read_table(tmp_path / "tables" / "pages.parquet").to_pydict()
    links = parquet.read_table(tmp_path / "tables" / "links.parquet").to_pydict()
    assert pages["server"] == ["a.th", "a.th", "c.com", "c.com"]
    assert pages["segment"] == ["http://a.th/", "http://a.th/b/", "http://c.com/", "http://c.com/"]
    assert pages["charset"] == ["utf-8", "tis-620", "", ""]
    assert pages["relevance"] == [1.0, 0.25, 0.0, 0.0]
    assert pages["text_length"] == [700, 40, 0, 0]
    assert links["anchor"] == ["ข่าว", "", "home"]
    assert links["anchor_language"] == ["th", "", "en"]
    assert links["nofollow"] == [False, True, False]


def test_texts_that_are_no_utf_8_are_exported_with_replacements(tmp_path: Path) -> None:
    graph = write_full(tmp_path / "graph")
    rewrite(tmp_path / "graph", "anchor.bytes", lambda data: np.full_like(data, 0xFF))
    graph = Graph.open(tmp_path / "graph")
    list(export_tables(graph, tmp_path / "tables"))
    links = parquet.read_table(tmp_path / "tables" / "links.parquet").to_pydict()
    assert links["anchor"] == ["\ufffd" * 12, "", "\ufffd" * 4]


def test_export_that_is_stopped_leaves_no_table(tmp_path: Path) -> None:
    parts = export_tables(write(tmp_path / "graph"), tmp_path / "tables")
    next(parts)
    parts.close()
    assert list((tmp_path / "tables").iterdir()) == []


numbers = st.integers(0, 2**32 - 1)


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 2)), min_size=1, max_size=20), st.data())
def test_urls_spelled_together_are_those_spelled_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, pages: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("spelled") / "graph"
    with GraphWriter(directory) as writer:
        for name in REQUIRED:
            writer.put(name, np.zeros(len(pages)))
        for name, column in zip(("server", "segment", "domain"), zip(*pages, strict=True), strict=True):
            writer.put(name, np.array(column))
        writer.finish(Manifest(domains=["th", "com", "ไทย"]))
    graph = Graph.open(directory)
    nodes = data.draw(st.lists(st.integers(0, len(pages) - 1)))
    for together, alone in (
        (url_spelling.urls_of, url_spelling.url_of),
        (url_spelling.segment_names_of, url_spelling.segment_name_of),
        (url_spelling.server_names_of, url_spelling.server_name_of),
    ):
        found = together(graph, np.array(nodes, dtype=np.int64)).to_pylist()
        assert found == [alone(graph, node) for node in nodes]


# Damaged graphs


FULL = {
    "charset": [1, 2, 0, 0],
    "relevance": [1.0, 0.25, 0.0, 0.0],
    "text_length": [700, 40, 0, 0],
    "anchor_language": [TH, 0, EN],
    "link_flags": [0, NOFOLLOW, 0],
}
FULL_TEXTS = {
    "server_name": ["a.th", "c.com"],
    "segment_name": ["http://a.th/", "http://a.th/b/", "http://c.com/"],
    "anchor": ["ข่าว", "", "home"],
    "text": ["ข่าว", "news", "", ""],
    "clue": ["{}", "", "", ""],
}


def write_full(directory: Path) -> Graph:
    """The graph of `write` with every column that a graph may have."""
    small = write(directory.with_name("small"))
    with GraphWriter(directory) as writer:
        for name in REQUIRED:
            writer.put(name, small.column(name))
        for name, values in FULL.items():
            writer.put(name, np.array(values))
        writer.put_texts("url", small.texts("url").part(0, 4))
        for name, texts in FULL_TEXTS.items():
            writer.put_texts(name, texts)
        charsets, names = ["", "utf-8", "tis-620"], {"nation_names": ["news"]}
        writer.finish(Manifest(languages=["th"], domains=["th", "com"], charsets=charsets, provenance=names))
    return Graph.open(directory)


def rewrite(directory: Path, name: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
    """Puts other values into a column; the manifest then tells their type, length and digest."""
    values = change(np.load(directory / f"{name}.npy"))
    np.save(directory / f"{name}.npy", values)
    manifest = json.loads((directory / MANIFEST).read_text("utf-8"))
    manifest["columns"][name] = {"dtype": values.dtype.str, "length": len(values), "digest": digest_of(values)}
    (directory / MANIFEST).write_text(json.dumps(manifest), "utf-8")


# All that commands do with a graph.
TASKS: list[Callable[[Path], object]] = [
    lambda directory: Graph.open(directory).check(),
    lambda directory: list(analysed(Graph.open(directory))),
    lambda directory: check_graph(Graph.open(directory)),
    lambda directory: list(export_tables(Graph.open(directory), directory.with_name("tables"))),
]


def refusal_of(task: Callable[[Path], object], directory: Path) -> str:
    """What the user is told; "" if it works."""
    try:
        task(directory)
    except ExonymError as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("targets", [1, 4, 0]),
        ("targets", [1, 3, 2**32 - 1]),
        ("offsets", [0, 3, 2, 3, 3]),
        ("offsets", [0, 2, 9, 3, 3]),
        ("offsets", [0, -2, 3, 3, 3]),
        ("offsets", [1, 2, 3, 3, 3]),
        ("offsets", [0, 2, 3, 3, 4]),
        ("seeds", [4]),
        ("server", [0, 0, 1, 2]),
        ("server", [0, 0, 0, 0]),
        ("segment", [0, 1, 2, 2**32 - 1]),
        ("domain", [0, 0, 1, 2]),
        ("charset", [1, 3, 0, 0]),
        ("outcome", [0, 0, 1, 9]),
        ("outcome", [0, 0, 0, KNOWN]),
        ("relevance", [1.0, np.nan, 0.0, 0.0]),
        ("language", [TH, EN, 0]),
        ("link_flags", [0, 0]),
        ("anchor_language", [0, 0, 0, 0]),
        ("anchor.offsets", [0, 12, 9, 16]),
        ("anchor.offsets", [0, 12, 12, 17]),
        ("anchor.offsets", [0, 12, 16]),
        ("url.offsets", [0, 12, 26]),
        ("server_name.offsets", [0, 4, 9, 9]),
    ],
)
def test_numbers_that_lead_astray_are_refused(tmp_path: Path, name: str, values: list[float]) -> None:
    write_full(tmp_path / "graph").check_numbers()
    rewrite(tmp_path / "graph", name, lambda old: np.array(values).astype(old.dtype))
    with pytest.raises(GraphError, match=rf"{name}\.npy does not fit the manifest and other columns"):
        Graph.open(tmp_path / "graph").check_numbers()


@pytest.mark.parametrize(
    ("count", "value"),
    [
        ("nodes", 3), ("nodes", -4), ("nodes", 10**30), ("links", 2), ("links", -3), ("servers", 1),
        ("servers", 10**12), ("segments", 9), ("fetched", 3), ("fetched", -2), ("domains", ["th"]), ("charsets", []),
    ],
)  # fmt: skip
def test_counts_that_disagree_with_columns_are_refused(tmp_path: Path, count: str, value: object) -> None:
    write_full(tmp_path / "graph")
    path = tmp_path / "graph" / MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), count: value}), "utf-8")
    for task in TASKS:
        with pytest.raises(GraphError, match=r"^[^\n]*does not fit the manifest[^\n]*$"):
            task(tmp_path / "graph")


@pytest.mark.parametrize("name", ["../small/targets", "/etc/passwd", "a b", ""])
def test_columns_are_not_looked_for_elsewhere(tmp_path: Path, name: str) -> None:
    write_full(tmp_path / "graph")
    path = tmp_path / "graph" / MANIFEST
    manifest = json.loads(path.read_text("utf-8"))
    manifest["columns"][name] = manifest["columns"]["targets"]
    path.write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(GraphError, match="no name of a column"):
        Graph.open(tmp_path / "graph").check()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_full(tmp_path_factory.mktemp("whole") / "graph").directory


@settings(max_examples=50)
@given(st.data())
def test_damaged_graph_works_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, whole: Path, data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("damaged") / "graph"
    shutil.copytree(whole, directory)
    changes = st.sampled_from([change_number, change_length, change_type, change_count])
    for change in data.draw(st.lists(changes, max_size=2)):
        change(directory, data.draw)
    if data.draw(st.booleans()):
        change_bytes(directory, data.draw)
    for task in TASKS:
        assert len(refusal_of(task, directory).splitlines()) <= 1
    shutil.rmtree(directory.parent)


Drawing = Callable[[st.SearchStrategy[Any]], Any]


def change_number(directory: Path, draw: Drawing) -> None:
    def changed(values: NDArray[Any]) -> NDArray[Any]:
        raw = values.view(np.uint8).copy()
        if len(raw):
            raw[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
        return raw.view(values.dtype)

    change_column(directory, draw, changed)


def change_length(directory: Path, draw: Drawing) -> None:
    change_column(directory, draw, lambda values: np.resize(values, draw(st.integers(0, 6))))


def change_type(directory: Path, draw: Drawing) -> None:
    kind = draw(st.sampled_from(["<i8", "<u8", "<f8", "<u1", ">u4", "<U3", "|b1"]))
    change_column(directory, draw, lambda values: values.astype(kind))


def change_column(directory: Path, draw: Drawing, change: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
    name = draw(st.sampled_from(sorted(path.stem for path in directory.glob("*.npy"))))
    try:
        rewrite(directory, name, change)
    except (ValueError, Warning):
        return  # changed before, to a type that cannot be changed back


def change_count(directory: Path, draw: Drawing) -> None:
    path = directory / MANIFEST
    manifest = json.loads(path.read_text("utf-8"))
    name = draw(st.sampled_from(["nodes", "links", "servers", "segments", "fetched", "domains", "charsets", "columns"]))
    numbers = st.one_of(st.integers(-3, 9), st.integers())
    if name == "columns":
        manifest[name].pop(draw(st.sampled_from(sorted(manifest[name]))))
    else:
        manifest[name] = draw(
            st.lists(st.text(max_size=3), max_size=4) if name.endswith("s") and name[0] in "dc" else numbers
        )
    path.write_text(json.dumps(manifest), "utf-8")


def change_bytes(directory: Path, draw: Drawing) -> None:
    path = draw(st.sampled_from(sorted(directory.iterdir())))
    content = bytearray(path.read_bytes())
    at = draw(st.integers(0, len(content)))
    content[at : at + draw(st.integers(0, 9))] = draw(st.binary(max_size=9))
    path.write_bytes(content)
