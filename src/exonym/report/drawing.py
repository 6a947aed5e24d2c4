"""How Matplotlib draws figures: one style for all of them, fit to print in colour and in grey."""

import io
import math
import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exonym.report.figures import short_number
from exonym.report.styles import BLUE, DASHES, LineStyle, styles_of

if TYPE_CHECKING:
    from exonym.report.figures import Figure

_WIDTH, _HEIGHT = 7.2, 3.6  # inches: the width of a page's text
_LEGEND_LINE = 0.17  # inches that a line of a legend below needs
_MOST_BESIDE = 30  # letters of a label; longer ones stand below the axes, where they leave room for the lines
_MOST_TICKS, _MOST_SLANTED = 20, 12
_LETTERS, _LETTERS_BESIDE = 90, 65  # that fit below an axis, without and with a legend beside it
_LONGEST_LABEL, _LONGEST_TICK = 60, 40
_OF_BARS = "", "///", "...", "\\\\\\", "---", "xxx", "|||"
_HATCHES = dict(zip(DASHES, _OF_BARS, strict=True))  # of bars, by dashes of lines
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,  # long enough to see dashes
    "axes.linewidth": 0.7,
    "axes.edgecolor": "#444444",
    "axes.labelcolor": "#222222",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "lines.scale_dashes": False,  # dashes are as long as those of charts on screens
    "hatch.linewidth": 0.7,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
# Without dates and versions, the same values give the same bytes.
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


class Drawing:
    """Figures one below the other, each under its caption."""

    def __init__(self, panels: "Mapping[str, Figure]") -> None:
        self._panels = panels

    def file(self, kind: str) -> bytes:
        """The drawing as the content of a file: `svg`, `png` or `pdf`."""
        import matplotlib

        written = io.BytesIO()
        with matplotlib.rc_context(self._settings), warnings.catch_warnings(action="ignore"):  # letters the font lacks
            self._canvas.savefig(written, format=kind, dpi=150, metadata=_METADATA[kind])
        return written.getvalue()

    @cached_property
    def _settings(self) -> dict[Any, Any]:
        # Several figures in one page must not share names: the salt goes into the ids of SVG elements.
        return {**_STYLE, "svg.hashsalt": "\n".join(figure.name for figure in self._panels.values())}

    @cached_property
    def _canvas(self) -> Any:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        with matplotlib.rc_context(self._settings), warnings.catch_warnings(action="ignore"):
            heights = [_height(figure) for figure in self._panels.values()]
            canvas = Canvas(figsize=(_WIDTH, sum(heights)))
            parts = canvas.subfigures(len(heights), height_ratios=heights, squeeze=False)[:, 0]
            for part, (caption, figure) in zip(parts, self._panels.items(), strict=True):
                axes = part.add_subplot()
                _draw(axes, figure)
                _add_legend(part, axes, figure)
                axes.set_title(plain(caption))
            ConstrainedLayoutEngine().execute(canvas)  # once for all kinds of files
        return canvas


def _labels(figure: "Figure") -> list[str]:
    """The labels of the legend; a single bar or line that the axes describe needs none."""
    labels = [line.label for line in figure.lines if line.label]
    return [] if len(labels) == 1 and figure.y_label else labels


def _is_below(labels: list[str]) -> bool:
    return max(map(len, labels), default=0) > _MOST_BESIDE


def _height(figure: "Figure") -> float:
    labels = _labels(figure)
    lines = len(labels) if _is_below(labels) else max(0, len(labels) - 18)
    return _HEIGHT + _LEGEND_LINE * lines


def _add_legend(part: Any, axes: Any, figure: "Figure") -> None:
    labels = _labels(figure)
    if labels:
        part.legend(
            *axes.get_legend_handles_labels(), loc=f"outside {'lower left' if _is_below(labels) else 'right center'}"
        )


