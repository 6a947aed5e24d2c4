"""A cluster in one process, for tests: workers are threads, and the network between them is a function call.

>>> with running_practice_web(web) as address:                       # doctest: +SKIP
...     write_crawl(directory, web, address)
...     crawl_in_cluster(directory, workers=2, partitions=4)
"""

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from exonym.cluster.running import check_settings, coordinating, run
from exonym.cluster.worker import WorkerSetup
from exonym.cluster.worker_thread import WorkerThread
from exonym.config import CONFIG_NAME, load
from exonym.live.driver import ShowCrawl
from exonym.live.stop import StopRequest
from exonym.metrics import Summary
from exonym.strategies.base import Strategy


class LocalWorkers:
    """Workers in threads of this process."""

    def __init__(self, setups: list[WorkerSetup]) -> None:
        self.names = [setup.name for setup in setups]
        self._setups = {setup.name: setup for setup in setups}
        self.threads: dict[str, WorkerThread] = {}
        self._answers: dict[str, bytes] = {}
        self._lives = itertools.count(1)
        for name in self.names:
            self.start(name)

    def start(self, name: str) -> None:
        """Start a worker, or start it again."""
        setup = replace(self._setups[name], life=f"{name}-{next(self._lives)}")
        self.threads[name] = WorkerThread(setup, self.send)

    def kill(self, name: str) -> None:
        """End a worker without a commit."""
        self.threads.pop(name).end()

    def send(self, worker: str, packet: bytes) -> None:
        """Carry a packet to a worker; lost if that is not running."""
        if worker in self.threads:
            self.threads[worker].deliver(packet)

    def give(self, worker: str, order: bytes) -> None:
        self._answers[worker] = self.threads[worker].exchange(order) if worker in self.threads else b""

    def reports(self, seconds: float) -> dict[str, bytes]:
        time.sleep(seconds)
        answers, self._answers = self._answers, {}
        return answers

    def end(self) -> None:
        """End all workers."""
        for thread in self.threads.values():
            thread.end()
        self.threads.clear()


def crawl_in_cluster(
    directory: Path,
    workers: int = 1,
    partitions: int = 1,
    stop: StopRequest | None = None,
    make_strategy: Callable[[], Strategy] | None = None,
    make_workers: Callable[[list[WorkerSetup]], LocalWorkers] = LocalWorkers,
    show: ShowCrawl = lambda progress: None,
) -> Summary:
    """Run the crawl in `directory` by a cluster of threads, without a display unless `show` is one."""
    settings = load(directory / CONFIG_NAME)
    check_settings(directory, settings)
    with coordinating(directory, partitions) as layout:
        setups = [
            WorkerSetup(f"worker{number}", "", os.uname().nodename, layout, settings, workers)
            for number in range(workers)
        ]
        local = make_workers(setups)
        try:
            return run(layout, settings, local, show, stop or StopRequest(), lambda line: None)
        finally:
            local.end()
