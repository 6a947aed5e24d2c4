"""Pages written by hand, with the text and links a reader would find on them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exonym.errors import UrlError
from exonym.extract.document import Document, FoundLink, Wants
from exonym.extract.html import extract
from exonym.extract.url_joining import Joiner
from exonym.urls import SESSION_PARAMETERS, normal_form

URL = "http://www.example.org/dir/page.html"


def _read(html: str, url: str = URL, wants: Wants = Wants()) -> Document:  # noqa: B008
    return extract(html.encode(), url, "text/html; charset=utf-8", wants)


def _urls(html: str) -> list[str]:
    return [link.url for link in _read(html).links]


def _only_link(html: str) -> FoundLink:
    (link,) = _read(html).links
    return link


def test_title_and_language_tag_are_found() -> None:
    document = _read("<html lang='th-TH'><title> A\n  page </title><svg><title>not this</title></svg>")
    assert (document.title, document.language_tag) == ("A page", "th-TH")


def test_visible_text_has_no_scripts_styles_or_alts() -> None:
    html = """<title>T</title><style>b{}</style><script>var x;</script><p>One <b>t</b>wo</p>three
    <noscript>enable</noscript><template>t</template><textarea>ta</textarea><img alt="picture"><!-- c --> four"""
    assert _read(html).text == "One two\nthree four"


def test_blocks_become_lines_and_white_space_collapses() -> None:
    assert _read("<div>a \n\t b<div>c</div>d<br>e</div><table><tr><td>f<td>g</table>").text == "a b\nc\nd\ne\nf\ng"


def test_numeric_character_references_are_text() -> None:
    assert _read("<p>&#3652;&#3607;&#3618;</p>").text == "ไทย"


def test_links_come_from_every_place_that_links() -> None:
    html = """<head><link rel="alternate" hreflang="th" href="/th/"><link rel="next" href="p2.html">
    <link rel="canonical" href="http://example.org/c"><link rel="stylesheet" href="s.css">
    <link rel="alternate" type="application/rss+xml" href="feed.xml">
    <meta http-equiv="Refresh" content="5; URL='later.html'"></head>
    <body><a href="a.html">A</a><map><area href="b.html" alt="B"></map><iframe src="c.html"></iframe>"""
    found = [(link.kind, link.url.removeprefix("http://www.example.org/"), link.anchor) for link in _read(html).links]
    assert found == [
        ("alternate", "th/", ""),
        ("next", "dir/p2.html", ""),
        ("canonical", "http://example.org/c", ""),
        ("refresh", "dir/later.html", ""),
        ("a", "dir/a.html", "A"),
        ("area", "dir/b.html", "B"),
        ("iframe", "dir/c.html", ""),
    ]


def test_first_language_that_a_link_to_a_target_names_is_kept() -> None:
    html = """<link rel="alternate" hreflang=" th-TH " href="/th/"><link rel="alternate" hreflang="en" href="/th/">
    <a href="/a">A</a> <a href="/a" hreflang="ja">A</a> <a href="/b">B</a>"""
    wants = Wants(anchor_language=True)
    assert extract(html.encode(), URL, None, wants).links.hreflangs == ["th-TH", "ja", ""]
    assert extract(html.encode(), URL, None).links.hreflangs == []
    assert extract(b"<a href=/a>A</a>", URL, None, wants).links.hreflangs == []


def test_frames_page_is_known_as_one() -> None:
    document = _read("<frameset><frame src='left.html'><frame src='right.html'><noframes>No</noframes></frameset>")
    assert document.is_frameset
    assert [link.kind for link in document.links] == ["frame", "frame"]
    assert document.text == ""


def test_first_base_href_is_honoured_wherever_it_stands() -> None:
    html = "<a href='x'>x</a><base href='/other/'><base href='/third/'>"
    assert _urls(html) == ["http://www.example.org/other/x"]


def test_base_that_is_no_web_address_is_ignored() -> None:
    assert _urls("<base href='javascript:1'><a href='x'>x</a>") == ["http://www.example.org/dir/x"]


def test_alt_of_an_image_counts_as_anchor_in_its_place() -> None:
    link = _only_link("before <a href='/x'>See <img src=i alt='the temple'> now</a> after")
    assert (link.anchor, link.before, link.after) == ("See the temple now", "before", "after")


def test_surroundings_reach_a_hundred_characters_each_way() -> None:
    link = _only_link("<p>" + "b" * 150 + "<a href='/x'>in</a>" + "c" * 150)
    assert (link.before, link.after) == ("b" * 100, "c" * 100)


def test_surroundings_cross_other_links() -> None:
    first, second = _read("<p>one <a href=1>two</a> three <a href=2>four</a> five").links
    assert (first.before, first.anchor, first.after) == ("one", "two", "three four five")
    assert (second.before, second.anchor, second.after) == ("one two three", "four", "five")


def test_what_is_not_wanted_is_not_computed() -> None:
    (link,) = _read("<p>one <a href=1>two</a> three", wants=Wants(around=False, place=False)).links
    assert (link.before, link.anchor, link.after, link.place) == ("", "two", "", "")


@pytest.mark.parametrize("around", [True, False])
def test_anchors_are_found_with_and_without_surroundings(around: bool) -> None:
    html = """<a href=1>plain</a><a href=2><b>in bold</b></a><a href=3>part <i>sla</i>nted</a>
    <a href=4><h3>A</h3><p>B</p></a><a href=5><svg><title>no</title></svg> icon</a>
    <a href=6><script>x</script></a><a href=7><img alt=cat> and dog</a>"""
    links = _read(html, wants=Wants(around=around)).links
    assert [link.anchor for link in links] == ["plain", "in bold", "part slanted", "A B", "icon", "", "cat and dog"]


def test_anchors_that_nobody_wants_are_left_out() -> None:
    (link,) = _read("<a href=1>two</a>", wants=Wants(anchor=False, around=False, place=False)).links
    assert (link.url, link.anchor, link.kind) == ("http://www.example.org/dir/1", "", "a")


def test_session_parameters_of_the_crawl_are_dropped_from_links() -> None:
    html = "<a href='p?visit=1&id=2'>a</a><a href='p?id=2&Visit=9'>b</a><a href='q?visitor=1'>c</a>"
    wants = Wants(session_parameters=SESSION_PARAMETERS | {"visit"})
    assert [link.url for link in _read(html, wants=wants).links] == [
        "http://www.example.org/dir/p?id=2",
        "http://www.example.org/dir/q?visitor=1",
    ]


def test_place_is_the_tag_path() -> None:
    assert _only_link("<body><div><p><a href=1>x</a>").place == "html/body/div/p/a"


def test_nofollow_link_is_dropped() -> None:
    assert _urls("<a rel='external NoFollow' href=1>x</a><a rel=external href=2>y</a>") == [
        "http://www.example.org/dir/2"
    ]


@pytest.mark.parametrize("content", ["nofollow", "NOINDEX, NOFOLLOW", "none"])
@pytest.mark.parametrize("name", ["robots", "Exonym"])
def test_page_can_ask_not_to_be_followed(name: str, content: str) -> None:
    assert _read(f"<meta name={name} content='{content}'>").nofollow


def test_wishes_for_other_robots_are_not_ours() -> None:
    assert not _read("<meta name=googlebot content=nofollow><meta name=robots content=index>").nofollow


def test_each_url_is_found_once_and_an_anchor_fills_an_empty_one() -> None:
    link = _only_link("<p><a href='/x#1'><img></a></p><div><a href='/x#2'>words</a></div><a href='/x'>more</a>")
    assert (link.url, link.anchor, link.place) == ("http://www.example.org/x", "words", "html/body/p/a")


def test_links_to_the_page_itself_and_to_other_worlds_are_left_out() -> None:
    html = "<a href='#top'>t</a><a href=''>e</a><a href='page.html#x'>p</a><a href='mailto:a@b.c'>m</a><a>n</a>"
    assert _urls(html + "<a href='JavaScript:void(0)'>j</a><a href='http://'>h</a><a href='ftp://a.b/'>f</a>") == []


def test_number_of_links_is_bounded() -> None:
    html = "".join(f"<a href='{number}'>x</a>" for number in range(50))
    assert len(_read(html, wants=Wants(most_links=7)).links) == 7


def test_length_of_text_is_bounded() -> None:
    assert len(_read("a" * 1_000, wants=Wants(longest_text=100)).text) == 100


@pytest.mark.parametrize("tag", ["b", "div", "table><tr><td", "a href=x", "font size=1", "ul><li", "svg", "select"])
def test_deep_nesting_is_read_to_its_bottom(tag: str) -> None:
    html = "".join(f"<{tag}>" for _ in range(9_000)) + "bottom<a href='/deep'>deep</a>"
    assert "http://www.example.org/deep" in _urls(html)


def test_nested_links_keep_their_own_texts() -> None:
    outer, inner = _read("<a href=1>o<table><tr><td><a href=2>i</a></table>p</a>").links
    assert (outer.anchor, inner.anchor) == ("o i p", "i")


def test_huge_attribute_lists_are_read() -> None:
    html = "<p " + " ".join(f"a{number}=x" for number in range(50_000)) + "><a href='/x'>y</a>"
    assert _urls(html) == ["http://www.example.org/x"]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_page(body: bytes) -> None:
    document = extract(body, URL, None)
    assert "\0" not in document.text
    document.text.encode()


_MARKUP = (
    "<a href='/x'>|</a>|<p>|</p>|<b>|text|&#0;|\x00|\x01| |<table>|"
    "<td>|<img alt='pic'>|<a href='y'>|<svg>|<select>|</select>|</svg>|<noscript>|</noscript>|<template>|</template>|"
    "<script>x</script>|<frameset>|<base href='/z/'>|<iframe src=q>|</iframe>|<title>|</title>|<math>|"
    "<area href=r alt=s>|<li>|<a>|"
    "<option>|<style>"
)
_markup = st.lists(
    st.sampled_from(_MARKUP.split("|")),
    max_size=30,
).map("".join)


@given(_markup)
def test_any_markup_gives_clean_links_and_text(html: str) -> None:
    document = _read(html)
    assert "\0" not in document.text
    assert "  " not in document.text
    for link in document.links:
        assert normal_form(link.url) == link.url
        assert not {"\0", "\n"} & set(link.anchor + link.before + link.after)
    bare = _read(html, wants=Wants(around=False, place=False))
    assert (bare.text, [link.url for link in bare.links]) == (document.text, [link.url for link in document.links])


def _slow(href: str, base: str, session_parameters: frozenset[str] = SESSION_PARAMETERS) -> str:
    try:
        return normal_form(href, base, session_parameters)
    except UrlError:
        return ""


_BITS = (
    "a|B|index.html|.|..|/|//|?|#|=|&|id=1|sid=2|PHPSESSID=3|;jsessionid=4|%41|%7e|%2e|"
    "%2F|:|@|http:|https://|HTTP://|www.example.com|xn--|xn--a|127.1|0x7f.1|1.2.3.4|-|_|~|+|,|'|"
    "\\|\t| |\n|é|ก|:80|:8080|.co.th|../|./|session|user@|javascript:|mailto:|http|a--b|..a|"
    "a..|.com.|%E0%B8%81|%e0%b8%81|%C3|//x.example/|visit=5"
)
_bits = st.sampled_from(_BITS.split("|"))
_bases = st.sampled_from(
    [
        URL,
        "http://example.com/",
        "https://session.example.com/a/b/c/d?x=1",
        "http://a.example/b//c/",
        "http://127.0.0.1:8000/a/b",
        "http://xn--12c1fe0br.com/x/y",
        "http://a.b/.well/known/x",
        "http://example.com/a%20b/c",
        "http://example.com/~u/-/_/x.html",
    ]
)


@given(st.lists(_bits, max_size=8).map("".join), _bases)
@example("../../../up/x.html", URL)
@example("http://example.com", URL)
@example("?", URL)
@example("/a?&", "http://session.example.com/")
@example("a:b", URL)
@example("..", URL)
def test_quick_joins_equal_the_standard_ones(href: str, base: str) -> None:
    assert Joiner(base).joined([href])[0] == _slow(href, base)


@given(st.text(max_size=20), _bases)
def test_any_text_joins_as_the_standard_says(href: str, base: str) -> None:
    assert Joiner(base).joined([href])[0] == _slow(href, base)


@given(st.lists(st.lists(_bits, max_size=6).map("".join), max_size=6), _bases)
def test_links_of_a_page_are_joined_as_each_by_itself(hrefs: list[str], base: str) -> None:
    assert Joiner(base).joined(hrefs) == [_slow(href, base) for href in hrefs]
    more = SESSION_PARAMETERS | {"visit"}
    assert Joiner(base, more).joined(hrefs) == [_slow(href, base, more) for href in hrefs]


def test_remembered_joins_of_one_server_are_not_those_of_another() -> None:
    hrefs = [
        "/x",
        "//b.example/x",
        "/\\b.example/x",
        "http://a.example//x",
        "http:/x",
        "https:x",
        " /x",
        "//",
        "/",
        "x",
    ]
    bases = ["http://a.example/", "https://a.example/d/e", "http://b.example:81/d/?q", "http://a.example/d/", URL]
    for base in [*bases, *reversed(bases)]:
        assert Joiner(base).joined(hrefs) == [_slow(href, base) for href in hrefs]


@given(_markup, st.booleans(), st.booleans(), st.booleans())
def test_columns_of_links_have_one_length_and_rows_are_their_tuples(
    html: str, around: bool, place: bool, anchor: bool
) -> None:
    links = _read(html, wants=Wants(around=around, place=place, anchor=anchor)).links
    columns = (links.urls, links.anchors, links.befores, links.afters, links.places, links.kinds)
    assert {len(column) for column in (*columns, links.around)} == {len(links)}
    assert list(links) == [FoundLink(*row) for row in zip(*columns, strict=True)]


def test_words_before_and_after_a_link_are_one_text_around_it() -> None:
    links = _read("<p>one <a href=1>two</a> three <a href=2>four</a>").links
    assert links.around == ["one three four", "one two three"]
