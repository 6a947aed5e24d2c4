"""`exonym graph analyse` as users run it."""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import printed_here, refused_here, run_here

from exonym.batches import language_code
from exonym.webgraph import GraphWriter
from exonym.webgraph.manifest import Manifest

TABLES = {
    *("servers", "languages_by_domain", "languages", "domains", "seed_distance", "reachability"),
    *("nearest_relevant", "on_the_way", "locality", "anchors", "segment_links", "segment_links_by_anchor"),
    *("segment_links_by_url", "relevant_per_server", "relevant_per_segment", "out_degrees", "in_degrees"),
    *("weak_components", "strong_components", "bow_tie", "facts"),
}
# The others say only what is missing, or have nothing to draw: nothing lies between pages that link to each other.
FIGURES = TABLES - {"facts", "anchors", "segment_links_by_anchor", "segment_links_by_url", "on_the_way"}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two Thai pages in a row, then an English one; the second domain's name is hostile."""
    directory = tmp_path_factory.mktemp("hostile") / "graph"
    with GraphWriter(directory) as writer:
        for name, values in {
            "server": [0, 0, 1],
            "segment": [0, 0, 1],
            "domain": [0, 0, 1],
            "outcome": [0, 0, 0],
            "language": [language_code("th"), language_code("th"), language_code("en")],
            "relevant": [True, True, False],
            "offsets": [0, 1, 2, 2],
            "targets": [1, 2],
            "seeds": [0],
        }.items():
            writer.put(name, np.array(values))
        writer.finish(Manifest(languages=["th"], domains=["th", "\x1b[31m<script>$\\x$ไทย"]))
    return directory


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, graph: Path) -> Path:
    """All files of a report."""
    pytest.importorskip("matplotlib")
    directory = tmp_path_factory.mktemp("deep") / "er" / "report"
    said = run_here("graph", "analyse", graph, "-o", directory)
    assert said.code == 0
    assert str(directory / "report.html") in said.err
    return directory


class Page(HTMLParser):
    """What elements a page has, and what it would load from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        named = (value for name, value in attrs if name in ("src", "href", "xlink:href", "data"))
        self.loads += [value for value in named if value and not value.startswith("#")]


def test_all_tables_are_printed_under_their_captions(graph: Path) -> None:
    output = printed_here("graph", "analyse", graph)
    for caption in (
        "Servers with most Thai pages",
        "Language of web pages classified by top-level domain",
        "Ratio of Thai pages within a distance from seed URLs",
        "Distribution of distances between the nearest Thai pages",
        "Linguistic locality of outlink",
        "Languages of the anchor text and of the destination page",
        "Links into Thai segments, from relevant and irrelevant ones",
    ):
        assert caption in output.splitlines()
    assert "The graph has no column anchor_language." in output
    assert "published" not in output
    assert "\x1b" not in output
    assert "{" not in output
    assert max(map(len, output.splitlines())) <= 80


def test_published_figures_come_with_compare(graph: Path) -> None:
    output = printed_here("graph", "analyse", graph, "--compare", "thai2006", "--compare", "thai2014")
    assert re.search(r"^Thai +588,082 +903,792 +70,777 +143,587 +1,706,238 +12.2%$", output, re.MULTILINE)
    for number, caption in {
        "Table 3": "Language of web pages classified by top-level domain",
        "Figure 2": "Ratio of Thai pages within a distance from seed URLs",
        "Figure 3": "Distribution of distances between the nearest Thai pages",
        "Table 4": "Linguistic locality of outlink",
    }.items():
        assert f"{caption}\n({number} of Somboonviwat" in output
    assert "(Table 5 of Suebchua" in output


def test_figures_are_drawn_into_one_file(graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "figures.svg"
    said = run_here("graph", "analyse", graph, "--only", "locality", "--only", "degrees", "--figure", path)
    assert said.code == 0
    assert "Linguistic locality of outlink" in path.read_text("utf-8")
    assert "Links to a node" in path.read_text("utf-8")


def test_json_has_the_tables_with_bare_values(graph: Path) -> None:
    told: dict[str, Any] = json.loads(printed_here("graph", "analyse", graph, "--json"))
    tables = {table["name"]: table for table in told["tables"]}
    assert set(tables) == TABLES
    assert tables["locality"]["rows"][0] == ["relevant", "all", 2, 1, 0.5]


def test_only_the_analyses_asked_for_are_made(graph: Path) -> None:
    told = json.loads(printed_here("graph", "analyse", graph, "--only", "locality", "--only", "anchors", "--json"))
    assert [table["name"] for table in told["tables"]] == ["locality", "anchors"]


def test_report_has_every_table_and_figure_as_files(report: Path) -> None:
    kinds = {kind: {path.stem for path in report.glob(f"*.{kind}")} for kind in ("csv", "svg", "png")}
    assert kinds == {"csv": TABLES, "svg": FIGURES, "png": FIGURES}
    with open(report / "seed_distance.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["ratio within"]) for row in rows] == [1.0, 1.0, 2 / 3]
    assert (report / "report.txt").read_text("utf-8").count("Linguistic locality of outlink\n") == 1


def test_figures_are_well_formed_whatever_names_they_bear(report: Path) -> None:
    drawn = [ElementTree.parse(path).getroot().tag for path in sorted(report.glob("*.svg"))]
    assert drawn == ["{http://www.w3.org/2000/svg}svg"] * len(FIGURES)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in report.glob("*.png"))


def test_html_report_needs_no_other_file_and_runs_nothing(report: Path) -> None:
    page = Page((report / "report.html").read_text("utf-8"))
    assert page.elements.count("svg") == len(FIGURES)
    assert page.elements.count("table") == len(TABLES)
    assert "script" not in page.elements
    assert page.loads == []


def test_same_graph_gives_the_same_report(graph: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        printed_here("graph", "analyse", graph, "--only", "seed-distance", "-o", tmp_path / name)
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("first", "second")
    )
    assert first == second


def test_wrong_names_and_directories_are_told_in_one_line(graph: Path, tmp_path: Path) -> None:
    assert "no analysis 'nothing'" in refused_here("graph", "analyse", graph, "--only", "nothing")
    assert "has no graph in it" in refused_here("graph", "analyse", tmp_path / "elsewhere")
    assert "Choose from: thai2006" in refused_here("graph", "analyse", graph, "--compare", "nothing")
    for name in ("a.gif", "svg"):
        refused = refused_here("graph", "analyse", graph, "--only", "locality", "--figure", tmp_path / name)
        assert ".svg, .png and .pdf" in refused
    (tmp_path / "file").touch()
    said = run_here("graph", "analyse", graph, "--only", "locality", "-o", tmp_path / "file")
    assert (said.code, len(said.err.splitlines())) == (2, 1)
    assert "cannot be used" in said.err
