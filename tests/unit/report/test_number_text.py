"""Figures as people read them."""

import pytest

from exonym.cli.status import languages_line
from exonym.report.number_text import byte_size, duration


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (2_500_000, "2.5 MB"), (10**15, "1,000.0 TB")],
)
def test_byte_size_takes_the_largest_unit(count: int, text: str) -> None:
    assert byte_size(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0.0 s"), (59.5, "59.5 s"), (61.0, "1 min 1 s"), (3_660.0, "1 h 1 min"), (90_000.0, "1 d 1 h")],
)
def test_duration_takes_at_most_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_languages_are_told_most_frequent_first() -> None:
    assert languages_line({"en": 3, "th": 1_200, "": 3}, {}) == "th 1,200, unknown 3, en 3"
    assert languages_line({"en": 3, "th": 1_200}, {"th": 200}) == "th 1,200 (200 inherited), en 3"
    assert languages_line({}, {}) == "none"
