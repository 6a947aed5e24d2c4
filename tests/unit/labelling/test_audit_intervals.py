"""Confidence intervals: against SciPy, by hand, and by drawing samples of pages whose truth is known.

EXONYM_SAMPLES=4000 draws more of them, and holds the intervals to more.
"""

import math
import os
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.intervals import Interval, Stratum, exact, recall_of, stratified, wilson
from exonym.labelling.audit import audit_of, meaning_of
from exonym.labelling.audit_sample import Draw


@st.composite
def strata(draw: st.DrawFn) -> Stratum:
    pages = draw(st.integers(1, 800))
    looked_at = draw(st.integers(1, min(pages, 200)))
    return Stratum(pages, looked_at, draw(st.integers(0, looked_at)))


@settings(deadline=None)
@given(strata())
def test_wilson_is_that_of_scipy(sample: Stratum) -> None:
    from scipy import stats  # takes two seconds

    theirs = stats.binomtest(sample.positive, sample.looked_at).proportion_ci(method="wilson")
    ours = wilson(sample.positive, sample.looked_at)
    assert ours.share == sample.positive / sample.looked_at
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_of_eight_in_ten_is_as_worked_out_by_hand() -> None:
    # z² = 3.8415: middle (0.8 + 0.19207) / 1.38415 = 0.71674,
    # reach √(0.16 · 0.38415 + 0.38415² / 4) / 1.38415 = 0.22658
    assert wilson(8, 10) == pytest.approx((0.8, 0.71674 - 0.22658, 0.71674 + 0.22658), abs=1e-4)


def test_sample_of_half_of_all_pages_counts_for_twice_its_size() -> None:
    # 50 of 99: 50 · 98 / 49 = 100 pages' worth.
    assert wilson(20, 50, 99) == pytest.approx(wilson(40, 100))


@settings(deadline=None)
@given(strata())
def test_looking_at_all_pages_leaves_no_doubt(sample: Stratum) -> None:
    whole = Stratum(sample.looked_at, sample.looked_at, sample.positive)
    share = sample.positive / sample.looked_at
    assert wilson(sample.positive, sample.looked_at, sample.looked_at) == Interval(share, share, share)
    assert exact(whole) == Interval(share, share, share)
    assert stratified([whole]) == pytest.approx((share, share, share))


@settings(deadline=None)
@given(strata())
def test_exact_limits_are_the_first_and_last_number_that_scipy_does_not_refute(sample: Stratum) -> None:
    from scipy import stats

    pages, looked_at, positive = sample
    worlds = np.arange(pages + 1)
    many = stats.hypergeom.sf(positive - 1, pages, worlds, looked_at)
    few = stats.hypergeom.cdf(positive, pages, worlds, looked_at)
    possible = worlds[(many > 0.025 * (1 + 1e-9)) & (few > 0.025 * (1 + 1e-9))]
    found = exact(sample)
    assert found.low * pages <= possible[0] + 1e-6
    assert found.high * pages >= possible[-1] - 1e-6
    # And not wider than what is refuted by a hair less.
    surely = worlds[(many > 0.025 * (1 - 1e-9)) & (few > 0.025 * (1 - 1e-9))]
    assert found.low * pages >= surely[0] - 1e-6
    assert found.high * pages <= surely[-1] + 1e-6


@settings(deadline=None)
@given(strata(), strata(), st.integers(0, 500))
def test_intervals_hold_their_share_and_lie_in_the_possible(first: Stratum, second: Stratum, failed: int) -> None:
    total = first.pages + second.pages + failed
    for found in (wilson(*first[2:0:-1], first.pages), stratified([first, second], total), recall_of(first, second)):
        assert math.isnan(found.share) or 0.0 <= found.low <= found.share <= found.high <= 1.0


def test_strata_are_weighed_by_their_pages() -> None:
    # 1,000 pages at 9 / 10 and 3,000 at 1 / 10: (900 + 300) / 4,000.
    strata = [Stratum(1_000, 10, 9), Stratum(3_000, 10, 1)]
    assert stratified(strata).share == pytest.approx(0.3)
    assert stratified(strata, 4_800).share == pytest.approx(0.25)  # with 800 that are known to be negative
    assert recall_of(*strata).share == pytest.approx(0.75)  # 900 of 1,200


def test_nothing_looked_at_tells_nothing() -> None:
    assert math.isnan(wilson(0, 0).share)
    assert wilson(0, 0)[1:] == (0.0, 1.0)
    assert exact(Stratum(10, 0, 0))[1:] == (0.0, 1.0)
    assert math.isnan(recall_of(Stratum(10, 5, 0), Stratum(10, 5, 0)).share)
    assert recall_of(Stratum(0, 0, 0), Stratum(10, 5, 2)).share == 0.0


SAMPLES = int(os.environ.get("EXONYM_SAMPLES", "400"))
WORLDS = [(5_000, 5_000, 0), (2_000, 8_000, 500), (500, 9_500, 0), (60, 140, 3), (9_000, 1_000, 100)]
TRUTHS = [(0.95, 0.02), (0.99, 0.001), (0.8, 0.1), (0.6, 0.3), (1.0, 0.01), (0.9, 0.0)]


