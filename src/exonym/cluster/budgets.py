"""Budgets of a whole crawl (pages, bytes), lent to partitions in portions, so that together they never use more."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

SMALLEST_PORTION = 4


class Holding(NamedTuple):
    """What a partition has of a budget: units used, the limit up to which it may use them, and whether it can."""

    used: int
    limit: int
    is_spent: bool = False  # nothing waits: it cannot use any more


def new_limits(total: int, holdings: Mapping[int, Holding], own: Collection[int]) -> dict[int, int]:
    """New limits for some partitions (`own`), so that all limits together stay within `total`.

    Partitions that are short of units get a portion, which is the smaller the less is left: so the end is shared too.
    A partition that cannot use what it has gives it back. If nothing is left to lend while some have none, those that
    have unused units give back half of them. What is given back may be lent when its partition has agreed.
    """
    held = {number: max(holding.used, holding.limit) for number, holding in holdings.items()}
    unused = {number: held[number] - holding.used for number, holding in holdings.items()}
    able = [number for number, holding in holdings.items() if not holding.is_spent]
    free = total - sum(held.values())
    portion = max(free // (2 * max(len(able), 1)), SMALLEST_PORTION)
    is_short = free <= 0 and any(not unused[number] for number in able)
    limits = {number: holdings[number].used for number in own if holdings[number].is_spent}
    for number in sorted(set(own).intersection(able), key=lambda number: unused[number]):
        limits[number] = held[number]
        if free > 0 and unused[number] < max(portion // 2, 1):
            lent = min(portion, free)
            limits[number] += lent
            free -= lent
        elif is_short and unused[number] > 1:
            limits[number] -= unused[number] // 2
    return limits
