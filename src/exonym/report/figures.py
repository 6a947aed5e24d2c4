"""Figures: curves and bars, drawn by Matplotlib as SVG, PNG and PDF. The same values give the same bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Union

from exonym.errors import ConfigError
from exonym.system.files import disk_errors, replacing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exonym.report.drawing import Drawing

Numbers = Union[Sequence[float], "NDArray[np.floating]", "NDArray[np.integer]"]
Mark = Literal["", "o", "s", "^"]
FILE_KINDS = ("svg", "png", "pdf")


class Line(NamedTuple):
    """One line of a figure, or one bar of each group of bars."""

    label: str  # "": not in the legend
    x: Numbers
    y: Numbers
    style: str = ""  # whose look the line has (`report.styles`), if not that of its label
    mark: Mark = ""
    opacity: float = 1.0

    @property
    def look(self) -> str:
        """The name that decides colour and dashes."""
        return self.style or self.label


@dataclass(frozen=True)
class Figure:
    """Lines or bars over one pair of axes, which end where the values end.

    Text that Matplotlib would read as a formula, and letters that cannot be printed, are made harmless: labels may
    come from the web.
    """

    name: str
    lines: tuple[Line, ...]
    x_label: str = ""
    y_label: str = ""
    kind: Literal["line", "bar"] = "line"
    ticks: tuple[str, ...] = ()  # what x = 0, 1, 2, … mean; if empty, x are numbers
    logarithmic: bool = False
    shares: bool = False  # y are shares of 1
    x_end: float | None = None  # where the axis ends, if not at the last value
    y_end: float | None = None

    @property
    def svg(self) -> str:
        """The figure as an SVG file."""
        return self._drawing.file("svg").decode("utf-8")

    @property
    def png(self) -> bytes:
        """The figure as a PNG file."""
        return self._drawing.file("png")

    @property
    def pdf(self) -> bytes:
        """The figure as a PDF file."""
        return self._drawing.file("pdf")

    def html(self) -> str:
        """The SVG element alone, to be put into a page."""
        svg = self.svg
        return svg[svg.index("<svg") :]

    def _repr_html_(self) -> str:
        return self.html()

    @cached_property
    def _drawing(self) -> "Drawing":
        from exonym.report.drawing import Drawing

        return Drawing({"": self})


def check_figure_file(path: Path) -> str:
    """The kind of file that the ending of `path` names; raises if figures cannot be drawn as such a file."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FILE_KINDS:
        raise ConfigError(
            f"--figure draws .svg, .png and .pdf files, got {path.name[:60]!r}. Name a file of one of these."
        )
    return kind


def write_figures(path: Path, figures: Mapping[str, Figure]) -> None:
    """Draw figures into one file, one below the other, under their captions if there are several."""
    from exonym.report.drawing import Drawing

    kind = check_figure_file(path)
    if not figures:
        raise ConfigError(f"there is nothing to draw into {path}.")
    panels = figures if len(figures) > 1 else {"": next(iter(figures.values()))}
    with disk_errors(path), replacing(path) as draft:
        draft.write_bytes(Drawing(panels).file(kind))


def short_number(number: float) -> str:
    """A number as an axis shows it: 2.5 M, 300 k."""
    for size, letter in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
