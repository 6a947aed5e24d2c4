"""What a running cluster obeys: rules in scope.txt, limits in crawl.toml, a pause."""

from pathlib import Path
from typing import Any

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME
from exonym.config.editing import set_values
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_progress import CrawlProgress
from exonym.live.directory_watch import PAUSE_NAME
from exonym.scope.scope_file import add_rules, remove_rules
from exonym.testing.cluster import crawl_in_cluster
from exonym.testing.live import check_directory, rows_of, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.urls import server_of

SERVERS = [f"http://host{number}.example/" for number in range(8)]
PAGES = 20


def web_of_pages(delay_seconds: float = 0.0) -> dict[str, Any]:
    paths = [f"/{number}" for number in range(PAGES)]
    homes = {server: page(" ".join(f'<a href="{server}{path[1:]}">x</a>' for path in paths)) for server in SERVERS}
    return homes | dict.fromkeys(paths, page("words " * 100, delay_seconds=delay_seconds))


def write(directory: Path, web: ScriptedWeb, **asked: dict[str, Any]) -> None:
    own: dict[str, dict[str, Any]] = {
        "seeds": {"urls": SERVERS},
        "target": {"languages": ["th"]},
        "strategy": {"name": "bfs"},
        "readers": {"count": 0},
        "network": {"connect_to": web.address, "connections": 2},
    }
    write_settings(directory, own | asked)


def visits_of(directory: Path, server: str) -> int:
    return sum(server_of(row.url) == server and row.status == 200 for row in rows_of(directory))


def test_workers_obey_a_rule_while_they_run_and_bring_links_back_when_it_goes(tmp_path: Path) -> None:
    is_added = False

    def act(now: CrawlProgress) -> None:
        nonlocal is_added
        if not is_added and now.totals.pages:
            is_added = True
            add_rules(tmp_path, ["drop host1.example", "limit 3 host2.example"], "asked by mail")

    with ScriptedWeb(web_of_pages(delay_seconds=0.1)) as web:
        write(tmp_path, web)
        assert crawl_in_cluster(tmp_path, 2, 4, show=act).reason == "empty frontier"
        rows = check_directory(tmp_path)
        told = [(row.rule, row.why, row.outcome) for row in rows if row.failure == "scope: drop"]
        assert told == [("drop host1.example", "asked by mail", Outcome.FORBIDDEN)]
        fetched = visits_of(tmp_path, "host1.example"), visits_of(tmp_path, "host2.example")
        assert max(fetched) < PAGES + 1
        assert visits_of(tmp_path, "host3.example") == PAGES + 1
        assert CrawlDirectory(tmp_path).status.totals.aside == 2 * (PAGES + 1) - sum(fetched)
        remove_rules(tmp_path, "host1.example")
        crawl_in_cluster(tmp_path, 1, 4)
        assert (visits_of(tmp_path, "host1.example"), visits_of(tmp_path, "host2.example")) == (PAGES + 1, fetched[1])


def test_limit_that_is_taken_away_while_workers_run_is_no_limit(tmp_path: Path) -> None:
    def act(now: CrawlProgress) -> None:
        set_values(tmp_path / CONFIG_NAME, "limits", {"pages": 0})

    with ScriptedWeb(web_of_pages(delay_seconds=0.1)) as web:
        write(tmp_path, web, limits={"pages": 120})
        summary = crawl_in_cluster(tmp_path, 2, 4, show=act)
    assert (summary.reason, summary.totals.pages) == ("empty frontier", 8 * (PAGES + 1))


def test_paused_workers_begin_no_visits_and_go_on(tmp_path: Path) -> None:
    pages_in_pause: list[int] = []

    def act(now: CrawlProgress) -> None:
        if not pages_in_pause and now.totals.pages:
            (tmp_path / PAUSE_NAME).touch()
        if now.is_paused and not now.in_flight:
            pages_in_pause.append(now.totals.pages)
            if len(pages_in_pause) > 20:
                (tmp_path / PAUSE_NAME).unlink(missing_ok=True)

    with ScriptedWeb(web_of_pages(delay_seconds=0.05)) as web:
        write(tmp_path, web)
        summary = crawl_in_cluster(tmp_path, 2, 4, show=act)
    assert len(set(pages_in_pause[5:20])) == 1  # the first reports may be older than the pause
    assert (summary.reason, summary.totals.pages) == ("empty frontier", 8 * (PAGES + 1))
