"""`exonym coverage`: its counts are those of journal and frontier, its intervals hold the truth of practice webs."""

import gzip
import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import EXONYM, json_here, printed_here, refused_here
from crawls_to_look_at import DEAD_SEED, DROPPED, divided_crawl, whole_crawl
from made_once import made_once
from waiting import wait_until

from exonym.batches import NO_ROW, Outcome
from exonym.config import load
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.frontier.base import NOT_FOLLOWED, VISITED
from exonym.frontier.seen import SeenSet
from exonym.journal import JournalRow
from exonym.live.driver import run
from exonym.live.stop import StopRequest
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.testing.live import crawl, rows_of, running_practice_web, write_crawl
from exonym.urls import id_of, server_of

WEB = PracticeWeb(seed=11, pages=500)
_NEVER = "http://no-such-server.example/"
_KINDS = (
    *("relevant", "irrelevant", "copies", "gone", "redirects", "failed", "forbidden"),
    *("waiting", "not_followed", "unknown", "left_out"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_crawl(tmp_path_factory)


def written(path: Path, *urls: str) -> Path:
    path.write_text("\n".join(urls) + "\n", encoding="utf-8")
    return path


def kind_of(row: JournalRow) -> str:
    """What the journal says became of a page."""
    if row.failure.startswith("scope:"):
        return "left_out"
    if row.relevant:
        return "relevant"
    if row.copy:
        return "copies"
    if row.outcome == Outcome.FAILED:
        return "gone" if row.status in (404, 410) or "no such host" in row.failure else "failed"
    return {Outcome.REDIRECT: "redirects", Outcome.FORBIDDEN: "forbidden"}.get(row.outcome, "irrelevant")


def test_counts_are_those_of_the_journal(whole: Path, tmp_path: Path) -> None:
    rows = [row for row in rows_of(whole) if kind_of(row) not in ("left_out", "redirects")]
    pages = json_here("coverage", whole, "--list", written(tmp_path / "all", *(row.url for row in rows)))["list"][
        "pages"
    ]
    found = Counter(kind_of(row) for row in rows if row.source != NO_ROW)
    assert {kind: count for kind in found if (count := pages[kind])} == found
    assert pages["listed"] == len(rows)
    assert pages["seeds"] == len(rows) - found.total()
    assert pages["coverage"]["share"] == pytest.approx(1 - (found["failed"] + found["forbidden"]) / found.total())


def broad_web() -> PracticeWeb:
    return PracticeWeb(seed=5, pages=1_500, options=PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0))


@pytest.fixture(scope="module")
def broad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A breadth-first crawl of a third of a web of 1,500 pages, and in `lswc` a focused one."""

    def make(place: Path) -> None:
        web = broad_web()
        with running_practice_web(web) as address:
            for name in ("bfs", "lswc"):
                asked = {"limits": {"pages": 500}, "strategy": {"name": name}, "readers": {"count": 0}}
                write_crawl(place / name, web, address, asked)
                crawl(place / name)

    return made_once(tmp_path_factory, "coverage-crawls", make)


def pages_of_practice() -> list[str]:
    """The relevant pages of that web that a crawl may fetch."""
    web = broad_web()
    pages = [web.page(number) for number in range(web.page_count)]
    return [page.url for page in pages if page.is_relevant and page.status == 200 and not page.is_forbidden]


@pytest.mark.parametrize(("strategy", "expected"), [("bfs", "waiting"), ("lswc", "not_followed")])
def test_pages_that_were_not_visited_are_looked_up_in_the_frontier(
    broad: Path, strategy: str, expected: str, tmp_path: Path
) -> None:
    crawl = broad / strategy
    visited = {row.url for row in rows_of(crawl)}
    urls = [url for page in range(1_500) if (url := broad_web().url(page)) not in visited]
    ids, levels, _ = SeenSet(crawl / "state" / "seen").entries()
    known = dict(zip(ids.tolist(), levels.tolist(), strict=True))
    pages = json_here("coverage", crawl, "--list", written(tmp_path / "rest", *urls, _NEVER))["list"]["pages"]
    kinds = Counter(_kind_of_level(known.get(id_of(url))) for url in (*urls, _NEVER))
    assert {kind: pages[kind] for kind in _KINDS if pages[kind]} == kinds
    assert pages[expected] > 0
    assert pages["unknown"] > 1


def _kind_of_level(level: int | None) -> str:
    if level is None:
        return "unknown"
    return "not_followed" if level in (NOT_FOLLOWED, VISITED) else "waiting"


def test_pages_that_the_scope_leaves_out_are_told_apart(whole: Path, tmp_path: Path) -> None:
    visited = {row.url for row in rows_of(whole) if kind_of(row) != "left_out"}
    urls = [url for page in range(WEB.page_count) if server_of(url := WEB.url(page)).endswith(DROPPED[1:])]
    assert urls
    assert not visited & set(urls)
    result = json_here("coverage", whole, "--list", written(tmp_path / "dropped", *urls))["list"]
    assert result["pages"]["left_out"] == len(urls)
    assert (result["pages"]["usable"], result["servers"]["usable"]) == (0, 0)


@pytest.mark.parametrize("strategy", ["bfs", "lswc"])
def test_intervals_of_random_lists_hold_the_true_coverage_of_a_crawl(
    broad: Path, strategy: str, tmp_path: Path
) -> None:
    from exonym.coverage.known_pages import list_coverage

    existing = pages_of_practice()
    outcomes = {row.url: row for row in rows_of(broad / strategy)}
    seeds = {url for url, row in outcomes.items() if row.source == NO_ROW}
    found = [url in outcomes and outcomes[url].relevant for url in existing if url not in seeds]
    truth, held = sum(found) / len(found), 0
    for seed in range(20):
        chosen = np.random.default_rng(seed).choice(existing, 60, replace=False)
        share = list_coverage(broad / strategy, written(tmp_path / "list", *chosen)).of_pages.at_least
        held += share is not None and share.low <= truth <= share.high
    assert 0.1 < truth < 0.95
    assert held >= 16


def test_other_crawl_is_read_as_a_list_of_relevant_pages(broad: Path, tmp_path: Path) -> None:
    own, other = ({row.url: row for row in rows_of(broad / name)} for name in ("lswc", "bfs"))
    seeds = {url for url, row in own.items() if row.source == NO_ROW}
    mine, theirs = ({url for url, row in rows.items() if row.relevant and url not in seeds} for rows in (own, other))
    changed = {url for url in theirs - mine if url in own and kind_of(own[url]) not in ("failed", "forbidden")}
    against = json_here("coverage", broad / "lswc", "--against", broad / "bfs")["against"]
    pages = against["pages"]
    assert (pages["own"], pages["of_other"]) == (len(mine), len(theirs - changed))
    assert (pages["both"], pages["changed"]) == (len(mine & theirs), len(changed))
    exist = (len(mine) + 1) * (len(theirs - changed) + 1) / (len(mine & theirs) + 1) - 1
    assert pages["size"]["size"] == pytest.approx(exist)
    assert pages["coverage"]["share"] == pytest.approx(len(mine) / exist)
    listed = written(tmp_path / "list", *(url for url, row in other.items() if row.relevant))
    of_list = json_here("coverage", broad / "lswc", "--list", listed)["list"]["pages"]["at_least"]
    assert of_list["share"] == pytest.approx(pages["both"] / pages["of_other"])
    assert pages["coverage"]["low"] == pytest.approx(of_list["low"])
    servers = against["servers"]
    assert servers["both"] <= min(servers["own"], servers["of_other"]) <= len({server_of(url) for url in theirs})


def test_scheme_and_www_do_not_matter_and_a_page_counts_once(broad: Path, tmp_path: Path) -> None:
    url = next(row.url for row in rows_of(broad / "lswc") if row.relevant and row.source != NO_ROW)
    bare = url.partition("://")[2].removeprefix("www.")
    spellings = [f"{scheme}://{www}{bare}" for scheme in ("http", "https") for www in ("", "www.")]
    result = json_here("coverage", broad / "lswc", "--list", written(tmp_path / "list", *spellings, bare))["list"]
    assert (result["addresses"], result["pages"]["listed"], result["pages"]["relevant"]) == (5, 1, 1)


def test_divided_crawl_has_the_figures_of_the_whole(
    whole: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    listed = written(tmp_path / "list", *(WEB.url(page) for page in range(WEB.page_count)), DEAD_SEED, _NEVER)
    divided = divided_crawl(tmp_path_factory)
    ours, theirs = (json_here("coverage", one, "--list", listed)["list"] for one in (whole, divided))
    assert ours == theirs
    pairs = ((whole, divided), (divided, whole))
    ours, theirs = (json_here("coverage", one, "--against", other)["against"]["pages"] for one, other in pairs)
    assert ours == theirs
    assert ours["coverage"]["share"] == 1


def test_packed_lists_with_comments_are_read_like_files_of_seeds(broad: Path, tmp_path: Path) -> None:
    text = "\ufeff# known pages\n" + "".join(f"{url}\t# from the catalogue\n" for url in pages_of_practice()[:30])
    (tmp_path / "plain").write_text(text, encoding="utf-8")
    (tmp_path / "packed").write_bytes(gzip.compress(text.encode()))
    plain, packed = (json_here("coverage", broad / "lswc", "--list", tmp_path / name) for name in ("plain", "packed"))
    assert plain["list"].pop("file") != packed["list"].pop("file")
    assert plain == packed
    assert plain["list"]["addresses"] == 30


def test_crawl_is_read_while_it_runs(tmp_path: Path) -> None:
    web = PracticeWeb(seed=11, pages=50_000, options=PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0))
    listed = written(tmp_path / "list", *(web.url(page) for page in range(0, web.page_count, 5)))

    def pages() -> Any:
        return json_here("coverage", tmp_path / "crawl", "--list", listed)["list"]["pages"]

    with running_practice_web(web) as address:
        write_crawl(tmp_path / "crawl", web, address, {"limits": {"pages": 10_000}, "readers": {"count": 0}})
        with subprocess.Popen([EXONYM, "crawl", tmp_path / "crawl", "-q"]) as process:
            wait_until(lambda: bool(list(tmp_path.glob("crawl/warc/*"))), process)
            before = pages()
            wait_until(lambda: pages()["relevant"] > before["relevant"], process)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
    assert pages()["waiting"] > 0
    assert sum(pages()[kind] for kind in _KINDS) + pages()["seeds"] == pages()["listed"]


def test_too_few_pages_are_said_to_be_too_few(broad: Path, tmp_path: Path) -> None:
    listed = written(tmp_path / "list", *pages_of_practice()[:9])
    said = printed_here("coverage", broad / "lswc", "--list", listed)
    assert "too few to tell" in said
    assert "%" not in said.partition("How many")[2].partition("A list")[0]
    assert json_here("coverage", broad / "lswc", "--list", listed)["list"]["pages"]["coverage"] is None


def test_output_says_what_the_figures_cannot_see(broad: Path, tmp_path: Path) -> None:
    said = printed_here(
        "coverage",
        broad / "lswc",
        "--list",
        written(tmp_path / "list", *pages_of_practice()),
        "--against",
        broad / "bfs",
    )
    assert said.count("islands to which no found page links") == 2
    assert said.count("the true coverage is probably lower") == 2
    assert "look for different pages" not in said


def test_list_of_mostly_irrelevant_pages_is_said_to_be_one(broad: Path, tmp_path: Path) -> None:
    web = broad_web()
    said = printed_here("coverage", broad / "bfs", "--list", written(tmp_path / "list", *map(web.url, range(1_500))))
    assert "take a list of relevant pages" in said


def test_crawl_that_has_fetched_nothing_is_no_error(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "crawl")
    web = PracticeWeb(seed=11, pages=300)
    with running_practice_web(web) as address:
        write_crawl(tmp_path / "new", web, address, {"readers": {"count": 0}})
        stop = StopRequest()
        stop.finish()
        run(tmp_path / "new", load(tmp_path / "new/crawl.toml"), lambda progress: None, stop)
    listed = written(tmp_path / "list", *(web.url(page) for page in range(30)))
    assert not rows_of(tmp_path / "new")
    assert "has fetched no page yet" in printed_here("coverage", tmp_path / "new", "--list", listed)
    said = printed_here("coverage", tmp_path / "new", "--against", tmp_path / "crawl")
    assert "has fetched no page yet" in said


def test_wrong_use_is_told_in_one_line(broad: Path, tmp_path: Path) -> None:
    crawl, empty = broad / "lswc", written(tmp_path / "empty", "# nothing", "")
    assert "--list FILE" in refused_here("coverage", crawl)
    assert "has no addresses" in refused_here("coverage", crawl, "--list", empty)
    assert "cannot be read" in refused_here("coverage", crawl, "--list", tmp_path / "none")
    assert "cannot be read" in refused_here("coverage", crawl, "--list", tmp_path)
    assert "line 2" in refused_here(
        "coverage", crawl, "--list", written(tmp_path / "bad", "a.example", "ftp://a.example")
    )
    (tmp_path / "latin").write_bytes("http://a.example/é".encode("latin-1"))
    assert "not UTF-8" in refused_here("coverage", crawl, "--list", tmp_path / "latin")
    (tmp_path / "torn").write_bytes(gzip.compress(bytes(range(256)) * 99)[:50])
    assert "damaged" in refused_here("coverage", crawl, "--list", tmp_path / "torn")
    assert "no crawl directory" in refused_here("coverage", tmp_path, "--list", empty)
    assert "compared with itself" in refused_here("coverage", crawl, "--against", crawl)
    assert "no crawl directory" in refused_here("coverage", crawl, "--against", tmp_path)
    (tmp_path / "new").mkdir()
    shutil.copy(crawl / "crawl.toml", tmp_path / "new")
    assert "exonym crawl" in refused_here("coverage", tmp_path / "new", "--list", empty)
    assert not CrawlDirectory(crawl).status.missing_partitions
