"""How a live crawl ends: at its limits, when asked to, without room on the disk; and how it goes on after."""

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, json_here
from commands import run as run_command
from waiting import wait_until

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.crawl import Bounds
from exonym.crawl_progress import CrawlProgress
from exonym.live.driver import run
from exonym.live.stop import StopRequest
from exonym.metrics import Summary
from exonym.practice import PracticeOptions, PracticeResponse, PracticeWeb, running_practice_web
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import check_directory, crawl, crawl_from, merged, rows_of, write_crawl, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.testing.simulation import ReferenceSimulation
from exonym.urls import server_of

A, B = "http://a.example/", "http://b.example/"
HOSTS = [f"http://host{number}.example/" for number in range(4)]


def links(*targets: str) -> PracticeResponse:
    return page("".join(f'<a href="{target}">{target}</a> ' for target in targets))


def many_pages(delay_seconds: float = 0.0) -> dict[str, PracticeResponse]:
    """Hosts with 50 pages each."""
    paths = [f"/{number}" for number in range(50)]
    homes = {host: links(*(host + path[1:] for path in paths)) for host in HOSTS}  # alike, they would be copies
    return homes | dict.fromkeys(paths, page("words " * 100, delay_seconds=delay_seconds))


def pages_in(directory: Path) -> int:
    return sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in rows_of(directory))


# Limits


@pytest.mark.parametrize("connections", [1, 20])
def test_page_limit_is_exact_and_can_be_raised(tmp_path: Path, connections: int) -> None:
    with ScriptedWeb(many_pages()) as web:
        for limit in (7, 8, 40):
            asked = {"limits": {"pages": limit}, "network": {"connections": connections}}
            crawl_from(HOSTS, tmp_path, web.address, asked)
            assert pages_in(tmp_path) == limit
        # What was asked for, and no more: the limit holds for requests, not only for rows.
        assert len([url for url in web.urls() if not url.endswith("/robots.txt")]) == 40


def test_byte_limit_ends_the_crawl(tmp_path: Path) -> None:
    with ScriptedWeb(many_pages()) as web:
        rows = crawl_from(HOSTS, tmp_path, web.address, {"limits": {"bytes": 20_000}, "network": {"connections": 1}})
        assert sum(row.length for row in rows) >= 20_000
        assert sum(row.length for row in rows[:-1]) < 20_000
        assert crawl(tmp_path).reason == "bytes"


def test_time_limit_ends_the_crawl_and_counts_over_resumptions(tmp_path: Path) -> None:
    with ScriptedWeb(many_pages(delay_seconds=0.1)) as web:  # five seconds at least
        rows = crawl_from(HOSTS, tmp_path, web.address, {"limits": {"seconds": 2.5}})
        assert 0 < len(rows) < 200
        before = len(web.asked)
        assert crawl(tmp_path).reason == "seconds"
        assert len(web.asked) == before


def test_limit_per_server_holds_for_each(tmp_path: Path) -> None:
    with ScriptedWeb(many_pages()) as web:
        rows = crawl_from(HOSTS, tmp_path, web.address, {"limits": {"pages_per_server": 9}})
        servers = [server_of(row.url) for row in rows]
        assert {servers.count(server) for server in set(servers)} == {9}
        assert crawl(tmp_path).reason == "empty frontier"


# Wishes


def stopped(directory: Path, presses: int, is_time: Callable[[], bool]) -> Summary:
    """Run a crawl and press Ctrl-C so often once it is time."""
    stop = StopRequest()

    def show(_: CrawlProgress) -> None:
        while is_time() and stop.level < presses:
            stop.press()

    return run(directory, load(directory / CONFIG_NAME), show, stop)


def settings(web: ScriptedWeb, *seeds: str, **network: object) -> dict[str, dict[str, Any]]:
    own: dict[str, dict[str, Any]] = {
        "seeds": {"urls": list(seeds)},
        "target": {"languages": ["th"]},
        "strategy": {"name": "bfs"},
        "readers": {"count": 0},
    }
    return merged(own, {"network": {"connect_to": web.address, **network}})