@pytest.mark.parametrize("size", [20, 100])
@pytest.mark.parametrize("world", WORLDS)
def test_stratified_intervals_have_the_truth_in_95_of_100_samples(world: tuple[int, int, int], size: int) -> None:
    kept, dropped, failed = world
    chance = np.random.default_rng(20_261_116)
    for precision, missed in TRUTHS:
        right, lost, each = round(kept * precision), round(dropped * missed), size // 2
        drawn = zip(
            chance.hypergeometric(right, kept - right, each, SAMPLES).tolist(),
            chance.hypergeometric(lost, dropped - lost, each, SAMPLES).tolist(),
            strict=True,
        )

        @cache
        def holds(found: int, other: int, each: int = each, right: int = right, lost: int = lost) -> tuple[bool, bool]:
            strata = Stratum(kept, each, found), Stratum(dropped, each, other)
            return (
                contains(stratified(strata, kept + dropped + failed), (right + lost) / (kept + dropped + failed)),
                contains(recall_of(*strata), right / (right + lost)),
            )

        held = np.mean([holds(*counts) for counts in drawn], axis=0)
        # As far below 95 % as bad luck alone brings it in one of 700 cases.
        assert held.min() >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / SAMPLES), (precision, missed, held)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8, 0.95])
def test_wilson_has_the_truth_in_95_of_100_samples_on_average(share: float) -> None:
    chance = np.random.default_rng(7)
    drawn = chance.hypergeometric(round(5_000 * share), 5_000 - round(5_000 * share), 100, SAMPLES)
    held = np.mean([contains(wilson(int(found), 100, 5_000), share) for found in drawn])
    assert 0.92 <= held <= 0.985


def contains(interval: Interval, truth: float) -> bool:
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9


def a_draw(of: str, sample: int) -> Draw:
    return Draw(of, sample, 0, 500, 100, 300, 100, tuple(range(sample)))


def test_audit_of_both_kinds_weighs_them_back() -> None:
    # Of 100 pages judged relevant 10 are looked at and 9 are; of 300 others 10, of which 2 are: 90 + 60 of 500 fetched.
    answers = {row: row < 9 or row in (10, 11) for row in range(20)}
    audit = audit_of(a_draw("both", 20), answers, {row: row < 10 for row in range(20)})
    assert audit.harvest_rate is not None
    assert audit.precision is not None
    assert audit.recall is not None
    assert audit.agreement is not None
    assert audit.missed is not None
    assert audit.harvest_rate.share == pytest.approx(0.3)
    assert audit.precision == pytest.approx(wilson(9, 10, 100))
    assert audit.recall.share == pytest.approx(0.6)  # 90 of 150
    assert audit.missed.share == pytest.approx(0.2)
    assert audit.agreement.share == pytest.approx((90 + 240) / 400)
    assert (audit.labelled, audit.yes) == (20, 11)
    assert "do not contradict" in meaning_of(audit)  # counted: 100 / 500 = 20 %


def test_audit_of_all_pages_alike_is_plain_wilson() -> None:
    answers = {row: row < 10 for row in range(40)}
    audit = audit_of(a_draw("all", 40), answers, {row: row < 8 for row in range(40)})
    assert audit.harvest_rate is not None
    assert audit.harvest_rate == pytest.approx([value * 0.8 for value in wilson(10, 40, 400)])  # 400 of 500 came
    assert audit.recall == pytest.approx(wilson(8, 10))
    assert audit.agreement == pytest.approx(wilson(38, 40, 400))


@pytest.mark.parametrize(("of", "what"), [("relevant", "precision"), ("irrelevant", "missed")])
def test_sample_of_one_kind_tells_of_that_kind_only(of: str, what: str) -> None:
    audit = audit_of(a_draw(of, 10), dict.fromkeys(range(10), True), dict.fromkeys(range(10), of == "relevant"))
    assert getattr(audit, what).share == 1.0
    assert (audit.harvest_rate, audit.recall, audit.agreement) == (None, None, None)
    assert f"took for {of}" in meaning_of(audit)


@pytest.mark.parametrize(("answer", "fault"), [(True, "misses too many"), (False, "takes too many")])
def test_judge_that_is_always_wrong_is_told(answer: bool, fault: str) -> None:
    audit = audit_of(a_draw("both", 40), dict.fromkeys(range(40), answer), {row: row < 20 for row in range(40)})
    assert fault in meaning_of(audit)


@pytest.mark.parametrize("of", ["both", "all", "relevant", "irrelevant"])
def test_audit_without_labels_says_so(of: str) -> None:
    audit = audit_of(a_draw(of, 10), {}, dict.fromkeys(range(10), True))
    assert audit.harvest_rate is None
    assert audit.precision is None
    assert meaning_of(audit) == "Nothing is labelled yet."
