"""Sites of several workers on one IP address: who asked what, and when."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from exonym.cluster.worker import WorkerSetup
from exonym.cluster.worker_messages import WorkerReport, unpacked
from exonym.fetch import Resolver
from exonym.live import assembly
from exonym.testing.cluster import LocalWorkers, crawl_in_cluster
from exonym.testing.live import check_directory, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.urls import partition_of, server_of

DELAY_SECONDS = 0.2
ANSWER_SECONDS = 0.5  # longer than the delay, so that requests of one worker overlap, and those of two would
PARTITIONS = 4
SITES = 8


class Visit(NamedTuple):
    """A request for a page: when it was sent, and the worker that drives its partition."""

    seconds: float
    worker: str


class WatchedWorkers(LocalWorkers):
    """Workers of which it is known who drives what; one may be killed, and started again at once."""

    def __init__(self, setups: list[WorkerSetup], web: ScriptedWeb, kill_after: int) -> None:
        self.drivers: dict[int, str] = {}
        self._web = web
        self._kill_after = kill_after
        super().__init__(setups)

    def reports(self, seconds: float) -> dict[str, bytes]:
        reports = super().reports(seconds)
        for data in reports.values():
            report = unpacked(data, WorkerReport)
            for partition in report.partitions:
                assert self.drivers.setdefault(partition.number, report.name) == report.name
        if self._kill_after and len(self._web.asked) >= self._kill_after:
            self._kill_after = 0
            self.kill(self.names[0])
            self.start(self.names[0])
        return reports


def local_lookup(host: str) -> Sequence[str]:
    assert host.endswith(".example")
    return ["127.0.0.1"]


@pytest.mark.parametrize("kill_after", [0, 9], ids=["undisturbed", "killed"])
def test_workers_take_turns_at_an_address_and_keep_its_delay(
    kill_after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "Resolver", partial(Resolver, lookup=local_lookup))
    answers = {"/": page('<a href="/1">one</a>', delay_seconds=ANSWER_SECONDS)}
    answers["/1"] = page("no more", delay_seconds=ANSWER_SECONDS)
    made: list[WatchedWorkers] = []
    with ScriptedWeb(answers) as web:
        port = web.address.rpartition(":")[2]
        settings = {
            "seeds": {"urls": [f"http://site{number}.example:{port}/" for number in range(SITES)], "sitemaps": False},
            "target": {"languages": ["th"]},
            "strategy": {"name": "bfs"},
            "network": {"allow_private": True, "connections": 10},
            "politeness": {"address_delay_seconds": DELAY_SECONDS},
            "readers": {"count": 0},
        }
        write_settings(tmp_path, settings)

        def watched(setups: list[WorkerSetup]) -> WatchedWorkers:
            made.append(WatchedWorkers(setups, web, kill_after))
            return made[0]

        crawl_in_cluster(tmp_path, 2, PARTITIONS, make_workers=watched)
    rows = sorted(check_directory(tmp_path), key=lambda row: row.when)
    assert ({row.status for row in rows}, len(rows)) == ({200}, 2 * SITES)
    assert set(web.urls()) >= {row.url for row in rows}
    # A busy machine takes note of a request a little after it was sent; half of the time between two is more than that.
    visits = [Visit(row.when, made[0].drivers[partition_of(server_of(row.url), PARTITIONS)]) for row in rows]
    assert min(second.seconds - first.seconds for first, second in pairwise(visits)) > DELAY_SECONDS / 2
    assert len({visit.worker for visit in visits}) == 2
    changes = [(first, second) for first, second in pairwise(visits) if first.worker != second.worker]
    assert changes
    for first, second in changes:
        assert second.seconds - first.seconds > ANSWER_SECONDS / 2
    # Not a turn for each page: what one worker asked overlaps.
    alike = [(first, second) for first, second in pairwise(visits) if first.worker == second.worker]
    assert min(second.seconds - first.seconds for first, second in alike) < ANSWER_SECONDS