def test_first_wish_to_stop_lets_what_is_in_flight_finish(tmp_path: Path) -> None:
    with ScriptedWeb(many_pages(delay_seconds=0.1)) as web:
        write_settings(tmp_path, settings(web, *HOSTS))
        assert stopped(tmp_path, 1, lambda: len(web.asked) > 20).reason == "interrupted"
        asked = [url for url in web.urls() if not url.endswith("/robots.txt")]
        assert len(asked) < 200
        assert sorted(asked) == sorted(row.url for row in check_directory(tmp_path))
        assert crawl(tmp_path).reason == "empty frontier"
        asked = [url for url in web.urls() if not url.endswith("/robots.txt")]
        assert sorted(asked) == sorted(row.url for row in check_directory(tmp_path))  # nothing was asked for twice
        assert len(asked) == 4 * 51


def test_second_wish_stops_at_once_and_loses_nothing(tmp_path: Path) -> None:
    answers = {A: [page("never", delay_seconds=3_600), page("now")], B: links("/1"), "/1": page("1")}
    with ScriptedWeb(answers) as web:
        write_settings(tmp_path, settings(web, A, B, total_seconds=7_200.0, low_speed_seconds=7_200))
        summary = stopped(tmp_path, 2, lambda: {A, f"{B}1"} <= set(web.urls()))
        assert (summary.reason, summary.totals.frontier) == ("interrupted", 1)
        assert A not in {row.url for row in check_directory(tmp_path)}
        assert crawl(tmp_path).reason == "empty frontier"
        assert {row.url for row in check_directory(tmp_path)} == {A, B, f"{B}1"}


# Processes


def test_running_crawl_shows_its_status_and_keeps_others_out(tmp_path: Path) -> None:
    answers = {A: page("never", delay_seconds=3_600), B: links("/1"), "/1": page("1")}
    with ScriptedWeb(answers) as web:
        write_settings(tmp_path, settings(web, A, B, total_seconds=7_200.0, low_speed_seconds=7_200))
        with subprocess.Popen([EXONYM, "crawl", str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
            try:
                wait_until(lambda: {A, f"{B}1"} <= set(web.urls()), process)
                second = run_command("crawl", tmp_path)
                assert (second.returncode, second.stderr.count("\n")) == (2, 1)
                assert f"{tmp_path} is in use by process {process.pid}" in second.stderr
                wait_until(lambda: json_here("status", tmp_path)["pages"] == 2, process)
                found = json_here("status", tmp_path)
                assert (found["finished"], found["frontier"]) == (False, 1)
                assert interrupted(process) == 130
            finally:
                process.kill()
        assert json_here("status", tmp_path)["frontier"] == 1


def interrupted(process: "subprocess.Popen[str]") -> int:
    """Press Ctrl-C until it ends; presses too close together would be one."""
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
    return process.returncode


# Disks

LIMITED = "import os, resource, sys; n = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); "
LIMITED += "os.execv(sys.argv[2], sys.argv[2:])"


@pytest.mark.parametrize(("pages", "file_bytes"), [(600, 1_000_000_000), (1_200, 300_000)], ids=["archive", "store"])
def test_full_disk_pauses_the_crawl_which_goes_on_when_there_is_room(
    tmp_path: Path, pages: int, file_bytes: int
) -> None:
    """No file may grow beyond a limit: first the archive meets it, then, with small WARC files, the store."""
    options = PracticeOptions(traps=False, crawl_delay_seconds=0.0, retry_after_seconds=0, links_per_page=60)
    web = PracticeWeb(seed=8, pages=pages, options=options)
    with running_practice_web(web) as address:
        asked = {"strategy": {"name": "bfs"}, "archive": {"file_bytes": file_bytes}, "network": {"connections": 2}}
        asked |= {"urls": {"files": "follow"}}  # which links to files are tried depends on the order
        write_crawl(tmp_path, web, address, asked)
        command = [sys.executable, "-c", LIMITED, "806000", EXONYM, "crawl", str(tmp_path)]
        paused = subprocess.run(command, capture_output=True, text=True)
        assert paused.returncode == 2, paused
        assert "paused: the disk is full; nothing is lost" in paused.stdout
        assert paused.stderr.count("\n") == 1
        assert f"Make room, then: exonym crawl {tmp_path}" in paused.stderr
        before = rows_of(tmp_path)
        assert json_here("status", tmp_path)["finished"] is False
        resumed = run_command("crawl", tmp_path)
        assert resumed.returncode == 0, resumed.stderr
    rows = check_directory(tmp_path)
    assert rows[: len(before)] == before
    simulated = ReferenceSimulation(web.graph(), make_strategy("bfs", {}), Bounds()).run()
    assert {row.url for row in rows} >= {row.url for row in simulated}  # which knows no sitemaps
