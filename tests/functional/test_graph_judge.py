"""Graphs judged again are as if they had been imported so; and `exonym graph judge` as people and scripts use it."""

import gzip
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import EXONYM, json_here, printed, refused_here, run, run_here
from waiting import wait_until

from exonym.batches import Outcome, language_code
from exonym.config import CONFIG_NAME, template
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.testing.live import crawl_practice_web
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.judging import judge_again, judge_settings
from exonym.webgraph.manifest import Manifest

TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    asked: dict[str, dict[str, Any]] = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}}
    crawl_practice_web(directory, PracticeWeb(seed=2, pages=200, options=TIMELESS), asked)
    return directory


@pytest.fixture(scope="module")
def kept(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The crawl, imported with its texts, judged for Thai as it was crawled."""
    directory = tmp_path_factory.mktemp("import") / "graph"
    return import_graph(directory, ImportRequest((crawl,), options=ImportOptions(keep_text=True), jobs=1)).graph


def assert_same_verdicts(found: Graph, meant: Graph) -> None:
    assert found.language.tolist() == meant.language.tolist()
    assert found.relevant.tolist() == meant.relevant.tolist()
    # Letters of long texts are counted in samples, and texts are kept without their superfluous spaces.
    assert np.abs(found.column("relevance") - meant.column("relevance")).max() < 0.02
    assert found.column("inherited").tolist() == meant.column("inherited").tolist()


def test_pages_that_inherit_their_language_are_counted_alike_everywhere(
    crawl: Path, kept: Graph, tmp_path: Path
) -> None:
    rows = [row for row in CrawlDirectory(crawl).rows() if row.outcome == Outcome.PAGE]
    # A second way to find them: what the judge wrote about each page.
    said = [row.url for row in rows if row.why.endswith("like the page that linked here")]
    assert [row.url for row in rows if row.inherited] == said
    relevant = sum(row.relevant for row in rows if row.url in said)
    assert relevant > 0
    status = json_here("status", crawl)
    assert sum(status["inherited"].values()) == len(said)
    assert status["relevant_inherited"] == relevant
    assert f"of which {relevant:,} inherited their language" in printed("status", crawl)
    shown = json_here("graph", "show", kept.directory)
    assert (shown["relevant"], shown["relevant_inherited"]) == (status["relevant"], relevant)
    urls = kept.texts("url")
    assert {urls[node] for node in np.flatnonzero(kept.column("inherited")).tolist()} == set(said)
    printed("graph", "export", kept.directory, "-o", tmp_path / "tables")
    again = tmp_path / "again"
    made = json_here("graph", "import", "--pages", tmp_path / "tables/pages.parquet", "-o", again, "--language", "th")
    assert made["relevant_inherited"] == relevant
    (result,) = json_here("simulate", kept.directory, "--strategy", "bfs", "--k", "1")["results"]
    assert result["relevant_inherited"] == relevant
    (thai, *_) = json_here("experiment", "compare", crawl, crawl, "--language", "th")["languages"]
    assert thai["inherited"] == [status["inherited"]["th"]] * 2


def test_graph_judged_again_for_the_same_language_is_the_same(kept: Graph, tmp_path: Path) -> None:
    judged = judge_again(kept, tmp_path / "graph", judge_settings(kept), jobs=1)
    assert_same_verdicts(judged, kept)
    assert judged.relevant.any()
    assert judged.manifest.languages == ["th"]


@pytest.mark.parametrize(
    "options",
    [
        ImportOptions(("en",)),
        ImportOptions(("ja",)),
        ImportOptions(("ja",), inherit_language=False),
        ImportOptions(("th", "en"), identifier="classic"),
    ],
    ids=["en", "ja", "ja without inheritance", "th and en by the classic identifier"],
)
def test_graph_judged_in_another_way_is_as_if_imported_so(
    crawl: Path, kept: Graph, tmp_path: Path, options: ImportOptions
) -> None:
    judged = judge_again(kept, tmp_path / "judged", options.judge_settings(), jobs=1)
    imported = import_graph(tmp_path / "imported", ImportRequest((crawl,), options=options, jobs=1)).graph
    assert_same_verdicts(judged, imported)
    assert judged.manifest.provenance["judge"] == imported.manifest.provenance["judge"]
    assert judged.relevant.any()


def test_several_processes_say_what_one_says(kept: Graph, tmp_path: Path) -> None:
    told: list[int] = []
    settings = judge_settings(kept)
    several = judge_again(kept, tmp_path / "several", settings, 2, told.append)
    one = judge_again(kept, tmp_path / "one", settings, 1)
    for name in ("language", "relevant", "relevance"):
        assert several.manifest.columns[name] == one.manifest.columns[name]
    assert told[-1] == len(kept)
    assert len(told) > 2


def test_import_judges_as_the_crawl_was_to_judge(crawl: Path, kept: Graph, tmp_path: Path) -> None:
    usual = {"kind": "language", "languages": ["th"], "identifier": "default", "inherit_language": True}
    assert kept.manifest.provenance["judge"] == usual
    shutil.copytree(crawl, tmp_path / "crawl")
    judge = {"identifier": "classic", "inherit_language": False}
    config = template({"target": {"languages": ["ja"]}, "judge": judge})
    (tmp_path / "crawl" / CONFIG_NAME).write_text(config, encoding="utf-8")
    own = import_graph(tmp_path / "own", ImportRequest((tmp_path / "crawl",), jobs=1)).graph
    assert own.manifest.provenance["judge"] == {"kind": "language", "languages": ["ja"], **judge}
    asked = ImportRequest(
        (crawl,), options=ImportOptions(("ja",), identifier="classic", inherit_language=False), jobs=1
    )
    assert_same_verdicts(own, import_graph(tmp_path / "asked", asked).graph)
    with pytest.raises(ConfigError, match="--identifier"):
        import_graph(tmp_path / "both", ImportRequest((crawl, tmp_path / "crawl"), jobs=1))


def test_manifest_of_a_wat_import_says_that_pages_had_no_text(tmp_path: Path) -> None:
    header = {"WARC-Type": "response", "WARC-Target-URI": "http://a.example/"}
    answer = {"Response-Message": {"Status": "200"}, "HTML-Metadata": {"Head": {"Title": "ข่าวของประเทศไทยวันนี้"}}}
    envelope = {"WARC-Header-Metadata": header, "Payload-Metadata": {"HTTP-Response-Metadata": answer}}
    block = json.dumps({"Envelope": envelope})
    head = f"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: {len(block)}\r\n\r\n"
    (tmp_path / "a.wat").write_text(f"{head}{block}\r\n\r\n", newline="")
    graph = import_graph(
        tmp_path / "g", ImportRequest((tmp_path / "a.wat",), options=ImportOptions(("th",)), jobs=1)
    ).graph
    assert graph.relevant.tolist() == [True]
    assert "title, description and anchors" in graph.manifest.provenance["judge_note"]


# The command


def test_command_judges_again_and_prints_for_scripts_and_people(kept: Graph, tmp_path: Path) -> None:
    result = run(
        "graph", "judge", kept.directory, "-o", tmp_path / "ja", "--language", "Japanese", "--json", "--jobs", "1"
    )
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    graph = Graph.open(tmp_path / "ja")
    assert found["judge"]["languages"] == ["ja"]
    assert (found["relevant"], found["relevant_before"]) == (int(graph.relevant.sum()), int(kept.relevant.sum()))
    assert set(np.flatnonzero(graph.language == language_code("ja"))) <= set(np.flatnonzero(graph.relevant))
    again = run(
        "graph",
        "judge",
        tmp_path / "ja",
        "-o",
        tmp_path / "classic",
        "--identifier",
        "classic",
        "--no-inherit-language",
    )
    assert (again.returncode, again.stderr) == (0, "")
    assert "relevant if" in again.stdout
    judge = Graph.open(tmp_path / "classic").manifest.provenance["judge"]
    assert judge == {"kind": "language", "languages": ["ja"], "identifier": "classic", "inherit_language": False}


def test_import_command_takes_identifier_and_inherit_language(crawl: Path, tmp_path: Path) -> None:
    result = run(
        "graph", "import", crawl, "-o", tmp_path / "g", "--identifier", "classic", "--no-inherit-language", "--json"
    )
    assert (result.returncode, result.stderr) == (0, "")
    judge = {"kind": "language", "languages": ["th"], "identifier": "classic", "inherit_language": False}
    assert json.loads(result.stdout)["judge"] == judge
    assert Graph.open(tmp_path / "g").manifest.provenance["judge"] == judge


def test_command_refuses_in_one_line_and_leaves_nothing(crawl: Path, kept: Graph, tmp_path: Path) -> None:
    import_graph(tmp_path / "bare", ImportRequest((crawl,), jobs=1))
    refused = {
        "--keep-text": ("judge", tmp_path / "bare", "-o", tmp_path / "new", "--about-nation", "TH"),
        "no graph": ("judge", tmp_path / "none", "-o", tmp_path / "new", "--language", "lo"),
        "thaiish": ("judge", kept.directory, "-o", tmp_path / "new", "--language", "thaiish"),
        "already": ("judge", kept.directory, "-o", tmp_path / "bare", "--language", "lo"),
        "best": ("judge", kept.directory, "-o", tmp_path / "new", "--identifier", "best"),
    }
    for said, arguments in refused.items():
        assert said in refused_here("graph", *arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["bare"]


def test_graph_of_tables_is_judged_by_the_languages_that_the_tables_have(tmp_path: Path) -> None:
    pages = "url,language,relevance\nhttp://a.example/,th,0.7\nhttp://b.example/,lo,0.2\nhttp://c.example/,en,0.1\n"
    with gzip.open(tmp_path / "pages.csv.gz", "wt") as file:
        file.write(pages)
    words = ["--language", "th", "--pages", tmp_path / "pages.csv.gz"]
    assert run_here("graph", "import", "-o", tmp_path / "thai", *words).code == 0
    judged = run_here("graph", "judge", tmp_path / "thai", "-o", tmp_path / "lao", "--language", "lo", "--json")
    found = json.loads(judged.out)
    assert (found["fetched"], found["relevant_before"], found["relevant"]) == (3, 1, 1)
    assert (found["languages_changed"], found["relevant_changed"]) == (0, 2)
    graph = Graph.open(tmp_path / "lao")
    urls = graph.texts("url").part(0, len(graph))
    shades = dict(zip(urls, graph.column("relevance").tolist(), strict=True))
    # Lao is what counts now; English still does not, so its shade of irrelevance stays.
    expected = {"http://a.example/": 0.0, "http://b.example/": 1.0, "http://c.example/": 0.1}
    assert shades == pytest.approx(expected)


def long_graph(directory: Path) -> None:
    """More text than is judged in a few seconds."""
    nodes = 20_000
    with GraphWriter(directory) as writer:
        for name in ("server", "segment", "domain", "language", "relevant"):
            writer.put(name, np.zeros(nodes))
        writer.put("outcome", np.full(nodes, Outcome.PAGE))
        writer.put("offsets", np.zeros(nodes + 1))
        writer.put("targets", np.zeros(0))
        writer.put("seeds", np.zeros(0))
        writer.put_texts("text", ["The quick brown fox jumps over the lazy dog and is gone again. " * 30] * nodes)
        writer.finish(Manifest(languages=["th"], domains=["example"]))


def test_interrupted_command_ends_without_a_word_and_leaves_nothing(tmp_path: Path) -> None:
    long_graph(tmp_path / "graph")
    command = [EXONYM, "graph", "judge", str(tmp_path / "graph"), "-o", str(tmp_path / "new")]
    command += ["--identifier", "classic", "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        wait_until((tmp_path / "new.partial").exists, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "")
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]
