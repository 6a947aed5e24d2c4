"""Crawls, archives and tables imported as graphs: what was served is what the graph says."""

import dataclasses
import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import printed_here, refused, refused_here, run

from exonym.batches import Outcome, language_name
from exonym.errors import ConfigError, DirectoryError
from exonym.journal import JournalRow
from exonym.practice import PAGE_NOFOLLOW, REL_NOFOLLOW, PageKind, PracticeGraph, PracticeOptions, PracticeWeb
from exonym.testing.live import crawl_practice_web
from exonym.webgraph import Graph
from exonym.webgraph.graph import KNOWN, NOFOLLOW
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.run_tasks import ImportProgress

TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Crawled:
    """A practice web, and a crawl of all of it."""

    web: PracticeWeb
    graph: PracticeGraph
    directory: Path
    rows: list[JournalRow]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    web = PracticeWeb(seed=2, pages=400, options=TIMELESS)
    directory = tmp_path_factory.mktemp("crawl")
    asked: dict[str, dict[str, Any]] = {
        "strategy": {"name": "bfs"},
        "limits": {"pages_per_server": 0},
        "archive": {"file_bytes": 200_000},
    }
    rows = crawl_practice_web(directory, web, asked).rows
    return Crawled(web, web.graph(), directory, rows)


