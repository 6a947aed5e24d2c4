"""The segment crawler live, with a link model made by hand: its order of visits worked out by hand, over kills too."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hand_made import hand_made

from exonym.errors import ExonymError
from exonym.models.links.base import LinkPool
from exonym.models.links.link_model_file import save_link_model
from exonym.testing.live import crawl_from
from exonym.testing.scripted import ScriptedWeb, page, redirect

THAI = "<p>ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อยมากมาย</p>" * 5
ENGLISH = "<p>The weather was fine and everybody in the village went out to look at the sea.</p>" * 5
EMPTY = "<p>" + "a " * 60 + "</p>"  # stop words, more of them than are looked at around a link

# Behind each link: what the model makes of it, and of the segment that it leads to.
WEB = {
    "http://s.th/": page(
        THAI
        + "<p><a href='http://a.com/'>hotels</a></p>"  # 1/4 · a.com/ 0.25
        + "<p><a href='http://b.th/'>hotels</a></p>"  # .th: 3/4 · b.th/ 0.75
        + f"{EMPTY}<p><a href='http://c.com/'>Thailand</a></p>{EMPTY}"  # names only: 9/10 · c.com/ 0.9
        + "<p><a href='http://r.th/'>hotels</a></p>"  # 3/4, found after b.th/
    ),
    # Irrelevant: what it links to has 0, and d = 1. Its own pages come before b.th/, the two are S in a row.
    "http://c.com/": page(ENGLISH + "<a href=/1>one</a> <a href=/2>two</a> <a href='http://d.th/'>three</a>"),
    "http://c.com/1": page(ENGLISH),
    "http://c.com/2": page(THAI),
    "http://b.th/": page(THAI + "<a href=/1>one</a> <a href='http://e.com/'>two</a>"),  # 1/4 · e.com/ 0.25
    # b.th/ has a degree of 1/2 now, which costs 3 · ln 3: 1/10, times 1/2: g.th/ 0.05; e.com/ has 1/8 now
    "http://b.th/1": page(ENGLISH + "<a href='http://g.th/'>three</a>"),
    # Where it leads there are no texts: 1/2, times the 1 of s.th/ · h.com/ 0.5
    "http://r.th/": redirect("http://h.com/"),
    "http://h.com/": page(ENGLISH),
    "http://a.com/": page(ENGLISH),
    "http://e.com/": page(ENGLISH),
    "http://g.th/": page(ENGLISH),
    "http://d.th/": page(ENGLISH + "<a href='http://f.th/'>more</a>"),  # d = 2: dropped
    "http://f.th/": page(THAI),
}
ORDER = [
    "http://s.th/",
    "http://c.com/",
    "http://c.com/1",
    "http://b.th/",
    "http://b.th/1",
    "http://r.th/",
    "http://h.com/",
    "http://a.com/",
    "http://e.com/",
    "http://g.th/",
    "http://d.th/",
]


# The present degree of b.th/ counts when links are pooled. So e.com/ has 1/82 · 1/2 in the end, and g.th/ has 0.05.
POOLED_ORDER = [*ORDER[:8], "http://g.th/", "http://e.com/", "http://d.th/"]

# y.com/: 9/10 and 1/4 link by link; pooled, one of two words is a name, which tells nothing, and 1/4 remains.
SEVERAL = {
    "http://s.th/": page(
        THAI
        + "<p><a href='http://x.th/'>hotels</a></p>"  # 3/4
        + f"{EMPTY}<p><a href='http://y.com/1'>Thailand</a></p>{EMPTY}"
        + f"<p><a href='http://y.com/2'>hotels</a></p>{EMPTY}"
        + "<p><a href='http://q.net/'>hotels</a></p>"  # 1/2
    ),
    **{f"http://{name}": page(ENGLISH) for name in ("x.th/", "y.com/1", "y.com/2", "q.net/")},
}


def asked(readers: int, pages: int = 0) -> dict[str, Any]:
    return {
        "strategy": {"name": "segment", "model": "hand.links"},
        "network": {"connections": 1},
        "seeds": {"sitemaps": False},
        "readers": {"count": readers},
        "limits": {"pages": pages},
    }


@pytest.mark.parametrize("readers", [0, 1])
@pytest.mark.parametrize(("pool", "order"), [("link", ORDER), ("pair", POOLED_ORDER)])
def test_links_are_followed_in_the_order_that_the_model_promises(
    pool: LinkPool, order: list[str], readers: int, tmp_path: Path
) -> None:
    save_link_model(replace(hand_made(), pool=pool), tmp_path / "hand.links")
    with ScriptedWeb(WEB) as web:
        rows = crawl_from(["http://s.th/"], tmp_path, web.address, asked(readers))
    assert [row.url for row in rows] == order


@pytest.mark.parametrize(
    ("pool", "order"),
    [
        ("link", ["s.th/", "x.th/", "y.com/1", "y.com/2", "q.net/"]),
        ("pair", ["s.th/", "x.th/", "q.net/", "y.com/1", "y.com/2"]),
    ],
)
def test_pooled_the_words_of_all_links_between_two_segments_count_together(
    pool: LinkPool, order: list[str], tmp_path: Path
) -> None:
    save_link_model(replace(hand_made(), pool=pool), tmp_path / "hand.links")
    with ScriptedWeb(SEVERAL) as web:
        rows = crawl_from(["http://s.th/"], tmp_path, web.address, asked(0))
    assert [row.url.removeprefix("http://") for row in rows] == order


@pytest.mark.parametrize(("pool", "order"), [("link", ORDER), ("pair", POOLED_ORDER)])
def test_order_stays_the_same_if_the_crawl_stops_after_every_page(
    pool: LinkPool, order: list[str], tmp_path: Path
) -> None:
    save_link_model(replace(hand_made(), pool=pool), tmp_path / "hand.links")
    with ScriptedWeb(WEB) as web:
        for pages in range(1, len(order)):
            rows = crawl_from(["http://s.th/"], tmp_path, web.address, asked(0, pages))
    assert [row.url for row in rows] == order


@pytest.mark.parametrize("content", [None, b"", b"\x80\x04no model", b"# exonym link model\n"])
def test_file_that_is_no_model_is_refused_in_one_line_before_anything_is_fetched(
    content: bytes | None, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "hand.links").write_bytes(content)
    with ScriptedWeb(WEB) as web, pytest.raises(ExonymError) as caught:
        crawl_from(["http://s.th/"], tmp_path, web.address, asked(0))
    assert "hand.links" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not web.asked
