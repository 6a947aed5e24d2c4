"""A crawl by a cluster and the same crawl by one process.

One worker with one partition must do the same visits in the same order. With more, each partition has its own best
link, so the order differs; what is visited does not, for strategies whose verdicts do not depend on the order.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from link_counters import counted_links

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_parts import parts_of
from exonym.journal import JournalRow
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.testing.cluster import crawl_in_cluster
from exonym.testing.live import check_directory, crawl, write_crawl
from exonym.urls import partition_of, server_of

# Nothing that takes time, and no calendar without an end: whatever the order, all of the web can be visited.
OPTIONS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)


@pytest.fixture(scope="module")
def web() -> PracticeWeb:
    return PracticeWeb(seed=9, pages=300, options=OPTIONS)  # no two pages alike, as a test checks


@pytest.fixture(scope="module")
def served(web: PracticeWeb) -> Iterator[PracticeAddress]:
    with running_practice_web(web) as address:
        yield address


def crawled(
    directory: Path, web: PracticeWeb, address: PracticeAddress, asked: dict[str, Any], workers: int, partitions: int
) -> list[JournalRow]:
    """The journal of a crawl by a cluster, or without workers by one process."""
    address.reset()  # what a server answers may depend on how often it was asked
    write_crawl(directory, web, address, asked)
    summary = crawl_in_cluster(directory, workers, partitions) if workers else crawl(directory)
    assert summary.reason == "empty frontier"
    return check_directory(directory)


# One of each kind: with an order of its own, with a verdict on pages, on servers, on segments by what links told.
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bfs", {}),
        ("limited-distance", {"T": 3, "prioritized": True}),
        ("lswc", {"S": 3, "T": 5}),
        ("segment", {"S": 4, "D": 4, "threshold": 0.25, "history": 0.5, "neighbourhood": 0.5, "doubt": 2}),
    ],
    ids=lambda given: str(given),
)
def test_one_worker_with_one_partition_writes_the_journal_of_a_single_process(
    name: str, options: dict[str, Any], tmp_path: Path, web: PracticeWeb, served: PracticeAddress
) -> None:
    asked = {"strategy": {"name": name, **options}, "limits": {"pages_per_server": 40}}
    asked |= {"network": {"connections": 1}, "readers": {"count": 0}}
    alone = crawled(tmp_path / "alone", web, served, asked, 0, 0)
    cluster = crawled(tmp_path / "cluster", web, served, asked, 1, 1)
    assert [timeless(row) for row in cluster] == [timeless(row) for row in alone]


def timeless(row: JournalRow) -> JournalRow:
    """All columns but those that clocks and names of files have a say in; records of other lengths shift offsets."""
    return msgspec.structs.replace(row, when=0.0, seconds=0.0, warc_file="", warc_offset=min(row.warc_offset, 0))


# `lswc` condemns a server by its first pages, and which ones these are depends on the order of visits: one process with
# other numbers of connections visits other pages too. Where S and T are beyond reach it only orders, as `soft` does.
@pytest.mark.parametrize(("name", "options"), [("hard", {}), ("lswc", {"S": 400, "T": 90})])
def test_four_workers_visit_the_pages_that_one_process_visits(
    name: str, options: dict[str, Any], tmp_path: Path, web: PracticeWeb, served: PracticeAddress
) -> None:
    asked = {"strategy": {"name": name, **options}, "network": {"connections": 10}, "seeds": {"sitemaps": False}}
    # A page without a language takes that of the page that linked to it first; who that is depends on the order.
    asked |= {"limits": {"pages_per_server": 0}, "urls": {"files": "follow"}, "judge": {"inherit_language": False}}
    asked |= {"readers": {"count": 0}}
    alone = crawled(tmp_path / "alone", web, served, asked, 0, 0)
    cluster = crawled(tmp_path / "cluster", web, served, asked, 4, 8)
    assert nature_of(cluster) == nature_of(alone)
    # A copy of a page that another partition has is not known to be one: then its links count twice.
    assert not any(row.copy for row in alone)
    assert counted_links(tmp_path / "cluster") == counted_links(tmp_path / "alone")
    owners = Counter(partition_of(server_of(row.url), 8) for row in cluster)
    assert [rows for _, rows in sorted(rows_of_partitions(tmp_path / "cluster").items())] == [
        owners[n] for n in range(8)
    ]
    assert len(owners) > 5  # else this would say little of links between partitions


def nature_of(rows: list[JournalRow]) -> set[tuple[str, Outcome, str]]:
    return {(row.url, row.outcome, row.language) for row in rows}


def rows_of_partitions(directory: Path) -> dict[int, int]:
    counts = {}
    for part in parts_of(directory).parts:
        with part.journal() as journal:
            counts[part.number] = journal.count()
    return counts
