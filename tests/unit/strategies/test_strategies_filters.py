"""Filters by server and by directory on webs drawn by hand, their orders of visits worked out by hand.

Relevant is what is written in Thai. In comments: `b.com 1/2` says that of two pages fetched one was relevant;
a server holds up while that is at least the threshold, 0.5.
"""

import pytest

from exonym.errors import ConfigError
from exonym.strategies.filters import DirectoryFilter, ServerFilter
from exonym.testing.handdrawn import drawn, visits

WEB = drawn("""
    a.th/    th → a.th/1 b.com/ c.com/
    a.th/1   en → d.com/ b.com/1 a.th/2
    b.com/   th → b.com/1 b.com/2 e.com/
    c.com/   en → c.com/1 f.com/ a.th/3
    b.com/1  en → c.com/2
    b.com/2  en → b.com/3
    e.com/   th → e.com/1 c.com/2 d.com/1
    e.com/1  en
    d.com/1  en
    d.com/   en → d.com/2 g.com/
    a.th/2   th
    f.com/   en
    a.th/3   en
    g.com/   th
""")


def test_aggressive_server_filter_follows_all_links_to_new_servers() -> None:
    assert visits(WEB, ServerFilter("aggressive"), ["a.th/"]) == [
        "a.th/",  # a.th 1/1; its links wait in the high queue
        "a.th/1",  # a.th 1/2, which holds up; d.com/ and b.com/1 (new servers) and a.th/2 wait in the low queue
        "b.com/",  # b.com 1/1; b.com/1, found again on a relevant page, moves to the high queue
        "c.com/",  # c.com 0/1: from now on no link to it is followed, as c.com/1; f.com/ and a.th/3 wait low
        "b.com/1",  # b.com 1/2; its link c.com/2 is not followed
        "b.com/2",  # b.com 1/3, which does not hold up: b.com/3 is not followed
        "e.com/",  # e.com 1/1; its link c.com/2 is not followed, though the page is relevant; d.com/1 is new
        *("e.com/1", "d.com/1"),  # d.com 0/1
        "d.com/",  # the low queue: it waited when d.com fell, and is not dropped; d.com/2 is not followed
        *("a.th/2", "f.com/", "a.th/3"),
        "g.com/",  # a new server, found on an irrelevant page
    ]


def test_conservative_server_filter_follows_only_links_of_relevant_pages_to_new_servers() -> None:
    # As before, but a.th/1 does not lead to d.com/ and b.com/1, nor c.com/ to f.com/; so g.com/ is never found.
    assert visits(WEB, ServerFilter("conservative"), ["a.th/"]) == [
        *("a.th/", "a.th/1", "b.com/", "c.com/", "b.com/1", "b.com/2", "e.com/", "e.com/1"),
        "d.com/1",  # a new server, found on the relevant e.com/
        *("a.th/2", "a.th/3"),  # found on irrelevant pages, but a.th holds up
    ]


def test_lower_threshold_keeps_servers_longer() -> None:
    # b.com 1/3 is enough now: b.com/3 is visited, after what waits in the low queue already.
    order = visits(WEB, ServerFilter("aggressive", 0.33), ["a.th/"])
    assert "b.com/3" in order
    assert order.index("b.com/3") > order.index("a.th/3")


@pytest.mark.parametrize(("english", "is_followed"), [(8, True), (9, True), (10, False)])
def test_threshold_that_is_just_reached_is_reached(english: int, is_followed: bool) -> None:
    # One Thai page of x.com, then English ones, the last of which leads to x.com/next: it is followed from 1/10 up,
    # though no computer can hold the threshold 0.1 exactly.
    pages = [f"x.com/{number}" for number in range(english + 1)]
    lines = [f"s.th/ th → {' '.join(pages)}", "x.com/0 th", *(f"{page} en" for page in pages[1:-1])]
    web = drawn("\n".join([*lines, f"{pages[-1]} en → x.com/next"]))
    assert ("x.com/next" in visits(web, ServerFilter("conservative", 0.1), ["s.th/"])) == is_followed


def test_link_that_was_not_followed_is_when_it_is_found_after_its_server_has_recovered() -> None:
    web = drawn("""
        s.th/    th → x.com/1 x.com/2 s.th/1
        x.com/1  en → x.com/3
        x.com/2  th
        s.th/1   th → x.com/3
        x.com/3  th
    """)
    # x.com 0/1 when x.com/1 leads to x.com/3; 1/2 when s.th/1 does.
    assert visits(web, ServerFilter(), ["s.th/"]) == ["s.th/", "x.com/1", "x.com/2", "s.th/1", "x.com/3"]


def test_failed_requests_count_as_pages_that_were_not_relevant() -> None:
    web = drawn("""
        s.th/    th → x.com/1 x.com/2 y.com/1
        x.com/1  failed
        x.com/2  en     → x.com/3
        y.com/1  redirect → y.com/2
        y.com/2  th
    """)
    # A redirect is no page: y.com/2 is the first of a new server, found (by the redirect) on the relevant s.th/.
    assert visits(web, ServerFilter("conservative"), ["s.th/"]) == ["s.th/", "x.com/1", "x.com/2", "y.com/1", "y.com/2"]


def test_directory_filter_counts_segments_in_the_place_of_servers() -> None:
    web = drawn("""
        a.th/           th → a.th/en/1 a.th/th/1 b.com/
        a.th/en/1       en → a.th/en/2 a.th/th/2 a.th/3 c.com/
        a.th/th/1       th → a.th/th/2 a.th/en/2 b.com/th/1
        b.com/          en → b.com/1 b.com/th/1 b.com/th/2
        a.th/th/2       en → a.th/th/3 a.th/new/1
        b.com/th/1      th → b.com/th/2 b.com/1 b.com/th/new/1
        b.com/th/2      en → a.th/th/4
        b.com/th/new/1  th
        a.th/3          th
        a.th/th/3       th
        a.th/th/4       en
    """)
    assert visits(web, DirectoryFilter(), ["a.th/"]) == [
        "a.th/",  # a.th/ 1/1
        "a.th/en/1",  # a.th/en/ 0/1; not followed: a.th/en/2, and the new a.th/th/ and c.com/; a.th/3 waits low
        "a.th/th/1",  # a.th/th/ 1/1: a.th/th/2 waits high; a.th/en/2 is not followed; b.com/th/ is new
        "b.com/",  # b.com/ 0/1; b.com/th/ is still new: only what waits already
        "a.th/th/2",  # a.th/th/ 1/2; a.th/th/3 waits low; a.th/new/ is new
        "b.com/th/1",  # b.com/th/ 1/1; b.com/1 is not followed; b.com/th/new/ is new, found on a relevant page
        *("b.com/th/2", "b.com/th/new/1"),
        *("a.th/3", "a.th/th/3", "a.th/th/4"),  # the low queue
    ]


def test_filter_refuses_a_mode_and_a_threshold_that_there_are_not() -> None:
    with pytest.raises(ConfigError, match=r"mode must be aggressive or conservative, got 'mild'"):
        ServerFilter("mild")
    for threshold in (-0.1, 1.5, float("nan")):
        with pytest.raises(ConfigError, match=r"threshold must be from 0 to 1"):
            DirectoryFilter(threshold)
