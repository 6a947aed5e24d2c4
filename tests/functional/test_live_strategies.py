"""Strategies in live crawls: which are refused, and which may take over from another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from exonym.archive import ArchiveOptions
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import ColumnError, DirectoryError
from exonym.metrics import Summary
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.testing.live import check_directory, crawl, write_crawl

WEB = PracticeWeb(seed=2, pages=200, options=PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0))


@pytest.fixture(scope="module")
def address() -> Iterator[PracticeAddress]:
    with running_practice_web(WEB) as served:
        yield served


def crawled(directory: Path, address: PracticeAddress, strategy: str, pages: int = 0) -> Summary:
    limits = {"pages": pages, "pages_per_server": 20}
    asked = {"strategy": {"name": strategy}, "limits": limits, "seeds": {"sitemaps": False}, "readers": {"count": 0}}
    write_crawl(directory, WEB, address, asked)
    return crawl(directory)


def test_oracle_is_refused_before_anything_is_fetched(tmp_path: Path, address: PracticeAddress) -> None:
    with pytest.raises(ColumnError, match="perfect needs on_path, which only a simulation knows"):
        crawled(tmp_path, address, "perfect")
    assert not (tmp_path / "warc").exists()


@pytest.mark.parametrize(("old", "new"), [("bfs", "best-segment"), ("directory-filter", "lswc")])
def test_strategy_with_another_group_cannot_take_over(
    old: str, new: str, tmp_path: Path, address: PracticeAddress
) -> None:
    assert crawled(tmp_path, address, old, pages=40).reason == "pages"
    with pytest.raises(DirectoryError, match=f"and {new} groups it by") as caught:
        crawled(tmp_path, address, new)
    assert "\n" not in str(caught.value)
    assert crawled(tmp_path, address, old).reason == "empty frontier"  # nothing was harmed
    check_directory(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("best-segment", "directory-filter"),
        ("best-segment", "segment"),
        ("segment", "best-segment"),
        ("mean-segment", "segment"),
        ("site", "naive-bayes"),
        ("server-filter", "cjk"),
    ],
)
def test_strategy_with_the_same_group_can_take_over(
    old: str, new: str, tmp_path: Path, address: PracticeAddress
) -> None:
    assert crawled(tmp_path, address, old, pages=40).reason == "pages"
    assert crawled(tmp_path, address, new).reason == "empty frontier"
    check_directory(tmp_path)


@pytest.mark.parametrize("new", ["best-segment", "mean-segment"])
def test_crawl_that_0_1_0_began_by_best_segment_goes_on_by_the_rule_of_today_or_of_then(
    new: str, tmp_path: Path, address: PracticeAddress
) -> None:
    crawled(tmp_path, address, "mean-segment", pages=40)
    keeper = CrawlWriter(tmp_path, ArchiveOptions())
    try:
        snapshot = keeper.snapshot()
    finally:
        keeper.close()
    assert snapshot is not None
    assert snapshot["about"]["strategy"].tolist() == ["best-segment"]  # as 0.1.0 wrote it
    assert snapshot["strategy"].keys() == {"ids", "sums"}
    assert crawled(tmp_path, address, new).reason == "empty frontier"
    check_directory(tmp_path)


def test_any_strategy_can_take_over_where_nothing_waits(tmp_path: Path, address: PracticeAddress) -> None:
    assert crawled(tmp_path, address, "cjk").reason == "empty frontier"
    assert crawled(tmp_path, address, "best-segment").reason == "empty frontier"
    check_directory(tmp_path)


def test_servers_have_no_rank_where_links_are_scored_again(tmp_path: Path, address: PracticeAddress) -> None:
    assert crawled(tmp_path, address, "adaptive", pages=120).reason == "pages"
    journal = CrawlDirectory(tmp_path).journal(["rank", "score"])
    assert set(journal["rank"].to_pylist()) == {0.0}
    assert len(set(journal["score"].to_pylist())) > 5
