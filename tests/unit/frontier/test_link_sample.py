"""A frontier gives a sample of the links that wait: each is as likely to be in it as any other."""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import NO_ROW, Group, LinkBatch, Visit
from exonym.frontier.base import PROBE_BASE, Frontier, advanced_level, drawn_score, mixed
from exonym.frontier.disk import DiskFrontier
from exonym.link_columns import SegmentMeans, Source, link_batch
from exonym.live.found_links import links_to
from exonym.store import Store
from exonym.testing.reference import ReferenceFrontier


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        yield store


def disk_frontier(store: Store) -> DiskFrontier:
    return DiskFrontier(store, store.path / "seen", Group.SERVER)


def commit(store: Store, frontier: DiskFrontier) -> None:
    with store.writing() as txn:
        frontier.commit(txn)
    frontier.committed()


def links(first: int, count: int, row: int = 0) -> LinkBatch:
    urls = [f"http://s{number % 50}.example/{number}" for number in range(first, first + count)]
    return link_batch([(Source(row=row), links_to(urls))], frozenset(), SegmentMeans(frozenset()), {})


def queue(frontier: Frontier, batch: LinkBatch, score: float = 0.0) -> None:
    blank = np.zeros(len(batch))
    frontier.push(frontier.meet(batch), blank + score, blank.astype(np.uint64), blank, scores_fall=True)


def numbers_of(visits: list[Visit]) -> list[int]:
    return [int(visit.text.rpartition("/")[2]) for visit in visits]


def test_ids_are_mixed_as_published() -> None:
    step = 0x9E37_79B9_7F4A_7C15  # the first numbers that SplitMix64 gives from 0 on
    expected = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]
    assert mixed(np.array([0, step, 2 * step % 2**64], dtype=np.uint64)).tolist() == expected


def test_the_level_of_a_link_that_was_drawn_tells_its_score_of_then() -> None:
    for score in (-8.0, -0.25, 0.0, 7.75):
        level = advanced_level(-3 * 128 + 5, PROBE_BASE + score)
        assert drawn_score(level) == score
        assert level % 32 == 5  # how often it was put back
    assert math.isnan(drawn_score(111 * 128 + 127))
    assert math.isnan(drawn_score(128 * 128))


def test_links_of_a_sample_are_of_all_ages(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample(300)
    for first in range(0, 4_000, 100):
        queue(frontier, links(first, 100))
        frontier.sample()
    numbers = numbers_of(frontier.sample())
    assert len(numbers) == len(set(numbers)) <= 300
    found = Counter(4 * number // 4_000 for number in numbers)
    assert len(numbers) > 280
    assert all(52 <= found[quarter] <= 98 for quarter in range(4))  # 75 expected, standard deviation 8


def test_seeds_and_links_drawn_before_are_in_no_sample(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample()
    queue(frontier, links(0, 5, row=NO_ROW))
    queue(frontier, links(5, 2), score=1.5)
    visits = frontier.sample()
    assert sorted(numbers_of(visits)) == [5, 6]
    frontier.advance(visits[0], PROBE_BASE + 1.5)
    assert frontier.sample() == visits[1:]
    assert len(frontier) == 7
    popped = frontier.pop()
    assert popped is not None
    assert (popped.url, popped.score) == (visits[0].url, PROBE_BASE + 1.5)


def test_a_link_that_is_put_back_is_in_the_sample_again(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample()
    queue(frontier, links(0, 2))
    before = frontier.sample()
    visit = frontier.pop()
    assert visit is not None
    assert frontier.sample() == [other for other in before if other.url != visit.url]
    frontier.lower(visit, -2.0)
    assert sorted(visit.score for visit in frontier.sample()) == [-2 + 1 / 128, 0.0]


def test_a_sample_survives_a_kill(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample(200)
    queue(frontier, links(0, 1_000))
    sampled = frontier.sample()
    commit(store, frontier)
    again = disk_frontier(store)
    again.keep_sample(200)
    queue(again, links(1_000, 1_000))
    queue(frontier, links(1_000, 1_000))
    assert again.sample() == frontier.sample()
    assert len(sampled) == 200


def test_a_frontier_without_a_sample_makes_one_of_all_that_waits(store: Store) -> None:
    frontier, sampled = disk_frontier(store), ReferenceFrontier(Group.SERVER)
    for each in (frontier, sampled):
        queue(each, links(0, 1_000))
    commit(store, frontier)
    again = disk_frontier(store)
    for one in (again, sampled):
        one.keep_sample(200)
    assert again.sample() == sampled.sample()


def test_a_sample_that_was_not_kept_for_a_while_is_made_anew(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample()
    queue(frontier, links(0, 10))
    commit(store, frontier)
    without = disk_frontier(store)
    queue(without, links(10, 10))
    commit(store, without)
    again = disk_frontier(store)
    again.keep_sample()
    assert sorted(numbers_of(again.sample())) == list(range(20))


def test_a_link_that_was_dropped_in_flight_is_in_no_sample(store: Store) -> None:
    frontier = disk_frontier(store)
    frontier.keep_sample()
    queue(frontier, links(0, 2))
    visit = frontier.pop()
    assert visit is not None
    frontier.rerank(np.array([visit.server], dtype=np.uint64), np.array([np.nan]))
    frontier.put_back(visit)
    assert [other.url != visit.url for other in frontier.sample()] == [True]


def test_urls_that_were_never_met_were_found_on_no_page(store: Store) -> None:
    # Redirects lead to pages that no link names: so many that room must be made for them while they are looked up.
    frontier = disk_frontier(store)
    urls = np.arange(1, 10_001, dtype=np.uint64)
    assert not np.concatenate(frontier.counters_of(urls)).any()
    assert len(frontier.counters_of(urls)[0]) == len(urls)
