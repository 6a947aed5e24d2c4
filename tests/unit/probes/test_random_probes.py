"""Which links are drawn at random at a review, and what is remembered of them."""

import numpy as np
import pytest

from exonym.batches import Ids
from exonym.frontier.base import PROBE_BASE, mixed
from exonym.probes.completeness import FOUND_CLASSES, LOWEST, STEPS_PER_UNIT
from exonym.probes.random_probes import (
    MOST_FOUND,
    MOST_RECORDS,
    NO_SAMPLE,
    Probes,
    ScoredSample,
    Standing,
    shares_of_probes,
    worth_of,
)

NONE_FOUND = np.zeros(0, np.uint8)


def ids(first: int, count: int) -> Ids:
    return np.arange(first, first + count, dtype=np.uint64)


def sample(urls: Ids, score: float = 0.0, found: int = 0) -> ScoredSample:
    return ScoredSample(urls, np.full(len(urls), score), np.full(len(urls), found, dtype=np.uint8))


def add(probes: Probes, drawn: list[float], relevant: list[bool], before: int, first: int = 0) -> None:
    probes.add(ids(first, len(drawn)), np.array(relevant), np.array(drawn, dtype=np.float32), before)


def test_each_probe_goes_where_it_lowers_the_variance_most() -> None:
    # 9 / (.5 · 1.5) = 12 against 1.3; then 9 / (1.5 · 2.5) = 2.4; then 9 / (2.5 · 3.5) = 1.03, which is less than 1.3.
    worth, links = np.array([3.0, 1.0]), np.array([10, 10])
    assert [shares_of_probes(worth, np.zeros(2), links, count).tolist() for count in (1, 2, 3)] == [
        [1, 0],
        [2, 0],
        [2, 1],
    ]
    assert shares_of_probes(worth, np.array([20.0, 0.0]), links, 2).tolist() == [0, 2]


def test_no_more_links_are_drawn_than_there_are() -> None:
    assert shares_of_probes(np.array([3.0, 1.0, 0.0]), np.zeros(3), np.array([1, 2, 0]), 9).tolist() == [1, 2, 0]


def test_strata_are_worth_their_links_by_the_deviation_of_one() -> None:
    steps = np.array([32, 33, 34, 35, 0])  # scores 0, 0.25, 0.5, 0.75, and -8
    chance = np.mean([1 / (1 + np.exp(-score - 0.125)) for score in (0.0, 0.25, 0.5, 0.75)])
    worth = worth_of(steps)
    assert worth[8] == pytest.approx(4 * np.sqrt(chance * (1 - chance)))
    assert np.flatnonzero(worth).tolist() == [0, 8]


def test_a_review_counts_the_sample_for_all_that_waits() -> None:
    probes = Probes(64)
    add(probes, [np.nan] * 4, [True, False, True, True], 0)
    scores, found = np.array([-9.0, -2.3, -2.3, 30.0]), np.array([0, 1, 15, 2], dtype=np.uint8)
    links = ScoredSample(ids(10, 4), scores, found)
    places, drawn = probes.review(Standing(250, 3, 40), links, np.array([0, 4, 9], dtype=np.uint8))
    last = probes.last
    assert last is not None
    assert (last.pages, last.relevant, last.sampled, last.recent_pages, last.recent_relevant) == (250, 3, 0.1, 250, 3)
    assert last.found.tolist() == [1, 0, 0, 0, 2]
    expected = {(0, 0): 10.0, (22, 1): 10.0, (22, 4): 10.0, (63, 2): 10.0}  # steps of a quarter from -8 on
    assert {place: last.links[place] for place in zip(*np.nonzero(last.links), strict=True)} == expected
    assert len(places) == 3
    assert (drawn - PROBE_BASE).tolist() == [[-8.0, -2.5, -2.5, 7.75][place] for place in places]


