"""`exonym repartition`: what a crawl had, its partitions have, and a cluster goes on with them."""

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from commands import run_here

from exonym.archive import ArchiveOptions
from exonym.batches import FOREIGN_ROW, FoundCounters, Group, LinkBatch
from exonym.cluster.repartition import repartition
from exonym.config import CONFIG_NAME, load
from exonym.config.editing import set_values
from exonym.crawl_directory.cluster_layout import ClusterLayout, is_cluster
from exonym.crawl_directory.crawl_parts import CrawlPart, RowNumbering, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import DirectoryError
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.link_rows import arrival_at, visit_at
from exonym.journal import JournalRow
from exonym.live.found_links import links_to
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.progress import no_progress
from exonym.store import Store
from exonym.testing.cluster import crawl_in_cluster
from exonym.testing.live import check_directory, crawl, write_crawl
from exonym.urls import id_of, partition_of, server_of
from exonym.webgraph.graph import Graph

TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)
DYING = [sys.executable, str(Path(__file__).with_name("dying_repartition.py"))]
HALF = 250


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[PracticeWeb, PracticeAddress]]:
    made = PracticeWeb(seed=4, pages=600, options=TIMELESS)
    with running_practice_web(made) as address:
        yield made, address


def new_crawl(
    directory: Path, web: tuple[PracticeWeb, PracticeAddress], pages: int = HALF, strategy: str = "bfs"
) -> Path:
    limits = {"pages": pages, "pages_per_server": 0}
    asked = {"strategy": {"name": strategy}, "limits": limits, "readers": {"count": 0}, "urls": {"files": "follow"}}
    write_crawl(directory, *web, asked)
    return directory


