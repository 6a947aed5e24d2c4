"""Killed at any moment, nothing lost: real processes, real SIGKILL, then proof from journal and archive.

EXONYM_KILLS=200 makes a long run of it: so many kills for each test of random moments.
"""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dying import PLACES
from hand_made import hand_made
from waiting import is_reached

from exonym.archive import ArchiveOptions
from exonym.batches import Outcome
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.errors import DirectoryError
from exonym.journal import Journal, JournalRow
from exonym.models.links.link_model_file import save_link_model
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.store import Store
from exonym.strategies.base import State
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import check_directory, crawl, write_crawl
from exonym.urls import server_of

BIN = Path(sys.executable).parent
EXONYM = [str(BIN / "exonym"), "crawl"]
DYING = str(Path(__file__).with_name("dying.py"))
HURRIED = [sys.executable, DYING]
KILLS = int(os.environ.get("EXONYM_KILLS", "0"))
CHANCE = random.Random(int(os.environ.get("EXONYM_SEED", "20")))
TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)
ALL_LINKS = {"urls": {"files": "follow"}}  # which links to files are tried depends on the order
SMALL_FILES = {"archive": {"file_bytes": 200_000}}


@pytest.fixture(scope="module")
def finite() -> Iterator[tuple[PracticeWeb, PracticeAddress]]:
    """A web without traps: whatever the order, a crawl that drops nothing visits the same URLs."""
    web = PracticeWeb(seed=4, pages=max(800, 100 * KILLS), options=replace(TIMELESS, traps=False))
    with running_practice_web(web) as address:
        yield web, address


@pytest.fixture(scope="module")
def endless() -> Iterator[tuple[PracticeWeb, PracticeAddress]]:
    web = PracticeWeb(seed=5, pages=max(250, 20 * KILLS), options=TIMELESS)
    with running_practice_web(web) as address:
        yield web, address


def all_of(web: tuple[PracticeWeb, PracticeAddress], directory: Path) -> list[JournalRow]:
    """What a crawl of all of a web visits that nobody kills."""
    asked = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}, "readers": {"count": 0}}
    write_crawl(directory, *web, asked | ALL_LINKS)
    assert crawl(directory).reason == "empty frontier"
    return check_directory(directory)


