"""What a running crawl obeys: rules in scope.txt, limits in crawl.toml, a pause; and what the journal says of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import json_here, refused_here, run_here

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.config.editing import set_values
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.progress_file import read_progress
from exonym.crawl_progress import CrawlProgress
from exonym.live.directory_watch import PAUSE_NAME
from exonym.live.driver import run
from exonym.live.stop import StopRequest
from exonym.metrics import Summary
from exonym.scope.scope_file import add_rules, remove_rules
from exonym.testing.live import check_directory, merged, rows_of, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.urls import server_of

SERVERS = [f"http://host{number}.example/" for number in range(4)]
PAGES = 40


def web_of_pages(delay_seconds: float = 0.0) -> dict[str, Any]:
    """Servers with as many pages each."""
    paths = [f"/{number}" for number in range(PAGES)]
    homes = {server: page(" ".join(f'<a href="{server}{path[1:]}">x</a>' for path in paths)) for server in SERVERS}
    return homes | dict.fromkeys(paths, page("words " * 100, delay_seconds=delay_seconds))


def write(directory: Path, web: ScriptedWeb, asked: Mapping[str, Mapping[str, Any]] | None = None) -> None:
    own: dict[str, dict[str, Any]] = {
        "seeds": {"urls": SERVERS},
        "target": {"languages": ["th"]},
        "strategy": {"name": "bfs"},
        "readers": {"count": 0},
        "network": {"connect_to": web.address, "connections": 1},
    }
    write_settings(directory, merged(own, asked or {}))


def crawl(directory: Path, act: Callable[[CrawlProgress, StopRequest], None] | None = None) -> Summary:
    """Crawl; `act` is called with each progress."""
    stop = StopRequest()
    return run(directory, load(directory / CONFIG_NAME), lambda now: act(now, stop) if act else None, stop)


def visits_of(directory: Path, server: str) -> int:
    return sum(server_of(row.url) == server and row.status == 200 for row in rows_of(directory))


def test_running_crawl_obeys_a_rule_and_journals_it(tmp_path: Path) -> None:
    is_added = False

    def act(now: CrawlProgress, stop: StopRequest) -> None:
        nonlocal is_added
        if not is_added and now.totals.pages:
            is_added = True
            add_rules(tmp_path, ["drop host1.example"], "asked by mail")

    with ScriptedWeb(web_of_pages(delay_seconds=0.02)) as web:
        write(tmp_path, web)
        assert crawl(tmp_path, act).reason == "empty frontier"
        rows = check_directory(tmp_path)
        told = next(row for row in rows if row.rule)
        assert (told.rule, told.why, told.outcome) == ("drop host1.example", "asked by mail", Outcome.FORBIDDEN)
        assert not [row for row in rows[told.row + 1 :] if server_of(row.url) == "host1.example"]
        assert visits_of(tmp_path, "host1.example") < PAGES
        assert CrawlDirectory(tmp_path).status.totals.aside == PAGES + 1 - visits_of(tmp_path, "host1.example")
        remove_rules(tmp_path, "host1.example")
        crawl(tmp_path)
        assert visits_of(tmp_path, "host1.example") == PAGES + 1
        assert len([row for row in check_directory(tmp_path) if row.failure.startswith("scope:")]) == 1


def test_rules_are_in_force_from_the_first_visit_on(tmp_path: Path) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(
            tmp_path, web, {"scope": {"rules": ["drop host0.example", "limit 5 host2.example", "keep host3.example"]}}
        )
        add_rules(tmp_path, ["drop /1"])
        assert crawl(tmp_path).reason == "empty frontier"
        assert not [url for url in web.urls() if "host0" in url]
        assert visits_of(tmp_path, "host2.example") == 5
        assert visits_of(tmp_path, "host1.example") == PAGES + 1 - 11  # /1 and /10 to /19
        rows = check_directory(tmp_path)
        kept = {row.rule for row in rows if "host3" in row.url and row.status == 200}
        assert kept == {"keep host3.example"}
        assert {row.rule for row in rows if "host2" in row.url and row.status == 200} == {"limit 5 host2.example"}


def test_usual_budget_is_not_said_to_be_reached_where_a_rule_sets_another(tmp_path: Path) -> None:
    events = []
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web, {"limits": {"pages_per_server": 3}, "scope": {"rules": ["limit 9 host1.example"]}})
        crawl(tmp_path, lambda now, stop: events.extend(now.events))
    told = {event.text.partition(":")[0] for event in events if "budget reached" in event.text}
    assert told == {"host0.example", "host2.example", "host3.example"}
    assert visits_of(tmp_path, "host1.example") == 9


def test_mistake_in_the_scope_leaves_the_old_rules_in_force(tmp_path: Path) -> None:
    events = []

    def act(now: CrawlProgress, stop: StopRequest) -> None:
        events.extend(now.events)
        is_told = any("dorp" in event.text for event in now.events)
        (tmp_path / "scope.txt").write_text("# none\n" if is_told else "dorp host2.example\n")
        if any("The mistake is gone" in event.text for event in now.events):
            stop.finish()

    with ScriptedWeb(web_of_pages(delay_seconds=0.05)) as web:
        write(tmp_path, web, {"scope": {"rules": ["drop host0.example"]}})
        crawl(tmp_path, act)
        assert not [url for url in web.urls() if "host0" in url]
    told = list(dict.fromkeys(event.text for event in events if "mistake" in event.text or "dorp" in event.text))
    assert len(told) == 2
    assert "scope.txt:1: 'dorp' is no rule" in told[0]


def test_wrong_scope_is_refused_at_the_start(tmp_path: Path) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web)
        (tmp_path / "scope.txt").write_text("drop\n")
        assert "scope.txt:1:" in refused_here("crawl", tmp_path)
        assert not web.asked


def test_limit_that_is_raised_while_the_crawl_runs_is_obeyed(tmp_path: Path) -> None:
    def act(now: CrawlProgress, stop: StopRequest) -> None:
        set_values(tmp_path / CONFIG_NAME, "limits", {"pages": 30})

    with ScriptedWeb(web_of_pages(delay_seconds=0.2)) as web:
        write(tmp_path, web, {"limits": {"pages": 20}})
        assert crawl(tmp_path, act).totals.pages == 30


def test_paused_crawl_begins_no_visits_and_goes_on(tmp_path: Path) -> None:
    pages_in_pause = set[int]()
    was_paused = False

    def act(now: CrawlProgress, stop: StopRequest) -> None:
        nonlocal was_paused
        if not was_paused and now.totals.pages:
            (tmp_path / PAUSE_NAME).touch()
        if now.is_paused and not now.in_flight:
            was_paused = True
            pages_in_pause.add(now.totals.pages)
            (tmp_path / PAUSE_NAME).unlink(missing_ok=True)

    with ScriptedWeb(web_of_pages(delay_seconds=0.02)) as web:
        write(tmp_path, web)
        summary = crawl(tmp_path, act)
    assert was_paused
    assert len(pages_in_pause) == 1
    assert (summary.reason, summary.totals.pages) == ("empty frontier", 4 * (PAGES + 1))


def test_setting_for_one_run_stays_in_force_when_the_file_changes(tmp_path: Path) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web)
        before = (tmp_path / CONFIG_NAME).read_text()
        assert json_here("crawl", tmp_path, "--set", "limits.pages=7")["pages"] == 7
        assert (tmp_path / CONFIG_NAME).read_text() == before
        assert json_here("crawl", tmp_path, "--set", "limits.pages=9", "--set", "network.connections=2")["pages"] == 9
        assert json_here("crawl", tmp_path)["pages"] == 4 * (PAGES + 1)


@pytest.mark.parametrize("change", ["limits.pages=many", "limits.pags=3", "limits=3", "pages"])
def test_wrong_setting_for_one_run_is_refused(tmp_path: Path, change: str) -> None:
    with ScriptedWeb({}) as web:
        write(tmp_path, web)
        assert "--set" in refused_here("crawl", tmp_path, "--set", change)


def test_progress_file_tells_how_the_crawl_ended(tmp_path: Path) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web, {"limits": {"pages": 20}})
        crawl(tmp_path)
    running = read_progress(tmp_path)
    assert running is not None
    assert (running.reason, running.progress.totals.pages, running.progress.recent.pages) == ("pages", 20, 20)


def test_complaint_is_handled_by_one_command(tmp_path: Path) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web, {"limits": {"pages": 30}})
        crawl(tmp_path)
        said = run_here("scope", tmp_path, "drop", "host1.example", "--why", "asked by mail on 3 May", "--by", "A. L.")
        assert said.code == 0
        before = visits_of(tmp_path, "host1.example")
        set_values(tmp_path / CONFIG_NAME, "limits", {"pages": 100})
        crawl(tmp_path)
        assert visits_of(tmp_path, "host1.example") == before
        (told,) = [row for row in rows_of(tmp_path) if row.rule]
        assert told.why.startswith("asked by mail on 3 May; A. L., ")


@pytest.mark.parametrize("rule", ["drop /1", "limit 3 host1.example/1", "drop host1.example"])
def test_links_come_back_when_the_only_rule_goes_while_no_crawl_runs(tmp_path: Path, rule: str) -> None:
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web)
        add_rules(tmp_path, [rule])
        crawl(tmp_path)
        assert CrawlDirectory(tmp_path).status.totals.aside
        (tmp_path / "scope.txt").unlink()
        assert crawl(tmp_path).totals.pages == 4 * (PAGES + 1)
    assert CrawlDirectory(tmp_path).status.totals.aside == 0


def test_delay_of_a_rule_holds_over_a_restart(tmp_path: Path) -> None:
    """The second run ends by its time limit, long before the server may be asked again."""
    with ScriptedWeb(web_of_pages()) as web:
        write(tmp_path, web, {"seeds": {"urls": SERVERS[:1]}, "limits": {"pages": 1}})
        assert crawl(tmp_path).totals.pages == 1
        add_rules(tmp_path, ["delay 9000 host0.example"])
        set_values(tmp_path / CONFIG_NAME, "limits", {"pages": 5, "seconds": 2.0})
        assert crawl(tmp_path).reason == "seconds"
    assert web.urls() == [f"{SERVERS[0]}robots.txt", SERVERS[0]]
