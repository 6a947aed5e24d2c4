"""The papers' two figures: coverage and harvest rate against pages crawled, drawn by Matplotlib.

Oracles are dashed and labelled. A crawl that ended has a dot there, and keeps its coverage to the end of the axis.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from exonym.report.figures import Drawing, drawn
from exonym.simulation.traces import Trace

FIGURES = {"coverage": "Coverage", "harvest": "Harvest rate"}
COLOURS = (
    *("#2a6f97", "#e07a5f", "#3d8b6a", "#c99a2e", "#6d597a", "#d1495b"),
    *("#4f9ccf", "#8d6a4f", "#7a9e3b", "#b565a7", "#5f6b7a", "#111111"),
)
_SIZE = (7.5, 4.2)  # inches
_LONGEST_LABEL = 60


def drawings_of(traces: Sequence[Trace]) -> dict[str, Drawing]:
    """Each figure by its name; without Matplotlib none."""
    found = {name: drawn(name, _SIZE, partial(_draw, name=name, traces=traces)) for name in FIGURES}
    return {name: drawing for name, drawing in found.items() if drawing}


def label_of(strategy: str, is_oracle: bool) -> str:
    """The name of a curve."""
    return f"{strategy} (oracle)" if is_oracle else strategy


def colour_of(number: int) -> str:
    """The colour of the curve with this number."""
    return COLOURS[number % len(COLOURS)]


def _draw(axes: Any, name: str, traces: Sequence[Trace]) -> None:
    last = max((int(trace.pages[-1]) for trace in traces if len(trace.pages)), default=1)
    for number, trace in enumerate(traces):
        if len(trace.pages):
            _draw_curve(axes, name, trace, (colour_of(number), last))
    axes.set_xlim(0, last)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("pages crawled")
    axes.set_ylabel(FIGURES[name].lower())
    axes.xaxis.set_major_formatter(lambda pages, place: short_number(pages))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.grid(color="#e5e5e5", linewidth=0.6)
    if axes.lines:
        axes.legend(fontsize="small", frameon=False, loc="best")


def _draw_curve(axes: Any, name: str, trace: Trace, style: tuple[str, int]) -> None:
    colour, last = style
    heights, dashes = getattr(trace, name), "--" if trace.is_oracle else "-"
    label = _plain(label_of(trace.strategy, trace.is_oracle))
    axes.plot(trace.pages, heights, dashes, color=colour, linewidth=1.4, label=label)
    end, height = int(trace.pages[-1]), float(heights[-1])
    if end < last:
        axes.plot([end], [height], "o", color=colour, markersize=4)
        if name == "coverage":
            axes.plot([end, last], [height, height], dashes, color=colour, linewidth=1.0, alpha=0.4)


def _plain(label: str) -> str:
    """Without what Matplotlib takes for a formula, or for a label to be left out."""
    printable = "".join(letter for letter in label if letter.isprintable())[:_LONGEST_LABEL]
    return printable.replace("$", r"\$").lstrip("_")


def short_number(number: float) -> str:
    """A number as an axis takes it: 2.5 M, 300 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
