"""How many visits a site may take before it pays."""

import numpy as np
import pytest

from exonym.batches import Ids
from exonym.strategies.adaptive.site_credit import FIRST_PAGES, SiteCredit
from exonym.urls import id_of


def urls(site: str, count: int) -> list[str]:
    """Pages on as many hosts of one registered domain."""
    return [f"http://h{number}.{site}/" for number in range(count)]


def servers(addresses: list[str]) -> Ids:
    return np.array([id_of(address) for address in addresses], np.uint64)


def used_up(credit: SiteCredit, *addresses: str) -> list[bool]:
    found: list[bool] = credit.is_used_up(servers([*addresses]), addresses).tolist()
    return found


def credit_after(pages: dict[str, tuple[int, int]]) -> SiteCredit:
    """The credit after so many pages, and relevant ones among them, of each site."""
    credit = SiteCredit()
    for site, (count, relevant) in pages.items():
        addresses = urls(site, count)
        credit.add(servers(addresses), addresses, np.arange(count) < relevant)
    return credit


@pytest.mark.parametrize(
    ("pages", "relevant", "is_used_up"),
    [(29, 0, False), (30, 0, True), (30, 1, False), (50, 1, False), (51, 1, True), (100, 2, False), (101, 2, True)],
)
def test_a_site_has_its_first_pages_and_then_pays_with_one_in_fifty(
    pages: int, relevant: int, is_used_up: bool
) -> None:
    credit = credit_after({"farm.example": (pages, relevant)})
    assert used_up(credit, "http://new.farm.example/", "http://other.example/") == [is_used_up, False]


def test_large_crawls_give_more_credit() -> None:
    # One page in a hundred of 10,000 is 100.
    for farm, is_used_up in ((99, False), (100, True)):
        credit = credit_after({"farm.example": (farm, 0), "good.example": (10_000 - farm, 5_000)})
        assert used_up(credit, "http://new.farm.example/") == [is_used_up]


def test_sites_on_platforms_have_credits_of_their_own() -> None:
    credit, spam = SiteCredit(), "http://spam.blogspot.com/"
    credit.add(servers([spam] * FIRST_PAGES), [spam] * FIRST_PAGES, np.zeros(FIRST_PAGES, np.bool_))
    assert used_up(credit, spam, "http://honest.blogspot.com/") == [True, False]


def test_credit_is_restored_and_merged() -> None:
    credit, other = credit_after({"farm.example": (20, 0)}), credit_after({"farm.example": (10, 0)})
    restored = SiteCredit()
    restored.restore(credit.state())
    assert used_up(restored, "http://new.farm.example/") == [False]
    restored.merge(other.state())
    assert used_up(restored, "http://new.farm.example/") == [True]


def test_a_site_that_pays_late_gets_visits_again() -> None:
    credit = credit_after({"farm.example": (30, 0)})
    assert used_up(credit, "http://new.farm.example/") == [True]
    credit.add(servers(["http://new.farm.example/"]), ["http://new.farm.example/"], np.ones(1, np.bool_))
    assert used_up(credit, "http://new.farm.example/") == [False]
