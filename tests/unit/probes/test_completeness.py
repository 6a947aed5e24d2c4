"""How complete a crawl is, from a review of its waiting links and from probes of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from exonym.probes.completeness import (
    FEWEST_PROBES,
    FOUND_CLASSES,
    LEAST_SHARE,
    LOWEST,
    STEPS,
    STEPS_PER_UNIT,
    STILL_RISING,
    Missing,
    ProbeRecords,
    Review,
    completeness_of,
    missing_from,
    sum_of_missing,
    why_too_early,
)

NO_PROBES = ProbeRecords(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.int64))
LATE = Missing(pages=2_000, relevant=900, recent_pages=200, recent_relevant=20, probes=40, waiting=60.0, unseen=40.0)


def step_of(score: float) -> int:
    return round((score - LOWEST) * STEPS_PER_UNIT)


def review(links: dict[tuple[float, int], float], found: tuple[float, ...] = (), sampled: float = 1.0) -> Review:
    """A review after 2,000 pages, of links by score and by how many relevant pages link to them."""
    counts = np.zeros((STEPS, FOUND_CLASSES))
    for (score, sources), count in links.items():
        counts[step_of(score), sources] = count
    return Review(2_000, 900, counts, sampled, np.array([*found, *[0.0] * (FOUND_CLASSES - len(found))]), 200, 20)


def probes(score: float, count: int, relevant: int, pages: int = 2_000) -> ProbeRecords:
    return ProbeRecords(np.full(count, score), np.arange(count) < relevant, np.full(count, pages))


def test_without_probes_what_the_strategy_promises_is_believed() -> None:
    waiting = missing_from(review({(-2.0, 4): 1_000}), NO_PROBES).waiting
    assert waiting == pytest.approx(1_000 / (1 + math.exp(2 - 0.5 / STEPS_PER_UNIT)))


@pytest.mark.parametrize("share", [0.02, 0.1, 0.4, 0.9])
def test_probes_correct_what_the_strategy_promises(share: float) -> None:
    links = review({(-2.0, 4): 10_000})
    many, few = (missing_from(links, probes(-2.0, count, round(count * share))) for count in (2_000, 50))
    assert many.waiting == pytest.approx(10_000 * share, rel=0.1)
    assert abs(math.log(few.waiting / missing_from(links, NO_PROBES).waiting)) < abs(
        math.log(many.waiting / missing_from(links, NO_PROBES).waiting)
    )
    assert many.variance < few.variance


def test_old_probes_count_less() -> None:
    links = review({(0.0, 4): 1_000})
    before, now = (missing_from(links, probes(0.0, 40, 0, pages)).waiting for pages in (1_000, 2_000))
    assert now < before < missing_from(links, NO_PROBES).waiting


def test_unseen_pages_follow_from_those_with_few_links() -> None:
    # As many have one link as twice those with two, and so on: by the same rule, twice as many have none.
    missing = missing_from(review({}, found=(7.0, 400.0, 200.0, 100.0, 50.0)), NO_PROBES)
    assert (missing.waiting, missing.unseen) == (0.0, 800.0)


def test_links_that_were_not_looked_at_add_doubt() -> None:
    links = {(-1.0, 1): 500.0, (2.0, 2): 10.0}
    all_of_them, some_of_them = (missing_from(review(links, (), sampled), NO_PROBES) for sampled in (1.0, 0.1))
    assert some_of_them.waiting == all_of_them.waiting
    assert some_of_them.variance > all_of_them.variance


def test_an_estimate_needs_probes_and_a_falling_harvest() -> None:
    late = LATE._replace(variance=900.0)
    found = completeness_of(late)
    assert found is not None
    assert found.share == 0.9
    assert LEAST_SHARE < found.low < 0.9 < found.high < 1
    assert completeness_of(late._replace(probes=FEWEST_PROBES - 1)) is None
    as_ever = math.floor(late.recent_pages * STILL_RISING * late.relevant / late.pages)
    assert completeness_of(late._replace(recent_relevant=as_ever)) is not None
    assert completeness_of(late._replace(recent_relevant=as_ever + 1)) is None
    assert completeness_of(late._replace(waiting=900 / LEAST_SHARE)) is None
    early = late._replace(probes=3), late._replace(recent_relevant=200), late._replace(waiting=2_000.0)
    early += (late._replace(relevant=0, recent_relevant=0),)
    assert [why_too_early(one) for one in (late, *early)] == [
        "",
        f"3 of {FEWEST_PROBES} probes made",
        "the harvest rate is as high as ever",
        "less than 70 % by a first estimate",
        "no relevant page found",
    ]
    assert completeness_of(Missing()) is None


def test_an_interval_without_missing_pages_is_all() -> None:
    assert completeness_of(LATE._replace(waiting=0.0, unseen=0.0)) == (1.0, 1.0, 1.0)


def test_partitions_are_added() -> None:
    parts = [LATE._replace(variance=100.0), LATE._replace(waiting=10.0, probes=1)]
    whole = sum_of_missing(parts)
    assert (whole.relevant, whole.waiting, whole.probes, whole.variance) == (1_800, 70.0, 41, 100.0)
    assert sum_of_missing([]) == Missing()


@given(
    some.lists(some.tuples(some.integers(0, STEPS - 1), some.integers(0, FOUND_CLASSES - 1), some.floats(0, 1e9))),
    some.lists(some.tuples(some.floats(-8, 7.75), some.booleans(), some.integers(0, 10**9))),
    some.integers(1, 10**9),
    some.floats(1e-6, 1),
)
def test_estimates_are_numbers_and_within_their_intervals(
    links: list[tuple[int, int, float]], made: list[tuple[float, bool, int]], pages: int, sampled: float
) -> None:
    counts = np.zeros((STEPS, FOUND_CLASSES))
    for step, sources, count in links:
        counts[step, sources] = count
    scores, relevant, when = ([probe[part] for probe in made] for part in range(3))
    records = ProbeRecords(np.array(scores, float), np.array(relevant, bool), np.minimum(np.array(when, int), pages))
    missing = missing_from(Review(pages, pages, counts, sampled, np.ones(FOUND_CLASSES), pages, 0), records)
    assert all(map(math.isfinite, missing))
    assert min(missing) >= 0
    found = completeness_of(missing._replace(probes=FEWEST_PROBES))
    if found is not None:
        assert 0 < found.low <= found.share <= found.high <= 1
