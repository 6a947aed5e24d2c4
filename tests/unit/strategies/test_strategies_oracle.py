"""The oracle on a web drawn by hand: it is told which pages are relevant."""

import pytest

from exonym.errors import ColumnError
from exonym.strategies import STRATEGIES, is_oracle
from exonym.strategies.by_name import check_live_columns, make_strategy
from exonym.strategies.oracle import Perfect
from exonym.testing.handdrawn import drawn, visits

WEB = drawn("""
    en.com/  en → a.th/ b.com/ c.com/
    a.th/    th → b.com/ a.th/1 d.th/ nowhere.th/
    b.com/   en → e.th/
    c.com/   th → a.th/1 f.com/ c.com/1
    a.th/1   th → g.th/
    d.th/    forbidden
    e.th/    th
    f.com/   redirect → h.th/
    c.com/1  en → e.th/
    g.th/    th → en.com/ c.com/2
    c.com/2  th
    h.th/    th
""")


def test_perfect_follows_only_links_that_lead_to_relevant_pages_first_found_first() -> None:
    assert visits(WEB, Perfect(), ["en.com/"]) == [
        "en.com/",  # a seed: followed, though it is English
        *("a.th/", "c.com/"),
        "a.th/1",
        "g.th/",
        "c.com/2",
        # e.th/ lies behind English pages, h.th/ behind a redirect: they stay unfound, so this is no upper bound.
    ]


def test_perfect_is_the_only_oracle_and_says_so() -> None:
    assert [name for name, kind in STRATEGIES.items() if is_oracle(kind)] == ["perfect"]
    assert "oracle" in str(Perfect.__doc__)


def test_oracle_is_refused_in_a_live_crawl_in_one_line() -> None:
    with pytest.raises(ColumnError, match="perfect needs target_relevant, which only a simulation knows") as caught:
        check_live_columns("perfect", Perfect())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "perfect"])
def test_all_others_may_crawl_live(name: str) -> None:
    check_live_columns(name, make_strategy(name, {}))