@pytest.fixture(scope="module")
def imported(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    graph = tmp_path_factory.mktemp("import") / "graph"
    return import_graph(graph, ImportRequest((crawled.directory,), jobs=1)).graph


def urls_of(graph: Graph) -> list[str]:
    return graph.texts("url").part(0, len(graph))


def links_of(graph: Graph) -> dict[str, list[tuple[str, int]]]:
    """Targets and flags by source."""
    urls, flags = urls_of(graph), graph.column("link_flags")
    found = {}
    for node, url in enumerate(urls):
        first, last = graph.offsets[node : node + 2].tolist()
        targets = [urls[target] for target in graph.targets[first:last].tolist()]
        found[url] = list(zip(targets, flags[first:last].tolist(), strict=True))
    return found


def meant_links(graph: PracticeGraph, node: int) -> list[tuple[str, int]]:
    """What a page links to, without what each link itself asks not to be followed."""
    first, last = graph.offsets[node : node + 2].tolist()
    ends = zip(graph.targets[first:last].tolist(), graph.link_flags[first:last].tolist(), strict=True)
    return [
        (graph.url(target), NOFOLLOW if flags & PAGE_NOFOLLOW else 0)
        for target, flags in ends
        if not flags & REL_NOFOLLOW
    ]


# A crawl of a web, imported, is that web.


def test_imported_crawl_has_the_links_of_the_web_that_was_served(crawled: Crawled, imported: Graph) -> None:
    visited = {row.url for row in crawled.rows if row.outcome != Outcome.SITEMAP}
    meant = {
        crawled.graph.url(node): meant_links(crawled.graph, node)
        for node in range(len(crawled.graph))
        if crawled.graph.url(node) in visited
    }
    assert meant.keys() == visited
    found = links_of(imported)
    assert {url: found[url] for url in meant} == meant
    assert not any(found[url] for url in found.keys() - meant.keys())


def test_imported_crawl_has_the_outcomes_languages_and_relevance_of_the_web(crawled: Crawled, imported: Graph) -> None:
    found = dict(
        zip(
            urls_of(imported),
            zip(imported.outcome.tolist(), imported.language.tolist(), imported.relevant.tolist(), strict=True),
            strict=True,
        )
    )
    visited = {row.url for row in crawled.rows}
    graph = crawled.graph
    # Pictures and failures have no text; a frameset takes the language of its parent, which may be any.
    no_text = (PageKind.FRAMES, PageKind.IMAGE, PageKind.DOCUMENT)
    read = [
        node for node in range(len(graph)) if graph.outcome[node] == Outcome.PAGE and graph.kind[node] not in no_text
    ]
    for node in (node for node in range(len(graph)) if graph.url(node) in visited):
        assert found[graph.url(node)][0] == graph.outcome[node]
    for node in (node for node in read if graph.url(node) in visited):
        assert found[graph.url(node)][1:] == (graph.language[node], graph.relevant[node])


def test_imported_crawl_says_what_its_journal_says(crawled: Crawled, imported: Graph) -> None:
    languages = [language_name(code) for code in imported.language.tolist()]
    found = dict(
        zip(
            urls_of(imported),
            zip(imported.outcome.tolist(), languages, imported.relevant.tolist(), strict=True),
            strict=True,
        )
    )
    for row in crawled.rows:
        assert found[row.url] == (row.outcome, row.language, row.relevant), row
    known = found.keys() - {row.url for row in crawled.rows}
    assert {found[url] for url in known} <= {(KNOWN, "", False)}


def test_imported_crawl_knows_seeds_languages_and_servers(crawled: Crawled, imported: Graph) -> None:
    urls = urls_of(imported)
    assert {urls[node] for node in imported.seeds.tolist()} == set(crawled.web.seeds())
    assert imported.manifest.languages == ["th"]
    servers = imported.texts("server_name")
    assert [servers[number] for number in imported.server.tolist()] == [url.split("/")[2] for url in urls]
    domains = [imported.manifest.domains[number] for number in imported.domain.tolist()]
    assert domains == [url.split("/")[2].rpartition(".")[2] for url in urls]
    imported.check()


def test_archive_alone_gives_the_same_links_in_two_processes(crawled: Crawled, imported: Graph, tmp_path: Path) -> None:
    request = ImportRequest((crawled.directory / "warc",), options=ImportOptions(("th",)), jobs=2)
    alone = import_graph(tmp_path / "graph", request)
    assert alone.sources > 1
    found = {url: links for url, links in links_of(alone.graph).items() if links}
    assert found == {url: links for url, links in links_of(imported).items() if links}


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_tells_files_and_pages_and_ends_with_joining(crawled: Crawled, tmp_path: Path, jobs: int) -> None:
    seen: list[ImportProgress] = []
    summary = import_graph(tmp_path / "graph", ImportRequest((crawled.directory,), jobs=jobs), seen.append)
    assert (seen[0].files_done, seen[0].pages) == (0, 0)
    assert [one.step for one in seen[-2:]] == ["reading", "joining"]
    assert seen[-1].files_done == seen[-1].files == summary.sources
    assert seen[-1].pages >= summary.graph.manifest.fetched


# A second run


def test_files_that_were_read_are_not_read_again(crawled: Crawled, tmp_path: Path) -> None:
    files = sorted((crawled.directory / "warc").glob("*.gz"))
    torn = tmp_path / "torn.csv"
    torn.write_text("address\nhttp://a.example/\n")  # no column url: ends the first run after the archives
    request = ImportRequest(tuple(files), (torn,), options=ImportOptions(("th",)), jobs=1)
    with pytest.raises(ConfigError):
        import_graph(tmp_path / "graph", request)
    torn.write_text("url\nhttp://a.example/\n")
    summary = import_graph(tmp_path / "graph", request)
    assert (summary.sources, summary.resumed) == (len(files) + 1, len(files))
    assert "http://a.example/" in urls_of(summary.graph)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph", "torn.csv"]


def test_crawl_that_was_read_is_not_read_again(crawled: Crawled, tmp_path: Path) -> None:
    table = tmp_path / "pages.csv"
    table.write_text("nothing\n1\n")
    request = ImportRequest((crawled.directory,), (table,), jobs=1)
    with pytest.raises(ConfigError):
        import_graph(tmp_path / "graph", request)
    table.unlink()
    request = dataclasses.replace(request, pages=())
    summary = import_graph(tmp_path / "graph", request)
    assert summary.resumed == summary.sources


def test_other_options_read_files_anew(crawled: Crawled, tmp_path: Path) -> None:
    files = tuple(sorted((crawled.directory / "warc").glob("*.gz"))[:1])
    table = tmp_path / "pages.csv"
    table.write_text("nothing\n1\n")
    with pytest.raises(ConfigError):
        import_graph(tmp_path / "graph", ImportRequest(files, (table,), options=ImportOptions(("th",)), jobs=1))
    summary = import_graph(
        tmp_path / "graph", ImportRequest(files, options=ImportOptions(("ja",), keep_text=True), jobs=1)
    )
    assert summary.resumed == 0
    graph = summary.graph
    texts = graph.texts("text").part(0, len(graph))
    assert any("の" in text for text, relevant in zip(texts, graph.relevant.tolist(), strict=True) if relevant)


# Damage


def middle_page(crawled: Crawled) -> JournalRow:
    """A page that was read, in the middle of the first file."""
    first = min(row.warc_file for row in crawled.rows if row.warc_file)
    rows = sorted((row.warc_offset, row.row) for row in crawled.rows if row.warc_file == first and row.links)
    return crawled.rows[rows[len(rows) // 2][1]]


def test_torn_archive_gives_what_is_before_the_tear(crawled: Crawled, tmp_path: Path) -> None:
    row = middle_page(crawled)
    whole = (crawled.directory / "warc" / row.warc_file).read_bytes()
    (tmp_path / "torn.warc.gz").write_bytes(whole[: row.warc_offset + 300])
    summary = import_graph(tmp_path / "graph", ImportRequest((tmp_path,), options=ImportOptions(("th",)), jobs=1))
    before = [one for one in crawled.rows if one.warc_file == row.warc_file and one.warc_offset < row.warc_offset]
    asked = set(np.array(urls_of(summary.graph))[summary.graph.outcome != KNOWN].tolist())
    assert {one.url for one in before if one.outcome == Outcome.PAGE and one.links} <= asked
    assert summary.skipped["record cut short"] == 1
    assert summary.graph.manifest.provenance["skipped"] == summary.skipped


def test_damage_in_the_middle_costs_one_page(crawled: Crawled, tmp_path: Path) -> None:
    row = middle_page(crawled)
    damaged = bytearray((crawled.directory / "warc" / row.warc_file).read_bytes())
    damaged[row.warc_offset + 200 : row.warc_offset + 240] = bytes(40)
    (tmp_path / "damaged.warc.gz").write_bytes(damaged)
    graph = import_graph(tmp_path / "graph", ImportRequest((tmp_path,), options=ImportOptions(("th",)), jobs=1)).graph
    asked = set(np.array(urls_of(graph))[graph.outcome != KNOWN].tolist())
    archived = {one.url for one in crawled.rows if one.warc_file == row.warc_file and one.links}
    assert archived - asked == {row.url}


def test_file_that_is_no_archive_is_counted_and_refused_if_there_is_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(b"no archive at all", mtime=0))
    (tmp_path / "b.warc").write_bytes(os.urandom(3_000))
    with pytest.raises(DirectoryError, match="page"):
        import_graph(tmp_path / "graph", ImportRequest((tmp_path,), options=ImportOptions(("th",)), jobs=1))


# The command


def test_installed_command_imports_and_refuses_in_one_line(crawled: Crawled, tmp_path: Path) -> None:
    words = ["graph", "import", "-o", tmp_path / "graph", crawled.directory, "--jobs", "2"]
    first = run(*words)
    assert (first.returncode, first.stderr) == (0, "")
    assert f"Imported into {tmp_path / 'graph'}" in first.stdout
    assert "already" in refused(*words)


def test_command_prints_json_for_scripts(crawled: Crawled, tmp_path: Path) -> None:
    words = ["-o", tmp_path / "graph", crawled.directory, "--json", "--no-anchors", "--jobs", "1"]
    found = json.loads(printed_here("graph", "import", *words))
    graph = Graph.open(tmp_path / "graph")
    assert (found["nodes"], found["links"]) == (len(graph), len(graph.targets))
    assert found["fetched"] == int(np.count_nonzero(graph.outcome == Outcome.PAGE))
    assert not graph.has("anchor")


def test_command_prints_a_summary_for_people(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("source\ttarget\na.example\tb.example\nnonsense://x\tb.example\n")
    words = ["-o", tmp_path / "graph", "--links", tmp_path / "links.tsv", "--seed", "http://a.example"]
    printed = printed_here("graph", "import", *words)
    assert "1 × row without http(s) URLs" in printed
    assert "2 on 2 servers" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to import"),
        (["nowhere.warc.gz"], "is not there"),
        (["--pages", "pages.xls"], ".csv, .tsv (or .csv.gz, .tsv.gz) or .parquet"),
        (["--language", "thaiish", "."], "thaiish"),
    ],
)
def test_command_refuses_what_it_cannot_do(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert message in refused_here("graph", "import", "-o", tmp_path / "graph", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_archive_without_a_language_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"")
    assert "--language" in refused_here("graph", "import", "-o", tmp_path / "graph", tmp_path / "a.warc")


def test_seed_that_is_no_url_is_refused_before_anything_is_read(crawled: Crawled, tmp_path: Path) -> None:
    words = ["-o", tmp_path / "graph", crawled.directory, "--seed", "not a url"]
    assert "not a url" in refused_here("graph", "import", *words)
    assert list(tmp_path.iterdir()) == []


def test_graph_that_is_there_is_not_written_over(crawled: Crawled, tmp_path: Path) -> None:
    assert "already" in refused_here("graph", "import", "-o", tmp_path, crawled.directory)
