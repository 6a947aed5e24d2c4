"""`exonym crawl --cluster` on a real Ray cluster: kills, stops, other numbers of workers, and what is refused."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, json_of, refused, run, run_here
from ray_cluster import RayCluster
from waiting import wait_until

from exonym.batches import Outcome
from exonym.cluster import coordinator
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.errors import DirectoryError
from exonym.journal import Journal, JournalRow
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.store import Store
from exonym.testing.live import check_directory, crawl, write_crawl

OPTIONS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)


@pytest.fixture(scope="module")
def web() -> PracticeWeb:
    return PracticeWeb(seed=9, pages=300, options=OPTIONS)


@pytest.fixture(scope="module")
def served(web: PracticeWeb) -> Iterator[PracticeAddress]:
    with running_practice_web(web) as address:
        yield address


def new_crawl(directory: Path, web: PracticeWeb, served: PracticeAddress, **limits: int) -> Path:
    asked: dict[str, Any] = {
        "strategy": {"name": "bfs"},
        "network": {"connections": 4},
        "seeds": {"sitemaps": False},
        "limits": {"pages_per_server": 0, **limits},
        "urls": {"files": "follow"},
        "readers": {"count": 0},
        "politeness": {"delay_seconds": 0.05},  # so that there is a middle of the crawl in which workers can be killed
    }
    write_crawl(directory, web, served, asked)
    return directory


@pytest.fixture(scope="module")
def expected(web: PracticeWeb, served: PracticeAddress, tmp_path_factory: pytest.TempPathFactory) -> set[Any]:
    """What one process visits that nobody disturbs."""
    directory = new_crawl(tmp_path_factory.mktemp("crawl") / "alone", web, served)
    assert crawl(directory).reason == "empty frontier"
    return facts_of(check_directory(directory))


def facts_of(rows: list[JournalRow]) -> set[Any]:
    return {(row.url, row.outcome, row.digest) for row in rows}


@contextmanager
def running(directory: Path, ray_cluster: RayCluster, workers: int) -> "Iterator[subprocess.Popen[str]]":
    command = [EXONYM, "crawl", str(directory), "--cluster", "--workers", str(workers)]
    process = subprocess.Popen(
        [*command, "--address", ray_cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def rows_in(directory: Path) -> int:
    rows = 0
    for part in directory.glob("partitions/*"):
        with suppress(DirectoryError), Store.open(part / "state", read_only=True) as store:
            rows += Journal(store, part / "journal").count()
    return rows


def worker_of(directory: Path, partition: int) -> int:
    """The process that drives a partition."""
    return int((ClusterLayout.open(directory).partition_directory(partition) / "state" / "lock").read_text())


def ended(process: "subprocess.Popen[str]") -> int:
    out, err = process.communicate()
    print(out, err)  # pytest shows it if the test fails
    return process.returncode


def test_a_killed_worker_costs_nothing_and_a_second_coordinator_is_refused(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress, ray_cluster: RayCluster, expected: set[Any]
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, served)
    with running(directory, ray_cluster, 2) as process:
        wait_until(lambda: rows_in(directory) > 30, process)
        assert worker_of(directory, 0) != worker_of(directory, 1)
        os.kill(worker_of(directory, 0), signal.SIGKILL)
        options = ["--cluster", "--workers", 1, "--address", ray_cluster.address]
        second = run("crawl", directory, *options)
        assert second.returncode == 2
        assert f"exonym: crawl {directory} is in use by process {process.pid}." in second.stderr
        assert ended(process) == 0
    assert facts_of(check_directory(directory)) == expected
    # Eight partitions for two workers; nothing is left to do, also for another number of workers.
    assert ClusterLayout.open(directory).partitions == 8
    assert refused("crawl", directory).endswith(f"Go on with: exonym crawl {directory} --cluster\n")


def test_a_crawl_is_stopped_killed_and_resumed_with_other_numbers_of_workers(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress, ray_cluster: RayCluster, expected: set[Any]
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, served)
    with running(directory, ray_cluster, 2) as process:
        wait_until(lambda: rows_in(directory) > 30, process)
        process.send_signal(signal.SIGINT)
        assert ended(process) == 130
    before = check_directory(directory)
    assert 30 < len(before) < len(expected)
    with running(directory, ray_cluster, 1) as process:
        wait_until(lambda: rows_in(directory) > len(before) + 30, process)
        process.kill()  # the coordinator; Ray ends its workers
    with running(directory, ray_cluster, 3) as process:
        assert ended(process) == 0
    assert facts_of(check_directory(directory)) == expected
    status = json_of("status", directory)
    assert status["reason"] == "empty frontier"


def test_partitions_of_a_node_that_is_removed_go_to_another(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress, ray_cluster: RayCluster, expected: set[Any]
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, served)
    node = ray_cluster.cluster.add_node(num_cpus=2, object_store_memory=80_000_000)
    try:
        with running(directory, ray_cluster, 2) as process:
            wait_until(lambda: rows_in(directory) > 30, process)
            ray_cluster.cluster.remove_node(node)
            node = None
            assert ended(process) == 0
    finally:
        if node:
            ray_cluster.cluster.remove_node(node)
    assert facts_of(check_directory(directory)) == expected


def test_a_damaged_and_a_missing_partition_are_named_and_the_others_go_on(
    tmp_path: Path,
    web: PracticeWeb,
    served: PracticeAddress,
    ray_cluster: RayCluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, served, pages=40)
    options = ["--cluster", "--workers", 1, "--address", ray_cluster.address]
    assert run_here("crawl", directory, *options).code == 0
    (directory / "partitions" / "0001" / "state" / "data.mdb").write_bytes(b"no database")
    (directory / "partitions" / "0002").rename(directory / "elsewhere")
    config = directory / "crawl.toml"
    config.write_text(config.read_text().replace("pages = 40", "pages = 0"))
    monkeypatch.setattr(coordinator, "MISSING_SECONDS", 2.0)  # in this process, the coordinator's
    said = run_here("crawl", directory, *options)
    assert said.code == 2, said
    assert "partition 1 waits:" in said.err
    assert "partition 2 waits: no worker sees its directory" in said.err
    assert said.err.splitlines()[-1].startswith(f"exonym: partitions of {directory} are missing, the others are done.")


def test_a_crawl_that_began_alone_is_refused(
    tmp_path: Path, web: PracticeWeb, served: PracticeAddress, ray_cluster: RayCluster
) -> None:
    directory = new_crawl(tmp_path / "crawl", web, served, pages=5)
    crawl(directory)
    said = run_here("crawl", directory, "--cluster", "--workers", 2, "--address", ray_cluster.address)
    assert said.code == 2
    last = said.err.splitlines()[-1]
    assert last.endswith(f"Divide it first: exonym repartition {directory} --partitions 8")
    assert not (directory / "cluster.toml").exists()


def test_demo_shows_a_cluster_that_begins_and_ends_with_it(tmp_path: Path) -> None:
    # Without the token and the address of the cluster of other tests.
    environment = {name: value for name, value in os.environ.items() if name not in ("RAY_AUTH_TOKEN", "RAY_TMPDIR")}
    command = [EXONYM, "demo", str(tmp_path / "demo"), "--cluster", "--size", "200", "--json"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "Ray listens on 127.0.0.1 only, and asks for a token." in ran.stderr
    assert "Workers: 2, for 8 partitions, on 1 machine." in ran.stderr
    assert json.loads(ran.stdout)["pages"] == sum(is_counted(row) for row in check_directory(tmp_path / "demo"))


def is_counted(row: JournalRow) -> bool:
    return row.outcome in (Outcome.PAGE, Outcome.FAILED)
