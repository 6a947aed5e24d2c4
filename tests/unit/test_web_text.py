"""Text from the web must not be able to do anything to a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.web_text import clean

NASTY = st.text(
    st.sampled_from("\x1b\x9b\x07\x9c[]0;31mHJ\\ \n\r\t\u202e\u2066\u200b\u200d\u2028\ufeffaกé") | st.characters()
)


@given(NASTY)
def test_clean_text_has_no_control_or_direction_characters(text: str) -> None:
    kinds = {unicodedata.category(letter) for letter in clean(text) if letter not in "\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(NASTY)
def test_clean_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(NASTY, st.integers(1, 50))
def test_clean_text_is_one_line_of_bounded_length(text: str, width: int) -> None:
    assert len(clean(text, width)) <= width
    assert len(clean(text).splitlines()) <= 1


@given(st.text("abcกขค日本語한국ÆØ.,!?:/%[]"))
def test_ordinary_words_come_through(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("two\r\nlines\u2028three", "two lines three"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("bell\x07 null\x00", "bell null"),
        ("\ud800lone", "lone"),
        ("  spaces   within ", "spaces within"),
    ],
)
def test_escape_sequences_are_taken_out_whole(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_cut_is_shown() -> None:
    assert clean("abcdefghij", 5) == "abcd…"


def test_megabytes_are_cut_before_they_are_read() -> None:
    assert clean("\x1b" * 50_000_000) == ""
