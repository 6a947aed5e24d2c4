"""The oracles on a web drawn by hand: they are told which pages are relevant, or lie on the way to relevant ones."""

import pytest

from exonym.errors import ColumnError
from exonym.strategies import STRATEGIES, is_oracle
from exonym.strategies.by_name import check_live_columns, make_strategy
from exonym.strategies.oracle import Perfect, RelevantOnly
from exonym.testing.handdrawn import drawn, visits

ORACLES = ["perfect", "relevant-only"]
WEB = drawn("""
    en.com/  en → a.th/ b.com/ c.com/ i.com/
    a.th/    th → b.com/ a.th/1 d.th/ nowhere.th/
    b.com/   en → e.th/ i.com/1
    c.com/   th → a.th/1 f.com/ c.com/1
    a.th/1   th → g.th/
    d.th/    forbidden
    e.th/    th
    f.com/   redirect → h.th/
    c.com/1  en → e.th/
    g.th/    th → en.com/ c.com/2
    c.com/2  th
    h.th/    th
    i.com/   en → e.th/ j.com/
    i.com/1  en
    j.com/   en
""")


def test_perfect_follows_the_paths_of_a_breadth_first_crawl_that_end_in_relevant_pages() -> None:
    # Breadth first, the pages are found by these pages: a.th/ b.com/ c.com/ i.com/ by the seed; a.th/1 by a.th/,
    # e.th/ by b.com/, f.com/ c.com/1 by c.com/, j.com/ by i.com/; g.th/ by a.th/1, h.th/ by f.com/; c.com/2 by g.th/.
    # So b.com/ and the redirect f.com/ are on paths; i.com/ and c.com/1 are not, though they link to e.th/ too.
    assert visits(WEB, Perfect(), ["en.com/"]) == [
        "en.com/",
        *("a.th/", "b.com/", "c.com/"),
        *("a.th/1", "e.th/", "f.com/"),
        *("g.th/", "h.th/"),
        "c.com/2",
    ]


def test_perfect_finds_every_relevant_page_that_breadth_first_finds() -> None:
    everything = visits(WEB, make_strategy("bfs", {}), ["en.com/"])
    relevant = {address for address in everything if address in WEB and WEB[address].relevant}
    assert len(everything) == len(WEB) + 1  # nowhere.th/ is linked and not drawn
    assert relevant <= set(visits(WEB, Perfect(), ["en.com/"]))


def test_relevant_only_misses_what_lies_behind_irrelevant_pages_and_redirects() -> None:
    assert visits(WEB, RelevantOnly(), ["en.com/"]) == [
        "en.com/",  # a seed: followed, though it is English
        *("a.th/", "c.com/"),
        "a.th/1",
        "g.th/",
        "c.com/2",
    ]


def test_a_seed_that_leads_nowhere_is_fetched_all_the_same() -> None:
    assert visits(WEB, Perfect(), ["j.com/", "e.th/"]) == ["j.com/", "e.th/"]


def test_oracles_say_so() -> None:
    assert [name for name, kind in STRATEGIES.items() if is_oracle(kind)] == ORACLES
    assert all("oracle" in str(STRATEGIES[name].__doc__) for name in ORACLES)


@pytest.mark.parametrize(("name", "column"), [("perfect", "on_path"), ("relevant-only", "target_relevant")])
def test_oracle_is_refused_in_a_live_crawl_in_one_line(name: str, column: str) -> None:
    with pytest.raises(ColumnError, match=f"{name} needs {column}, which only a simulation knows") as caught:
        check_live_columns(name, make_strategy(name, {}))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name not in ORACLES])
def test_all_others_may_crawl_live(name: str) -> None:
    check_live_columns(name, make_strategy(name, {}))
