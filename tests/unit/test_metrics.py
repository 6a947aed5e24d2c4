"""Harvest, coverage and area, by arithmetic done by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Flags
from exonym.metrics import (
    Totals,
    area,
    coverage_after,
    coverage_of,
    harvest_after,
    harvest_over,
    pages_for_coverage,
    relevant_pages_for,
)

CRAWLS = st.lists(st.booleans(), max_size=60)


def flags(text: str) -> Flags:
    """`x` is a relevant page, `.` another."""
    return np.array([letter == "x" for letter in text], dtype=np.bool_)


def test_harvest_rate_is_relevant_pages_by_pages_fetched() -> None:
    assert Totals(pages=8, relevant=2, failures=4).harvest_rate == 0.25


def test_harvest_rate_is_zero_before_the_first_page() -> None:
    assert Totals().harvest_rate == 0.0


def test_harvest_is_the_rate_at_each_moment() -> None:
    assert harvest_after(np.array([1, 1, 1, 2]), np.array([1, 2, 3, 4])).tolist() == pytest.approx(
        [1, 1 / 2, 1 / 3, 1 / 2]
    )


def test_coverage_is_the_share_found_at_each_moment() -> None:
    assert coverage_after(np.array([1, 1, 2]), 4).tolist() == [0.25, 0.25, 0.5]


def test_coverage_of_nothing_is_whole() -> None:
    assert coverage_after(np.array([0, 0]), 0).tolist() == [1.0, 1.0]
    assert coverage_of(0, 0) == 1.0


def test_no_moments_have_no_rates() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert len(harvest_after(nothing, nothing)) == 0
    assert len(coverage_after(nothing, 3)) == 0


def test_coverage_is_the_share_of_all_that_exist() -> None:
    assert coverage_of(2, 8) == 0.25


@pytest.mark.parametrize(("pages", "rate"), [(1, 1.0), (2, 0.5), (3, 2 / 3), (4, 0.5), (9, 0.5)])
def test_harvest_over_the_first_pages_counts_what_was_fetched_of_them(pages: int, rate: float) -> None:
    assert harvest_over(flags("x.x."), pages) == pytest.approx(rate)


def test_harvest_over_no_pages_is_zero() -> None:
    assert harvest_over(flags("xx"), 0) == 0.0
    assert harvest_over(flags(""), 10) == 0.0


@pytest.mark.parametrize(("percent", "needed"), [(50, 2), (90, 3), (95, 3), (99, 3), (34, 2), (33, 1), (0, 0)])
def test_a_share_of_pages_is_rounded_up(percent: int, needed: int) -> None:
    assert relevant_pages_for(percent, 3) == needed  # 1.5, 2.7, 2.85, 2.97, 1.02, 0.99, 0


@pytest.mark.parametrize(("percent", "pages"), [(25, 2), (50, 4), (75, 5), (76, None), (100, None)])
def test_pages_for_coverage_end_with_the_page_that_completes_it(percent: int, pages: int | None) -> None:
    # Relevant pages are found as the 2nd, 4th and 5th; of four that exist, one is never found.
    assert pages_for_coverage(flags(".x.xx."), 4, percent) == pages


def test_no_page_is_needed_to_cover_nothing() -> None:
    assert pages_for_coverage(flags(".."), 0, 90) == 0


def test_area_of_the_ideal_crawl_is_one() -> None:
    assert area(flags("xxx..."), 3) == 1.0
    assert area(flags("xxx"), 3) == 1.0  # it ended, and keeps its coverage


def test_area_is_that_under_the_coverage_curve_over_twice_the_relevant_pages() -> None:
    # R = 2: the first 4 pages. Ideal: 1/2 + 1 + 1 + 1 = 3.5. Here: 0 + 1/2 + 1/2 + 1 = 2.
    assert area(flags(".x.x"), 2) == pytest.approx(2 / 3.5)
    # What is found later does not count: 0 + 0 + 0 + 1/2.
    assert area(flags("...xx"), 2) == pytest.approx(0.5 / 3.5)
    # A crawl that ended keeps its coverage: 1/2 + 1/2 + 1/2 + 1/2.
    assert area(flags("x"), 2) == pytest.approx(2 / 3.5)


def test_area_of_a_crawl_that_found_nothing_is_zero_and_of_one_with_nothing_to_find_one() -> None:
    assert area(flags("...."), 2) == 0.0
    assert area(flags(""), 2) == 0.0
    assert area(flags("..."), 0) == 1.0


@given(CRAWLS, st.integers(0, 20))
def test_area_is_the_mean_of_the_coverage_trace_by_that_of_the_ideal_one(crawl: list[bool], missed: int) -> None:
    existing = sum(crawl) + missed
    length = 2 * existing
    found = [sum(crawl[:page]) / existing for page in range(1, length + 1)]
    ideal = [min(page, existing) / existing for page in range(1, length + 1)]
    expected = sum(found) / sum(ideal) if existing else 1.0
    assert area(np.array(crawl, dtype=np.bool_), existing) == pytest.approx(expected)
    assert 0 <= expected <= 1


@given(CRAWLS, st.integers(0, 20), st.integers(1, 100))
def test_pages_for_coverage_is_where_the_trace_first_gets_there(crawl: list[bool], missed: int, percent: int) -> None:
    existing = sum(crawl) + missed
    reached = [page for page in range(len(crawl) + 1) if 100 * sum(crawl[:page]) >= percent * existing]
    pages = pages_for_coverage(np.array(crawl, dtype=np.bool_), existing, percent)
    assert pages == (reached[0] if reached else None)


@given(CRAWLS, st.integers(1, 70))
def test_harvest_over_pages_is_the_trace_there(crawl: list[bool], pages: int) -> None:
    relevant = np.array(crawl, dtype=np.bool_)
    expected = np.cumsum(relevant)[min(pages, len(crawl)) - 1] / min(pages, len(crawl)) if crawl else 0.0
    assert harvest_over(relevant, pages) == pytest.approx(expected)
