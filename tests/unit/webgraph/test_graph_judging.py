"""Judging at import and again: by whose settings, by what was kept, and what odd input does to it."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exonym.archive.any_warc import SkippedRecord
from exonym.batches import Outcome, language_code
from exonym.config import CONFIG_NAME, template
from exonym.errors import ConfigError, DirectoryError, GraphError
from exonym.extract.document import Document
from exonym.judges.by_name import make_judge
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.importing.from_crawl import as_crawled
from exonym.webgraph.importing.from_warc import GraphPageReader
from exonym.webgraph.importing.from_wat import read_wat
from exonym.webgraph.importing.import_sources import ImportOptions, ImportSource, SourceKind, judge_facts
from exonym.webgraph.importing.record import Clue, PageRecord, clue_in, clue_of, kept_page
from exonym.webgraph.judging import judge_again, judge_settings
from exonym.webgraph.manifest import Manifest

THAI = "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน"
LAO = "ພາສາລາວເປັນພາສາທາງການຂອງປະເທດລາວ"
ENGLISH = "The quick brown fox jumps over the lazy dog and runs into the forest again."
TH, LO, EN = map(language_code, ("th", "lo", "en"))


def lao(identifier: str = "default", inherit_language: bool = True) -> dict[str, Any]:
    return {"kind": "language", "languages": ["lo"], "identifier": identifier, "inherit_language": inherit_language}


def write(directory: Path, texts: list[str], languages: list[int], **more: Any) -> Graph:
    """A graph of pages without links, as if they had been judged for Thai."""
    nodes = len(texts)
    with GraphWriter(directory) as writer:
        for name in ("server", "segment", "domain"):
            writer.put(name, np.zeros(nodes))
        writer.put("outcome", np.array(more.get("outcomes", [Outcome.PAGE] * nodes)))
        writer.put("language", np.array(languages))
        writer.put("relevant", np.array(languages) == TH)
        writer.put("offsets", np.zeros(nodes + 1))
        writer.put("targets", np.zeros(0))
        writer.put("seeds", np.zeros(1))
        if more.get("with_text", True):
            writer.put_texts("text", texts)
        if "clues" in more:
            writer.put_texts("clue", more["clues"])
        provenance = more.get("provenance", {"made_by": "a test", "collected": "by hand"})
        writer.finish(Manifest(languages=["th"], domains=["example"], provenance=provenance, licence="free"))
    return Graph.open(directory)


# Judging again


def test_texts_judged_for_another_language_make_other_pages_relevant(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI, LAO, f"{LAO}\n{ENGLISH}", ENGLISH], [TH, LO, LO, EN])
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert judged.language.tolist() == [TH, LO, LO, EN]
    assert judged.relevant.tolist() == [False, True, True, False]
    relevance = judged.column("relevance")
    assert relevance[[0, 1, 3]].tolist() == [0.0, 1.0, 0.0]
    assert 0.2 < relevance[2] < 0.5  # 32 of the 32 + 61 letters are Lao
    assert graph.relevant.tolist() == [True, False, False, False]


def test_other_columns_are_those_of_the_old_graph_and_take_no_room(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI, LAO], [TH, LO])
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    for name in graph.manifest.columns.keys() - {"language", "relevant", "relevance"}:
        assert os.path.samefile(tmp_path / "old" / f"{name}.npy", tmp_path / "new" / f"{name}.npy")
        assert judged.manifest.columns[name] == graph.manifest.columns[name]
    assert (tmp_path / "new" / "language.npy").stat().st_nlink == 1
    judged.check()


def test_manifest_says_by_what_judge_and_from_what_graph(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI], [TH])
    made = judge_again(graph, tmp_path / "new", lao("classic", False), jobs=1).manifest
    assert made.languages == ["lo"]
    assert made.provenance["judge"] == lao("classic", False)
    assert (made.provenance["judged_graph"], made.provenance["judged_graph_made_by"]) == (
        str(graph.directory),
        "a test",
    )
    assert (made.provenance["collected"], made.licence, made.domains) == ("by hand", "free", ["example"])


def test_only_pages_are_judged(tmp_path: Path) -> None:
    outcomes = [Outcome.PAGE, Outcome.FAILED, KNOWN]
    graph = write(tmp_path / "old", [LAO, "", ""], [LO, 0, 0], outcomes=outcomes)
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert judged.relevant.tolist() == [True, False, False]


def test_judge_of_a_graph_of_version_0_1_0_is_understood(tmp_path: Path) -> None:
    old = {"kind": "language", "languages": ["lo"], "identifier": "default", "hearsay": False}
    graph = write(tmp_path / "old", [LAO], [LO], provenance={"judge": {"kind": "any", "judges": [old]}})
    assert judge_settings(graph) == {"kind": "any", "judges": [lao(inherit_language=False)]}


@pytest.mark.parametrize(("inherit_language", "language", "relevance"), [(True, LO, 0.5), (False, 0, 0.0)])
def test_page_that_says_nothing_is_what_it_was_taken_to_be_by_inherit_language_only(
    tmp_path: Path, inherit_language: bool, language: int, relevance: float
) -> None:
    graph = write(tmp_path / "old", ["1 2 3"], [LO])
    judged = judge_again(graph, tmp_path / "new", lao(inherit_language=inherit_language), jobs=1)
    assert (judged.language[0], judged.column("relevance")[0]) == (language, relevance)
    assert judged.relevant[0] == inherit_language


def test_kept_clues_tell_what_texts_do_not(tmp_path: Path) -> None:
    clues = [
        Clue(parent_language="lo"),  # of the page that linked here
        Clue(title=LAO),
        Clue(title=LAO, is_frameset=True),
        Clue(language_tag="lo"),  # six letters say enough with it
    ]
    kept = [clue_of(kept_page("", "", clue)) for clue in clues]
    graph = write(tmp_path / "old", ["1 2 3", "1 2 3", "1 2 3", LAO[:6]], [TH] * 4, clues=kept)
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert judged.language.tolist() == [LO, LO, 0, LO]
    assert judged.column("relevance").tolist() == [0.5, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("clue", ["", "{}", "[1, 2]", "nonsense", '["\\ud800"]'])
def test_page_that_no_judge_has_read_is_in_the_language_that_was_said(tmp_path: Path, clue: str) -> None:
    graph = write(tmp_path / "old", ["", ""], [LO, TH], clues=[clue, clue])
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert (judged.language.tolist(), judged.relevant.tolist()) == ([LO, TH], [True, False])


def test_graph_without_texts_is_judged_by_its_languages(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI, LAO, ""], [TH, LO, 0], with_text=False)
    judged = judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert judged.language.tolist() == [TH, LO, 0]
    assert judged.relevant.tolist() == [False, True, False]
    assert judged.column("relevance").tolist() == [0, 1, 0]
    assert judged.manifest.languages == ["lo"]


def test_graph_without_texts_is_refused_by_judges_of_texts_and_nothing_written(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI], [TH], with_text=False)
    with pytest.raises(GraphError, match="--keep-text"):
        judge_again(graph, tmp_path / "new", {"kind": "about", "nation": "TH"}, jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_judge_that_cannot_be_made_and_graph_that_is_there_are_refused(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI], [TH])
    with pytest.raises(ConfigError, match="identifier"):
        judge_again(graph, tmp_path / "new", lao("best"), jobs=1)
    with pytest.raises(DirectoryError, match="already"):
        judge_again(graph, tmp_path / "old", lao(), jobs=1)


def test_lost_column_is_told_in_a_line_and_leaves_nothing(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI], [TH])
    (tmp_path / "old" / "seeds.npy").unlink()
    with pytest.raises(GraphError, match="seeds"):
        judge_again(graph, tmp_path / "new", lao(), jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("offsets", [[0, 5, 3, 9], [0, 3, 9], [-3, 3, 5, 9], [0, 3, 5, 99]])
def test_texts_that_begin_nowhere_are_refused(tmp_path: Path, offsets: list[int]) -> None:
    directory = tmp_path / "old"
    write(directory, ["abc", "ab", "abcd"], [TH, TH, TH])
    np.save(directory / "text.offsets.npy", np.array(offsets, "<i8"))
    facts = json.loads((directory / "manifest.json").read_text())
    facts["columns"]["text.offsets"]["length"] = len(offsets)
    (directory / "manifest.json").write_text(json.dumps(facts))
    with pytest.raises(GraphError, match=r"text\.offsets"):
        judge_again(Graph.open(directory), tmp_path / "new", lao(), jobs=1)


def test_progress_ends_with_all_nodes(tmp_path: Path) -> None:
    told: list[int] = []
    judge_again(write(tmp_path / "old", [THAI] * 3, [TH] * 3), tmp_path / "new", lao(), 1, told.append)
    assert (told[0], told[-1]) == (0, 3)


@pytest.mark.parametrize("provenance", [{}, {"judge": None}, {"judge": "th"}, {"judge": ["th"]}])
def test_graph_that_does_not_say_its_judge_has_the_usual_one(tmp_path: Path, provenance: dict[str, Any]) -> None:
    graph = write(tmp_path / "old", [THAI], [TH], provenance=provenance)
    assert judge_settings(graph) == {**lao(), "languages": ["th"]}


def test_graph_that_was_judged_again_says_how(tmp_path: Path) -> None:
    graph = write(tmp_path / "old", [THAI], [TH])
    judged = judge_again(graph, tmp_path / "new", lao("classic", False), jobs=1)
    assert judge_settings(judged) == lao("classic", False)


# What is kept


lines = st.lists(st.sampled_from([THAI, LAO, ENGLISH, "1 2 3", "Home", "หน้าแรก", "東京都"]), max_size=5)
tags = st.sampled_from(["", "th", "TH-th", "lo", "en", "x" * 500])
charsets = st.sampled_from(["", "utf-8", "windows-874", "shift_jis"])
documents = st.builds(
    lambda title, blocks, tag, charset, label, parent, frames: Document(
        "http://a.example/",
        title,
        "\n".join(blocks),
        tag,
        charset,
        is_frameset=frames,
        parent_language=parent,
        charset_label=label,
    ),
    st.sampled_from(["", "หน้าแรก", "Home", LAO]) | st.text(max_size=5),
    lines,
    tags,
    charsets,
    charsets,
    st.sampled_from(["", "th", "lo", "en"]),
    st.booleans(),
)


@pytest.mark.parametrize("identifier", ["default", "classic"])
@settings(max_examples=50, deadline=None)
@given(documents, st.booleans())
def test_page_judged_by_what_was_kept_gets_the_verdict_of_the_page(
    identifier: str, page: Document, inherit_language: bool
) -> None:
    judge = _judges(identifier, inherit_language)
    clue = clue_in(clue_of(page))
    assert clue is not None
    assert judge.judge(kept_page(page.url, page.text, clue)) == judge.judge(page)


_made: dict[tuple[str, bool], Any] = {}


def _judges(identifier: str, inherit_language: bool) -> Any:
    """Judges are made once: the classic one reads profiles."""
    key = (identifier, inherit_language)
    return _made.setdefault(key, _made.get(key) or make_judge(lao(identifier, inherit_language)))


@given(st.text(max_size=40) | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_clue_that_is_none_of_ours_is_no_clue_and_never_raises(text: str) -> None:
    assert isinstance(clue_in(text), Clue | None)


def test_reader_keeps_clues_with_texts_only() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=tis-620\r\n\r\n"
    body = f"<html lang=th><title>ข่าว</title><p>{THAI}".encode("cp874")
    kept = GraphPageReader(ImportOptions(("th",), keep_text=True)).read("http://a.example/", head, body, "lo")
    assert isinstance(kept, PageRecord)
    assert clue_in(kept.clue) == Clue("ข่าว", "th", "windows-874", "windows-874", "lo", False)
    plain = GraphPageReader(ImportOptions(("th",))).read("http://a.example/", head, body, "lo")
    assert isinstance(plain, PageRecord)
    assert (plain.text, plain.clue) == ("", "")


# By whose settings an import judges


def crawl_of(directory: Path, **sections: dict[str, Any]) -> Path:
    directory.mkdir()
    (directory / CONFIG_NAME).write_text(template(sections), encoding="utf-8")
    return directory


def test_crawl_brings_its_languages_identifier_and_inherit_language(tmp_path: Path) -> None:
    crawl = crawl_of(
        tmp_path / "a", target={"languages": ["lo", "th"]}, judge={"identifier": "classic", "inherit_language": False}
    )
    options = as_crawled(ImportOptions(keep_text=True), [crawl])
    assert options == ImportOptions(("lo", "th"), True, True, "classic", False)
    assert options.judge_settings() == {**lao("classic", False), "languages": ["lo", "th"]}


def test_options_outrank_the_crawl(tmp_path: Path) -> None:
    crawl = crawl_of(
        tmp_path / "a", target={"languages": ["th"]}, judge={"identifier": "classic", "inherit_language": False}
    )
    asked = ImportOptions(("lo",), identifier="default", inherit_language=True)
    assert as_crawled(asked, [crawl]) == asked
    assert as_crawled(ImportOptions(("lo",)), [crawl]).judge_settings() == lao("classic", False)


def test_crawls_for_different_languages_make_pages_of_all_relevant(tmp_path: Path) -> None:
    crawls = [crawl_of(tmp_path / name, target={"languages": [name]}) for name in ("th", "lo")]
    assert as_crawled(ImportOptions(), crawls).languages == ("th", "lo")


@pytest.mark.parametrize(
    ("own", "option", "settled"),
    [
        ({"identifier": "classic"}, "--identifier", {"identifier": "default"}),
        ({"inherit_language": False}, "--inherit-language", {"inherit_language": False}),
    ],
)
def test_crawls_judged_in_different_ways_are_refused_unless_one_way_is_named(
    tmp_path: Path, own: dict[str, Any], option: str, settled: dict[str, Any]
) -> None:
    target = {"languages": ["th"]}
    crawls = [crawl_of(tmp_path / "a", target=target), crawl_of(tmp_path / "b", target=target, judge=own)]
    with pytest.raises(ConfigError, match=option) as raised:
        as_crawled(ImportOptions(), crawls)
    assert str(crawls[0]) in str(raised.value)
    assert str(crawls[1]) in str(raised.value)
    named = as_crawled(ImportOptions(**settled), crawls)
    assert {name: getattr(named, name) for name in settled} == settled


def test_crawl_whose_settings_cannot_be_read_is_told_unless_all_is_named(tmp_path: Path) -> None:
    crawl = crawl_of(tmp_path / "a")
    (crawl / CONFIG_NAME).write_text("[judge\n")
    with pytest.raises(ConfigError, match="TOML"):
        as_crawled(ImportOptions(("th",)), [crawl])
    asked = ImportOptions(("th",), identifier="default", inherit_language=True)
    assert as_crawled(asked, [crawl]) == asked
    (crawl / CONFIG_NAME).unlink()  # an archive with its journal, nothing else
    assert as_crawled(ImportOptions(("lo",)), [crawl]).judge_settings() == lao()


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        ([SourceKind.WARC, SourceKind.JOURNAL], {"judge"}),
        ([SourceKind.WARC, SourceKind.WAT], {"judge", "judge_note"}),
        ([SourceKind.PAGES, SourceKind.LINKS], set()),
    ],
)
def test_manifest_gets_the_judge_and_what_it_could_not_see(kinds: list[SourceKind], names: set[str]) -> None:
    facts = judge_facts(ImportOptions(("lo",)), [ImportSource(Path("a"), kind) for kind in kinds])
    assert facts.keys() == names
    assert facts.get("judge", lao()) == lao()
    assert "title, description and anchors" in facts.get("judge_note", "title, description and anchors")


# WAT files with odd JSON in them


def wat_file(path: Path, blocks: list[bytes]) -> Path:
    records = (
        b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://a.example/\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(block), block)
        for block in blocks
    )
    path.write_bytes(b"".join(records))
    return path


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
urls = st.sampled_from(["http://b.example/", "/x", "//", "http://[", "javascript:x", "#", "", "http://a.example/"])


def wat_of(html: object, status: object = "200", headers: object = None) -> dict[str, Any]:
    answer = {"Response-Message": {"Status": status}, "HTML-Metadata": html, "Headers": headers}
    header = {"WARC-Type": "response", "WARC-Target-URI": "http://a.example/"}
    return {"Envelope": {"WARC-Header-Metadata": header, "Payload-Metadata": {"HTTP-Response-Metadata": answer}}}


@st.composite
def broken_wats(draw: st.DrawFn) -> dict[str, Any]:
    """As a WAT file has them, but for up to three values, anywhere, that are something else."""
    link = {"path": "A@/href", "url": draw(urls), "text": draw(st.sampled_from(["", THAI])), "rel": "nofollow"}
    robots, description = {"name": "ROBOTS", "content": "none"}, {"name": "description", "content": THAI}
    head = {"Title": "a\0b\nc", "Base": draw(urls), "Metas": [description, *([robots] * draw(st.booleans()))]}
    status = draw(st.sampled_from(["200", 200, "301", "404", "²00"]))
    wat = wat_of({"Head": head, "Links": [link, dict(link, path="IMG@/src"), dict(link, url=draw(urls))]}, status)
    wat["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"]["Headers"] = {"Location": draw(urls)}
    for _ in range(draw(st.integers(0, 3))):
        _break_somewhere(draw, wat)
    return wat


def _break_somewhere(draw: st.DrawFn, value: Any) -> None:
    """Put something odd in the place of a value, or go on inside it."""
    while isinstance(value, dict | list) and value:
        key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if not isinstance(value[key], dict | list) or draw(st.integers(0, 4)) == 0:
            value[key] = draw(odd)
            return
        value = value[key]


@pytest.fixture(scope="module")
def wat_reader() -> GraphPageReader:
    return GraphPageReader(ImportOptions(("th",), keep_text=True))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(broken_wats().map(lambda wat: json.dumps(wat).encode()) | st.binary(max_size=20), min_size=1, max_size=4)
)
def test_odd_json_in_wat_files_is_counted_or_read_and_never_raises(
    tmp_path: Path, wat_reader: GraphPageReader, blocks: list[bytes]
) -> None:
    found = list(read_wat(wat_file(tmp_path / "a.wat", blocks), wat_reader))
    assert len(found) <= len(blocks)
    for one in found:
        assert isinstance(one, PageRecord | SkippedRecord)
        if isinstance(one, PageRecord):
            "\n".join([one.url, one.text, *one.targets, *one.anchors]).encode()  # what is written must be text
            assert len(one.anchors) in (0, len(one.targets))


def test_wat_page_is_judged_and_kept_by_title_description_and_anchors(
    tmp_path: Path, wat_reader: GraphPageReader
) -> None:
    head = {"Title": "Home", "Metas": [{"name": "description", "content": THAI}]}
    html = {"Head": head, "Links": [{"path": "A@/href", "url": "/x", "text": "ต่อไป"}]}
    [page] = read_wat(wat_file(tmp_path / "a.wat", [json.dumps(wat_of(html)).encode()]), wat_reader)
    assert isinstance(page, PageRecord)
    assert (page.language, page.relevant, page.text) == (TH, True, f"Home\n{THAI}\nต่อไป")
