"""Coverage by recapture: formulas by hand and against SciPy, and intervals on webs whose true coverage is known.

EXONYM_SAMPLES=1000 draws more lists from these webs.
"""

import math
import os
from typing import NamedTuple

import numpy as np
import pytest

from exonym.batches import Flags, Ids
from exonym.coverage.known_pages import known_share
from exonym.coverage.page_fates import Fate
from exonym.coverage.recapture import chapman, share_with_sites, student_t90
from exonym.coverage.two_crawls import shared_finds
from exonym.intervals import Z90, Interval, wilson

LISTS = int(os.environ.get("EXONYM_SAMPLES", "50"))
ENOUGH = 0.8 * LISTS  # intervals that hold in 90 % of all lists hold in so many of 50, nearly always


def numbered(*sizes: int) -> Ids:
    """The sites of pages, one site after the other, of these sizes."""
    return np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)


# Formulas


def test_t_is_that_of_scipy() -> None:
    from scipy import stats  # takes two seconds

    for freedom in (1, 2, 3, 4, 5, 8, 20, 100, 10_000):
        assert student_t90(freedom) == pytest.approx(stats.t.ppf(0.95, freedom), rel=3e-3)


def test_chapman_is_as_worked_out_by_hand() -> None:
    # 200 and 100 pages, 50 in both: 201 · 101 / 51 - 1 = 397.06; 201 · 101 · 150 · 50 / (51² · 52) = 1125.7.
    # Unseen 397.06 - 250 = 147.06; log(1 + 1125.7 / 147.06²) = 0.050735; exp(1.64485 · 0.225245) = 1.44847
    found = chapman(200, 100, 50)
    assert found[:2] == pytest.approx((397.0588, 1125.7320), abs=1e-4)
    assert (found.low, found.high) == pytest.approx((250 + 147.0588 / 1.44847, 250 + 147.0588 * 1.44847), abs=0.01)


def test_crawls_that_found_the_same_pages_found_all_of_them() -> None:
    assert chapman(30, 30, 30) == (30, 0, 30, 30)


def test_pages_of_sites_of_their_own_are_a_plain_sample() -> None:
    # Of n single pages, the variance between sites is n / (n - 1) times p (1 - p) / n: they are worth n - 1 pages.
    positive = np.arange(60) < 45
    worth = 59 * (Z90 / student_t90(59)) ** 2
    assert share_with_sites(positive, numbered(*[1] * 60)) == pytest.approx(wilson(0.75 * worth, worth, z=Z90))


def test_pages_of_sites_found_as_a_whole_are_worth_as_many_pages_as_there_are_sites() -> None:
    sites = numbered(*[20] * 60)
    ours, plain = share_with_sites(sites < 45, sites), share_with_sites(np.arange(60) < 45, numbered(*[1] * 60))
    assert ours == pytest.approx(plain)


def test_if_everything_was_found_a_site_counts_once() -> None:
    # 10 sites of 30 pages: worth 300² / (10 · 30²) = 10 pages.
    worth = 10 * (Z90 / student_t90(9)) ** 2
    everything = share_with_sites(np.ones(300, np.bool_), numbered(*[30] * 10))
    assert everything == pytest.approx(wilson(worth, worth, z=Z90))
    assert everything.high == 1.0


def test_pages_of_one_site_tell_nothing_of_others() -> None:
    assert share_with_sites(np.arange(100) < 70, numbered(100)) == Interval(0.7, 0.0, 1.0)


def test_no_pages_tell_nothing() -> None:
    share, low, high = share_with_sites(np.zeros(0, np.bool_), numbered())
    assert (math.isnan(share), low, high) == (True, 0.0, 1.0)


