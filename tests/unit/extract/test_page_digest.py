"""Which pages have the same digest, and so are copies: the same words and links, whatever else differs."""

import pytest

from exonym.extract.document import Wants
from exonym.extract.html import extract
from exonym.extract.page_digest import LEAST_CHARACTERS

TEXT = "The market opens at six. Boats bring fruit, fish and flowers from the villages. " * 4
HEAD = "<title>Market</title><link rel=canonical href=http://a.example/market>"
LINKS = "<a href=/>home</a> <a href=http://a.example/boats?day=1&PHPSESSID=17>boats</a>"
PAGE = f"<html><head>{HEAD}</head><body><p>{TEXT}</p>{LINKS}</body></html>"


def digest(html: str, url: str = "http://a.example/market", wants: Wants = Wants()) -> bytes:  # noqa: B008
    return extract(html.encode(), url, "text/html; charset=utf-8", wants).digest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.example", "www.a.example"),
        ("http://a.example", "https://a.example"),
        ("href=http://a.example/market>", "href=http://b.example/other>"),
        ("PHPSESSID=17", "PHPSESSID=18"),
        ("</body>", "<!-- 12:30:07 --></body>"),
        ("</body>", "<script nonce=x81>var now = 1700000000;</script></body>"),
        ("</body>", "<input type=hidden name=token value=x81></body>"),
        ("<body>", "<body class=night>"),
    ],
)
def test_what_servers_change_from_request_to_request_does_not_count(before: str, after: str) -> None:
    assert before in PAGE
    assert digest(PAGE.replace(before, after)) == digest(PAGE) != b""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("six", "seven"),
        ("<title>Market", "<title>Fair"),
        ("/boats", "/trains"),
        ("day=1", "day=2"),
        ("<a href=/>home</a>", "<b>home</b>"),
    ],
)
def test_other_words_and_other_links_count(before: str, after: str) -> None:
    assert before in PAGE
    assert digest(PAGE.replace(before, after)) != digest(PAGE)


def test_links_count_as_they_are_written() -> None:
    """An error page is the same at every path, though its relative links lead elsewhere from each."""
    page = PAGE.replace("href=/>", "href=help.html>")
    assert digest(page, "http://a.example/x/") == digest(page, "http://a.example/y/z/")


def test_page_with_little_text_has_no_digest() -> None:
    for length, is_enough in [(LEAST_CHARACTERS - 1, False), (LEAST_CHARACTERS, True)]:
        assert bool(digest(f"<script>{'x' * 999}</script><p>{'y' * length}</p>")) == is_enough


def test_digest_is_the_same_whatever_is_wanted_of_links() -> None:
    wants = [Wants(), Wants(around=False, place=False, anchor=False), Wants(around=False)]
    assert len({digest(PAGE, wants=each) for each in wants}) == 1
