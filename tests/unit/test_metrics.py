"""Harvest and coverage, by arithmetic done by hand."""

import numpy as np
import pytest

from exonym.metrics import Totals, coverage_trace, harvest_trace


def test_harvest_rate_is_relevant_pages_by_pages_fetched() -> None:
    assert Totals(pages=8, relevant=2, failures=4).harvest_rate == 0.25


def test_harvest_rate_is_zero_before_the_first_page() -> None:
    assert Totals().harvest_rate == 0.0


def test_harvest_trace_is_the_rate_after_each_page() -> None:
    assert harvest_trace(np.array([True, False, False, True])).tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 2])


def test_coverage_trace_is_the_share_found_after_each_page() -> None:
    assert coverage_trace(np.array([True, False, True]), 4).tolist() == [0.25, 0.25, 0.5]


def test_coverage_of_nothing_is_whole() -> None:
    assert coverage_trace(np.array([False, False]), 0).tolist() == [1.0, 1.0]


def test_traces_of_no_pages_are_empty() -> None:
    nothing = np.zeros(0, dtype=np.bool_)
    assert len(harvest_trace(nothing)) == 0
    assert len(coverage_trace(nothing, 3)) == 0
