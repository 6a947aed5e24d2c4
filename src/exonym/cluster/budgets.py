"""Budgets of a whole crawl (pages, bytes), lent to partitions in portions, so that together they never use more."""

from collections.abc import Mapping
from typing import NamedTuple

SMALLEST_PORTION = 4


class Holding(NamedTuple):
    """What a partition has of a budget: units used, the limit up to which it may use them, and whether it can."""

    used: int
    limit: int
    is_spent: bool = False  # nothing waits: it cannot use any more


def new_limits(total: int, holdings: Mapping[int, Holding]) -> dict[int, int]:
    """The limits of all partitions, so that their sum is at most `total` (or what was used already).

    Partitions that are short of units get a portion: the same for all, and smaller the less is left, so that the end
    is shared too. What a partition cannot use is taken back. If nothing is left to lend, the partition that holds
    most unused units gives back half of them to those that have none.
    """
    limits = {number: max(holding.used, holding.limit) for number, holding in holdings.items()}
    for number, holding in holdings.items():
        if holding.is_spent:
            limits[number] = holding.used
    free = total - sum(limits.values())
    short = [number for number, holding in holdings.items() if not holding.is_spent]
    portion = max(free // (2 * len(short)), SMALLEST_PORTION) if short else 0
    needy = sorted(short, key=lambda number: limits[number] - holdings[number].used)
    for number in needy:
        unused = limits[number] - holdings[number].used
        if free > 0 and unused < max(portion // 2, 1):
            lent = min(portion, free)
            limits[number] += lent
            free -= lent
    if needy and free <= 0 and limits[needy[0]] <= holdings[needy[0]].used:
        most = max(short, key=lambda number: limits[number] - holdings[number].used)
        unused = limits[most] - holdings[most].used
        if unused > 1:
            limits[most] -= unused // 2  # lent to others by the next call, when the partition has agreed
    return limits
