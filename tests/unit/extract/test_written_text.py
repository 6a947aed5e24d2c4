"""The text of a page as the papers read it, and which pages have other words in it than in their visible text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.written_text import text_as_written


def words(html: str, is_frameset: bool = False) -> list[str]:
    return text_as_written(html, is_frameset).split()


def test_tags_are_removed_and_references_stay() -> None:
    page = "<html><title>A&amp;B</title><p class='x'>&#3652;<b>&#xE17;</b></p>&eacute;"
    assert words(page) == ["A&amp;B", "&#3652;", "&#xE17;", "&eacute;"]


def test_comments_scripts_and_styles_are_no_text() -> None:
    page = "&#3652;<!-- <b>no --><SCRIPT>if (a<b) c()</SCRIPT> yes <style>p {}</style><script>the end"
    assert words(page) == ["&#3652;", "yes"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>plain</p>",
        "<p>&amp; &lt; &eacute;</p>",
        "<p>&#160;&#8217;&#x27;&#39;&#48;</p>",  # a space, quotation marks, a digit
        "<p>&#; &#x; &#99999999; &#1114112; &#xD800;</p>",  # none of them is a character
    ],
)
def test_page_without_letters_in_references_is_read_by_its_visible_text(html: str) -> None:
    assert text_as_written(html, is_frameset=False) == ""


@pytest.mark.parametrize("reference", ["&#3652;", "&#x0E44;", "&#XE44;", "&#3652", "&#3633;", "&#233;"])
def test_letter_or_mark_in_a_reference_makes_the_difference(reference: str) -> None:
    assert words(f"<p>{reference}</p>") == [reference]


def test_excuse_of_a_frames_page_is_read() -> None:
    page = "<frameset cols=*><frame src=a><noframes><body>No frames!</body></noframes></frameset>"
    assert words(page, is_frameset=True) == ["No", "frames!"]


@given(st.text("<>!-/&#x; \nabscriptyle39E44", max_size=200), st.booleans())
def test_text_that_a_graph_kept_is_read_as_the_page_was(html: str, is_frameset: bool) -> None:
    written = text_as_written(html, is_frameset)
    assert text_as_written(written, is_frameset) == written


def test_long_page_of_unclosed_tags_is_read_in_one_pass() -> None:
    assert len(text_as_written("&#3652;" + "<a" * 300_000 + "<!--" * 10 + "<script" * 10, is_frameset=False)) == 100_000
