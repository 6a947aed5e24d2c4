"""A web graph as a web: pages say what the graph says of them, and nothing that they contain makes it fail."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.batches import Outcome, language_code
from exonym.errors import GraphError
from exonym.extract.document import Document
from exonym.extract.html import extract
from exonym.judges.base import Verdict
from exonym.judges.language import LanguageJudge
from exonym.language.anchors import identify_anchors
from exonym.practice import GraphWeb, PracticeServer, ServingOptions, describe
from exonym.practice.graph.graph_web import MOST_KEPT, NodeLookup
from exonym.practice.graph.node_pages import encoded
from exonym.practice.serving.connection import PracticeRequest
from exonym.practice.web_languages import VOCABULARIES
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.generating.generate import Order, generate
from exonym.webgraph.generating.profile import load_profile
from exonym.webgraph.graph import KNOWN, NOFOLLOW
from exonym.webgraph.manifest import Column, Manifest

TH, EN = language_code("th"), language_code("en")
HUB = 0  # links to all others


@dataclass(frozen=True, slots=True)
class Drawn:
    """A graph drawn by hand: node 0 links to all others."""

    outcome: list[int]
    language: list[str]
    anchors: list[str]  # languages
    relevant: list[bool] = field(default_factory=list)
    targets: list[str] = field(default_factory=lambda: ["th"])
    columns: dict[str, list[Any]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)
    charsets: list[str] = field(default_factory=list)


def write(directory: Path, drawn: Drawn) -> Graph:
    nodes = len(drawn.outcome)
    with GraphWriter(directory) as writer:
        for name in ("server", "segment", "domain"):
            writer.put(name, np.zeros(nodes))
        writer.put("outcome", np.array(drawn.outcome))
        writer.put("language", np.array([language_code(name) for name in drawn.language]))
        writer.put("relevant", np.array(drawn.relevant or [name in drawn.targets for name in drawn.language]))
        writer.put("offsets", np.array([0] + [nodes - 1] * nodes))
        writer.put("targets", np.arange(1, nodes))
        writer.put("anchor_language", np.array([language_code(name) for name in drawn.anchors]))
        writer.put("seeds", np.array([HUB]))
        for name, column in drawn.columns.items():
            writer.put(name, np.array(column))
        for name, texts in drawn.texts.items():
            writer.put_texts(name, texts)
        writer.finish(Manifest(languages=drawn.targets, domains=["th"], charsets=drawn.charsets))
    return Graph.open(directory)


def star(language: str, anchors: list[str], **more: Any) -> Drawn:
    """A page in a language with links that say something in others, to pages that are only known."""
    nodes = len(anchors) + 1
    return Drawn([Outcome.PAGE] + [KNOWN] * (nodes - 1), [language] + [""] * (nodes - 1), anchors, **more)


def read(web: GraphWeb, node: int = HUB) -> Document:
    url = web.url(node)
    response = web.respond(url)
    assert response.status == 200
    return extract(response.body, url, dict(response.headers)["Content-Type"])


def judged(page: Document, target: str = "th") -> Verdict:
    return LanguageJudge((target,), inherit_language=False).judge(page)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    directory = tmp_path_factory.mktemp("generated") / "graph"
    generate(directory, Order(1_000, 3, "linkfarm", load_profile("linkfarm")))
    return Graph.open(directory)


# Pages


def test_every_page_has_the_language_relevance_and_links_of_the_graph(generated: Graph) -> None:
    web = GraphWeb(generated)
    for node in np.flatnonzero(generated.outcome == Outcome.PAGE).tolist():
        page = read(web, node)
        verdict = judged(page)
        assert (language_code(verdict.language), verdict.relevant) == (
            generated.language[node],
            generated.relevant[node],
        )
        wanted = dict.fromkeys(web.url(target) for target in generated.links_of(node).tolist())
        assert page.links.urls == list(wanted)


@pytest.mark.parametrize("language", ["", *sorted({words.language for words in VOCABULARIES.values()})])
def test_foreign_anchors_do_not_change_what_a_page_is_in(tmp_path: Path, language: str) -> None:
    anchors = ["th", "en"] * 60
    page = read(GraphWeb(write(tmp_path / "graph", star(language, anchors))))
    verdict = judged(page)
    assert (verdict.language, verdict.relevant) == (language, language == "th")
    assert identify_anchors(page.links.anchors) == anchors


def test_page_of_no_language_has_no_letters_but_those_of_its_pictures(tmp_path: Path) -> None:
    page = read(GraphWeb(write(tmp_path / "graph", star("", ["th", "en", ""]))))
    assert not any(letter.isalpha() for letter in page.title + page.blocks)
    assert [bool(anchor) for anchor in page.links.anchors] == [True, True, False]


@pytest.mark.parametrize(("language", "target"), [("en", "th"), ("de", "th"), ("en", "ja"), ("ru", "ko"), ("zh", "th")])
def test_relevant_page_in_another_language_is_partly_in_the_nations(tmp_path: Path, language: str, target: str) -> None:
    graph = write(tmp_path / "graph", star(language, ["en"], relevant=[True, False], targets=[target]))
    verdict = judged(read(GraphWeb(graph)), target)
    assert (verdict.language, verdict.relevant) == (language, True)


def test_page_is_written_in_its_charset_and_says_so(tmp_path: Path) -> None:
    drawn = star("th", ["th"], columns={"charset": [1, 0]}, charsets=["", "windows-874"])
    web = GraphWeb(write(tmp_path / "graph", drawn))
    response = web.respond(web.url(HUB))
    assert response.headers == (("Content-Type", "text/html; charset=windows-874"),)
    assert "ก" in response.body.decode("cp874")


def test_page_without_a_charset_declares_none(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph", star("en", ["th"], columns={"charset": [0, 0]}, charsets=[""]))
    web = GraphWeb(graph)
    assert web.respond(web.url(HUB)).headers == (("Content-Type", "text/html"),)
    assert judged(read(web)).language == "en"


def test_chinese_page_in_big5_has_traditional_characters(tmp_path: Path) -> None:
    drawn = star("zh", ["zh"], columns={"charset": [0, 0], "text_length": [9_000, 0]}, charsets=["big5"])
    page = read(GraphWeb(write(tmp_path / "graph", drawn)))
    assert ("國" in page.blocks, "国" in page.blocks) == (True, False)
    assert (page.charset, judged(page).language) == ("big5", "zh")


@pytest.mark.parametrize("charset", ["nonsense", "rot13", "x\r\nSet-Cookie: a=b", "replacement"])
def test_page_whose_charset_nobody_can_write_is_in_utf8(charset: str) -> None:
    assert encoded("ก", charset) == ("ก".encode(), "utf-8")


@pytest.mark.parametrize("charset", ["windows-1252", "shift_jis", "iso-2022-jp", "macintosh", "hz-gb-2312", "euc-kr"])
def test_letters_that_a_charset_lacks_are_written_by_number(charset: str) -> None:
    body, label = encoded("<p>ก</p>", charset)
    assert (body, label) == (b"<p>&#3585;</p>", charset)


def test_page_is_about_as_long_as_the_graph_says(tmp_path: Path) -> None:
    pages = Drawn([Outcome.PAGE] * 3, ["en", "en", ""], ["en", "en"], columns={"text_length": [4_000, 16_000, 40]})
    web = GraphWeb(write(tmp_path / "graph", pages))
    lengths = [len(read(web, node).blocks) for node in range(3)]
    assert 3_000 < lengths[0] < 5_000
    assert 14_000 < lengths[1] < 18_000
    assert lengths[2] < 60


def test_page_that_asks_not_to_be_followed_says_so(tmp_path: Path) -> None:
    web = GraphWeb(write(tmp_path / "graph", star("en", ["en"], columns={"link_flags": [NOFOLLOW]})))
    assert read(web).nofollow


def test_kept_urls_and_anchors_stand_as_they_were(tmp_path: Path) -> None:
    urls = ["http://a.example/", "http://b.example/?a=1&b=%22", "http://c.example/<'>"]
    anchors = ['"Fish" & <chips>', "ปลา"]
    drawn = Drawn([0, 0, 0], ["en", "th", ""], ["", "th"], texts={"url": urls, "anchor": anchors})
    web = GraphWeb(write(tmp_path / "graph", drawn))
    page = read(web)
    assert page.links.anchors == anchors
    assert page.links.urls[0] == urls[1]
    assert [web.node(url) for url in urls] == [0, 1, 2]
    assert web.node("http://d.example/") is None


# Answers


def test_other_outcomes_are_redirects_and_failures(tmp_path: Path) -> None:
    outcomes = [Outcome.REDIRECT, Outcome.FAILED, Outcome.FORBIDDEN, Outcome.REDIRECT, KNOWN]
    web = GraphWeb(write(tmp_path / "graph", Drawn(outcomes, [""] * 5, ["en"] * 4)))
    first, *others = [web.respond(web.url(node)) for node in range(5)]
    assert (first.status, first.headers) == (302, (("Location", web.url(1)),))
    assert [response.status for response in others] == [404] * 4  # node 3 has no link to lead to


def test_robots_txt_and_other_urls_are_not_there(generated: Graph) -> None:
    web = GraphWeb(generated)
    server = web.seeds()[0].split("/")[2]
    for url in (f"http://{server}/robots.txt", f"http://{server}/", "http://other.example/", "ftp://a/", "", "%%%"):
        assert web.respond(url).status == 404


@given(text=st.text(max_size=60))
@settings(max_examples=200)
def test_any_text_asked_for_is_answered(generated: Graph, text: str) -> None:
    web = GraphWeb(generated)
    assert web.respond(text).status in (200, 404)
    assert web.respond(f"{web.seeds()[0]}{text}").status in (200, 404)


@given(data=st.data())
@settings(max_examples=100)
def test_nodes_and_urls_belong_together(generated: Graph, data: st.DataObject) -> None:
    web = GraphWeb(generated)
    node = data.draw(st.integers(0, len(generated) - 1))
    assert web.node(web.url(node)) == node
    assert web.respond(web.url(node)) == GraphWeb(Graph.open(generated.directory)).respond(web.url(node), 5)


# The web as a whole


def test_server_answers_for_a_graph_with_pages_made_ready(generated: Graph) -> None:
    web = GraphWeb(generated)
    server = PracticeServer(web, ServingOptions(cached_responses=20))
    server.prewarm()
    url = web.seeds()[0]
    answer = server.answer(PracticeRequest(url, url.split("/")[2], False))
    assert answer.wire is not None
    assert answer.wire[answer.head_bytes :] == web.respond(url).body


def test_web_tells_its_facts(generated: Graph) -> None:
    web = GraphWeb(generated)
    assert (web.page_count, len(web.servers), len(web.seeds())) == (1_000, generated.manifest.servers, 3)
    assert (web.language, web.languages[0]) == ("th", "th")
    assert {"en", "ja", "de"} < set(web.languages)
    assert [web.node(seed) for seed in web.seeds()] == generated.seeds.tolist()


def test_description_tells_how_to_crawl_the_graph(generated: Graph) -> None:
    web = GraphWeb(generated)
    lines = describe(web, "127.0.0.1:99")
    assert str(generated.directory) in lines[0]
    crawl = tomllib.loads("\n".join(lines[lines.index("[seeds]") :]))
    assert crawl["seeds"]["urls"] == web.seeds()
    assert (crawl["target"]["languages"], crawl["network"]["connect_to"]) == (["th"], "127.0.0.1:99")


def test_language_without_words_is_refused(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph", star("km", ["en"]))
    with pytest.raises(GraphError, match="pages in km"):
        GraphWeb(graph)


def test_graph_with_too_many_kept_urls_is_refused(tmp_path: Path) -> None:
    kept = {"url.offsets": Column("<i8", MOST_KEPT + 2, "")}
    with pytest.raises(GraphError, match="5,000,001 URLs"):
        NodeLookup(Graph(tmp_path, Manifest(nodes=MOST_KEPT + 1, columns=kept)))


def test_damaged_graph_is_refused(tmp_path: Path) -> None:
    graph = write(tmp_path / "graph", star("en", ["en"]))
    np.save(tmp_path / "graph" / "targets.npy", np.array([7], dtype="<u4"))
    with pytest.raises(GraphError, match="targets"):
        GraphWeb(Graph.open(graph.directory))
