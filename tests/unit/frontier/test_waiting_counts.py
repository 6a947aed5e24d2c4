"""The links that wait at each server, as readers of a store count them, are those that its frontier has."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Group
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.frontier.waiting_counts import waiting_counts
from exonym.store import Store
from exonym.testing.random_batches import SERVERS, link_batch


def counted_by_frontier(frontier: DiskFrontier) -> Counter[str]:
    queued: Counter[str] = Counter()
    for queue in frontier.waiting_queues(lambda name: True):
        queued[queue.name] += len(queue.rows)
    return queued


@pytest.mark.parametrize("group", list(Group))
@pytest.mark.parametrize("tail_bytes", [500, 10_000_000], ids=["spilled", "logged"])
def test_readers_count_what_the_frontier_has(group: Group, tail_bytes: int, tmp_path: Path) -> None:
    chance = random.Random(7)
    with Store.open(tmp_path / "state") as store:
        assert not waiting_counts(store).queued
        frontier = DiskFrontier(store, tmp_path / "seen", group, DiskFrontierOptions(tail_bytes))
        aside: Counter[str] = Counter()
        for _ in range(12):
            links = frontier.meet(link_batch(chance, 40))
            count = len(links)
            scores = np.array([chance.choice([0.1, 0.5, np.nan]) for _ in range(count)])
            frontier.push(links, scores, np.zeros(count, np.uint64), np.zeros(count))
            for place in range(10):
                visit = frontier.pop()
                if visit is None:
                    break
                if place % 3 == 0:
                    frontier.set_aside(visit)
                    aside[visit.text.split("/")[2]] += 1
                else:
                    frontier.done(visit)
            with store.writing() as transaction:
                frontier.commit(transaction)
            frontier.committed()
            counts = waiting_counts(store)
            assert counts.queued == counted_by_frontier(frontier)
            assert counts.queued.total() == len(frontier) > 0
            assert counts.aside == aside
        assert set(counts.queued) <= set(SERVERS)
