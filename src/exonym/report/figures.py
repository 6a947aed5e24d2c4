"""Figures: curves and bars, drawn by Matplotlib as SVG and PNG. The same values give the same bytes."""

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLOURS = (
    *("#2a6f97", "#e07a5f", "#3d8b6a", "#c99a2e", "#6d597a", "#d1495b"),
    *("#4f9ccf", "#8d6a4f", "#7a9e3b", "#b565a7", "#5f6b7a", "#111111"),
)
_SIZE = (7.0, 3.8)  # inches
_WIDE = (9.5, 4.2)  # with the legend next to the figure
_MOST_IN_LEGEND = 6  # lines; with more the legend is next to the figure
_MOST_TICKS = 12
_LONGEST_LABEL, _LONGEST_TICK = 60, 40


Numbers = Union[Sequence[float], "NDArray[np.floating]", "NDArray[np.integer]"]
Dashes = Literal["-", "--", ":"]
Mark = Literal["", "o", "s", "^"]


class Line(NamedTuple):
    """One line of a figure, or one bar of each group of bars."""

    label: str  # "": not in the legend
    x: Numbers
    y: Numbers
    colour: str
    dashes: Dashes = "-"
    mark: Mark = ""
    opacity: float = 1.0


@dataclass(frozen=True)
class Figure:
    """Lines or bars over one pair of axes.

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
    x_end: float | None = None
    y_end: float | None = None

    @property
    def svg(self) -> str:
        """The figure as an SVG file."""
        return self._drawing[0]

    @property
    def png(self) -> bytes:
        """The figure as a PNG file."""
        return self._drawing[1]

    def html(self) -> str:
        """The SVG element alone, to be put into a page."""
        return self.svg[self.svg.index("<svg") :]

    def _repr_html_(self) -> str:
        return self.html()

    @cached_property
    def _drawing(self) -> tuple[str, bytes]:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        labelled = sum(bool(line.label) for line in self.lines)
        # Several figures in one page must not share names: the salt goes into the ids of SVG elements.
        with matplotlib.rc_context({"svg.hashsalt": self.name, "svg.fonttype": "none", "font.family": "DejaVu Sans"}):
            canvas = Canvas(figsize=_WIDE if labelled > _MOST_IN_LEGEND else _SIZE)
            self._draw(canvas.add_subplot(), labelled)
            svg, png = io.StringIO(), io.BytesIO()
            with warnings.catch_warnings(action="ignore"):  # about letters that the font lacks
                ConstrainedLayoutEngine().execute(canvas)  # once for both files
                canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
                canvas.savefig(png, format="png", dpi=150, metadata={"Software": None})
        return svg.getvalue(), png.getvalue()

    def _draw(self, axes: Any, labelled: int) -> None:
        for number, line in enumerate(self.lines):
            style = {"color": line.colour, "alpha": line.opacity, "label": plain(line.label) or "_"}
            if self.kind == "bar":
                width = 0.8 / len(self.lines)
                shift = (number - (len(self.lines) - 1) / 2) * width
                axes.bar([x + shift for x in line.x], line.y, width, **style)
            else:
                axes.plot(line.x, line.y, linestyle=line.dashes, marker=line.mark, markersize=4, linewidth=1.4, **style)
        self._scale(axes)
        axes.set_xlabel(plain(self.x_label))
        axes.set_ylabel(plain(self.y_label))
        if labelled > _MOST_IN_LEGEND:
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize="small")
        elif labelled and not (labelled == 1 and self.y_label and self.ticks):
            axes.legend(frameon=False, fontsize="small", loc="best")

    def _scale(self, axes: Any) -> None:
        if self.ticks:
            step, places = max(1, len(self.ticks) // _MOST_TICKS), range(len(self.ticks))
            labels = [plain(tick, _LONGEST_TICK) for tick in self.ticks]
            slanted = max(map(len, labels)) > 3
            turned = {"rotation": 30, "ha": "right"} if slanted else {}
            axes.set_xticks(places[::step], labels[::step], **turned)
        else:
            axes.set_xlim(0, self.x_end)
            axes.xaxis.set_major_formatter(lambda number, place: short_number(number))
            axes.grid(color="#e5e5e5", linewidth=0.6)
        if self.logarithmic and any(height for line in self.lines for height in line.y):
            axes.set_yscale("log")
            return
        axes.set_ylim(0, self.y_end)
        axes.yaxis.set_major_formatter("{x:.0%}" if self.shares else "{x:,.0f}")


def plain(label: str, longest: int = _LONGEST_LABEL) -> str:
    """A label without what Matplotlib reads as a formula, or as a label to be left out."""
    printable = "".join(letter for letter in label if letter.isprintable())[:longest]
    return printable.replace("$", r"\$").lstrip("_")


def short_number(number: float) -> str:
    """A number as an axis shows it: 2.5 M, 300 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
