"""Colours and dashes: one look for each label, told apart by everybody, in grey, on paper and on dark screens."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from exonym.report.styles import COLOURS, STRATEGY_STYLES, Colour, styles_of
from exonym.strategies import STRATEGIES

Numbers = NDArray[np.float64]
# How deuteranopes see, in linear RGB: Machado, Oliveira and Fernandes 2009, table of severity 1.0.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
)
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
DARK_PAPER = "#14171a"  # of templates/style.css


def linear(colour: str) -> Numbers:
    """sRGB to linear RGB, as IEC 61966-2-1 has it."""
    shares = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(rgb: Numbers) -> Numbers:
    """CIE L*a*b*: distances of 2.3 are just noticeable side by side."""
    ratios = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    x, y, z = np.where(ratios > 216 / 24389, np.cbrt(ratios), (24389 / 27 * ratios + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def seen(colour: str, deuteranopia: bool = False) -> Numbers:
    return lab(DEUTERANOPIA @ linear(colour) if deuteranopia else linear(colour))


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.1."""
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) + 0.05 for colour in (one, other))
    return high / low


def both_looks(colour: Colour) -> tuple[str, str]:
    return colour.light, colour.dark


def test_every_strategy_has_a_style_of_its_own() -> None:
    assert set(STRATEGY_STYLES) == set(STRATEGIES)
    assert len(set(STRATEGY_STYLES.values())) == len(STRATEGIES)


@pytest.mark.parametrize("screen", [0, 1], ids=["paper", "dark"])
@pytest.mark.parametrize("deuteranopia", [False, True])
def test_colours_are_far_apart_for_all_eyes(screen: int, deuteranopia: bool) -> None:
    for one, other in combinations((both_looks(colour)[screen] for colour in COLOURS), 2):
        assert np.linalg.norm(seen(one, deuteranopia) - seen(other, deuteranopia)) >= 15, (one, other)


@pytest.mark.parametrize("screen", [0, 1], ids=["paper", "dark"])
def test_strategies_are_told_apart_in_grey_by_dashes_or_lightness(screen: int) -> None:
    for (one, first), (other, second) in combinations(STRATEGY_STYLES.items(), 2):
        light, dark = (seen(both_looks(style.colour)[screen])[0] for style in (first, second))
        assert first.dash != second.dash or abs(light - dark) >= 15, (one, other)


def test_lines_stand_out_from_what_is_behind_them() -> None:
    # WCAG 2.1, 1.4.11: graphical objects need a contrast of 3:1.
    for colour in COLOURS:
        assert contrast(colour.light, "#ffffff") >= 2.95, colour
        assert contrast(colour.dark, DARK_PAPER) >= 3, colour


def test_label_has_one_style_in_whatever_company() -> None:
    alone = {name: styles_of([name])[0] for name in STRATEGIES}
    assert alone == STRATEGY_STYLES
    assert dict(zip(STRATEGIES, styles_of([*STRATEGIES]), strict=True)) == alone
    assert styles_of(["somebody's own"]) == styles_of(["somebody's own", "somebody's own", "bfs"])[:1]


def test_strategy_with_parameters_has_the_colour_of_the_strategy() -> None:
    variants = styles_of(["lswc:S=1,T=1", "lswc:S=5,T=1", "lswc"])
    assert {style.colour for style in variants} == {STRATEGY_STYLES["lswc"].colour}
    assert len({style.dash for style in variants}) == 3
    assert variants[2] == STRATEGY_STYLES["lswc"]


@given(st.lists(st.text(), max_size=18, unique=True))
def test_up_to_eighteen_lines_are_told_apart_in_grey(labels: list[str]) -> None:
    styles = styles_of(labels)
    assert len({style.in_grey for style in styles}) == len(labels)
    assert styles_of(labels[::-1]) == styles[::-1]


@given(st.lists(st.text().map("of a user {}".format), max_size=9, unique=True))
def test_up_to_nine_labels_without_styles_of_their_own_have_different_colours(labels: list[str]) -> None:
    assert len({style.colour for style in styles_of(labels)}) == len(labels)


def test_more_lines_than_styles_are_drawn_all_the_same() -> None:
    labels = [f"line {number}" for number in range(100)]
    assert len(styles_of(labels)) == 100
    assert len(set(styles_of(labels[:54]))) == 54  # nine colours with six patterns of dashes each
