"""Budgets that are lent: together the partitions use all of a budget if they can, and never more."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from exonym.cluster.budgets import Holding, new_limits


@dataclass
class Borrower:
    """A partition: units it could use, used ones, and the limits that its worker and the coordinator know."""

    could_use: int
    used: int = 0
    limit: int = 0
    under_way: list[int] = field(default_factory=list)  # limits that were given and have not arrived
    known: Holding = field(default_factory=lambda: Holding(0, 0))  # its last report that has arrived

    @property
    def report(self) -> Holding:
        return Holding(self.used, self.limit, self.used >= self.could_use)

    def use(self, units: int) -> None:
        self.used = max(self.used, min(self.used + units, self.limit, self.could_use))

    def obey(self) -> None:
        """Take the oldest order; what was used is not given back."""
        if self.under_way:
            self.limit = max(self.under_way.pop(0), self.used)


def asked(total: int, partitions: list[Borrower], own: list[int]) -> None:
    """Give new limits to the partitions of one worker, as the coordinator does."""
    holdings = {
        number: Holding(
            partition.known.used,
            max([partition.known.limit, *partition.under_way]),
            partition.known.is_spent,
        )
        for number, partition in enumerate(partitions)
    }
    for number, limit in new_limits(total, holdings, own).items():
        partitions[number].under_way.append(limit)


def reported(partitions: list[Borrower]) -> None:
    """Let reports of partitions arrive that have carried out all orders."""
    for partition in partitions:
        if not partition.under_way:
            partition.known = partition.report


@given(
    st.integers(1, 300),
    st.lists(st.integers(0, 120), min_size=1, max_size=7),
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["ask", "use", "obey", "report"]), st.integers(0, 40))),
)
def test_partitions_never_use_more_than_the_total_and_in_the_end_all_that_they_can(
    total: int, wishes: list[int], script: list[tuple[int, str, int]]
) -> None:
    partitions = [Borrower(wish) for wish in wishes]
    for number, action, units in script:
        at = number % len(partitions)
        if action == "ask":
            asked(total, partitions, [at, (at + 1) % len(partitions)])
        elif action == "use":
            partitions[at].use(units)
        elif action == "obey":
            partitions[at].obey()
        else:
            reported([partitions[at]])
        assert sum(partition.used for partition in partitions) <= total
    for _ in range(2_000):  # everybody answers from here on, one worker after the other
        for at, partition in enumerate(partitions):
            asked(total, partitions, [at])
            while partition.under_way:
                partition.obey()
            partition.use(3)
            reported([partition])
        assert sum(partition.used for partition in partitions) <= total
        if sum(partition.used for partition in partitions) == min(total, sum(wishes)):
            break
    assert sum(partition.used for partition in partitions) == min(total, sum(wishes))


def test_a_partition_that_can_use_nothing_gives_back_what_it_has() -> None:
    holdings = {0: Holding(used=10, limit=60, is_spent=True), 1: Holding(used=40, limit=40)}
    assert new_limits(100, holdings, [0]) == {0: 10}
    # The 50 units are free when partition 0 has said that it agrees: half of them for the one that needs some.
    assert new_limits(100, {0: Holding(10, 10, True), 1: Holding(40, 40)}, [1]) == {1: 40 + 50 // 2}


def test_those_who_have_share_with_those_who_have_none() -> None:
    holdings = {0: Holding(used=10, limit=60), 1: Holding(used=40, limit=40)}
    assert new_limits(100, holdings, [0, 1]) == {0: 60 - 50 // 2, 1: 40}


def test_first_portions_leave_something_for_others() -> None:
    holdings = {number: Holding(0, 0) for number in range(4)}
    # 1,000 // (2 · 4) = 125 for each of the first worker's two; 750 are left.
    assert new_limits(1_000, holdings, [0, 1]) == {0: 125, 1: 125}
