"""What readers of a store see of a frontier is what the frontier has, whatever of it is in blocks, log or seen-set."""

import random
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Group, Visit
from exonym.frontier.base import NOT_FOLLOWED
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.frontier.frontier_look import FrontierLook
from exonym.frontier.link_rows import text_at
from exonym.store import Store
from exonym.testing.random_batches import SERVERS, link_batch
from exonym.urls import id_of


def waiting_urls(frontier: DiskFrontier, server: str) -> dict[int, dict[int, set[str]]]:
    """The URLs that wait at a server, by group and level."""
    waiting: dict[int, dict[int, set[str]]] = {}
    for queue in frontier.waiting_queues(lambda name: name == server):
        texts = {text_at(row, 0, queue.name) for row in queue.rows}
        waiting.setdefault(queue.group, {})[queue.level] = texts
    return waiting


def by_level(visits: list[Visit]) -> dict[int, set[str]]:
    levels: dict[int, set[str]] = {}
    for visit in visits:
        levels.setdefault(visit.level, set()).add(visit.text)
    return levels


@pytest.mark.parametrize("group", list(Group))
@pytest.mark.parametrize("tail_bytes", [500, 10_000_000], ids=["spilled", "logged"])
def test_readers_see_what_the_frontier_has(group: Group, tail_bytes: int, tmp_path: Path) -> None:
    chance = random.Random(3)
    with Store.open(tmp_path / "state") as store:
        frontier = DiskFrontier(store, tmp_path / "seen", group, DiskFrontierOptions(tail_bytes))
        assert FrontierLook(store, tmp_path / "seen", SERVERS[0]).known("http://a.example/") is None
        met, fates = set[str](), Counter[str]()
        for number in range(14):
            links = frontier.meet(link_batch(chance, 40))
            met.update(links.text or ())
            scores = np.array([chance.choice([0.25, 0.5, np.nan]) for _ in range(len(links))])
            frontier.push(links, scores, np.zeros(len(links), np.uint64), np.zeros(len(links)), scores_fall=True)
            for _ in range(12):
                visit = frontier.pop()
                if visit is None:
                    break
                fate = chance.choice(["aside", "done", "lower", "back"])
                fates[fate] += 1
                match fate:
                    case "aside":
                        frontier.set_aside(visit)
                    case "done":
                        frontier.done(visit)
                    case "lower":
                        frontier.lower(visit, 0.0)
                    case _:
                        frontier.put_back(visit)
            if number % 5 == 4:
                frontier.rerank(frontier.groups[:2], np.full(2, np.nan))  # drops all that waits there
            with store.writing() as transaction:
                frontier.commit(transaction)
            shutil.copy(tmp_path / "seen", tmp_path / "older")
            frontier.committed()
            check(store, tmp_path / "seen", frontier, met)
            # A process that dies between the two has committed what its file of seen URLs lacks.
            check(store, tmp_path / "older", frontier, met, with_counters=False)
        assert min(fates.values()) > 5


def check(store: Store, seen: Path, frontier: DiskFrontier, met: set[str], with_counters: bool = True) -> None:
    ids, levels, marks = frontier.seen_urls()
    known = {int(url): (int(level), int(mark)) for url, level, mark in zip(ids, levels, marks, strict=True)}
    asides, waiting_levels = 0, Counter[int]()
    for server in SERVERS:
        look = FrontierLook(store, seen, server)
        expected = waiting_urls(frontier, server)
        assert {number: by_level(visits) for number, visits in look.waiting.items() if visits} == expected
        asides += len(look.aside)
        for visits in look.waiting.values():
            waiting_levels.update(visit.level for visit in visits)
    for url in met:
        found = look.known(url)
        level, mark = known[id_of(url)]
        if not with_counters and found is None:  # it was met for the first time, and not followed
            assert level == NOT_FOLLOWED
            continue
        assert found is not None
        assert found.level == level
        assert not with_counters or found.found == (mark >> 12, mark >> 8 & 15, mark >> 4 & 15, mark & 15)
    assert look.known("http://never.example/met") is None
    assert waiting_levels.total() == len(frontier)
    assert asides == frontier.aside
    for level in waiting_levels:
        around = look.around(level)
        assert around.above == sum(count for other, count in waiting_levels.items() if other > level)
        assert around.beside == waiting_levels[level]
