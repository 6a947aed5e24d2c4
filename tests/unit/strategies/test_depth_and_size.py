"""Depth first against a recursive search, and larger site first on webs drawn by hand."""

import random

import numpy as np
import pytest

from exonym.strategies.depth_first import DEEPEST, DepthFirst
from exonym.strategies.larger_site_first import LargerSiteFirst
from exonym.testing.handdrawn import DrawnWeb, drawn, visits
from exonym.testing.random_batches import link_batch


def recursive(web: DrawnWeb, address: str, visited: list[str]) -> list[str]:
    """Depth first as textbooks have it: visit a page, then each of its links that was not visited meanwhile."""
    visited.append(address)
    for link in web[address].links:
        if link.removeprefix("http://") not in visited:
            recursive(web, link.removeprefix("http://"), visited)
    return visited


@pytest.mark.parametrize("seed", range(20))
def test_depth_first_visits_pages_in_the_order_of_a_recursive_search(seed: int) -> None:
    chance = random.Random(seed)
    pages = [f"s{number % 7}.com/{number}" for number in range(40)]
    lines = (f"{page} en → {' '.join(chance.sample(pages, chance.randint(0, 5)))}" for page in pages)
    web = drawn("\n".join(lines))
    assert visits(web, DepthFirst(), pages[:1]) == recursive(web, pages[0], [])


def test_pages_deeper_than_the_deepest_level_are_still_visited() -> None:
    links = link_batch(random.Random(1), 3)
    assert links.source_note is not None
    links.source_note[:] = [DEEPEST - 1, DEEPEST, 2**40]
    links.source[:] = 5
    scores = DepthFirst().score(links)
    assert len(set(scores.tolist())) == 1
    assert not np.isnan(scores).any()


def test_links_to_the_server_with_most_known_pages_come_first() -> None:
    web = drawn("""
        seed.com/  en → a.com/1 b.com/1 b.com/2 c.com/1
        a.com/1    en → a.com/2 a.com/3 a.com/4
        b.com/1    en → c.com/2 c.com/3 c.com/4
        b.com/2    en
    """)
    assert visits(web, LargerSiteFirst(), ["seed.com/"]) == [
        "seed.com/",
        "b.com/1",  # two pages of b.com wait, one of a.com, one of c.com
        *("c.com/1", "c.com/2", "c.com/3"),  # four of c.com wait now
        "a.com/1",  # one each: first found first, and a.com was found before b.com/2 and c.com/4
        *("a.com/2", "a.com/3"),
        *("b.com/2", "c.com/4", "a.com/4"),
    ]
