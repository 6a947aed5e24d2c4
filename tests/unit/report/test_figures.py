"""Figures as files: the same bytes each time, axes that end with the values, numbers that people read."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from exonym.errors import ConfigError, DirectoryError
from exonym.report import Chart, Figure, Line, Table
from exonym.report.drawing import Drawing
from exonym.report.figures import check_figure_file, short_number, write_figures
from exonym.report.styles import STRATEGY_STYLES

HOSTILE = """</script><img src=x onerror="a" '>&$x$\x1b_ไทย"""
BEGINNINGS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


def figure(name: str = "coverage", **options: object) -> Figure:
    lines = (Line("bfs", [1, 2_000], [0.5, 0.25]), Line("lswc", [1, 1_000], [0.75, 0.7]))
    return Figure(name, lines, "pages", "coverage", shares=True, **options)  # type: ignore[arg-type]


def texts(svg: str) -> list[str]:
    """What is written in a figure, from left to right and from top to bottom as drawn."""
    return [found.text or "" for found in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_same_values_give_the_same_bytes(kind: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.{kind.upper()}" for number in range(2)]
    for path in files:
        write_figures(path, {"Coverage": figure(), HOSTILE: figure("other")})
    one, other = (path.read_bytes() for path in files)
    assert one == other
    assert one.startswith(BEGINNINGS[kind])


@pytest.mark.parametrize("name", ["figure.jpg", "figure", ".svg", "svg", "figure.svg.gz"])
def test_other_endings_are_refused_in_a_line(name: str) -> None:
    with pytest.raises(ConfigError, match=r"\.svg, \.png and \.pdf") as refused:
        check_figure_file(Path(name))
    assert "\n" not in str(refused.value)


def test_figure_that_cannot_be_written_is_an_error_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError):
        write_figures(tmp_path / "missing" / "a.svg", {"": figure()})


def test_labels_may_be_anything() -> None:
    drawn = Figure("a", (Line(HOSTILE, [1, 2], [0.5, 1.0]), Line("_hidden", [1], [1])), HOSTILE, shares=True)
    assert ElementTree.fromstring(drawn.svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn.png.startswith(BEGINNINGS["png"])
    assert "hidden" in texts(drawn.svg)


def axes_of(drawn: Figure) -> object:
    return Drawing({"": drawn})._canvas.axes[0]


def test_axes_end_where_the_values_end() -> None:
    axes = axes_of(figure())
    assert axes.get_xlim() == (0, 2_000)  # type: ignore[attr-defined]
    assert axes.get_ylim() == pytest.approx((0, 0.75), rel=0.05)  # type: ignore[attr-defined]
    assert axes_of(figure(x_end=500.0)).get_xlim() == (0, 500)  # type: ignore[attr-defined]


def test_legend_is_beside_the_axes_and_below_if_labels_are_long() -> None:
    for label, side in (("lswc", "beside"), ("a label that would leave no room for any lines", "below")):
        drawing = Drawing({"": Figure("a", (Line("bfs", [0, 1], [0, 1]), Line(label, [0, 1], [1, 0])))})
        canvas = drawing._canvas
        drawing.file("png")
        part = canvas.subfigs[0]
        legend, axes = part.legends[0].get_window_extent(), part.axes[0].get_window_extent()
        assert legend.x0 >= axes.x1 if side == "beside" else legend.y1 <= axes.y0
        assert legend.x1 <= canvas.bbox.x1
        assert legend.y0 >= canvas.bbox.y0


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ((3, 5, 8), {"2", "5"}),
        ((1, 40, 3_000_000), {"1", "10", "100", "1 k", "10 k", "100 k", "1 M"}),
    ],
)
def test_logarithmic_axes_have_plain_numbers(heights: tuple[int, ...], expected: set[str]) -> None:
    rows = tuple((f"row {number}", height) for number, height in enumerate(heights))
    drawn = Table("a", "b", ("row", "pages"), rows, chart=Chart("line", ("row",), ("pages",), True)).figure
    assert drawn is not None
    assert expected <= set(texts(drawn.svg))
    assert "10⁰" not in drawn.svg
    assert "mathdefault" not in drawn.svg


def test_strategy_looks_the_same_in_every_figure() -> None:
    style = STRATEGY_STYLES["soft"]
    for company in ((), ("bfs", "hard"), ("lswc:S=1", "soft:1")):
        lines = tuple(Line(name, [0, 1], [0, 1]) for name in (*company, "soft"))
        drawn = axes_of(Figure("a", lines)).lines[-1]  # type: ignore[attr-defined]
        assert drawn.get_color() == style.colour.light
        assert drawn._unscaled_dash_pattern[1] == style.dash


def test_bars_of_several_columns_are_hatched_apart_where_grey_would_not_do() -> None:
    # Twelve bars have at least four patterns: a pattern is of three lightnesses at most.
    drawn = Figure("a", tuple(Line(f"bar {number}", [0], [1]) for number in range(12)), kind="bar", ticks=("x",))
    hatches = {bar.patches[0].get_hatch() for bar in axes_of(drawn).containers}  # type: ignore[attr-defined]
    assert len(hatches) >= 4


def test_single_bar_leaves_room_beside_it() -> None:
    axes = axes_of(Figure("a", (Line("pages", [0], [1]),), kind="bar", ticks=("x",)))
    low, high = axes.get_xlim()  # type: ignore[attr-defined]
    assert axes.patches[0].get_width() < (high - low) / 2  # type: ignore[attr-defined]


def test_line_of_one_point_is_seen() -> None:
    drawn = axes_of(Figure("a", (Line("one", [1], [0.5]), Line("two", [1, 2], [0.5, 1])))).lines  # type: ignore[attr-defined]
    assert [line.get_marker() for line in drawn] == ["o", ""]


def test_short_numbers() -> None:
    shown = [short_number(number) for number in (0, 0.5, 999, 1_000, 300_000, 2_500_000, 3e9, 1.4e13)]
    assert shown == ["0", "0.5", "999", "1 k", "300 k", "2.5 M", "3 G", "14 T"]


def test_figures_of_one_page_share_no_names() -> None:
    one, other = (set(re.findall(r'id="(m?[0-9a-f]{10,})"', figure(name).svg)) for name in ("one", "other"))
    assert one
    assert not one & other
