"""Each strategy on webs drawn by hand, its order of visits worked out by hand.

Relevant is what is written in Thai. `rel` in the comments is a link of a relevant page, d2 one at distance 2.
"""

import random
from dataclasses import replace

import numpy as np
import pytest

from exonym.errors import ConfigError
from exonym.strategies.breadth_first import BreadthFirst
from exonym.strategies.distance import LimitedDistance
from exonym.strategies.focused import HardFocused, SoftFocused
from exonym.strategies.lswc import LanguageSpecific
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch

# Distances on the shortest way, which is also the way in which all strategies here find them:
# one.th/ 0 · one.th/a 1 · en.com/ 1 · one.th/b 1 · en.com/1 2 · two.com/ 2 · ja.jp/ 2
# two.com/a 1 · en.com/2 3 · ja.jp/1 3 · three.net/ 4 · four.th/ 4
WEB = drawn("""
    one.th/     th  → one.th/a en.com/
    one.th/a    th  → one.th/b
    en.com/     en  → en.com/1 two.com/
    one.th/b    en  → ja.jp/
    en.com/1    en  → en.com/2
    two.com/    th  → two.com/a
    ja.jp/      ja  → ja.jp/1
    en.com/2    en  → three.net/
    two.com/a   th  → one.th/
    ja.jp/1     ja  → four.th/
    three.net/  th
    four.th/    th
""")
SEED = ["one.th/"]


def test_bfs_visits_in_the_order_of_finding() -> None:
    assert visits(WEB, BreadthFirst(), SEED) == [
        "one.th/",
        *("one.th/a", "en.com/"),  # found on one.th/
        "one.th/b",  # found on one.th/a
        *("en.com/1", "two.com/"),  # found on en.com/
        "ja.jp/",  # found on one.th/b
        "en.com/2",  # found on en.com/1
        "two.com/a",  # found on two.com/
        "ja.jp/1",  # found on ja.jp/
        "three.net/",  # found on en.com/2
        "four.th/",  # found on ja.jp/1
    ]


def test_hard_follows_links_of_relevant_pages_only() -> None:
    # en.com/ and one.th/b are visited, since relevant pages link to them; what they link to is not.
    assert visits(WEB, HardFocused(), SEED) == ["one.th/", "one.th/a", "en.com/", "one.th/b"]


def test_hard_follows_a_link_once_it_is_found_on_a_relevant_page() -> None:
    web = drawn("""
        s.th/   th  → en.com/ s.th/a
        en.com/ en  → en.com/x
        s.th/a  th  → en.com/x
        en.com/x ja
    """)
    assert visits(web, HardFocused(), ["s.th/"]) == ["s.th/", "en.com/", "s.th/a", "en.com/x"]


def test_soft_visits_links_of_relevant_pages_first() -> None:
    assert visits(WEB, SoftFocused(), SEED) == [
        "one.th/",
        *("one.th/a", "en.com/", "one.th/b"),  # rel; meanwhile en.com/1 two.com/ ja.jp/ wait below
        *("en.com/1", "two.com/"),
        "two.com/a",  # rel: overtakes ja.jp/ and en.com/2
        *("ja.jp/", "en.com/2"),
        *("ja.jp/1", "three.net/", "four.th/"),
    ]


def test_limited_distance_goes_no_farther_than_t() -> None:
    # d3: en.com/2 and ja.jp/1 are not followed; two.com/ is relevant, so two.com/a has d1.
    assert visits(WEB, LimitedDistance(T=2), SEED) == [
        *("one.th/", "one.th/a", "en.com/", "one.th/b"),
        *("en.com/1", "two.com/", "ja.jp/"),
        "two.com/a",
    ]


def test_limited_distance_in_its_plain_form_is_first_found_first() -> None:
    # d4: three.net/ and four.th/ are not followed.
    assert visits(WEB, LimitedDistance(T=3), SEED) == [
        *("one.th/", "one.th/a", "en.com/", "one.th/b"),
        *("en.com/1", "two.com/", "ja.jp/", "en.com/2", "two.com/a", "ja.jp/1"),
    ]


def test_limited_distance_prioritized_visits_the_nearer_first() -> None:
    assert visits(WEB, LimitedDistance(T=3, prioritized=True), SEED) == [
        *("one.th/", "one.th/a", "en.com/", "one.th/b"),  # d0, then d1 as found
        *("en.com/1", "two.com/"),  # d2; ja.jp/ waits
        "two.com/a",  # d1 overtakes it
        "ja.jp/",  # d2
        *("en.com/2", "ja.jp/1"),  # d3
    ]


