"""Who drives which partition, and when a crawl ends: decided from reports that come late, or not at all."""

from collections import Counter
from dataclasses import dataclass, field

import msgspec
import pytest

from exonym.cluster.coordinator import LOST_SECONDS, MISSING_SECONDS, RETRY_SECONDS, START_SECONDS, Coordinator
from exonym.cluster.worker import SILENCE_SECONDS
from exonym.cluster.worker_messages import PartitionReport, WorkerOrder, WorkerReport
from exonym.config.settings import Limits
from exonym.live.stop import StopLevel
from exonym.metrics import Totals

REQUEST_SECONDS = 20.0
TAKEOVER_SECONDS = SILENCE_SECONDS + REQUEST_SECONDS
TURN_SECONDS = 0.2


@dataclass
class Acted:
    """A worker that does as it is told, and says of its partitions what the test wants it to say."""

    name: str
    node: str = "here"
    sees: set[int] = field(default_factory=lambda: set(range(8)))
    cannot_open: dict[int, str] = field(default_factory=dict)
    life: int = 1
    is_dead: bool = False
    order: WorkerOrder = field(default_factory=lambda: WorkerOrder(0))
    partitions: dict[int, PartitionReport] = field(default_factory=dict)
    reports: int = 0

    def obey(self, order: WorkerOrder) -> None:
        if order.life not in ("", f"{self.name}-{self.life}"):
            return
        self.order = order
        opened = [number for number in order.drive if number not in self.cannot_open]
        self.partitions = {number: self.partitions.get(number, working(number)) for number in opened}
        self.sees |= set(opened)
        for number, partition in self.partitions.items():
            if order.page_limits is not None:
                partition.page_limit = order.page_limits[number]

    def report(self) -> WorkerReport:
        self.reports += 1
        return WorkerReport(
            self.name,
            f"{self.name}-{self.life}",
            self.node,
            self.reports,
            self.order.number,
            sorted(self.sees),
            [msgspec.structs.replace(partition) for partition in self.partitions.values()],
            {number: why for number, why in self.cannot_open.items() if number in self.order.drive},
            is_closed=self.order.finish is not None,
        )

    def restart(self, node: str = "here") -> None:
        self.life, self.node, self.is_dead, self.reports = self.life + 1, node, False, 0
        self.order, self.partitions = WorkerOrder(0), {}


def working(number: int) -> PartitionReport:
    return PartitionReport(number, Totals(), 0, False, True, 0, 0, 0, None, None)


