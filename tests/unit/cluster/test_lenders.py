"""Who lends the addresses of each share: a worker that answers, whether or not the share's partition is driven."""

from exonym.cluster.coordinator import LOST_SECONDS, Coordinator
from exonym.cluster.worker_messages import WorkerOrder, WorkerReport
from exonym.config.settings import Limits

ONE, TWO = "one", "two"


class Cluster:
    """A coordinator, and two workers that see all directories; each reports once a second while it lives."""

    def __init__(self, placed: range = range(0)) -> None:
        self.coordinator = Coordinator(Limits(), 4, [ONE, TWO], placed, request_seconds=120.0)
        self.numbers = {ONE: 0, TWO: 0}
        self.now = 0.0

    def step(self, lives: dict[str, str]) -> dict[str, WorkerOrder]:
        self.now += 1.0
        for name, life in lives.items():
            self.numbers[name] += 1
            self.coordinator.take(WorkerReport(name, life, "node", self.numbers[name], 0, list(range(4))), self.now)
        self.coordinator.decide(self.now)
        return {name: self.coordinator.order_for(name) for name in (ONE, TWO)}


def test_addresses_are_lent_by_the_workers_that_drive_the_partitions() -> None:
    orders = Cluster().step({ONE: "a", TWO: "b"})
    for order in orders.values():
        assert order.lend.keys() == order.drive.keys()
        assert sorted(order.unlent) == sorted(order.lend)
        assert order.lenders == order.routes


def test_addresses_of_a_crawl_that_was_driven_before_may_be_lent_to_somebody() -> None:
    orders = Cluster(placed=range(4)).step({ONE: "a", TWO: "b"})
    assert [order.unlent for order in orders.values()] == [[], []]


def test_addresses_of_a_worker_that_does_not_answer_are_lent_by_another_long_before_its_partitions_are_driven() -> None:
    cluster = Cluster()
    before = cluster.step({ONE: "a", TWO: "b"})
    while cluster.now < LOST_SECONDS + 3:
        orders = cluster.step({TWO: "b"})
    assert orders[TWO].lend.keys() == set(range(4))
    assert orders[ONE].lend == {}
    assert orders[ONE].drive.keys() == before[ONE].drive.keys()
    assert not set(orders[TWO].unlent) & before[ONE].lend.keys()  # the other one may have lent them
    back = cluster.step({ONE: "a", TWO: "b"})
    assert back[TWO].lend == orders[TWO].lend  # each change costs a wait, so there is none without need


def test_new_life_of_a_worker_lends_anew_and_obeys_no_order_for_the_former_one() -> None:
    cluster = Cluster()
    before = cluster.step({ONE: "a", TWO: "b"})[ONE]
    after = cluster.step({ONE: "c", TWO: "b"})[ONE]
    assert before.life == "a"
    assert after.life == "c"
    assert after.lend.keys() == before.lend.keys()
    assert not set(after.lend.items()) & set(before.lend.items())
    assert after.unlent == []
