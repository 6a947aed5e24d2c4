"""Links between segments by the nation's names in anchors and URLs (Tables 6 and 7 of the thesis)."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exonym.batches import Outcome
from exonym.cli.program import main
from exonym.nations.matching.matcher import Matcher
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.analyses import names as analyses_names
from exonym.webgraph.analyses.analyse import analysed
from exonym.webgraph.analyses.names import texts_naming
from exonym.webgraph.manifest import Manifest

# Five pages, each a segment of its own; 1 and 3 are relevant.
URLS = [
    "http://thailand.example/",  # a name in the host does not count
    "http://a.example/Chiang-Mai/",
    "http://b.example/%E0%B9%80%E0%B8%8A%E0%B8%B5%E0%B8%A2%E0%B8%87%E0%B9%83%E0%B8%AB%E0%B8%A1%E0%B9%88/",  # เชียงใหม่
    "http://c.example/x/",
    "http://d.example/nanotubes/",  # Nan is a province
]
LINKS = [(0, 1, "Hotels in Chiengmai"), (0, 2, "more"), (0, 2, "เชียงใหม่"), (0, 3, "Nan hotels"), (0, 4, "nanotubes")]
NATION = Matcher(["Chiang Mai", "เชียงใหม่", "Nan", "Thailand"])
Made = Callable[..., Graph]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def made(links: Sequence[tuple[int, int, str]] = LINKS) -> Graph:
        count = len(URLS)
        columns: dict[str, Sequence[object]] = {
            **dict.fromkeys(("server", "segment"), range(count)),
            **dict.fromkeys(("domain", "language"), [0] * count),
            "outcome": [Outcome.PAGE] * count,
            "relevant": [page in (1, 3) for page in range(count)],
            "offsets": [sum(source < page for source, _, _ in links) for page in range(count + 1)],
            "targets": [target for _, target, _ in links],
            "seeds": [0],
        }
        with GraphWriter(tmp_path / "graph") as writer:
            for name, values in columns.items():
                writer.put(name, np.array(values))
            writer.put_texts("anchor", [anchor for _, _, anchor in links])
            writer.put_texts("url", URLS)
            writer.finish(Manifest(languages=["th"], domains=["example"]))
        return Graph.open(tmp_path / "graph")

    return made


def rows_of(graph: Graph, nation: Matcher | None) -> dict[str, Any]:
    ((_, tables),) = analysed(graph, ["segments"], nation)
    return {table.name: [row[:4] for row in table.rows] for table in tables}


def test_segment_links_are_told_apart_by_names_in_anchors_and_in_urls(made: Made) -> None:
    rows = rows_of(made(), NATION)
    # By sound 0→1, exactly 0→2 (one of two links will do) and 0→3; 1 and 3 are relevant.
    assert rows["segment_links_by_anchor"] == [
        ("names found in anchor", 3, 2, pytest.approx(2 / 3)),
        ("no names found in anchor", 1, 0, 0.0),
    ]
    # Segments 1 and 2, whose escaped letters are read.
    assert rows["segment_links_by_url"] == [
        ("names found in URL", 2, 1, 0.5),
        ("no names found in URL", 2, 1, 0.5),
    ]


def test_without_a_nation_the_table_says_what_to_give(made: Made) -> None:
    rows = rows_of(made(), None)
    for name in ("segment_links_by_anchor", "segment_links_by_url"):
        assert "Give --nation" in str(rows[name])


def test_each_different_text_is_looked_at_once(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_names, "_PART", 3)
    asked: list[str] = []

    def ends_in_1(text: str) -> bool:
        asked.append(text)
        return text.endswith("1")

    graph = made([(0, 1 + number % 4, f"anchor {number % 2}") for number in range(10)])
    found = texts_naming(graph, "anchor", ends_in_1)
    assert found.tolist() == [False, True] * 5
    assert asked == ["anchor 0", "anchor 1"]


def test_more_texts_than_can_be_remembered_are_found_all_the_same(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_names, "_MOST_REMEMBERED", 1)
    assert texts_naming(made(), "anchor", lambda text: "hotels" in text).tolist() == [False, False, False, True, False]


def test_command_takes_a_nation_by_code_or_file(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "XX.toml"
    own.write_text('code = "XX"\nname = "Nowhere"\n[names]\nthing = ["nanotubes"]\n', encoding="utf-8")
    graph = str(made().directory)
    # Thailand's file says that Nan (a grandmother, a bread, not a number) is no evidence alone.
    for nation, links in (("TH", 2), (str(own), 1)):
        with pytest.raises(SystemExit) as left:
            main(["graph", "analyse", graph, "--only", "segments", "--nation", nation, "--json"])
        assert not left.value.code
        tables = {table["name"]: table for table in json.loads(capsys.readouterr().out)["tables"]}
        assert tables["segment_links_by_anchor"]["rows"][0][1] == links


def test_unknown_nation_is_told_in_one_line(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["graph", "analyse", str(made().directory), "--nation", "XX"])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