class Play:
    """A coordinator and its workers on a clock of their own; as in a cluster, a report is as old as the last order."""

    def __init__(self, workers: list[Acted], partitions: int, placed: set[int] | None = None, pages: int = 0) -> None:
        self.workers = {worker.name: worker for worker in workers}
        self.coordinator = Coordinator(Limits(pages=pages), partitions, self.workers, placed or set(), REQUEST_SECONDS)
        self.now = 1_000.0

    def turn(self) -> None:
        """Each worker that lives gets an order, and answers with the report that it had before."""
        self.coordinator.decide(self.now)
        for worker in self.workers.values():
            if not worker.is_dead:
                report = worker.report()
                order = self.coordinator.order_for(worker.name)
                self.coordinator.take(report, self.now)
                worker.obey(order)
        self.now += TURN_SECONDS

    def turns(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.turn()

    def driven(self) -> dict[int, str]:
        """Who drives which partition, by what the workers themselves do."""
        live = [worker for worker in self.workers.values() if not worker.is_dead]
        pairs = [(number, worker.name) for worker in live for number in worker.partitions]
        assert len(dict(pairs)) == len(pairs), "two workers drive one partition"
        return dict(pairs)


def rest(*workers: Acted) -> None:
    """Let partitions have nothing left to do."""
    for worker in workers:
        for partition in worker.partitions.values():
            partition.is_spent, partition.is_busy = True, False


def test_partitions_are_shared_evenly_once_all_workers_have_answered() -> None:
    play = Play([Acted("a"), Acted("b"), Acted("c")], 8)
    play.workers["c"].is_dead = True
    play.turns(START_SECONDS - 1)
    assert play.driven() == {}
    play.workers["c"].is_dead = False
    play.turns(1)
    assert sorted(Counter(play.driven().values()).values()) == [2, 3, 3]


def test_a_crawl_begins_without_a_worker_that_never_answers() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.workers["b"].is_dead = True
    play.turns(START_SECONDS + 1)
    assert play.driven() == dict.fromkeys(range(4), "a")
    assert play.coordinator.lost(play.now) == ["b"]


def test_a_worker_restarted_on_its_machine_goes_on_at_once() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(1)
    before = play.driven()
    play.workers["a"].restart()
    play.turn()
    play.turn()
    assert play.driven() == before


def test_a_worker_restarted_elsewhere_waits_until_its_old_machine_asks_nobody() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(1)
    left = {number for number, worker in play.driven().items() if worker == "a"}
    died = play.now
    play.workers["a"].restart("there")
    while not left & set(play.driven()):
        play.turn()
    assert play.now - died >= TAKEOVER_SECONDS
    assert play.now - died < TAKEOVER_SECONDS + 3 * TURN_SECONDS
    assert set(play.driven()) == {0, 1, 2, 3}


def test_partitions_of_a_worker_that_is_silent_go_to_others_when_it_asks_nobody_any_more() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(1)
    died = play.now
    play.workers["a"].is_dead = True
    play.turns(LOST_SECONDS + 1)
    assert play.coordinator.lost(play.now) == ["a"]
    while len(play.driven()) < 4:
        play.turn()
    assert TAKEOVER_SECONDS <= play.now - died < TAKEOVER_SECONDS + 3 * TURN_SECONDS
    assert set(play.driven().values()) == {"b"}


def test_a_worker_that_gives_one_report_again_and_again_counts_as_silent() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(1)
    hung = play.workers["a"]
    report = hung.report()
    hung.report = lambda: report  # type: ignore[method-assign]
    hung.obey = lambda order: None  # type: ignore[method-assign]
    hung.partitions = {}
    play.turns(TAKEOVER_SECONDS + 1)
    assert play.driven() == dict.fromkeys(range(4), "b")


def test_partitions_that_exist_go_only_to_workers_that_see_them() -> None:
    play = Play([Acted("a", sees={0, 1, 2}), Acted("b", sees={2, 3})], 5, placed={0, 1, 2, 3})
    play.turns(1)
    driven = play.driven()
    assert {number: driven[number] for number in (0, 1, 3)} == {0: "a", 1: "a", 3: "b"}
    assert set(driven) == {0, 1, 2, 3, 4}  # partition 4 is new, so anybody can make it


def test_a_partition_that_was_made_and_not_noted_is_not_made_twice() -> None:
    play = Play([Acted("a", sees=set()), Acted("b", sees={0})], 3)
    play.turns(1)
    assert play.driven()[0] == "b"
    assert len(play.driven()) == 3


def test_a_missing_partition_is_named_and_the_others_go_on_to_their_end() -> None:
    play = Play([Acted("a", sees={0, 1})], 3, placed={0, 1, 2})
    play.turns(1)
    assert play.driven() == {0: "a", 1: "a"}
    assert play.coordinator.absent() == {2: "no worker sees its directory"}
    play.turns(MISSING_SECONDS + 10)
    assert play.coordinator.reason == ""
    rest(play.workers["a"])
    play.turns(MISSING_SECONDS - 1)
    assert play.coordinator.reason == ""
    play.turns(2)
    assert play.coordinator.reason == "missing partitions"
    assert play.coordinator.reason_kept() == ""  # the others must go on when it is back


def test_a_missing_partition_that_comes_back_is_driven() -> None:
    play = Play([Acted("a", sees={0, 1})], 3, placed={0, 1, 2})
    play.turns(1)
    play.workers["a"].sees.add(2)
    play.turns(1)
    assert play.driven() == {0: "a", 1: "a", 2: "a"}
    assert play.coordinator.absent() == {}


def test_a_crawl_of_which_nothing_is_there_ends_after_a_while() -> None:
    play = Play([Acted("a", sees=set())], 2, placed={0, 1})
    play.turns(MISSING_SECONDS - 1)
    assert play.coordinator.reason == ""
    play.turns(3)
    assert play.coordinator.reason == "missing partitions"


def test_partitions_of_a_machine_that_is_gone_do_not_keep_the_others_from_ending() -> None:
    play = Play([Acted("a", sees=set()), Acted("b", sees=set())], 4)
    play.turns(1)
    play.turns(1)
    play.workers["a"].is_dead = True  # in the middle of visits; nobody else sees its directories
    play.turns(TAKEOVER_SECONDS + 1)
    rest(play.workers["b"])
    play.turns(MISSING_SECONDS + 5)
    assert play.coordinator.reason == "missing partitions"
    play.turns(TURN_SECONDS)
    assert play.coordinator.is_over


def test_a_worker_that_dies_while_the_crawl_ends_does_not_keep_it_from_ending() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(1)
    play.coordinator.stop_level = StopLevel.NOW
    play.workers["a"].is_dead = True
    play.turns(1)
    assert not play.coordinator.is_over  # it may only be slow
    play.turns(TAKEOVER_SECONDS + 1)
    assert play.coordinator.is_over
    assert play.coordinator.reason == "interrupted"


def test_a_partition_that_cannot_be_opened_is_tried_elsewhere_after_a_while() -> None:
    play = Play([Acted("a"), Acted("b")], 2)
    play.workers["a"].cannot_open = {0: "it is damaged"}
    play.turns(RETRY_SECONDS - 0.5)
    assert play.coordinator.absent() == {0: "it is damaged"}
    assert play.driven() == {1: "b"}
    play.turns(2)
    assert play.driven() == {0: "b", 1: "b"}
    assert play.coordinator.absent() == {}


def test_a_partition_that_nobody_can_open_does_not_keep_the_others_from_ending() -> None:
    play = Play([Acted("a"), Acted("b")], 3)
    for worker in play.workers.values():
        worker.cannot_open = {0: "it is damaged"}
    play.turns(10 * RETRY_SECONDS)
    rest(*play.workers.values())
    play.turns(MISSING_SECONDS - 1)
    assert play.coordinator.reason == ""
    play.turns(3)
    assert play.coordinator.reason == "missing partitions"


def test_units_lent_to_a_partition_that_is_gone_are_lent_to_others() -> None:
    play = Play([Acted("a", sees=set()), Acted("b", sees=set())], 2, pages=100)
    play.turns(1)
    lent = {name: sum(worker.order.page_limits or ()) for name, worker in play.workers.items()}
    assert all(lent)
    play.workers["a"].is_dead = True
    [last] = play.workers["b"].partitions.values()
    for _ in range(1_000):
        play.turn()
        last.is_busy = False
        last.used_pages = last.page_limit or 0  # it uses what it gets
        last.totals = Totals(pages=last.used_pages)
    assert last.used_pages == 100
    assert play.coordinator.reason == "pages"


# The end


def test_a_crawl_ends_when_all_is_done_and_every_worker_has_said_so_twice() -> None:
    play = Play([Acted("a"), Acted("b")], 4)
    play.turns(10)
    rest(*play.workers.values())
    play.turns(2 * TURN_SECONDS)  # the reports of the first look, and it
    assert play.coordinator.reason == ""
    play.turns(2)
    assert play.coordinator.reason == "empty frontier"
    assert play.coordinator.is_over


def test_one_look_at_reports_of_different_times_would_end_a_crawl_too_early() -> None:
    # a reports before it gets a batch of b, and so nothing to do. Then it takes that batch, finds links for b in it and
    # sends them; b takes those and reports that it has nothing left to do: one batch sent (by b), one received (by b).
    # Both reports say that nothing is left and the sums agree, while a still works on what it was sent.
    coordinator = Coordinator(Limits(), 2, ["a", "b"], {0, 1}, REQUEST_SECONDS)
    a, b = Acted("a", sees={0}), Acted("b", sees={1})
    play_begin(coordinator, [a, b])
    early = a.report()
    b.partitions[1].sent, b.partitions[1].received = 1, 1
    a.partitions[0].sent, a.partitions[0].received = 1, 1
    a.partitions[0].is_spent = False
    late = b.report()
    for report in (early, late):
        coordinator.take(report, 1_010.0)
    coordinator.decide(1_010.0)
    assert sum(part.sent for report in (early, late) for part in report.partitions) == 1
    assert sum(part.received for report in (early, late) for part in report.partitions) == 1
    assert all(part.is_spent for report in (early, late) for part in report.partitions)
    assert coordinator.reason == ""
    for turn in range(5):  # a second look: a has reported since
        for worker in (a, b):
            worker.obey(coordinator.order_for(worker.name))
            coordinator.take(worker.report(), 1_011.0 + turn)
        coordinator.decide(1_011.0 + turn)
    assert coordinator.reason == ""
    a.partitions[0].is_spent = True
    for turn in range(5):
        for worker in (a, b):
            worker.obey(coordinator.order_for(worker.name))
            coordinator.take(worker.report(), 1_020.0 + turn)
        coordinator.decide(1_020.0 + turn)
    assert coordinator.reason == "empty frontier"


def play_begin(coordinator: Coordinator, workers: list[Acted]) -> None:
    """Assign the partitions: every worker has begun to drive, and has not reported since."""
    for worker in workers:
        coordinator.take(worker.report(), 1_000.0)
    coordinator.decide(1_000.0)
    for worker in workers:
        worker.obey(coordinator.order_for(worker.name))
        assert len(worker.partitions) == 1
        rest(worker)


def test_batches_that_nobody_has_committed_keep_a_crawl_from_ending() -> None:
    play = Play([Acted("a"), Acted("b")], 2)
    play.turns(1)
    rest(*play.workers.values())
    first, second = (worker.partitions for worker in play.workers.values())
    next(iter(first.values())).sent = 1
    play.turns(2)
    assert play.coordinator.reason == ""
    next(iter(second.values())).received = 1
    play.turns(2)
    assert play.coordinator.reason == "empty frontier"


@pytest.mark.parametrize("level", [StopLevel.FINISH, StopLevel.NOW])
def test_a_stop_before_any_report_ends_the_crawl(level: StopLevel) -> None:
    play = Play([Acted("a")], 2)
    play.coordinator.stop_level = level
    play.turns(1)
    assert play.coordinator.reason == "interrupted"
    assert play.coordinator.is_over
