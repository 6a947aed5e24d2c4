"""Graphs that keep the words around links and the countries of servers."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, country_code, country_name
from exonym.errors import GraphError
from exonym.nations.matching.matcher import Matcher
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.analyses.analyse import analysed
from exonym.webgraph.exporting import export_tables
from exonym.webgraph.graph import OPTIONAL, TEXTS
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.server_countries import country_at
from exonym.webgraph.manifest import MANIFEST, Manifest

THAI_ADDRESS, JAPANESE_ADDRESS = "203.150.0.1", "202.12.27.33"  # of registries' tables
AROUND = ImportOptions(("th",), keep_around=True)


def record(url: str, body: str, *more: str) -> bytes:
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}".encode()
    fields = ["WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: {url}", *more, f"Content-Length: {len(block)}"]
    return "\r\n".join([*fields, "", ""]).encode() + block + b"\r\n\r\n"


def imported(directory: Path, options: ImportOptions, warc: bytes) -> Graph:
    (directory / "a.warc").write_bytes(warc)
    return import_graph(directory / "graph", ImportRequest((directory / "a.warc",), options=options, jobs=1)).graph


def by_url(graph: Graph, column: str) -> dict[str, int]:
    urls = graph.texts("url").part(0, len(graph))
    return dict(zip(urls, graph.column(column).tolist(), strict=True))


def links_of(graph: Graph, name: str) -> dict[tuple[str, str], str]:
    urls, texts = graph.texts("url"), graph.texts(name)
    found = {}
    for node in range(len(graph)):
        for link in range(*graph.offsets[node : node + 2].tolist()):
            found[urls[node], urls[int(graph.targets[link])]] = texts[link]
    return found


# Countries are numbers


@pytest.mark.parametrize(
    ("country", "code"), [("", 0), ("TH", 20 * 27 + 8), ("th", 20 * 27 + 8), ("AA", 28), ("ZZ", 728)]
)
def test_country_numbers_are_golden(country: str, code: int) -> None:
    assert country_code(country) == code


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=2))
def test_country_numbers_give_their_letters_back(country: str) -> None:
    assert country_name(country_code(country)) == country


@given(st.text())
def test_what_is_no_code_is_unknown(text: str) -> None:
    code = country_code(text)
    assert country_name(code) == (text.upper() if code else "")
    assert code < 1 << 16


# The words around links


def test_words_around_links_are_kept_when_asked_for(tmp_path: Path) -> None:
    body = '<p>Before the trip <a href="/b">beaches</a> and after it</p>'
    graph = imported(tmp_path, AROUND, record("http://a.th/", body))
    assert links_of(graph, "around") == {("http://a.th/", "http://a.th/b"): "Before the trip and after it"}
    assert links_of(graph, "anchor") == {("http://a.th/", "http://a.th/b"): "beaches"}
    graph.check()


def test_words_around_links_are_not_kept_otherwise(tmp_path: Path) -> None:
    graph = imported(tmp_path, ImportOptions(("th",)), record("http://a.th/", 'x <a href="/b">b</a>'))
    assert graph.has("anchor")
    assert not graph.has("around")


def test_words_around_links_without_anchors_can_be_kept(tmp_path: Path) -> None:
    options = ImportOptions(("th",), anchors=False, keep_around=True)
    graph = imported(tmp_path, options, record("http://a.th/", 'x <a href="/b">b</a> y'))
    assert not graph.has("anchor")
    assert links_of(graph, "around") == {("http://a.th/", "http://a.th/b"): "x y"}


def test_tables_that_are_exported_and_read_back_have_what_was_kept(tmp_path: Path) -> None:
    warc = record("http://a.th/", 'x <a href="/b">b</a> y <a href="http://c.com/">c</a>')
    warc += record("http://c.com/", "z", f"WARC-IP-Address: {JAPANESE_ADDRESS}")
    graph = imported(tmp_path, AROUND, warc)
    list(export_tables(graph, tmp_path / "tables"))
    tables = ((tmp_path / "tables" / "pages.parquet",), (tmp_path / "tables" / "links.parquet",))
    again = import_graph(tmp_path / "again", ImportRequest((), *tables, options=AROUND, jobs=1)).graph
    for name in ("anchor", "around"):
        assert links_of(again, name) == links_of(graph, name)
    assert by_url(again, "country") == by_url(graph, "country")


# Countries of servers


def test_countries_are_by_address_then_by_domain(tmp_path: Path) -> None:
    links = '<a href="/b">b</a> <a href="http://x.de/">x</a> <a href="http://y.com/">y</a>'
    warc = record("http://a.com/", links, f"WARC-IP-Address: {THAI_ADDRESS}") + record("http://a.com/c", "no address")
    warc += record("http://d.de/", "moved to Japan", f"WARC-IP-Address: {JAPANESE_ADDRESS}")
    warc += record("http://e.de/", "nonsense", "WARC-IP-Address: nowhere")
    found = by_url(imported(tmp_path, ImportOptions(("th",)), warc), "country")
    assert {url: country_name(code) for url, code in found.items()} == {
        "http://a.com/": "TH",
        "http://a.com/b": "TH",  # where its server's other pages are
        "http://a.com/c": "TH",
        "http://d.de/": "JP",
        "http://e.de/": "DE",
        "http://x.de/": "DE",
        "http://y.com/": "",
    }


@pytest.mark.parametrize("address", ["", "nowhere", "127.0.0.1", "999.1.1.1", "::1", " "])
def test_addresses_that_say_nothing_are_unknown(address: str) -> None:
    assert country_at(address) == 0


# The format


def written(directory: Path, around: list[str], country: list[int]) -> Graph:
    columns = {
        "server": [0, 1], "segment": [0, 1], "domain": [0, 0], "outcome": [Outcome.PAGE] * 2, "language": [0, 0],
        "relevant": [False, True], "offsets": [0, 1, 1], "targets": [1], "seeds": [0], "country": country,
    }  # fmt: skip
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, np.array(values))
        writer.put_texts("anchor", ["more"])
        writer.put_texts("around", around)
        writer.put_texts("url", ["http://a.com/", "http://b.com/"])
        writer.finish(Manifest(domains=["com"]))
    return Graph.open(directory)


def test_the_new_columns_are_golden(tmp_path: Path) -> None:
    written(tmp_path / "graph", ["ก b"], [0, country_code("TH")]).check()
    manifest = json.loads((tmp_path / "graph" / MANIFEST).read_text())
    types = {name: manifest["columns"][name]["dtype"] for name in ("around.offsets", "around.bytes", "country")}
    assert types == {"around.offsets": "<i8", "around.bytes": "|u1", "country": "<u2"}
    assert (manifest["format"], manifest["version"]) == ("exonym-graph", 1)  # readers pass over columns
    assert (tmp_path / "graph" / "country.npy").read_bytes().endswith(bytes([0, 0, 36, 2]))  # 548
    assert (tmp_path / "graph" / "around.bytes.npy").read_bytes().endswith("ก b".encode())
    assert OPTIONAL["country"] == "<u2"
    assert set(TEXTS) >= {"url", "server_name", "segment_name", "anchor", "around", "text", "clue"}


@pytest.mark.parametrize(("around", "country"), [([], [0, 0]), (["a", "b"], [0, 0]), (["a"], [0])])
def test_columns_of_another_length_are_refused(tmp_path: Path, around: list[str], country: list[int]) -> None:
    with pytest.raises(GraphError, match="does not fit the manifest"):
        written(tmp_path / "graph", around, country).check()


# The analysis of segment links


@pytest.mark.parametrize(("around", "named"), [("hotels near Pattaya", 1), ("hotels near you", 0)])
def test_names_around_anchors_count(tmp_path: Path, around: str, named: int) -> None:
    graph = written(tmp_path / "graph", [around], [0, 0])
    ((_, tables),) = analysed(graph, ["segments"], Matcher(["Pattaya"]))
    (table,) = [table for table in tables if table.name == "segment_links_by_anchor"]
    assert [row[1] for row in table.rows] == [named, 1 - named]
    assert "the words around it" in table.note