@pytest.fixture(scope="module")
def single(web: tuple[PracticeWeb, PracticeAddress], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl by one process that ended in the middle, at its page limit; tests change copies of it."""
    directory = new_crawl(tmp_path_factory.mktemp("crawl") / "single", web)
    assert crawl(directory).reason == "pages"
    return directory


class Waiting(NamedTuple):
    """A link that waits, and all that is known of it."""

    url: str
    level: int
    source: str  # URL
    facts: tuple[Any, ...]


class Contents(NamedTuple):
    """What a crawl directory has, independent of its partitions."""

    rows: dict[str, tuple[str, JournalRow]]  # by URL: URL of the source, and the row without its numbers
    waiting: list[Waiting]  # in order of arrival
    seen: dict[int, tuple[int, int]]  # by id: level and counters
    totals: dict[str, Any]
    archived: Counter[str]  # bodies


def contents_of(directory: Path) -> Contents:
    rows = check_directory(directory)
    urls = [row.url for row in rows]

    def source_in(row: int) -> str:
        return urls[row] if row >= 0 else str(row)

    plain = {row.url: (source_in(row.source), msgspec.structs.replace(row, row=0, source=0)) for row in rows}
    parts = parts_of(directory)
    numbering = parts.numbering()
    waiting, seen = [], dict[int, tuple[int, int]]()
    for part in parts.parts:
        waiting += waiting_in(part, numbering, source_in)
        with Store.open(part.path / "state", read_only=True) as store:
            ids, levels, marks = DiskFrontier(store, part.path / "state" / "seen", Group.SERVER).seen_urls()
        seen |= dict(zip(ids.tolist(), zip(levels.tolist(), marks.tolist(), strict=True), strict=True))
    totals = msgspec.to_builtins(CrawlDirectory(directory).status.totals)
    bodies = Counter(CrawlDirectory(directory).page(row).body.hex() for row in rows if row.warc_file)
    return Contents(plain, [link for _, link in sorted(waiting)], seen, totals, bodies)


def waiting_in(part: CrawlPart, numbering: RowNumbering, source_in: Any) -> list[tuple[int, Waiting]]:
    """Links that wait in a part, by arrival."""
    links = []
    with Store.open(part.path / "state", read_only=True) as store:
        frontier = DiskFrontier(store, part.path / "state" / "seen", Group.SERVER)
        for queue in frontier.waiting_queues(lambda server: True):
            for row in queue.rows:
                visit = visit_at(row, 0, (id_of(queue.name), queue.name, queue.level, 0.0))
                source = int(numbering.in_whole(np.array([visit.source]), part.number)[0])
                facts = tuple(visit._replace(source=0, arrival=0))
                links.append((arrival_at(row, 0), Waiting(visit.text, queue.level, source_in(source), facts)))
    assert len(links) == len(frontier)
    return links


def divided(directory: Path, partitions: int) -> None:
    repartition(directory, load(directory / CONFIG_NAME), partitions, no_progress)


def check_owners(directory: Path, partitions: int) -> None:
    """All rows and waiting links of a partition are of servers that it owns."""
    parts = parts_of(directory)
    assert len(parts.parts) == partitions
    for part in parts.parts:
        links = [link.url for _, link in waiting_in(part, parts.numbering(), str)]
        with part.journal() as journal:
            links += [row.url for row in journal.rows()]
        assert {partition_of(server_of(url), partitions) for url in links} <= {part.number}


def test_partitions_have_what_the_crawl_had(single: Path, tmp_path: Path) -> None:
    before = contents_of(single)
    assert len(before.waiting) > 100
    directory = shutil.copytree(single, tmp_path / "crawl")
    for partitions in (3, 5, 1):
        divided(directory, partitions)
        after = contents_of(directory)
        assert after.rows == before.rows
        assert after.seen == before.seen
        assert after.totals == before.totals
        assert after.archived == before.archived
        assert sorted(after.waiting) == sorted(before.waiting)
        check_owners(directory, partitions)


def test_waiting_links_of_a_partition_keep_their_order(single: Path, tmp_path: Path) -> None:
    before = [link.url for link in contents_of(single).waiting]
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    parts = parts_of(directory)
    for part in parts.parts:
        own = [link.url for _, link in sorted(waiting_in(part, parts.numbering(), str))]
        assert own == [url for url in before if partition_of(server_of(url), 3) == part.number]


@pytest.mark.parametrize(
    "strategy", ["lswc", "best-segment", "larger-site-first", "naive-bayes", "segment", "adaptive"]
)
def test_what_was_learned_is_divided_and_joined_again(
    web: tuple[PracticeWeb, PracticeAddress], tmp_path: Path, strategy: str
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, 60, strategy)
    assert crawl(directory).reason == "pages"
    before, waiting = snapshot_of(directory), contents_of(directory).waiting
    assert ("probes" in before) == (strategy == "adaptive")
    before.pop("probes", None)  # what probes told is of all that waited: each partition begins to make its own
    divided(directory, 3)
    assert sorted(contents_of(directory).waiting) == sorted(waiting)
    learned = [snapshot_of(ClusterLayout.open(directory).partition_directory(number)) for number in range(3)]
    counts = {number: tuple(pair) for own in learned for number, pair in zip(*tally(own), strict=True)}
    assert counts == {number: tuple(pair) for number, pair in zip(*tally(before), strict=True)}
    assert sum(len(tally(own)[0]) for own in learned) == len(counts), "no server is counted twice"
    assert sum(int(own["crawl"]["pages"][0]) for own in learned) == 60
    divided(directory, 1)
    after = snapshot_of(ClusterLayout.open(directory).partition_directory(0))
    assert after.keys() == before.keys()
    for name in before:
        assert facts_in(after[name]) == facts_in(before[name]), name


def facts_in(state: dict[str, Any]) -> set[tuple[Any, ...]]:
    """What a state says about each server or segment, and about each pair of them, in any order."""
    if "learned" in state:  # some tables, and weights that are about no server
        tables = {name.removesuffix("ids") for name in state if name.endswith("_ids")}
        parts = ({key.removeprefix(name): state[key] for key in state if key.startswith(name)} for name in tables)
        return {(state["learned"].tobytes(),)}.union(*map(facts_in, parts))
    of_pairs = ("ends", "sums") if "ends" in state else ()
    columns = [column.tolist() for name, column in sorted(state.items()) if name not in of_pairs]
    facts = {tuple(map(str, values)) for values in zip(*columns, strict=True)}
    if of_pairs:
        ids, pairs = state["ids"].tolist(), state["ends"].reshape(-1, 2).tolist()
        sums = state["sums"].tolist()
        facts |= {(ids[source], ids[target], *own) for (source, target), own in zip(pairs, sums, strict=True)}
    return facts


def tally(state: dict[str, Any]) -> tuple[list[int], list[list[int]]]:
    return state["servers"]["ids"].tolist(), state["servers"]["counts"].tolist()


def snapshot_of(directory: Path) -> dict[str, Any]:
    writer = CrawlWriter(directory, ArchiveOptions(prefix="none"))
    try:
        return writer.snapshot() or {}
    finally:
        writer.close()


@pytest.mark.parametrize(("place", "times"), [("page archived", 120), ("committed", 12)])
def test_crawl_that_was_killed_is_divided_as_of_its_last_commit(
    web: tuple[PracticeWeb, PracticeAddress], tmp_path: Path, place: str, times: int
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, strategy="naive-bayes")
    dying = [sys.executable, str(Path(__file__).with_name("dying.py")), str(directory), place, "after", str(times)]
    assert subprocess.run(dying, stdout=subprocess.DEVNULL).returncode == -signal.SIGKILL
    copy = shutil.copytree(directory, tmp_path / "copy")
    CrawlWriter(copy, ArchiveOptions()).close()  # cuts off what was not committed
    before = contents_of(copy)
    assert len(before.rows) > 20
    divided(directory, 3)
    after = contents_of(directory)
    assert (after.rows, after.seen, after.archived) == (before.rows, before.seen, before.archived)
    assert sorted(after.waiting) == sorted(before.waiting)


@pytest.mark.parametrize("workers", [1, 2])
def test_cluster_goes_on_and_visits_each_page_once(
    web: tuple[PracticeWeb, PracticeAddress], single: Path, tmp_path: Path, workers: int
) -> None:
    whole = shutil.copytree(single, tmp_path / "whole")
    set_values(whole / CONFIG_NAME, "limits", {"pages": 0})
    assert crawl(whole).reason == "empty frontier"
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    set_values(directory / CONFIG_NAME, "limits", {"pages": 0})
    assert crawl_in_cluster(directory, workers).reason == "empty frontier"
    assert {row.url for row in check_directory(directory)} == {row.url for row in check_directory(whole)}


def test_graph_of_a_divided_crawl_is_that_of_the_crawl(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    shown = []
    for number, source in enumerate((single, directory)):
        graph = tmp_path / f"graph{number}"
        said = run_here("graph", "import", source, "-o", graph, "--json")
        assert (said.code, said.err) == (0, "")
        opened = Graph.open(graph)
        urls = opened.texts("url")
        links = {(urls[page], urls[target]) for page in range(len(opened)) for target in opened.links_of(page).tolist()}
        pages = {(urls[page], language, outcome) for page, (language, outcome) in enumerate(facts_of(opened))}
        shown.append((links, pages, sorted(urls[seed] for seed in opened.seeds.tolist())))
    assert shown[0] == shown[1]


def facts_of(graph: Graph) -> Iterator[tuple[int, int]]:
    return zip(graph.language.tolist(), graph.outcome.tolist(), strict=True)


def test_links_under_way_between_partitions_arrive(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    before = contents_of(directory)
    layout = ClusterLayout.open(directory)
    url = next(f"http://site{n}.example/new" for n in range(99) if partition_of(f"site{n}.example", 3) == 1)
    writer = CrawlWriter(layout.check_partition(0), ArchiveOptions(prefix=layout.archive_prefix(0)))
    frontier = DiskFrontier(writer.store, writer.directory / "state" / "seen", Group.SERVER)
    writer.outbox.add(link_from(1 * FOREIGN_ROW + 2, url), np.array([1]))
    writer.commit(frontier, dict, writer.totals, "pages")
    with writer.store.reading():
        source = next(writer.journal.rows())
    writer.close()
    divided(directory, 2)
    after = contents_of(directory)
    fresh = [link for link in after.waiting if link.url == url]
    assert [link.level for link in fresh] == [0]
    assert source.row == 0
    assert fresh[0].source in before.rows, "its source is found in the new journals"
    assert sorted(link for link in after.waiting if link.url != url) == sorted(before.waiting)
    check_owners(directory, 2)


def link_from(source: int, url: str) -> LinkBatch:
    bare = links_to([url])
    one = {name: np.zeros(1, kind) for name, kind in (("source_relevance", np.float32), ("source_relevant", np.bool_))}
    counters = {name: np.zeros(1, np.uint8) for name in ("hops", *FoundCounters._fields)}
    return LinkBatch(
        *bare[:3],
        distance=np.ones(1, np.uint16),
        source=np.array([source]),
        source_server=np.ones(1, np.uint64),
        source_language=np.zeros(1, np.uint16),
        text=[url],
        **one,
        **counters,
    )


def test_killed_command_leaves_the_old_crawl_or_the_new_one_and_goes_on(single: Path, tmp_path: Path) -> None:
    before = contents_of(single)
    directory = shutil.copytree(single, tmp_path / "crawl")
    for partitions in (3, 2):
        kills = 0
        for moment in range(1, 1_000, 7):
            if not is_killed(directory, partitions, moment):
                break
            kills += 1
            after = contents_of(directory)
            assert (after.rows, after.seen, after.totals) == (before.rows, before.seen, before.totals)
            assert sorted(after.waiting) == sorted(before.waiting)
        assert kills > 5
        assert contents_of(directory).rows == before.rows
        assert ClusterLayout.open(directory).partitions == partitions
        check_owners(directory, partitions)
        left = {path.name for path in directory.iterdir()} - {"before-repartition", "before-repartition-2"}
        assert left == {"cluster.toml", "coordinator", "crawl.toml", "partitions", "progress.json", "warc"}


def is_killed(directory: Path, partitions: int, moment: int) -> bool:
    """Run the command and kill it at a moment; False if it ends before."""
    code = subprocess.run([*DYING, str(directory), str(partitions), str(moment)], stdout=subprocess.DEVNULL).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


def test_crawl_that_went_on_after_a_kill_is_divided_as_it_is_then(
    web: tuple[PracticeWeb, PracticeAddress], single: Path, tmp_path: Path
) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    assert is_killed(directory, 3, 60)
    assert not is_cluster(directory)
    set_values(directory / CONFIG_NAME, "limits", {"pages": HALF + 50})
    assert crawl(directory).reason == "pages"
    before = contents_of(directory)
    divided(directory, 3)
    after = contents_of(directory)
    assert (after.rows, after.seen, after.totals) == (before.rows, before.seen, before.totals)


def test_command_says_what_it_did_and_where_the_old_data_is(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    said = run_here("repartition", directory, "--partitions", 3, "--json")
    assert (said.code, said.err) == (0, "")
    document = json.loads(said.out)
    assert (document["partitions"], document["rows"]) == (3, len(check_directory(single)))
    assert document["waiting"] == CrawlDirectory(single).status.totals.frontier
    assert document["before"] == str(directory / "before-repartition")
    assert {path.name for path in Path(document["before"]).iterdir()} == {"state", "journal"}
    again = run_here("repartition", directory, "--partitions", 3, "--json")
    assert (again.code, json.loads(again.out)) == (0, document)
    shutil.rmtree(document["before"])
    assert len(check_directory(directory)) == document["rows"]


def test_crawl_can_go_back_to_what_it_was(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    shutil.rmtree(directory / "partitions")
    (directory / "cluster.toml").unlink()
    for name in ("state", "journal"):
        (directory / "before-repartition" / name).rename(directory / name)
    assert contents_of(directory) == contents_of(single)


def test_running_crawl_is_not_divided(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    with Store.open(directory / "state"):
        said = run_here("repartition", directory, "--partitions", 3)
    assert said.code == 2
    assert "is in use by process" in said.err
    assert len(said.err.splitlines()) == 1
    assert not is_cluster(directory)


def test_cluster_with_a_missing_partition_is_not_divided(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 3)
    shutil.rmtree(directory / "partitions" / "0001")
    with pytest.raises(DirectoryError, match="partitions/0001 is missing"):
        divided(directory, 2)


def test_crawl_that_lost_a_file_of_its_archive_is_not_divided(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    newest = max((directory / "warc").iterdir())
    newest.write_bytes(newest.read_bytes()[:1_000])
    with pytest.raises(DirectoryError, match="Restore the file from a copy"):
        divided(directory, 2)
    assert not is_cluster(directory)


def test_crawl_that_has_not_begun_is_not_divided(web: tuple[PracticeWeb, PracticeAddress], tmp_path: Path) -> None:
    write_crawl(tmp_path, *web)
    with pytest.raises(DirectoryError, match=f"Begin it in partitions: exonym crawl {tmp_path} --cluster"):
        divided(tmp_path, 2)


def test_single_process_does_not_go_on_with_a_divided_crawl(single: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(single, tmp_path / "crawl")
    divided(directory, 2)
    with pytest.raises(DirectoryError, match=f"Go on with: exonym crawl {directory} --cluster"):
        crawl(directory)
    assert replace(CrawlDirectory(directory).status, partitions=1) == CrawlDirectory(single).status
