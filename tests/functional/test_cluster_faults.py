"""Workers that die without a commit and a network that loses, doubles, delays and reorders cost a crawl nothing."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bad_cluster import BadWorkers
from link_counters import counted_links

from exonym.batches import Outcome
from exonym.cluster import coordinator, mailing
from exonym.crawl_directory.crawl_parts import CrawlPart, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import PartialCrawlWarning
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.testing.cluster import crawl_in_cluster
from exonym.testing.live import check_directory, crawl, write_crawl

OPTIONS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)
PARTITIONS = 6


@pytest.fixture(scope="module")
def web() -> PracticeWeb:
    return PracticeWeb(seed=9, pages=300, options=OPTIONS)  # no two pages alike


@pytest.fixture(scope="module")
def served(web: PracticeWeb) -> Iterator[PracticeAddress]:
    with running_practice_web(web) as address:
        yield address


@pytest.fixture(scope="module")
def alone(web: PracticeWeb, served: PracticeAddress, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same crawl by one process that nobody disturbs."""
    directory = tmp_path_factory.mktemp("crawl") / "alone"
    write_crawl(directory, web, served, asked())
    assert crawl(directory).reason == "empty frontier"
    return directory


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network in one process has lost what has not arrived in half a second."""
    monkeypatch.setattr(mailing, "RESEND_SECONDS", 0.5)
    monkeypatch.setattr(coordinator, "RETRY_SECONDS", 0.5)


def asked(pages: int = 0, strategy: str = "bfs") -> dict[str, Any]:
    return {
        "strategy": {"name": strategy},
        "network": {"connections": 8},
        "seeds": {"sitemaps": False},
        "limits": {"pages": pages, "pages_per_server": 0},
        "urls": {"files": "follow"},
        "judge": {"inherit_language": False},
        "readers": {"count": 0},
    }


@pytest.mark.usefixtures("_hurried")
@pytest.mark.parametrize("seed", [1, 2])
def test_every_page_is_visited_once_and_every_link_counted_once(
    seed: int, tmp_path: Path, web: PracticeWeb, served: PracticeAddress, alone: Path
) -> None:
    write_crawl(tmp_path, web, served, asked())
    made: list[BadWorkers] = []

    def bad(setups: Any) -> BadWorkers:
        made.append(BadWorkers(setups, seed, kills=5))
        return made[0]

    summary = crawl_in_cluster(tmp_path, 3, PARTITIONS, make_workers=bad)
    assert summary.reason == "empty frontier"
    assert made[0].kills_left < 5
    rows, expected = check_directory(tmp_path), check_directory(alone)
    facts = [{(row.url, row.outcome, row.language, row.digest) for row in crawled} for crawled in (rows, expected)]
    assert facts[0] == facts[1]
    assert counted_links(tmp_path) == counted_links(alone)
    totals, whole = CrawlDirectory(tmp_path).status.totals, CrawlDirectory(alone).status.totals
    assert (totals.pages, totals.relevant, totals.bytes) == (whole.pages, whole.relevant, whole.bytes)
    assert summary.totals.pages == totals.pages


@pytest.mark.usefixtures("_hurried")
@pytest.mark.parametrize(("workers", "is_network_bad"), [(3, True), (2, False)])
def test_page_limit_is_exact(
    workers: int, is_network_bad: bool, tmp_path: Path, web: PracticeWeb, served: PracticeAddress
) -> None:
    write_crawl(tmp_path, web, served, asked(pages=120, strategy="soft"))
    bad = partial(BadWorkers, seed=3, kills=3, is_network_bad=is_network_bad)
    assert crawl_in_cluster(tmp_path, workers, PARTITIONS, make_workers=bad).reason == "pages"
    rows = check_directory(tmp_path)
    assert sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in rows) == 120


def test_a_crawl_that_has_ended_ends_again_and_goes_on_with_a_higher_limit(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress
) -> None:
    for pages, workers in ((40, 2), (40, 1), (90, 3)):
        write_crawl(tmp_path, web, served, asked(pages=pages))
        assert crawl_in_cluster(tmp_path, workers, PARTITIONS).reason == "pages"
        rows = check_directory(tmp_path)
        assert sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in rows) == pages


def test_byte_limit_holds_for_the_whole_crawl(tmp_path: Path, web: PracticeWeb, served: PracticeAddress) -> None:
    limited = asked() | {"limits": {"bytes": 400_000, "pages_per_server": 0}}
    write_crawl(tmp_path, web, served, limited)
    summary = crawl_in_cluster(tmp_path, 2, PARTITIONS)
    assert summary.reason == "bytes"
    # Visits that are in flight when a partition has used up what it was lent are the excess: 2 workers with up to
    # 2 · 8 - 1 visits each, of pages of 6,000 bytes on average.
    assert 400_000 <= sum(row.length for row in check_directory(tmp_path)) < 400_000 + 2 * 15 * 6_000


def test_time_limit_holds_for_the_whole_crawl(tmp_path: Path, web: PracticeWeb, served: PracticeAddress) -> None:
    limited = asked() | {"limits": {"seconds": 1.0}, "politeness": {"delay_seconds": 0.5}}
    write_crawl(tmp_path, web, served, limited)
    assert crawl_in_cluster(tmp_path, 2, PARTITIONS).reason == "seconds"
    assert 0 < len(check_directory(tmp_path)) < 300
    assert crawl_in_cluster(tmp_path, 2, PARTITIONS).reason == "seconds"


def test_a_missing_and_a_damaged_partition_are_done_without(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator, "MISSING_SECONDS", 1.0)
    monkeypatch.setattr(coordinator, "RETRY_SECONDS", 0.5)
    write_crawl(tmp_path, web, served, asked(pages=40))
    crawl_in_cluster(tmp_path, 2, PARTITIONS)
    before = {part.number: rows_of_part(part) for part in parts_of(tmp_path).parts}
    moved = tmp_path / "moved"
    (tmp_path / "partitions" / "0001").rename(moved)
    data = tmp_path / "partitions" / "0002" / "state" / "data.mdb"
    sound = data.read_bytes()
    data.write_bytes(sound[: len(sound) // 2])
    write_crawl(tmp_path, web, served, asked())
    with pytest.warns(PartialCrawlWarning, match="without partitions 0001, 0002"):
        assert crawl_in_cluster(tmp_path, 2, PARTITIONS).reason == "missing partitions"
    moved.rename(tmp_path / "partitions" / "0001")
    data.write_bytes(sound)
    after = {part.number: rows_of_part(part) for part in parts_of(tmp_path).parts}
    assert (after[1], after[2]) == (before[1], before[2])
    assert sum(after.values()) > sum(before.values()) + 50
    # Once they are there again, links that waited for them are taken, and the crawl ends as it should have.
    assert crawl_in_cluster(tmp_path, 2, PARTITIONS).reason == "empty frontier"
    check_directory(tmp_path)


def rows_of_part(part: CrawlPart) -> int:
    with part.journal() as journal:
        return journal.count()
