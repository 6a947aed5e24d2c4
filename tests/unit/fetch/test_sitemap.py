"""Sitemaps of every kind, broken ones too."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.fetch import Sitemap, read_sitemap

HERE = "https://a.example/sitemap.xml"
URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://a.example/one</loc><lastmod>2024-01-01</lastmod></url>
  <url><loc> https://a.example/two?a=1&amp;b=&#50; </loc>
    <image:image><image:loc>https://a.example/picture.png</image:loc></image:image></url>
  <url><loc><![CDATA[https://a.example/three?a=1&b=2]]></loc></url>
  <url><loc>https://a.example/one#again</loc></url>
</urlset>"""
URLS = ["https://a.example/one", "https://a.example/two?a=1&b=2", "https://a.example/three?a=1&b=2"]


def urls_in(content: bytes) -> list[str]:
    return read_sitemap(content, HERE).urls


def test_pages_of_an_xml_sitemap_are_listed_once_and_in_normal_form() -> None:
    assert read_sitemap(URLSET, HERE) == Sitemap(URLS, [])


def test_gzipped_sitemap_is_unpacked() -> None:
    assert urls_in(gzip.compress(URLSET, mtime=0)) == URLS


def test_sitemap_that_breaks_off_gives_what_it_has() -> None:
    assert urls_in(URLSET[: URLSET.index(b"three")]) == [*URLS[:2], "https://a.example/"]
    assert urls_in(gzip.compress(URLSET, mtime=0)[:-12])[:1] == URLS[:1]


def test_index_lists_sitemaps_and_no_pages() -> None:
    content = (
        b'<!-- made by hand --><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        b"<sitemap><loc>https://a.example/1.xml.gz</loc></sitemap>"
        b"<sitemap><loc>/2.xml</loc></sitemap></sitemapindex>"
    )
    assert read_sitemap(content, HERE) == Sitemap([], ["https://a.example/1.xml.gz", "https://a.example/2.xml"])


def test_elements_may_have_a_prefix_and_attributes() -> None:
    content = b'<sm:urlset xmlns:sm="x"><sm:url><sm:loc lang="th">https://a.example/x</sm:loc></sm:url></sm:urlset>'
    assert urls_in(content) == ["https://a.example/x"]


def test_plain_text_has_one_url_a_line() -> None:
    content = (
        b"\xef\xbb\xbfhttps://a.example/1\r\n\r\n  https://a.example/2  \nrubbish\nhttps://a.example/\xe0\xb8\x81\r"
    )
    assert urls_in(content) == ["https://a.example/1", "https://a.example/2", "https://a.example/%E0%B8%81"]


def test_utf_16_is_read() -> None:
    assert urls_in("<urlset><loc>https://a.example/ก</loc></urlset>".encode("utf-16")) == [
        "https://a.example/%E0%B8%81"
    ]


def test_feeds_are_read() -> None:
    rss = b"<rss><channel><link>https://a.example/</link><item><link><![CDATA[https://a.example/1]]></link></item>"
    atom = (
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='alternate' href='https://a.example/2?a&amp;b'/>"
    )
    assert urls_in(rss) == ["https://a.example/", "https://a.example/1"]
    assert urls_in(atom) == ["https://a.example/2?a&b"]


@pytest.mark.parametrize(
    "location", ["", "javascript:alert(1)", "ftp://a.example/", "page.html", "http://", "http://a b/", "x" * 9_000]
)
def test_bad_entries_are_dropped(location: str) -> None:
    assert urls_in(f"<urlset><loc>{location}</loc><loc>http://b.example/</loc></urlset>".encode()) == [
        "http://b.example/"
    ]


def test_entities_are_not_expanded() -> None:
    content = (
        b'<!DOCTYPE x [<!ENTITY a "https://a.example/"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        b"<urlset><loc>&b;</loc><loc>https://a.example/&f;</loc><loc>https://a.example/&#xD800;&#9999999;</loc></urlset>"
    )
    assert urls_in(content) == ["https://a.example/&f;", "https://a.example/"]


def test_entries_and_size_are_bounded() -> None:
    many = b"<urlset>" + b"".join(b"<loc>http://a.example/%d</loc>" % number for number in range(100))
    assert len(read_sitemap(many, HERE, most_entries=10).urls) == 10
    assert len(read_sitemap(many, HERE, most_bytes=8 + 3 * 33).urls) == 3
    bomb = gzip.compress(b"<urlset>" + b"<loc>http://a.example/</loc>" * 1_000_000, mtime=0)
    assert read_sitemap(bomb, HERE, most_bytes=10_000).urls == ["http://a.example/"]


@pytest.mark.parametrize("piece", [b"<", b"<loc", b"<loc ", b"<loc>", b"a:", b"<a", b"<link ", b"&", b"<![CDATA["])
def test_hostile_repetition_takes_linear_time(piece: bytes) -> None:
    for start in (b"<urlset>", b"<rss>", b"<feed>", b""):
        assert read_sitemap(start + piece * 200_000, HERE).sitemaps == []


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"<urlset><loc>", b"<rss><link>", b"\x1f\x8b\x08\0\0\0\0\0\0\0", b"\xff\xfe"]),
)
def test_no_content_is_too_odd_to_be_read(rubbish: bytes, start: bytes) -> None:
    sitemap = read_sitemap(start + rubbish, HERE)
    assert all(url.startswith(("http://", "https://")) for url in sitemap.urls + sitemap.sitemaps)