def _draw(axes: Any, figure: "Figure") -> None:
    styles = styles_of([line.look for line in figure.lines])
    for number, (line, style) in enumerate(zip(figure.lines, styles, strict=True)):
        look = {"color": style.colour.light, "alpha": line.opacity, "label": plain(line.label) or "_"}
        if figure.kind == "bar":
            _draw_bars(axes, figure, number, style, look)
        else:
            mark = line.mark or ("o" if len(line.x) == 1 else "")  # a line of one point would not be seen
            axes.plot(line.x, line.y, linestyle=(0, style.dash) if style.dash else "-", marker=mark, **look)
    axes.set_xlabel(plain(figure.x_label))
    axes.set_ylabel(plain(figure.y_label))
    axes.grid(axis="y" if figure.kind == "bar" else "both")
    _scale_x(axes, figure)
    _scale_y(axes, figure)


def _draw_bars(axes: Any, figure: "Figure", number: int, style: LineStyle, look: dict[str, Any]) -> None:
    line, count = figure.lines[number], len(figure.lines)
    width = (0.8 if len(figure.ticks) > 3 else 0.5) / count
    shift = (number - (count - 1) / 2) * width
    hatch = _HATCHES[style.dash] if count > 1 else ""
    if not _labels(figure):
        look["color"] = BLUE.light  # the colour tells nothing, so that it is the same in all such figures
    axes.bar([x + shift for x in line.x], line.y, width, hatch=hatch, edgecolor="white", linewidth=0.4, **look)


def _scale_x(axes: Any, figure: "Figure") -> None:
    if figure.ticks:
        step, places = math.ceil(len(figure.ticks) / _MOST_TICKS), range(len(figure.ticks))
        labels = [plain(tick, _LONGEST_TICK) for tick in figure.ticks][::step]
        is_turned = sum(map(len, labels)) + 3 * len(labels) > (_LETTERS_BESIDE if _labels(figure) else _LETTERS)
        angle = 30 if len(labels) <= _MOST_SLANTED else 60
        turned = {"rotation": angle, "ha": "right", "rotation_mode": "anchor"} if is_turned else {}
        axes.set_xticks(places[::step], labels, **turned)
        axes.margins(x=0.02)
        if figure.kind == "bar":
            axes.set_xlim(-0.6, len(figure.ticks) - 0.4)  # a single bar does not fill the figure
        return
    last = max((float(x) for line in figure.lines for x in line.x), default=1.0)
    room = 1.02 if any(line.mark for line in figure.lines) else 1.0  # marks at the end are drawn whole
    axes.set_xlim(0, figure.x_end or room * last or 1.0)
    axes.xaxis.set_major_formatter(lambda number, place: short_number(number))


def _scale_y(axes: Any, figure: "Figure") -> None:
    def shown(number: float, place: int) -> str:
        return f"{round(100 * number, 6):g}%" if figure.shares else short_number(number)

    heights = [float(y) for line in figure.lines for y in line.y]
    if figure.logarithmic and any(height > 0 for height in heights):
        _scale_by_powers(axes, min(height for height in heights if height > 0), max(heights), figure.kind)
    else:
        top = figure.y_end or 1.03 * max(heights, default=0.0) or 1.0
        axes.set_ylim(min(0.0, *heights, 0.0), top)
    axes.yaxis.set_major_formatter(shown)


def _scale_by_powers(axes: Any, low: float, high: float, kind: str) -> None:
    """A logarithmic axis with round numbers; bars need room below the lowest one, or it would have no height."""
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_yscale("log")
    bottom = low / 2 if kind == "bar" else 10 ** math.floor(math.log10(low))
    axes.set_ylim(bottom, 1.3 * high)
    is_short = high / bottom < 100
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_short else (1,), numticks=12))
    axes.yaxis.set_minor_locator(NullLocator())


def plain(label: str, longest: int = _LONGEST_LABEL) -> str:
    """A label without what Matplotlib reads as a formula, or as a label to be left out."""
    printable = "".join(letter for letter in label if letter.isprintable())[:longest]
    return printable.replace("$", r"\$").lstrip("_")