def test_reviews_come_every_250_pages_and_later_every_32nd_part() -> None:
    probes = Probes(64)
    assert probes.next_review == 250
    counts = []
    for pages in (250, 500, 64_000, 66_000):
        places, _ = probes.review(Standing(pages, 0, 1_000), sample(ids(0, 1_000)), NONE_FOUND)
        counts.append((len(places), probes.next_review - pages))
    # Of the time before 64,000, in which there was no review, no probes are made up for.
    assert counts == [(3, 250), (3, 250), (2_000 // 64, 2_000), (2_000 // 64, 66_000 // 32)]


def test_nothing_is_drawn_where_nothing_waits() -> None:
    probes = Probes(64)
    places, drawn = probes.review(Standing(250, 0, 0), NO_SAMPLE, NONE_FOUND)
    assert len(places) == len(drawn) == 0
    assert probes.last is not None
    assert probes.last.links.sum() == 0


def test_the_last_tenth_is_that_since_a_review() -> None:
    probes = Probes(64)
    for pages, relevant in ((1_000, 500), (1_850, 700), (2_000, 710)):
        probes.review(Standing(pages, relevant, 0), NO_SAMPLE, NONE_FOUND)
    assert probes.last is not None
    assert (probes.last.recent_pages, probes.last.recent_relevant) == (1_000, 210)  # 1,850 is more than nine tenths


def test_links_are_drawn_alike_however_long_they_have_waited() -> None:
    probes, waiting, old = Probes(1), ids(0, 1_000), []
    for pages in range(4, 2_004, 4):
        waiting = waiting[np.argsort(mixed(waiting))]
        places, _ = probes.review(Standing(pages, 0, len(waiting)), sample(waiting), NONE_FOUND)
        if pages > 400:
            old.append(int(np.count_nonzero(waiting[places] < 1_000)) / len(places))
        waiting = np.delete(waiting, places)
        if pages == 400:  # 600 of the first links are left
            waiting = np.concatenate([waiting, ids(1_000, 600)])
        if len(waiting) < 200:
            break
    assert 0.45 < np.mean(old) < 0.55  # 1,000 draws: standard deviation .016


def test_the_latest_probes_are_remembered_with_the_pages_before_them() -> None:
    probes = Probes(64)
    add(probes, [np.nan, -2.5, np.nan, 3.0], [True, True, False, False], before=10)
    assert [column.tolist() for column in probes.records] == [[-2.5, 3.0], [True, False], [12, 14]]
    add(probes, [1.0] * MOST_RECORDS, [False] * MOST_RECORDS, before=14)
    assert len(probes.records.pages) == MOST_RECORDS
    assert probes.records.pages.tolist()[0] == 15


def test_of_the_relevant_pages_those_with_the_least_mixed_ids_are_kept() -> None:
    probes, count = Probes(64), 3 * MOST_FOUND
    for first in range(0, count, 100):
        add(probes, [np.nan] * 100, [place % 2 == 0 for place in range(100)], first, first)
    relevant = ids(0, first + 100)[::2]
    assert sorted(probes.found_urls().tolist()) == sorted(relevant[np.argsort(mixed(relevant))][:MOST_FOUND].tolist())


def filled() -> Probes:
    probes = Probes(64)
    add(probes, [np.nan, -2.5, np.nan, 3.0], [True, True, False, False], before=10)
    probes.review(Standing(260, 2, 50), sample(ids(10, 20), -1.0, 1), np.array([1, 2], dtype=np.uint8))
    return probes


def everything(probes: Probes) -> dict[str, object]:
    return {name: column.tolist() for name, column in probes.state().items()}


def test_state_is_restored() -> None:
    probes, again = filled(), Probes(64)
    again.restore(probes.state())
    assert everything(again) == everything(probes)
    fresh = Probes(64)
    fresh.restore(Probes(64).state())
    assert fresh.next_review == 250


def test_updates_tell_of_a_review_once_and_never_undo_a_later_one() -> None:
    probes, again = filled(), Probes(64)
    updates = probes.updates()
    assert not probes.updates()
    again.apply_updates(updates)
    assert (again.next_review, again.last is not None) == (510, True)
    probes.review(Standing(510, 2, 50), NO_SAMPLE, NONE_FOUND)
    probes.apply_updates(updates)
    assert probes.next_review == 760


def test_partitions_that_are_joined_know_the_probes_of_both() -> None:
    one, other = filled(), filled()
    one.merge(other.state())
    assert one.records.pages.tolist() == [12, 12, 14, 14]
    assert one.next_review == 0


def test_scores_of_probes_are_those_of_steps() -> None:
    probes = Probes(64)
    for score in (-8.0, -0.3, 7.9):
        _, drawn = probes.review(Standing(250, 0, 5), sample(ids(0, 1), score), NONE_FOUND)
        step = np.clip(np.floor(score * STEPS_PER_UNIT) / STEPS_PER_UNIT, LOWEST, 7.75)
        assert drawn.tolist() == [PROBE_BASE + step]
    assert FOUND_CLASSES == 5