def test_link_too_far_is_followed_once_it_is_found_nearer() -> None:
    web = drawn("""
        s.th/   th  → en.com/ s.th/a
        en.com/ en  → en.com/x
        s.th/a  th  → en.com/x
        en.com/x ja → en.com/y
    """)
    # en.com/x: d2 on en.com/, beyond T; d1 on s.th/a. en.com/y: d2.
    assert visits(web, LimitedDistance(T=1), ["s.th/"]) == ["s.th/", "en.com/", "s.th/a", "en.com/x"]


def test_irrelevant_seed_has_distance_zero_and_its_links_one() -> None:
    web = drawn("""
        a.com/  en → a.com/1
        a.com/1 en → a.com/2
        a.com/2 en → a.com/3
    """)
    assert visits(web, LimitedDistance(T=2), ["a.com/"]) == ["a.com/", "a.com/1", "a.com/2"]


def test_redirect_keeps_the_distance_of_the_link_that_led_to_it() -> None:
    web = drawn("""
        s.th/   th       → a.com/
        a.com/  redirect → b.com/
        b.com/  redirect → c.com/
        c.com/  en       → d.com/
    """)
    assert visits(web, LimitedDistance(T=1), ["s.th/"]) == ["s.th/", "a.com/", "b.com/", "c.com/"]


def test_lswc_moves_a_server_forward_with_its_first_relevant_page() -> None:
    web = drawn("""
        hub.com/ en → b.com/1 a.com/1 a.com/2 b.com/2 b.com/3
        b.com/1  th → c.com/
        b.com/2  ja → b.com/4 e.com/
        b.com/3  th
        b.com/4  ja
        c.com/   ja
        a.com/1  ja
        a.com/2  ja
        e.com/   ja
    """)
    assert visits(web, LanguageSpecific(S=3, T=5), ["hub.com/"]) == [
        "hub.com/",
        "b.com/1",  # the first found; Thai, so from now on all of b.com/ comes first
        *("b.com/2", "b.com/3"),  # d1 from hub.com/, overtaking a.com/
        "b.com/4",  # d2, of an irrelevant page, but on a relevant server
        "c.com/",  # rel
        *("a.com/1", "a.com/2"),  # d1
        "e.com/",  # d2
    ]


def test_lswc_on_a_wide_leash_reaches_everything() -> None:
    assert visits(WEB, LanguageSpecific(S=3, T=5), SEED) == [
        *("one.th/", "one.th/a", "one.th/b"),  # a relevant server: before en.com/, which was found earlier
        "en.com/",  # rel
        *("ja.jp/", "en.com/1", "two.com/"),  # Thai → English → these: d2, all one step up, in order of finding
        "two.com/a",  # two.com is a relevant server now
        *("ja.jp/1", "en.com/2"),  # d3
        *("four.th/", "three.net/"),  # d4
    ]


def test_lswc_on_a_short_leash_stops_early() -> None:
    # en.com/ is irrelevant after one page; the links of irrelevant pages have d2, beyond T.
    assert visits(WEB, LanguageSpecific(S=1, T=1), SEED) == ["one.th/", "one.th/a", "one.th/b", "en.com/"]


MANY = drawn("""
    s.th/    th → a.com/1 a.com/2 a.com/3 a.com/4 b.com/1
    a.com/1  en
    a.com/2  en
    a.com/3  en
    a.com/4  th
    b.com/1  th → a.com/5 b.com/2
    a.com/5  th
    b.com/2  en
""")


def test_lswc_drops_what_waits_on_a_server_without_a_relevant_page_after_s_downloads() -> None:
    # a.com/3 and a.com/4 waited; a.com/5 is found later, on a relevant page: none is visited.
    order = visits(MANY, LanguageSpecific(S=2, T=5), ["s.th/"])
    assert order == ["s.th/", "a.com/1", "a.com/2", "b.com/1", "b.com/2"]


def test_lswc_with_s_large_enough_finds_the_relevant_page_behind_irrelevant_ones() -> None:
    order = visits(MANY, LanguageSpecific(S=4, T=5), ["s.th/"])
    # a.com/4 is a.com's fourth download and relevant: the server stays, and a.com/5 is visited.
    # b.com/2 overtakes it: both servers are relevant, both links are of the relevant b.com/1, and b.com is its server.
    assert order == ["s.th/", "a.com/1", "a.com/2", "a.com/3", "a.com/4", "b.com/1", "b.com/2", "a.com/5"]


def test_lswc_never_drops_a_server_that_had_a_relevant_page() -> None:
    web = drawn("""
        s.th/    th → a.com/1 a.com/2 a.com/3 a.com/4
        a.com/1  th
        a.com/2  en
        a.com/3  en
        a.com/4  en
    """)
    assert visits(web, LanguageSpecific(S=1, T=5), ["s.th/"]) == ["s.th/", "a.com/1", "a.com/2", "a.com/3", "a.com/4"]


