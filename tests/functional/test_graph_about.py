"""Graphs of pages about a nation: imported so, judged again so, and as the crawl was."""

import json
from pathlib import Path

import pytest
from commands import refused_here, run

from exonym.errors import ConfigError
from exonym.testing.live import crawl_from
from exonym.testing.scripted import ScriptedWeb, page
from exonym.webgraph import Graph
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph

A = "http://a.example/"
ABOUT = {"nation": "TH", "languages": ["en"]}
PAGES = {
    A: page("".join(f"<a href=/{name}>{name}</a> " for name in ("about", "other", "thai"))),
    "/about": page("<p>We went from Bangkok to Chiang Mai by train and had khao soi there.</p>"),
    "/other": page("<p>We went from one town to another by train and had a cup of tea there.</p>"),
    "/thai": page("<p>ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อยมากมาย</p>"),
}


def crawled(directory: Path, nation: str = "TH") -> Path:
    with ScriptedWeb(PAGES) as web:
        asked: dict[str, dict[str, object]] = {"target": {"languages": []}, "target.about": {**ABOUT, "nation": nation}}
        crawl_from([A], directory, web.address, asked)
    return directory


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawled(tmp_path_factory.mktemp("crawl"))


def relevant_in(graph: Graph) -> set[str]:
    urls = graph.texts("url")
    return {urls[node].rpartition("/")[2] for node in graph.relevant.nonzero()[0].tolist()}


def test_crawl_for_pages_about_a_nation_is_imported_as_it_was_judged(crawl: Path, tmp_path: Path) -> None:
    graph = import_graph(tmp_path / "graph", ImportRequest((crawl,), jobs=1)).graph
    assert relevant_in(graph) == {"about"}
    assert graph.manifest.provenance["judge"]["kind"] == "about"
    assert graph.manifest.languages == []


def test_import_and_judge_take_a_nation_a_language_or_both(crawl: Path, tmp_path: Path) -> None:
    result = run("graph", "import", crawl, "-o", tmp_path / "th", "--language", "th", "--keep-text")
    assert (result.returncode, result.stderr) == (0, "")
    assert relevant_in(Graph.open(tmp_path / "th")) == {"thai"}
    asked = ["--language", "th", "--about-nation", "TH", "--in", "en"]
    both = run("graph", "judge", tmp_path / "th", "-o", tmp_path / "both", *asked)
    assert (both.returncode, both.stderr) == (0, "")
    assert "in th, or about TH in en" in both.stdout
    assert relevant_in(Graph.open(tmp_path / "both")) == {"thai", "about"}
    assert Graph.open(tmp_path / "both").manifest.languages == ["th"]
    direct = run("graph", "import", crawl, "-o", tmp_path / "direct", *asked, "--json")
    assert json.loads(direct.stdout)["judge"] == Graph.open(tmp_path / "both").manifest.provenance["judge"]
    assert relevant_in(Graph.open(tmp_path / "direct")) == {"thai", "about"}
    again = run("graph", "judge", tmp_path / "both", "-o", tmp_path / "again", "--no-inherit-language")
    assert again.returncode == 0
    parts = Graph.open(tmp_path / "again").manifest.provenance["judge"]["judges"]
    assert [part["inherit_language"] for part in parts] == [False, False]


def test_crawl_toml_says_what_is_relevant(crawl: Path, tmp_path: Path) -> None:
    assert run("graph", "import", crawl, "-o", tmp_path / "th", "--language", "th", "--keep-text").returncode == 0
    result = run("graph", "judge", tmp_path / "th", "-o", tmp_path / "new", "--relevance", crawl / "crawl.toml")
    assert (result.returncode, result.stderr) == (0, "")
    assert relevant_in(Graph.open(tmp_path / "new")) == {"about"}
    shown = run("graph", "show", tmp_path / "new")
    assert "about TH in en" in shown.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--in", "en"], "--in needs --about-nation"),
        (["--about-nation", "XQ"], "exonym nation make XQ"),
        (["--about-nation", "TH", "--in", "Klingonese"], "Klingonese"),
        (["--relevance", "nowhere.toml"], "does not exist"),
    ],
)
def test_wrong_use_is_told_in_one_line(crawl: Path, tmp_path: Path, options: list[str], told: str) -> None:
    assert told in refused_here("graph", "import", crawl, "-o", tmp_path / "graph", *options)


def test_crawls_that_look_for_other_pages_are_not_mixed(crawl: Path, tmp_path: Path) -> None:
    other = crawled(tmp_path / "other", "LA")
    with pytest.raises(ConfigError, match="do not look for the same pages"):
        import_graph(tmp_path / "graph", ImportRequest((crawl, other), jobs=1))
