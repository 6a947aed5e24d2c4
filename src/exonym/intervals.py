"""Shares with their confidence intervals, from random samples of pages: plain, stratified, and of recall.

The interval of a single share is Wilson's score interval (1927), because the usual ± fails where a judge is nearly
always right. Samples are drawn without replacement, so a sample that is a good part of all pages counts for more than
its size: by (N - 1) / (N - n).

Strata are combined by recovering variances from each one's limits (MOVER: Zou, Huang and Zhang 2009), recall by the
same from Fieller's argument. There the limits of each stratum are the exact ones (Clopper and Pearson's, of the
hypergeometric distribution): audits of good judges have strata with next to no positive or no negative pages, where
Wilson's limits are right on average but not for each true share, and the combination would not be right even so.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

Z95 = 1.959963984540054  # standard deviations around the mean that hold 95 % of a normal distribution
Z90 = 1.6448536269514722  # … and 90 %

_TAIL = 0.025  # share of the samples beyond each of the two limits
_HALVINGS = 60


class Interval(NamedTuple):
    """An estimated share and the limits between which the true one lies, in 95 (or 90) of 100 samples."""

    share: float
    low: float
    high: float


def unseen_factor(unseen: float, variance: float) -> float:
    """By what a number of unseen things is divided and multiplied for its 90 % interval, a log-normal one (Chao 1987).

    >>> round(unseen_factor(100, 900), 3)
    1.621
    """
    return math.exp(Z90 * math.sqrt(math.log1p(variance / unseen**2)))


class Stratum(NamedTuple):
    """Pages of one kind: how many there are, how many were looked at, how many of these were positive."""

    pages: int
    looked_at: int
    positive: int


def wilson(positive: float, looked_at: float, pages: int | None = None, z: float = Z95) -> Interval:
    """Wilson's interval; `pages` is the number that the sample was drawn from, None for infinitely many.

    The counts need not be whole: a sample of pages that are alike is worth less than its size.

    >>> [round(value, 4) for value in wilson(8, 10)]
    [0.8, 0.4902, 0.9433]
    """
    if looked_at <= 0:
        return Interval(math.nan, 0.0, 1.0)
    share = positive / looked_at
    if pages is not None and looked_at >= pages:
        return Interval(share, share, share)
    size = looked_at if pages is None else looked_at * (pages - 1) / (pages - looked_at)
    square = z * z / size
    middle = (share + square / 2) / (1 + square)
    reach = math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    # Rounding must not push a limit past the share itself: 0 of n has the lower limit 0.
    return Interval(share, max(0.0, min(middle - reach, share)), min(1.0, max(middle + reach, share)))


@lru_cache(maxsize=4_096)
def exact(stratum: Stratum) -> Interval:
    """The share of positive pages in a stratum, with the limits of all true numbers that the sample does not refute.

    A sample refutes a true number if at most 2.5 % of samples would show as few, or as many, positive pages. In a
    stratum that was not looked at, any number may be true.
    """
    pages, looked_at, positive = stratum
    if not pages or not looked_at:
        return Interval(0.5, 0.0, 1.0) if pages else Interval(0.0, 0.0, 0.0)
    # With more positive pages in the stratum, large counts only get likelier: both limits are found by bisection.
    least, most = positive, pages - (looked_at - positive)
    low = _first(least, most, lambda number: _at_least(positive, Stratum(pages, looked_at, number)) > _TAIL)
    negative = looked_at - positive
    high = pages - _first(
        negative, pages - positive, lambda number: _at_least(negative, Stratum(pages, looked_at, number)) > _TAIL
    )
    return Interval(positive / looked_at, low / pages, high / pages)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first number from `low` to `high` for which `holds`; it holds for all larger ones too, and for `high`."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _at_least(drawn: int, world: Stratum) -> float:
    """How likely a sample has `drawn` positive pages or more, if `world` has `positive` of them in all."""
    pages, size, positive = world
    from_all = _log_choices(pages, size)
    return math.fsum(
        math.exp(_log_choices(positive, number) + _log_choices(pages - positive, size - number) - from_all)
        for number in range(max(drawn, size - (pages - positive)), min(size, positive) + 1)
    )


def _log_choices(things: int, taken: int) -> float:
    return math.lgamma(things + 1) - math.lgamma(taken + 1) - math.lgamma(things - taken + 1)


def stratified(strata: Sequence[Stratum], pages: int | None = None) -> Interval:
    """The share of positive pages among `pages` (by default those of all strata), strata weighted by their pages.

    Where `pages` are more than the strata's, the others are known to be negative.
    """
    total = sum(stratum.pages for stratum in strata) if pages is None else pages
    if total <= 0:
        return Interval(math.nan, 0.0, 1.0)
    share, below, above = 0.0, 0.0, 0.0
    for stratum in (stratum for stratum in strata if stratum.pages):
        part, weight = exact(stratum), stratum.pages / total
        share += weight * part.share
        below += (weight * (part.share - part.low)) ** 2
        above += (weight * (part.high - part.share)) ** 2
    share = min(share, 1.0)
    return Interval(share, max(0.0, share - math.sqrt(below)), min(1.0, share + math.sqrt(above)))


def recall_of(kept: Stratum, dropped: Stratum) -> Interval:
    """The share of all positive pages that is among the `kept` ones.

    The limits are those shares r for which the interval of r · (positive among the dropped) - (1 - r) · (positive
    among the kept) has 0 in it.
    """
    # How many positive pages each stratum has.
    taken, missed = (Interval(*(limit * stratum.pages for limit in exact(stratum))) for stratum in (kept, dropped))
    if taken.share + missed.share <= 0:
        return Interval(math.nan, 0.0, 1.0)

    def lower(r: float) -> float:
        reach = math.hypot(r * (missed.high - missed.share), (1 - r) * (taken.share - taken.low))
        return r * missed.share - (1 - r) * taken.share + reach

    def upper(r: float) -> float:
        reach = math.hypot(r * (missed.share - missed.low), (1 - r) * (taken.high - taken.share))
        return r * missed.share - (1 - r) * taken.share - reach

    share = taken.share / (taken.share + missed.share)
    return Interval(share, min(_root(lower), share), max(_root(upper), share))


def _root(rising: Callable[[float], float]) -> float:
    """The place between 0 and 1 where a rising function passes 0, by bisection; of several places the first."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return high
