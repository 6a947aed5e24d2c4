"""Importing graphs: answers read, tables, revisits, and chunks joined as a plain reference would."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from exonym.archive.any_warc import SkippedRecord
from exonym.batches import Outcome, language_code
from exonym.errors import ConfigError
from exonym.fetch.messages import outcome_of_reply
from exonym.urls import id_of, segment_of, server_of
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import KNOWN, NOFOLLOW
from exonym.webgraph.importing.chunks import ChunkWriter
from exonym.webgraph.importing.from_warc import GraphPageReader
from exonym.webgraph.importing.import_graph import ImportRequest, ImportSummary, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.joining import join_chunks
from exonym.webgraph.importing.nodes import join_nodes
from exonym.webgraph.importing.record import LooseLink, PageRecord
from exonym.webgraph.manifest import Manifest
from exonym.webgraph.ragged import packed, picked, starts_of

THAI = "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน " * 5
ENGLISH = "The quick brown fox jumps over the lazy dog and runs into the forest again. " * 5
THAI_OPTIONS = ImportOptions(("th",))


# Archives written by hand


def answer(body: str | bytes, *head: str, status: str = "200 OK") -> bytes:
    raw = body if isinstance(body, bytes) else body.encode()
    lines = [f"HTTP/1.1 {status}", *(head or ["Content-Type: text/html; charset=utf-8"])]
    return "\r\n".join([*lines, "", ""]).encode() + raw


def record(url: str, block: bytes, kind: str = "response", *more: str) -> bytes:
    fields = [f"WARC-Type: {kind}", f"WARC-Target-URI: {url}", *more, f"Content-Length: {len(block)}"]
    return "\r\n".join(["WARC/1.0", *fields, "", ""]).encode() + block + b"\r\n\r\n"


def imported(directory: Path, options: ImportOptions = THAI_OPTIONS, **files: bytes) -> ImportSummary:
    source = directory / "files"
    source.mkdir()
    for name, data in files.items():
        (source / name.replace("_", ".")).write_bytes(data)
    return import_graph(directory / "graph", ImportRequest((source,), options=options, jobs=1))


def nodes_of(graph: Graph) -> dict[str, int]:
    return {url: node for node, url in enumerate(graph.texts("url").part(0, len(graph)))}


def targets_of(graph: Graph, url: str) -> list[str]:
    urls = graph.texts("url")
    return [urls[node] for node in graph.links_of(nodes_of(graph)[url]).tolist()]


def fact(graph: Graph, column: str, url: str) -> object:
    return graph.column(column)[nodes_of(graph)[url]].item()


def test_archive_of_another_crawler_becomes_pages_links_and_anchors(tmp_path: Path) -> None:
    page = f'<p>{THAI}</p><a href="/b">หน้าถัดไปของเรา</a> <a href="http://c.example/" hreflang="en">C</a>'
    warc = record("<http://a.example/>", answer(page))  # wget writes brackets
    warc += record("dns:a.example", b"1.2.3.4") + record("http://a.example/robots.txt", answer("", status="404 No"))
    warc += record("http://a.example/b", answer("", "Location: //c.example/x#y", status="301 Moved"))
    warc += record("http://c.example/", answer("gone", status="404 Not Found"))
    summary = imported(tmp_path, a_warc_gz=gzip.compress(warc, mtime=0))
    graph = summary.graph
    assert targets_of(graph, "http://a.example/") == ["http://a.example/b", "http://c.example/"]
    assert targets_of(graph, "http://a.example/b") == ["http://c.example/x"]
    outcomes = {url: fact(graph, "outcome", url) for url in nodes_of(graph)}
    assert outcomes == {
        "http://a.example/": Outcome.PAGE,
        "http://a.example/b": Outcome.REDIRECT,
        "http://c.example/": Outcome.FAILED,
        "http://c.example/x": KNOWN,
    }
    assert fact(graph, "language", "http://a.example/") == language_code("th")
    assert fact(graph, "relevant", "http://a.example/") is True
    first = int(graph.offsets[nodes_of(graph)["http://a.example/"]])
    assert graph.texts("anchor").part(first, first + 2) == ["หน้าถัดไปของเรา", "C"]
    assert graph.column("anchor_language")[first : first + 2].tolist() == [language_code("th"), language_code("en")]
    assert summary.skipped == {"no http(s) URL": 1, "robots.txt": 1}


def test_nofollow_of_page_or_server_is_marked_on_links(tmp_path: Path) -> None:
    link = '<a href="http://t.example/">t</a>'
    by_server = answer(link, "Content-Type: text/html", "X-Robots-Tag: noindex, nofollow")
    warc = record("http://a.example/", by_server) + record("http://b.example/", answer(link))
    warc += record("http://c.example/", answer(f'<meta name="robots" content="none">{link}'))
    graph = imported(tmp_path, a_warc=warc).graph
    flags = {
        url: graph.column("link_flags")[graph.offsets[node] : graph.offsets[node + 1]].tolist()
        for url, node in nodes_of(graph).items()
        if "t.example" not in url
    }
    assert flags == {"http://a.example/": [NOFOLLOW], "http://b.example/": [0], "http://c.example/": [NOFOLLOW]}


def test_pages_with_the_same_words_and_links_are_copies_though_their_bytes_differ(tmp_path: Path) -> None:
    page = f'<title>T</title><p>{THAI * 20}</p><a href="/b">x</a>'
    warc = record("http://a.example/", answer(f"{page}<!-- 1 -->"))
    warc += record("http://www.a.example/", answer(f"<script>2</script>{page}"))
    warc += record("http://a.example/2", answer(page.replace("/b", "/c")))  # another link
    graph = imported(tmp_path, a_warc=warc).graph
    original = {url: int(graph.column("original")[node]) for url, node in nodes_of(graph).items()}
    assert original["http://a.example/"] == original["http://www.a.example/"]
    assert original["http://a.example/2"] == nodes_of(graph)["http://a.example/2"]


def test_revisit_is_read_with_the_body_of_its_original_in_another_file(tmp_path: Path) -> None:
    page = answer(f'<p>{THAI}</p><a href="next">x</a>')
    head = page.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    refers = "WARC-Refers-To-Target-URI: http://a.example/one/"
    first = record("http://b.example/two/", head, "revisit", refers)
    first += record("http://a.example/one/", head, "revisit", refers)
    first += record("http://b.example/lost/", head, "revisit", "WARC-Refers-To-Target-URI: http://nowhere.example/")
    summary = imported(tmp_path, a_warc=first, b_warc=record("http://a.example/one/", page))
    assert targets_of(summary.graph, "http://b.example/two/") == ["http://b.example/two/next"]
    assert fact(summary.graph, "relevant", "http://b.example/two/") is True
    assert summary.skipped == {
        "revisit whose original is in none of the files": 1,
        "another record of the same URL": 1,
    }


def test_of_two_records_of_a_page_the_better_counts_then_the_first(tmp_path: Path) -> None:
    url = "http://a.example/"
    one, two = answer('<a href="/1">1</a>'), answer('<a href="/2">2</a>')
    failed = answer("", status="503 Busy")
    summary = imported(tmp_path, a_warc=record(url, failed) + record(url, one), b_warc=record(url, two))
    assert targets_of(summary.graph, url) == ["http://a.example/1"]
    assert fact(summary.graph, "outcome", url) == Outcome.PAGE
    assert summary.skipped == {"another record of the same URL": 2}


def test_pages_packed_with_brotli_are_read(tmp_path: Path) -> None:
    page = brotli.compress(f'<!doctype html><p>{THAI}</p><a href="/b">x</a>'.encode())
    head = ("Content-Type: text/html; charset=utf-8", "Content-Encoding: br")
    summary = imported(tmp_path, a_warc=record("http://a.example/", answer(page, *head)))
    assert targets_of(summary.graph, "http://a.example/") == ["http://a.example/b"]
    assert fact(summary.graph, "relevant", "http://a.example/") is True
    assert summary.skipped == {}


def test_texts_are_kept_only_when_asked_for(tmp_path: Path) -> None:
    warc = record("http://a.example/", answer(f"<p>{ENGLISH}</p><p>End</p>"))
    (tmp_path / "plain").mkdir()
    (tmp_path / "kept").mkdir()
    assert not imported(tmp_path / "plain", a_warc=warc).graph.has("text")
    graph = imported(tmp_path / "kept", ImportOptions(("en",), anchors=False, keep_text=True), a_warc=warc).graph
    assert graph.texts("text")[0] == f"{ENGLISH.strip()}\nEnd"
    assert not graph.has("anchor")


@given(st.binary(max_size=300), st.binary(max_size=300))
@settings(deadline=None)
def test_no_answer_makes_the_reader_raise(head: bytes, body: bytes) -> None:
    reader = GraphPageReader(THAI_OPTIONS)
    for start in (b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"):
        assert isinstance(reader.read("http://a.example/", start + head, body), PageRecord | SkippedRecord)


@pytest.mark.parametrize(
    ("status", "location", "expected"),
    [
        (200, None, (Outcome.PAGE, "")),
        (204, b"/x", (Outcome.PAGE, "")),
        (302, b"/x", (Outcome.REDIRECT, "http://a.example/x")),
        (302, b"mailto:me", (Outcome.FAILED, "")),
        (304, None, (Outcome.FAILED, "")),
        (404, b"/x", (Outcome.FAILED, "")),
    ],
)
def test_status_decides_the_outcome(status: int, location: bytes | None, expected: tuple[Outcome, str]) -> None:
    assert outcome_of_reply(status, location, "http://a.example/") == expected


# WAT


def wat(url: str, answer: object) -> bytes:
    header = {"WARC-Type": "response", "WARC-Target-URI": url}
    payload = {"HTTP-Response-Metadata": answer}
    envelope = {"Envelope": {"WARC-Header-Metadata": header, "Payload-Metadata": payload}}
    return record(url, json.dumps(envelope).encode(), "metadata")


def test_wat_gives_links_and_a_language_by_title_and_anchors(tmp_path: Path) -> None:
    links: list[object] = [
        {"path": "A@/href", "url": "/x", "text": "ข่าววันนี้ของประเทศไทย"},
        {"path": "A@/href", "url": "http://b.example/", "rel": "nofollow", "text": "B"},
        {"path": "IMG@/src", "url": "/p.png"},
        {"path": "A@/href", "url": 7},
        "nonsense",
    ]
    page = {
        "Response-Message": {"Status": "200"},
        "HTML-Metadata": {"Head": {"Title": THAI, "Base": "/base/"}, "Links": links},
    }
    moved = {"Response-Message": {"Status": "301"}, "Headers": {"location": "http://a.example/"}}
    data = wat("http://a.example/", page) + wat("http://m.example/", moved) + wat("http://n.example/", [])
    data += record("http://o.example/", b"{no json", "metadata")
    summary = imported(tmp_path, a_wat=data)
    graph = summary.graph
    assert targets_of(graph, "http://a.example/")[0] == "http://a.example/x"
    assert targets_of(graph, "http://a.example/")[1] == "http://b.example/"
    assert fact(graph, "relevant", "http://a.example/") is True
    assert targets_of(graph, "http://m.example/") == ["http://a.example/"]
    assert summary.skipped == {"no HTTP status line": 1, "metadata that is no JSON": 1}


# Tables


def test_tables_of_pages_and_links_become_a_graph(tmp_path: Path) -> None:
    pages, links = tmp_path / "pages.csv", tmp_path / "links.tsv"
    pages.write_text(
        "url,language,relevance,text_length,charset,more\n"
        "a.example,Thai,0.9,120,utf-8,x\n"
        "http://b.example/p,en,0.2,7,,\n"
        "http://c.example/,gibberish,,-5,,\n"
        "no url at all,th,1,1,,\n"
    )
    links.write_text(
        "source\ttarget\tanchor\tanchor_language\n"
        "http://b.example/p\ta.example\tกขค\tth\n"
        "a.example\thttp://d.example/\t\t\n"
        "http://b.example/p\thttp://c.example/\tC\t\n"
        "http://e.example/\thttp://a.example/\t\t\n"
    )
    request = ImportRequest(pages=(pages,), links=(links,), seeds=("http://a.example",), options=THAI_OPTIONS, jobs=1)
    summary = import_graph(tmp_path / "graph", request)
    graph = summary.graph
    assert targets_of(graph, "http://b.example/p") == ["http://a.example/", "http://c.example/"]
    assert [fact(graph, "relevant", f"http://{host}/") for host in ("a.example", "c.example")] == [True, False]
    assert fact(graph, "language", "http://a.example/") == language_code("th")
    assert fact(graph, "text_length", "http://a.example/") == 120
    assert fact(graph, "text_length", "http://c.example/") == 0
    assert fact(graph, "outcome", "http://d.example/") == KNOWN
    assert fact(graph, "outcome", "http://e.example/") == Outcome.PAGE, "someone read its links"
    assert graph.seeds.tolist() == [nodes_of(graph)["http://a.example/"]]
    assert summary.skipped == {"row without an http(s) URL": 1}


def test_pages_in_a_target_language_are_relevant_where_a_table_has_no_relevance(tmp_path: Path) -> None:
    table = pa.table({"url": ["http://a.example/", "http://b.example/", None], "language": ["th", None, "th"]})
    parquet.write_table(table, tmp_path / "pages.parquet")
    request = ImportRequest(pages=(tmp_path / "pages.parquet",), options=THAI_OPTIONS, jobs=1)
    graph = import_graph(tmp_path / "graph", request).graph
    assert [fact(graph, "relevant", f"http://{host}.example/") for host in "ab"] == [True, False]


@pytest.mark.parametrize(("name", "data"), [("p.csv", b""), ("p.parquet", b"PAR1"), ("p.csv", b"u\n1\n")])
def test_table_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        import_graph(tmp_path / "graph", ImportRequest(pages=(tmp_path / name,), jobs=1))
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)


def test_rows_that_are_torn_or_in_another_charset_cost_only_themselves(tmp_path: Path) -> None:
    links = tmp_path / "links.tsv"
    links.write_bytes(b"source\ttarget\tanchor\nhttp://a.example/\thttp://b.example/\tcaf\xe9\nx\n1\t2\t3\t4\n")
    # The same file, spelled in two ways, is read once.
    twice = (links, tmp_path / "." / ".." / tmp_path.name / "links.tsv")
    summary = import_graph(tmp_path / "graph", ImportRequest(links=twice, jobs=1))
    assert summary.graph.texts("anchor").part(0, 1) == ["caf\ufffd"]
    assert summary.graph.manifest.links == 1
    assert summary.skipped == {"row with too few or too many columns": 2}


# Joining

URLS = st.sampled_from([f"http://{host}.example/{path}" for host in "abc" for path in ("", "x", "d/", "d/y?q=/")])
LINKS = st.lists(st.tuples(URLS, st.text(max_size=3)), max_size=4)
OUTCOMES = st.sampled_from([Outcome.PAGE, Outcome.FAILED, Outcome.REDIRECT])


@st.composite
def pages(draw: st.DrawFn) -> PageRecord:
    links = draw(LINKS)
    targets, anchors = [url for url, _ in links], [anchor for _, anchor in links]
    return PageRecord(
        draw(URLS),
        draw(OUTCOMES),
        language=draw(st.integers(0, 9)),
        charset=draw(st.sampled_from(["", "utf-8", "big5"])),
        text=draw(st.text(max_size=5)),
        clue=draw(st.text(max_size=2)),
        targets=targets,
        anchors=anchors,
    )


loose = st.builds(LooseLink, URLS, URLS, st.text(max_size=3), st.just(0))
Parts = Sequence[Sequence[PageRecord | LooseLink]]


def joined(directory: Path, parts: Parts) -> Graph:
    names: list[str] = []
    directory.mkdir()
    for number, part in enumerate(parts):
        writer = ChunkWriter(directory, str(number), keep_text=True)
        for found in part:
            if isinstance(found, LooseLink):
                writer.add_link(found)
            else:
                writer.add(found)
        names += writer.close()
    with GraphWriter(directory / "graph") as output:
        options = ImportOptions(keep_text=True)
        facts = join_chunks(output, [directory / name for name in names], directory / "joining", options, [])
        output.finish(Manifest(domains=facts.domains, charsets=facts.charsets))
    return Graph.open(directory / "graph")


def reference(parts: Parts) -> dict[str, tuple[object, ...]]:
    """The graph by dictionaries: facts and links of every URL. The best record counts, then the first."""
    best: dict[str, PageRecord] = {}
    links: dict[str, list[tuple[str, str]]] = {}
    everything = [found for part in parts for found in part]
    ranks = [Outcome.PAGE, Outcome.REDIRECT, Outcome.FAILED]
    for found in everything:
        if isinstance(found, LooseLink):
            links.setdefault(found.source, [])
            links.setdefault(found.target, [])
        else:
            for url in (found.url, *found.targets):
                links.setdefault(url, [])
            if found.url not in best or ranks.index(found.outcome) < ranks.index(best[found.url].outcome):
                best[found.url] = found
    read = set()
    for found in everything:
        if isinstance(found, LooseLink):
            links[found.source].append((found.target, found.anchor))
            read.add(found.source)
        elif best[found.url] is found:
            links[found.url] += zip(found.targets, found.anchors, strict=True)
    missing = {url: PageRecord(url, Outcome.PAGE) for url in read} | best
    return {
        url: (
            (missing[url].outcome, missing[url].language, missing[url].charset, missing[url].text, missing[url].clue)
            if url in missing
            else (KNOWN, 0, "", "", "")
        )
        + (own,)
        for url, own in links.items()
    }


@given(st.lists(st.lists(st.one_of(pages(), loose), max_size=6), min_size=1, max_size=4).filter(any))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_joined_chunks_are_what_dictionaries_would_make_of_them(
    tmp_path_factory: pytest.TempPathFactory, parts: Parts
) -> None:
    graph = joined(tmp_path_factory.mktemp("join") / "work", parts)
    urls, anchors, texts, clues = (graph.texts(name) for name in ("url", "anchor", "text", "clue"))
    found: dict[str, tuple[object, ...]] = {}
    for node in range(len(graph)):
        first, last = graph.offsets[node : node + 2].tolist()
        targets = [urls[target] for target in graph.targets[first:last].tolist()]
        own = list(zip(targets, anchors.part(first, last), strict=True))
        charset = graph.manifest.charsets[graph.column("charset")[node]]
        facts = int(graph.outcome[node]), int(graph.language[node]), charset, texts[node], clues[node]
        found[urls[node]] = (*facts, own)
    assert found == reference(parts)
    servers, segments = graph.texts("server_name"), graph.texts("segment_name")
    for node in range(len(graph)):
        assert servers[int(graph.server[node])] == server_of(urls[node])
        assert segments[int(graph.segment[node])] == segment_of(urls[node])


def test_nodes_joined_range_by_range_are_all_urls_in_the_order_of_their_ids(tmp_path: Path) -> None:
    spelled = [f"http://s{number % 7}.example/{number % 300}" for number in range(1_000)]
    paths = []
    for number in range(4):
        writer = ChunkWriter(tmp_path, str(number))
        for url in spelled[number * 250 : number * 250 + 250]:
            writer.add_url(url)
        paths += [tmp_path / name for name in writer.close()]
    nodes = join_nodes(paths, tmp_path / "joining", range_mentions=50)
    expected = sorted(set(spelled), key=id_of)
    assert nodes.ids.tolist() == [id_of(url) for url in expected]
    assert nodes.servers.tolist() == [id_of(server_of(url)) for url in expected]
    assert nodes.url_bytes.tobytes() == "".join(expected).encode()


@given(st.lists(st.text(max_size=5), min_size=1), st.data())
def test_texts_picked_from_a_packed_column_are_those_texts(texts: list[str], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(texts) - 1)))
    lengths, found = picked(*packed(texts), np.array(chosen, np.int64))
    bounds = starts_of(lengths).tolist()
    assert [found[bounds[n] : bounds[n + 1]].tobytes().decode() for n in range(len(chosen))] == [
        texts[place].encode("utf-8", "replace").decode() for place in chosen
    ]
