"""Coverage from two independent finds of the same pages (capture and recapture), with 90 % intervals.

Pages of one site are found together or not at all, so a sample of pages is worth less than its size. Its worth is
measured by how much the sites differ (Kish's design effect; Korn and Graubard 1998), and Wilson's interval is that of a
sample of this worth. If no site differs, as when everything was found, a site counts for about one page.

The number of pages that exist is estimated as Chapman did (1951); its interval is log-normal (Chao 1987).
"""

import math
from typing import NamedTuple

import numpy as np

from exonym.batches import Flags, Ids
from exonym.intervals import Z90, Interval, unseen_factor, wilson

FEWEST_PAGES = 10  # fewer tell too little
CONFIDENCE = 0.9
_UNKNOWN_SHARE = Interval(math.nan, 0.0, 1.0)


def share_among(positive: Flags, among: Flags, sites: Ids) -> Interval | None:
    """The share of positive pages among some, as in `share_with_sites`; None if there are too few of these."""
    if np.count_nonzero(among) < FEWEST_PAGES:
        return None
    return share_with_sites(positive[among], sites[among])


def share_with_sites(positive: Flags, sites: Ids) -> Interval:
    """The share of positive pages, with its 90 % interval; pages of one site are not independent.

    With pages of a single site, any share is possible.
    """
    pages = len(positive)
    if not pages:
        return _UNKNOWN_SHARE
    _, place = np.unique(sites, return_inverse=True)
    sizes = np.bincount(place).astype(np.float64)
    share = float(np.count_nonzero(positive)) / pages
    # So many sites of one size would tell as much: a few large sites decide, however many small ones there are.
    worth_sites = pages**2 / float((sizes**2).sum())
    if len(sizes) == 1:
        return Interval(share, 0.0, 1.0)
    hits = np.bincount(place, weights=positive)
    variance = float(((hits - share * sizes) ** 2).sum()) / pages**2 * worth_sites / (worth_sites - 1)
    worth = float(pages)
    if share in (0, 1):
        worth = worth_sites
    elif variance:
        worth = min(worth, share * (1 - share) / variance)
    # The variance of few sites is itself uncertain: Student's t in the place of the normal distribution.
    worth *= (Z90 / student_t90(max(1, int(worth_sites) - 1))) ** 2
    return wilson(share * worth, worth, z=Z90)


def student_t90(freedom: int) -> float:
    """Between minus and plus this value lie 90 % of Student's distribution; by its expansion around the normal one.

    >>> [round(student_t90(freedom), 2) for freedom in (1, 2, 3, 10, 1_000)]
    [6.31, 2.92, 2.35, 1.81, 1.65]
    """
    if freedom == 1:
        return 1 / math.tan(0.05 * math.pi)
    if freedom == 2:
        return math.sqrt(2 / (0.1 * 1.9) - 2)
    z = Z90
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum((term / freedom**power for power, term in enumerate(terms, 1)), 0.0)


class Recapture(NamedTuple):
    """How many pages exist, by what two crawls found of them, if each page is found independently of all others."""

    size: float
    variance: float
    low: float
    high: float


def chapman(first: int, second: int, both: int) -> Recapture:
    """The population of which one crawl found `first` pages, another `second`, and `both` of them are the same.

    >>> tuple(round(number, 1) for number in chapman(200, 100, 50))
    (397.1, 1125.7, 351.5, 463.0)
    """
    size = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    found = first + second - both
    unseen = size - found
    if unseen <= 0:
        return Recapture(size, variance, size, size)
    reach = unseen_factor(unseen, variance)
    return Recapture(size, variance, found + unseen / reach, found + unseen * reach)


def interval_document(interval: Interval | None, name: str = "share") -> dict[str, float | None] | None:
    """An estimate with its limits for JSON, which has no infinite numbers: None for them."""
    if interval is None:
        return None
    limits = {name: interval.share, "low": interval.low, "high": interval.high}
    return {key: value if math.isfinite(value) else None for key, value in limits.items()}
