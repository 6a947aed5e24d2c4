"""A frontier that looks ahead gives out only the first links of the order, as soon as their servers are free."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Group, Visit
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.look_ahead import LookAhead, most_of_server
from exonym.store import Store
from exonym.testing.random_batches import link_batch
from exonym.testing.reference import ReferenceFrontier


def filled(most: int, seed: int = 1, links: int = 60, group: Group = Group.SERVER) -> tuple[LookAhead, list[Visit]]:
    """A frontier that looks `most` links ahead, and its links in their order."""
    batch = link_batch(random.Random(seed), links)
    scores = np.array([random.Random(seed).choice([0.0, 0.5, 0.25]) for _ in range(len(batch))])
    frontiers = [ReferenceFrontier(group), ReferenceFrontier(group)]
    for frontier in frontiers:
        frontier.push(batch, scores, np.zeros(len(batch), np.uint64), np.zeros(len(batch)))
    order: list[Visit] = []
    while (visit := frontiers[1].pop()) is not None:
        order.append(visit)
    return LookAhead(frontiers[0], group, most), order


def popped(frontier: LookAhead, park: bool) -> list[Visit]:
    visits: list[Visit] = []
    while (visit := frontier.pop(park)) is not None:
        visits.append(visit)
        frontier.reopen()
    return visits


@pytest.mark.parametrize("most", [1, 7, 100])
def test_while_all_servers_are_free_the_order_is_kept(most: int) -> None:
    frontier, order = filled(most)
    assert popped(frontier, park=False) == order


def test_a_frontier_that_looks_at_one_link_waits_for_its_server() -> None:
    frontier, order = filled(1)
    first = frontier.pop(park=True)
    assert first == order[0]
    visits = popped(frontier, park=True)
    # Links follow in their order up to the first one whose server is already busy.
    servers = [visit.server for visit in order]
    expected = next(place for place in range(1, len(order)) if servers[place] in servers[:place])
    assert visits == order[1:expected]
    frontier.release(order[expected].server)
    assert frontier.pop(park=True) == order[expected]


@given(st.integers(1, 40), st.integers(0, 5), st.booleans())
def test_no_link_is_given_out_far_before_its_turn(most: int, seed: int, park: bool) -> None:
    frontier, order = filled(most, seed)
    visits = popped(frontier, park)
    of_server = most_of_server(most)
    waiting = list(order)
    for visit in visits:
        place = waiting.index(visit)
        # Before it wait the links held, and further links of servers that have as many held as may be.
        held: dict[int, int] = {}
        for earlier in waiting[:place]:
            held[earlier.server] = min(held.get(earlier.server, 0) + 1, of_server)
        assert sum(held.values()) < most
        waiting.remove(visit)


def test_links_held_are_counted_as_waiting() -> None:
    frontier, order = filled(10)
    assert len(frontier) == len(order)
    frontier.pop(park=True)
    assert len(frontier) == len(order) - 1


def test_of_one_server_a_fifth_is_held_and_its_further_links_are_passed_over() -> None:
    frontier, order = filled(5)  # one link of each server
    parked = [frontier.pop(park=True), *popped(frontier, park=True)]
    # Every server has a visit, although the first server alone has more than five links that are better than those.
    assert sorted({visit.server for visit in parked if visit}) == sorted({visit.server for visit in order})


def test_links_held_of_a_dropped_group_are_forgotten() -> None:
    frontier, order = filled(20)
    first = frontier.pop(park=False)
    assert first is not None
    server = order[1].server
    frontier.done(first)
    frontier.rerank(np.array([server], np.uint64), np.array([np.nan]))
    assert all(visit.server != server for visit in popped(frontier, park=False))


def test_a_shelved_server_keeps_no_other_waiting() -> None:
    frontier, order = filled(1)
    servers = list(dict.fromkeys(visit.server for visit in order))
    seen = set()
    for _ in servers:
        while (visit := frontier.pop(park=True)) is not None:
            seen.add(visit.server)
        for server in seen:  # the link held waits for a server that is busy: let these rest for long
            frontier.shelve(server)
    assert seen == set(servers)
    frontier.release(order[0].server)
    again = frontier.pop()
    assert again is not None
    assert again.server == order[0].server


def test_links_that_arrive_later_and_are_better_come_first_while_servers_are_free() -> None:
    frontier, _ = filled(4)
    first = frontier.pop()
    assert first is not None
    better = link_batch(random.Random(9), 12)
    better = better.pick(~np.isin(better.url, [first.url]))
    scores = np.full(len(better), 2.0)
    queued = frontier.push(better, scores, np.zeros(len(better), np.uint64), np.zeros(len(better)))
    visits = popped(frontier, park=False)
    assert [visit.score == 2 for visit in visits] == [True] * queued + [False] * (len(visits) - queued)


def test_links_held_wait_again_after_a_kill(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    disk = DiskFrontier(store, tmp_path / "seen", Group.SERVER)
    links = link_batch(random.Random(1), 60)
    disk.push(links, np.zeros(len(links)), np.zeros(len(links), np.uint64), np.zeros(len(links)))
    frontier = LookAhead(disk, Group.SERVER, 20)
    visited = popped(frontier, park=True)
    for visit in visited:
        frontier.done(visit)
    assert len(disk) < len(frontier)  # some links are held
    with store.writing() as txn:
        disk.commit(txn)
    disk.committed()
    expected = len(frontier)
    store.close()
    with Store.open(tmp_path) as again:
        assert len(DiskFrontier(again, tmp_path / "seen", Group.SERVER)) == expected
