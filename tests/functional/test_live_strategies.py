"""Strategies in live crawls: which are refused, which may take over from another, and what traps cost the usual one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import printed_here

from exonym.archive import ArchiveOptions
from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import ColumnError, DirectoryError
from exonym.journal import JournalRow
from exonym.metrics import Summary
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.practice.servers import Role
from exonym.testing.live import check_directory, crawl, write_crawl
from exonym.urls import path_of

WEB = PracticeWeb(seed=2, pages=200, options=PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0))

# Calendars on a national server and on foreign ones, session ids, redirects without end, servers that are slow, dead or
# closed, sites under two names. Without other delays, one connection makes the same visits in each crawl.
TRAPS = PracticeWeb(10, 6_000, PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, twins=True))


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


# Traps


def crawled_as_new(directory: Path, address: PracticeAddress, strategy: str = "") -> tuple[Summary, list[JournalRow]]:
    """Crawl the web of traps as `exonym new` sets it up, by one connection, from both names of its seeds."""
    own = TRAPS.seeds()
    twins = [url.replace("://www.", "://") if "://www." in url else url.replace("://", "://www.") for url in own]
    words: list[str] = [f"--seed={seed}" for seed in own + twins] + [f"--strategy={strategy}"] * bool(strategy)
    changes = {"network.connect_to": address, "network.connections": 1, "readers.count": 0}
    words += [f"--set={key}={value}" for key, value in changes.items()]
    nobody_waits = [f"--set=politeness.{key}_seconds=0" for key in ("delay", "retry")]
    printed_here("new", directory, "--practice", "--language", TRAPS.language, *words, *nobody_waits)
    return crawl(directory), check_directory(directory)


def is_wasted(row: JournalRow) -> bool:
    """Whether a visit led into a trap: a month, a redirect, a second name of a page, a failure, a closed door."""
    is_extra = path_of(row.url).startswith(("/calendar?", "/hop/", "/loop/"))
    return is_extra or row.copy or row.outcome not in (Outcome.PAGE, Outcome.SITEMAP)


def wasted_until(rows: list[JournalRow], wanted: int) -> int:
    """How many visits were wasted before so many relevant pages were found."""
    found = wasted = 0
    for row in rows:
        found += row.relevant
        wasted += is_wasted(row)
        if found == wanted:
            return wasted
    raise AssertionError(f"only {found} relevant pages were found")


def test_new_crawl_ends_by_itself_and_wastes_less_on_traps_than_lswc(tmp_path: Path) -> None:
    servers = [TRAPS.facts.tree.server(number) for number in range(len(TRAPS.servers))]
    assert {server.role for server in servers if server.has_calendar} >= {Role.NATIVE, Role.FOREIGN}
    assert {Role.DEAD, Role.CLOSED} <= {server.role for server in servers}
    assert all(any(getattr(server, has) for server in servers) for has in ("has_hops", "has_sessions", "delay_seconds"))
    existing = sum(TRAPS.page(number).is_relevant for number in range(TRAPS.page_count))
    with running_practice_web(TRAPS) as address:
        summary, rows = crawled_as_new(tmp_path / "usual", address)
        _, rows_of_lswc = crawled_as_new(tmp_path / "lswc", address, "lswc")
    assert summary.reason == "floor"
    assert sum(row.relevant for row in rows) > 0.9 * existing  # ten such webs gave 91 to 99.5 %
    missing = CrawlDirectory(tmp_path / "usual").status.totals.missing
    assert missing is not None
    assert missing.probes > 10  # too few to tell anything
    assert missing.waiting + missing.unseen < 0.05 * existing
    assert sum(map(is_wasted, rows)) <= sum(map(is_wasted, rows_of_lswc))
    for share in (0.5, 0.8, 0.9):
        wanted = int(share * existing)
        assert wasted_until(rows, wanted) <= wasted_until(rows_of_lswc, wanted)
