"""The pace of a crawl, and the projection of its end."""

import random

import pytest

from exonym.crawl_progress import RECENT_PAGES, CrawlProgress, Pace, PageWindow, document_of
from exonym.metrics import Totals


def test_window_has_the_last_thousand_pages_and_their_time() -> None:
    window = PageWindow(0.0)
    for second in range(1, 1_501):
        window.add(float(second), relevant=second > 1_000)
    recent = window.recent(1_600.0)
    # The first of the last thousand was fetched in second 501; the page before it in second 500.
    assert (recent.pages, recent.relevant, recent.seconds) == (RECENT_PAGES, 500, 1_100.0)
    assert (recent.harvest_rate, recent.pages_per_second) == (0.5, 1_000 / 1_100)


def test_window_of_a_new_crawl_is_empty() -> None:
    recent = PageWindow(5.0).recent(5.0)
    assert (recent.pages, recent.harvest_rate, recent.pages_per_second) == (0, 0.0, 0.0)


def steady(pace: Pace, seconds: int, per_second: int = 10, waiting: int = 10**6, drain: int = 0) -> None:
    for second in range(seconds + 1):
        totals = Totals(pages=per_second * second, bytes=1_000 * second, frontier=waiting - drain * second)
        pace.add(float(second), totals)


def test_steady_crawl_is_projected_exactly() -> None:
    pace = Pace()
    steady(pace, 100)
    projection = pace.projection({"pages": 2_000})
    assert projection is not None
    assert (projection.by, projection.seconds) == ("pages", pytest.approx(100.0))
    assert projection.least_seconds == projection.most_seconds == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("limits", "by", "seconds"),
    [
        ({"bytes": 150_000.0, "pages": 5_000.0}, "bytes", 50.0),
        ({"seconds": 130.0, "pages": 5_000.0}, "seconds", 30.0),
        ({"pages": 900.0}, "pages", 0.0),
    ],
)
def test_first_limit_to_be_reached_decides(limits: dict[str, float], by: str, seconds: float) -> None:
    pace = Pace()
    steady(pace, 100)
    projection = pace.projection(limits)
    assert projection is not None
    assert (projection.by, projection.seconds) == (by, pytest.approx(seconds))


def test_crawl_without_limits_ends_when_its_frontier_runs_dry() -> None:
    pace = Pace()
    steady(pace, 100, waiting=2_000, drain=10)
    projection = pace.projection({})
    assert projection is not None
    assert (projection.by, projection.seconds) == ("empty frontier", pytest.approx(100.0))


def test_growing_frontier_has_no_end_in_sight() -> None:
    pace = Pace()
    steady(pace, 100, drain=-5)
    assert pace.projection({}) is None


def test_nothing_is_projected_too_early() -> None:
    pace = Pace()
    steady(pace, 4)
    assert pace.projection({"pages": 100}) is None


@pytest.mark.parametrize("likeness", [0.0, 0.7])
def test_interval_contains_the_end_of_most_crawls(likeness: float) -> None:
    """Crawls whose pace varies, each second like the one before: 90 % is meant, 80 % is asked for."""
    chance = random.Random(11)
    hits = 0
    for _ in range(200):
        pace, pages, rate, end, projection = Pace(), 0.0, 0.0, 0, None
        for second in range(1, 2_000):
            rate = likeness * rate + chance.gauss(0, 3.0)
            pages += max(10 + rate, 0.0)
            if second <= 120:
                pace.add(float(second), Totals(pages=int(pages), frontier=10**6))
            if second == 120:
                projection = pace.projection({"pages": 3_000})
            if pages >= 3_000:
                end = second
                break
        assert projection is not None
        most = projection.most_seconds
        hits += projection.least_seconds <= end - 120 and (most is None or end - 120 <= most)
    assert hits >= 160


def test_document_is_plain() -> None:
    document = document_of(CrawlProgress(Totals(pages=4, relevant=1, languages={"": 3, "th": 1})))
    assert document["languages"] == {"unknown": 3, "th": 1}
    assert (document["harvest_rate"], document["projection"], document["paused"]) == (0.25, None, False)


def test_links_that_a_rule_leaves_out_are_no_progress() -> None:
    """A frontier that falls because of the scope does not bring the end nearer."""
    pace = Pace()
    for second in range(101):
        aside = 900_000 if second >= 95 else 0
        pace.add(float(second), Totals(pages=10 * second, frontier=10**6 - aside, aside=aside))
    projection = pace.projection({"pages": 2_000.0})
    assert projection is not None
    assert (projection.by, projection.seconds) == ("pages", pytest.approx(100.0))
