"""A worker alone: orders it must not carry out, and partitions that others take from it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from exonym.cluster import mailing
from exonym.cluster.worker import Worker, WorkerSetup
from exonym.cluster.worker_messages import PartitionReport, WorkerOrder
from exonym.config import CONFIG_NAME, load
from exonym.crawl_directory import crawl_writer
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.testing.live import check_directory, write_crawl

OPTIONS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)
PARTITIONS = 2
LIFE = "first"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[PracticeWeb, PracticeAddress]]:
    web = PracticeWeb(seed=9, pages=300, options=OPTIONS)
    with running_practice_web(web) as address:
        yield web, address


class Boss:
    """A worker, and orders for it that answer its reports, as a coordinator's do."""

    def __init__(self, directory: Path) -> None:
        layout = ClusterLayout.create(directory, PARTITIONS)
        setup = WorkerSetup("worker", LIFE, "here", layout, load(directory / CONFIG_NAME))
        self.worker = Worker(setup, lambda name, packet: None)
        self.drive: dict[int, int] = {}
        self.number = 0

    def order(self, drive: dict[int, int], life: str = LIFE, finish: str | None = None) -> None:
        """Order to drive partitions, made if need be, under these assignments."""
        self.drive = drive
        self.number += 1
        routes = dict.fromkeys(drive, "worker")
        report = self.worker.report().number
        self.worker.obey(WorkerOrder(self.number, life, report, drive, list(drive), routes, finish=finish))

    def round(self) -> None:
        self.order(self.drive)
        self.worker.round()

    def until_visited(self, number: int, pages: int) -> None:
        """Work until a partition has visited so many pages."""
        while self.partitions[number].totals.pages < pages:
            self.round()

    def until_spent(self) -> None:
        while not all(report.is_spent for report in self.partitions.values()):
            self.round()

    @property
    def partitions(self) -> dict[int, PartitionReport]:
        return {partition.number: partition for partition in self.worker.report().partitions}

    @property
    def problems(self) -> dict[int, str]:
        return self.worker.report().problems


@pytest.fixture
def boss(tmp_path: Path, served: tuple[PracticeWeb, PracticeAddress]) -> Iterator[Boss]:
    asked = {"strategy": {"name": "bfs"}, "network": {"connections": 4}, "readers": {"count": 0}}
    write_crawl(tmp_path, *served, asked | {"urls": {"files": "follow"}})
    made = Boss(tmp_path)
    try:
        yield made
    finally:
        made.worker.close()


def archive_bytes(directory: Path, number: int) -> int:
    return sum(path.stat().st_size for path in (directory / "partitions" / f"{number:04}" / "warc").iterdir())


def take_over_by_hand(state: Path) -> None:
    (state / "fence").write_text("1000\n")


def take_over_by_a_process(state: Path) -> None:
    """As a machine does that does not see the other one's lock."""
    (state / "lock").unlink()
    code = "import sys, pathlib, exonym.store.lock as lock; lock.DirectoryLock(pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(state)], check=True)


@pytest.mark.parametrize("take_over", [take_over_by_hand, take_over_by_a_process])
def test_a_partition_that_was_taken_over_is_given_up_before_anything_is_written(
    take_over: Callable[[Path], None], boss: Boss, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the process was halted before each page, for long enough that it may have been taken for dead.
    monkeypatch.setattr(crawl_writer, "OWNER_SECONDS", 0.0)
    monkeypatch.setattr(mailing, "RESEND_SECONDS", 0.2)
    boss.order({0: 1, 1: 1})
    boss.until_visited(0, 10)
    take_over(tmp_path / "partitions" / "0000" / "state")
    size = archive_bytes(tmp_path, 0)
    while 0 in boss.partitions:
        boss.round()
    assert archive_bytes(tmp_path, 0) == size
    assert "was taken over by another process" in boss.problems[0]
    while boss.partitions[1].totals.frontier:  # with orders that were made before the problem was heard of
        boss.round()
    assert list(boss.partitions) == [1]
    boss.order({0: 2, 1: 1})  # a new assignment
    assert sorted(boss.partitions) == [0, 1]
    assert boss.problems == {}
    boss.until_spent()
    boss.order({0: 2, 1: 1}, finish="empty frontier")
    assert boss.worker.report().is_closed
    check_directory(tmp_path)


def test_a_partition_that_was_taken_over_and_given_back_is_opened_anew(boss: Boss, tmp_path: Path) -> None:
    boss.order({0: 1, 1: 1})
    boss.until_visited(0, 10)
    take_over_by_hand(tmp_path / "partitions" / "0000" / "state")
    boss.order({0: 7, 1: 1})  # the worker never heard that another one had it
    assert (tmp_path / "partitions" / "0000" / "state" / "fence").read_text() == "1001\n"
    assert boss.problems == {}
    boss.until_visited(0, 10)
    boss.order({0: 7, 1: 1}, finish="")
    check_directory(tmp_path)


def test_orders_of_another_life_and_old_ones_are_not_obeyed(boss: Boss) -> None:
    boss.order({0: 1}, life="second")
    assert boss.partitions == {}
    boss.order({0: 1})
    boss.number = 0
    boss.order({0: 1, 1: 1})
    assert list(boss.partitions) == [0]


def test_a_damaged_partition_is_reported_and_tried_once_for_each_assignment(boss: Boss, tmp_path: Path) -> None:
    boss.order({0: 1, 1: 1})
    boss.order({1: 1})
    data = tmp_path / "partitions" / "0000" / "state" / "data.mdb"
    sound = data.read_bytes()
    data.write_bytes(b"no database")
    boss.order({0: 2, 1: 1})
    problem = boss.problems[0]
    assert len(problem.splitlines()) == 1
    data.write_bytes(sound)
    boss.order({0: 2, 1: 1})
    assert boss.problems == {0: problem}
    boss.order({0: 3, 1: 1})
    assert boss.problems == {}
    assert sorted(boss.partitions) == [0, 1]