def test_interval_is_as_wide_as_that_of_a_bootstrap_over_sites() -> None:
    chance = np.random.default_rng(20)
    sizes = chance.geometric(0.1, 400)
    sites = numbered(*sizes.tolist())
    positive = chance.random(len(sites)) < chance.beta(2, 1, 400)[sites.astype(np.intp)]
    hits = np.bincount(sites.astype(np.intp), weights=positive)
    drawn = chance.integers(0, 400, (4_000, 400))
    low, high = np.quantile(hits[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [0.05, 0.95])
    ours = share_with_sites(positive, sites)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.1 * (high - low))


# Webs whose truth is known


class MadeWeb(NamedTuple):
    """The relevant pages of a web: their sites, and which of them a crawl has."""

    sites: Ids
    is_found: Flags

    @property
    def coverage(self) -> float:
        return float(self.is_found.mean())

    def listed(self, seed: int, pages: int) -> "MadeWeb":
        """A random list of its pages."""
        chosen = np.random.default_rng(seed).choice(len(self.sites), pages, replace=False)
        return MadeWeb(self.sites[chosen], self.is_found[chosen])

    def listed_by_site(self, seed: int, sites: int) -> "MadeWeb":
        """A random list of its sites, with all of their pages."""
        chosen = np.random.default_rng(seed).choice(np.unique(self.sites), sites, replace=False)
        is_listed = np.isin(self.sites, chosen)
        return MadeWeb(self.sites[is_listed], self.is_found[is_listed])

    @property
    def fates(self) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
        return np.where(self.is_found, Fate.RELEVANT, Fate.UNKNOWN).astype(np.uint8)


def made_web(seed: int, by_site: float) -> MadeWeb:
    """1,000 sites, of which a crawl has most pages or few; with `by_site` 0 each page has the same chance."""
    chance = np.random.default_rng(seed)
    sites = numbered(*chance.geometric(0.05, 1_000).tolist())
    of_site = np.where(chance.random(1_000) < 0.75, 0.98, 0.1)
    likely = by_site * of_site[sites.astype(np.intp)] + (1 - by_site) * 0.76
    return MadeWeb(sites, chance.random(len(sites)) < likely)


def held(truth: float, intervals: "list[Interval | None]") -> int:
    """How many intervals contain the truth."""
    return sum(interval is not None and interval.low <= truth <= interval.high for interval in intervals)