def kill_after(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Kill a process after so long, if it has not ended before, as it should."""
    try:
        assert process.wait(seconds) == 0, process.args
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def is_killed_in(command: list[str], *arguments: object) -> bool:
    """Run a process that may kill itself; whether it did."""
    status = subprocess.run([*command, *map(str, arguments)], stdout=subprocess.DEVNULL).returncode
    assert status in (0, -signal.SIGKILL), status
    return status != 0


@contextmanager
def started(command: list[str], directory: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([*command, str(directory)], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_rows(process: subprocess.Popen[bytes], directory: Path, rows: int) -> bool:
    """Wait until so many rows are committed; False if the process ends first."""
    return is_reached(lambda: rows_in(directory) >= rows, process)


def rows_in(directory: Path) -> int:
    with suppress(DirectoryError), Store.open(directory / "state", read_only=True) as store:
        return Journal(store, directory / "journal").count()
    return 0  # before the first commit


def check_with_foreign_tools(directory: Path) -> None:
    files = sorted(map(str, (directory / "warc").glob("*.warc.gz")))
    assert files
    subprocess.run(["gzip", "-t", *files], check=True)
    checked = subprocess.run([str(BIN / "warcio"), "check", *files], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout[-2_000:]


def natures(rows: list[JournalRow]) -> tuple[dict[str, tuple[object, ...]], list[str]]:
    """What the visits were, and the relevant payloads: which of two pages alike counts depends on the order."""
    facts = {row.url: (row.outcome, row.status, row.language, row.digest) for row in rows}
    return facts, sorted(row.digest for row in rows if row.relevant)


# At random moments


def test_crawl_killed_at_random_moments_loses_and_repeats_nothing(
    tmp_path: Path, finite: tuple[PracticeWeb, PracticeAddress]
) -> None:
    expected = all_of(finite, tmp_path / "whole")
    directory = tmp_path / "killed"
    asked: dict[str, Any] = {"strategy": {"name": "soft"}, "limits": {"pages_per_server": 0}}
    write_crawl(directory, *finite, asked | ALL_LINKS | SMALL_FILES | {"network": {"connections": 20}})
    assert is_killed_in(HURRIED, directory, "committed", "before", 3)  # once for certain, then as the machine has it
    wanted = KILLS or 5
    for _ in range(wanted):
        kill_soon(directory, len(expected) // wanted)
    assert not is_killed_in(EXONYM, directory)
    assert natures(check_directory(directory)) == natures(expected)
    check_with_foreign_tools(directory)


def kill_soon(directory: Path, rows: int) -> None:
    """Go on with a crawl and kill it after a while, or a moment after so many rows, if it has not ended before."""
    if CHANCE.random() < 0.3:
        with started(EXONYM, directory) as process:
            kill_after(process, 0.4 + CHANCE.random())
    else:
        wanted_rows = rows_in(directory) + CHANCE.randint(0, rows)
        with started(HURRIED, directory) as process:
            if wait_for_rows(process, directory, wanted_rows):
                kill_after(process, CHANCE.random() * 0.05)


def test_crawl_killed_as_it_starts_is_started_anew(tmp_path: Path, finite: tuple[PracticeWeb, PracticeAddress]) -> None:
    asked: dict[str, Any] = {"limits": {"pages": 30}, "network": {"connections": 20}}
    write_crawl(tmp_path, *finite, asked)
    for _ in range(KILLS // 4 or 4):
        with started(EXONYM, tmp_path) as process:
            kill_after(process, CHANCE.random())
    assert not is_killed_in(EXONYM, tmp_path)
    assert sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in check_directory(tmp_path)) == 30


# At every step of a commit, in the order of the strategy


EVERYWHERE = tuple(PLACES)


@pytest.mark.parametrize(
    ("strategy", "places"),
    [
        # These learn from links, which no journal row tells.
        ({"name": "segment", "S": 4, "D": 3, "model": "../pooled.links"}, EVERYWHERE),
        (
            {"name": "segment", "S": 4, "D": 3, "model": "../hand.links", "history": 0.5, "neighbourhood": 0.25},
            EVERYWHERE[::2],
        ),
        ({"name": "mean-segment"}, EVERYWHERE[1::2]),
        ({"name": "site", "model": "../site.links"}, EVERYWHERE[::2]),
        ({"name": "lswc", "S": 3, "T": 5}, EVERYWHERE[1::2]),
        ({"name": "adaptive"}, EVERYWHERE[::2]),
    ],
    ids=["segment, pooled", "segment", "mean-segment", "site", "lswc", "adaptive"],
)
def test_crawl_killed_at_every_step_of_a_commit_goes_on_in_the_same_order(
    strategy: dict[str, Any],
    places: tuple[str, ...],
    served: Path,
    tmp_path: Path,
    endless: tuple[PracticeWeb, PracticeAddress],
) -> None:
    asked: dict[str, Any] = {
        "strategy": strategy,
        "limits": {"pages_per_server": 60},
        "network": {"connections": 1},
        "readers": {"count": 0},
        # A resumed crawl reads robots.txt again, and may find a sitemap there by a better link than the first time.
        "seeds": {"sitemaps": False},
    }
    save_link_model(hand_made(), tmp_path / "hand.links")
    save_link_model(replace(hand_made(), pool="pair"), tmp_path / "pooled.links")
    save_link_model(hand_made("site"), tmp_path / "site.links")
    endless[1].reset()
    write_crawl(tmp_path / "whole", *endless, asked)
    crawl(tmp_path / "whole")
    expected = check_directory(tmp_path / "whole")
    endless[1].reset()
    write_crawl(tmp_path / "killed", *endless, asked | SMALL_FILES)
    hurried, planned = [str(served / "python"), DYING], steps(EVERYWHERE if KILLS else places)
    died = sum(is_killed_in(hurried, tmp_path / "killed", *step) for step in planned)
    assert not is_killed_in(hurried, tmp_path / "killed")
    assert list(map(facts_of, check_directory(tmp_path / "killed"))) == list(map(facts_of, expected))
    assert died == len(planned)
    assert learned_in(tmp_path / "killed", strategy) == learned_in(tmp_path / "whole", strategy)
    check_with_foreign_tools(tmp_path / "killed")


def learned_in(directory: Path, strategy: dict[str, Any]) -> dict[Any, str]:
    """What the strategy had learned when the crawl ended: the rank of each group, or all of it if it ranks none."""
    options = {key: value for key, value in strategy.items() if key != "name"}
    learned = make_strategy(strategy["name"], options, directory=directory)
    keeper = CrawlWriter(directory, ArchiveOptions())
    try:
        snapshot = keeper.snapshot()
    finally:
        keeper.close()
    assert snapshot is not None
    learned.restore(snapshot["strategy"])
    if strategy["name"] == "adaptive":
        return everything_in(snapshot["strategy"])
    groups = np.sort(snapshot["strategy"]["ids"].astype(np.uint64))
    assert len(groups) > 5
    return dict(zip(groups.tolist(), map(repr, learned.rank(groups).tolist()), strict=True))


def everything_in(state: State) -> dict[Any, str]:
    """What is in a state; its groups are in the order in which they were met, which is not that of the replay."""
    assert len(state["words_learned_words"]) > 100
    order = {name.removesuffix("ids"): np.argsort(ids) for name, ids in state.items() if name.endswith("_ids")}
    sorted_as = {name + column: places for name, places in order.items() for column in ("ids", "counts")}
    return {name: repr(column[sorted_as.get(name, ...)].tolist()) for name, column in state.items()}


def steps(places: tuple[str, ...]) -> list[tuple[str, str, int]]:
    """Each of the places, before or after, and now and then once more; soon, so that the crawl is not over before."""
    planned = list(places) * max(1, KILLS // len(places))
    CHANCE.shuffle(planned)
    once = {"journal sealed", "archive flushed"}
    return [
        (place, CHANCE.choice(["before", "after"]), 1 if place in once else CHANCE.randint(2, 4)) for place in planned
    ]


def facts_of(row: JournalRow) -> tuple[object, ...]:
    """All that does not depend on clocks, on how often a server was asked, or on the archive's files."""
    return (row.row, row.url, row.outcome, row.relevant, row.language, row.distance, row.score, row.source, row.digest)


def test_dropped_servers_stay_dropped_over_kills(tmp_path: Path, endless: tuple[PracticeWeb, PracticeAddress]) -> None:
    asked: dict[str, Any] = {
        "strategy": {"name": "lswc", "S": 2, "T": 5},
        "network": {"connections": 20},
        "readers": {"count": 0},
    }
    write_crawl(tmp_path, *endless, asked)
    wanted = KILLS // 4 or 4
    died = sum(is_killed_in(HURRIED, tmp_path, "committed", "before", CHANCE.randint(2, 4)) for _ in range(wanted))
    assert died == wanted
    assert not is_killed_in(EXONYM, tmp_path)
    pages: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    for row in check_directory(tmp_path):
        server = server_of(row.url)
        assert relevant[server] or pages[server] < 2, f"{row.url} was visited though its server is irrelevant"
        pages[server] += row.outcome in (Outcome.PAGE, Outcome.FAILED)
        relevant[server] += row.relevant
    assert len(relevant) > 5
    assert len(pages) > len(+relevant)


# Readers


def test_killed_readers_cost_nothing(tmp_path: Path, finite: tuple[PracticeWeb, PracticeAddress]) -> None:
    expected = all_of(finite, tmp_path / "whole")
    directory = tmp_path / "killed"
    asked: dict[str, Any] = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}, "readers": {"count": 2}}
    write_crawl(directory, *finite, asked | ALL_LINKS | {"network": {"connections": 20}})
    wanted = KILLS // 4 or 6
    with started(HURRIED, directory) as process:
        for _ in range(wanted):
            # Many rows after the last kill, so that no page loses its reader twice.
            if wait_for_rows(process, directory, rows_in(directory) + len(expected) // (wanted + 2)):
                kill_a_reader(process.pid)
        assert process.wait() == 0
    rows = check_directory(directory)
    assert natures(rows) == natures(expected)
    assert not [row.failure for row in rows if row.failure.startswith("reader")]


def kill_a_reader(crawl_process: int) -> None:
    with suppress(FileNotFoundError, ProcessLookupError):  # the crawl or the reader may have ended meanwhile
        children = Path(f"/proc/{crawl_process}/task/{crawl_process}/children").read_text().split()
        CHANCE.shuffle(children)
        for child in children:
            if b"exonym.readers.reader_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(int(child), signal.SIGKILL)
                return