def test_lswc_goes_no_farther_than_t_even_on_a_relevant_server() -> None:
    web = drawn("""
        s.th/  th → a.com/
        a.com/ en → s.th/far b.com/
        s.th/far th
    """)
    assert visits(web, LanguageSpecific(S=3, T=1), ["s.th/"]) == ["s.th/", "a.com/"]
    assert visits(web, LanguageSpecific(S=3, T=2), ["s.th/"]) == ["s.th/", "a.com/", "s.th/far", "b.com/"]


def test_lswc_moves_links_behind_an_english_page_one_step_up() -> None:
    web = drawn("""
        s.th/   th → j.jp/ e.com/
        j.jp/   ja → x.com/
        e.com/  en → y.com/
        x.com/  en → w.com/
        y.com/  ja → z.com/
    """)
    assert visits(web, LanguageSpecific(S=3, T=5), ["s.th/"]) == [
        *("s.th/", "j.jp/", "e.com/"),
        "y.com/",  # d2, Thai → English → y: before x.com/, which was found earlier
        "x.com/",  # d2
        "z.com/",  # d3
        "w.com/",  # d3; behind an English page, but that one is not linked by a Thai page
    ]
    in_order = ["s.th/", "j.jp/", "e.com/", "x.com/", "y.com/", "w.com/", "z.com/"]
    assert visits(web, LanguageSpecific(S=3, T=5, english=False), ["s.th/"]) == in_order


def test_lswc_counts_failed_requests_as_downloads_but_not_redirects_and_forbidden_pages() -> None:
    web = drawn("""
        s.th/    th        → a.com/1 a.com/2 a.com/3 b.com/1 b.com/2 b.com/3 c.com/1 c.com/2 c.com/3
        a.com/1  failed
        a.com/2  failed
        a.com/3  th
        b.com/1  redirect  → b.com/4
        b.com/2  forbidden
        b.com/3  th
        b.com/4  en
        c.com/1  forbidden
        c.com/2  redirect  → s.th/
        c.com/3  th
    """)
    assert visits(web, LanguageSpecific(S=2, T=5), ["s.th/"]) == [
        "s.th/",
        *("a.com/1", "a.com/2"),  # two downloads that found nothing: a.com/3 is dropped
        *("b.com/1", "b.com/2", "b.com/3"),  # no download before b.com/3
        "b.com/4",  # where b.com/1 led, on what is a relevant server by now
        *("c.com/1", "c.com/2", "c.com/3"),
    ]
    assert visits(web, LanguageSpecific(S=2, T=5, count_failures=False), ["s.th/"]) == [
        "s.th/",
        *("a.com/1", "a.com/2", "a.com/3"),  # failures are no downloads here
        *("b.com/1", "b.com/2", "b.com/3", "b.com/4"),
        *("c.com/1", "c.com/2", "c.com/3"),
    ]


def test_lswc_scores_links_of_relevant_pages_on_their_own_server_above_others() -> None:
    links = link_batch(random.Random(1), 2)
    links = replace(
        links,
        source_relevant=np.array([True, True]),
        distance=np.array([1, 1], dtype=np.uint16),
        source_server=np.array([links.server[0], links.server[1] + np.uint64(1)]),
    )
    same, other = LanguageSpecific().score(links)
    assert same > other


@pytest.mark.parametrize("distance", [1, 2, 45, 90])
def test_lswc_scores_stay_below_the_step_between_ranks(distance: int) -> None:
    links = link_batch(random.Random(1), 50)
    links = replace(links, distance=np.full(50, distance, dtype=np.uint16))
    scores = LanguageSpecific(T=90).score(links)
    assert ((scores > 0) & (scores < 1)).all()
    assert (scores[links.source_relevant].min() > scores[~links.source_relevant]).all()


@pytest.mark.parametrize("T", [0, -3, 201])
def test_limited_distance_refuses_a_distance_out_of_range(T: int) -> None:  # noqa: N803
    with pytest.raises(ConfigError, match=rf"T must be 1 to 200, got {T}"):
        LimitedDistance(T=T)


@pytest.mark.parametrize(("options", "key"), [({"S": 0}, "S"), ({"T": 0}, "T"), ({"T": 91}, "T")])
def test_lswc_refuses_options_out_of_range(options: dict[str, int], key: str) -> None:
    with pytest.raises(ConfigError, match=rf"{key} must be"):
        LanguageSpecific(**options)