@pytest.mark.parametrize("by_site", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("pages", [15, 40, 100, 400])
def test_intervals_of_random_lists_hold_the_true_coverage(by_site: float, pages: int) -> None:
    web = made_web(1, by_site)
    shares = [known_share(one.fates, one.sites) for seed in range(LISTS) if (one := web.listed(seed, pages))]
    assert held(web.coverage, [share.at_least for share in shares]) >= ENOUGH
    assert held(web.coverage, [share.coverage for share in shares]) >= ENOUGH


@pytest.mark.parametrize("by_site", [0.5, 1.0])
@pytest.mark.parametrize("sites", [20, 40, 200])
def test_intervals_of_lists_of_whole_sites_hold_it_too_and_those_of_single_pages_do_not(
    sites: int, by_site: float
) -> None:
    web = made_web(1, by_site)
    lists = [web.listed_by_site(seed, sites) for seed in range(LISTS)]
    assert held(web.coverage, [known_share(one.fates, one.sites).at_least for one in lists]) >= ENOUGH
    plain: list[Interval | None] = [wilson(one.is_found.sum(), len(one.sites), z=Z90) for one in lists]
    assert held(web.coverage, plain) < ENOUGH


@pytest.mark.parametrize("by_site", [0.0, 1.0])
def test_intervals_of_two_crawls_hold_the_true_coverage_and_the_number_of_pages(by_site: float) -> None:
    web, finds = made_web(1, by_site), []
    for seed in range(LISTS):
        chance = np.random.default_rng(seed)
        of_site = chance.beta(1, 1, 1_000)[web.sites.astype(np.intp)] if by_site else 0.5
        other = chance.random(len(web.sites)) < of_site
        finds.append(shared_finds(int(web.is_found.sum()), web.fates[other], web.sites[other]))
    assert held(web.coverage, [find.coverage for find in finds]) >= ENOUGH
    assert held(len(web.sites), [find.size for find in finds]) >= ENOUGH


def test_crawls_that_find_the_same_kind_of_page_overstate_the_coverage() -> None:
    # What the output warns of: half of the pages are easy to find (.9 for each crawl), the others hard (.2). The crawl
    # has .55; of the other crawl's pages (.9 + .2) / 2 it has (.9² + .2²) / 2, which is .77.
    chance = np.random.default_rng(4)
    likely = np.where(np.arange(40_000) % 2, 0.9, 0.2)
    first, second = chance.random(40_000) < likely, chance.random(40_000) < likely
    fates = np.where(first, Fate.RELEVANT, Fate.UNKNOWN).astype(np.uint8)
    find = shared_finds(int(first.sum()), fates[second], np.arange(40_000, dtype=np.uint64)[second])
    assert first.mean() == pytest.approx(0.55, abs=0.01)
    assert find.coverage is not None
    assert find.coverage.share == pytest.approx(0.85 / 1.1, abs=0.01)


# Fates to shares


def fates(**pages: int) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    return np.repeat([Fate[name.upper()] for name in pages], list(pages.values())).astype(np.uint8)


def test_unsettled_pages_are_relevant_as_often_as_settled_ones_or_all_of_them() -> None:
    # 60 of 80 settled pages are relevant, so 15 of the 20 others: 60 / 75 = 80 %. All of them: 60 / 80 = 75 %.
    found = fates(relevant=60, irrelevant=10, copy=4, gone=3, redirect=3, failed=4, forbidden=3, waiting=5)
    found = np.concatenate([found, fates(not_followed=4, unknown=4, left_out=9)])
    share = known_share(found, np.arange(len(found), dtype=np.uint64))
    assert share.coverage is not None
    assert share.at_least is not None
    assert share.coverage.share == pytest.approx(60 / (60 + 20 * 60 / 80))
    assert share.at_least.share == pytest.approx(60 / 80)
    assert (share.settled, share.usable, share.sites, share.relevant_share) == (80, 100, 100, 0.75)
    assert share.document()["left_out"] == 9


def test_fewer_than_ten_pages_tell_nothing() -> None:
    nine = known_share(fates(relevant=5, unknown=4, left_out=50), np.arange(59, dtype=np.uint64))
    assert (nine.coverage, nine.at_least, nine.usable) == (None, None, 9)


def test_list_without_a_relevant_page_has_no_model_for_the_others() -> None:
    share = known_share(fates(irrelevant=20, unknown=20), np.arange(40, dtype=np.uint64))
    assert share.coverage is None
    assert share.at_least is not None
    assert share.at_least.share == 0


def test_crawl_without_visits_has_found_nothing_of_the_list() -> None:
    share = known_share(fates(unknown=20), np.arange(20, dtype=np.uint64))
    assert share.coverage is not None
    assert share.coverage.share == 0


def test_pages_that_are_irrelevant_by_now_are_no_pages_of_the_other_crawl() -> None:
    finds = shared_finds(50, fates(relevant=20, irrelevant=4, gone=2, unknown=10, left_out=3), numbered(*[1] * 39))
    assert (finds.own, finds.of_other, finds.both, finds.changed, finds.left_out) == (50, 30, 20, 6, 3)
    # 51 · 31 / 21 - 1 = 74.29
    assert finds.coverage is not None
    assert finds.coverage.share == pytest.approx(50 / (51 * 31 / 21 - 1))
    assert finds.size is not None
    assert finds.size.low >= 50 + 30 - 20


def test_crawls_without_a_common_page_leave_the_number_of_pages_open() -> None:
    finds = shared_finds(50, fates(unknown=30), numbered(*[1] * 30))
    assert finds.coverage is not None
    assert finds.coverage.low == 0
    assert finds.document()["size"] is not None
    assert finds.document()["size"]["high"] is None
