"""The look of lines: a label has one colour and one pattern of dashes in every figure and chart.

Each strategy has its own entry in a table. Parameters and other labels get a style by their name: a strategy with
parameters (`lswc:S=1`) that of the strategy, any other label a colour that its letters decide. Only where two lines of
one figure would look alike does the later one, in the order of names, get another style: a strategy other dashes, any
other label a colour that is not in the figure yet, as long as there is one.

Colours form three groups of lightness, and every pattern of dashes belongs to one strategy of each group: two
strategies differ in dashes or in lightness, and so can be told apart in grey and by colour-blind readers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

Dash = tuple[float, ...]  # lengths of strokes and gaps in turn, in points of a figure or pixels of a screen


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour on white paper, its counterpart on dark screens, and its group of lightness (0 is the darkest)."""

    light: str
    dark: str
    group: int


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How a line is drawn."""

    colour: Colour
    dash: Dash = ()

    @property
    def in_grey(self) -> tuple[int, Dash]:
        """What is left of the style without colours."""
        return self.colour.group, self.dash


INK, INDIGO, BROWN = Colour("#111111", "#f5f5f5", 0), Colour("#332288", "#d6d0ff", 0), Colour("#5c2a00", "#ffdcae", 0)
BLUE, TEAL, RED = Colour("#0067b0", "#5aa6f0", 1), Colour("#007268", "#2bb8a4", 1), Colour("#b33a00", "#f58a55", 1)
SKY, ORANGE, PINK = Colour("#3399dd", "#2377b8", 2), Colour("#d18400", "#a46600", 2), Colour("#cc79a7", "#a2558c", 2)
COLOURS = (BLUE, ORANGE, INK, TEAL, PINK, BROWN, RED, SKY, INDIGO)

SOLID: Dash = ()
DASHED: Dash = (7, 3)
DOTTED: Dash = (2, 2.5)
DASH_DOT: Dash = (7, 2.5, 2, 2.5)
LONG: Dash = (14, 4)
DASH_DOT_DOT: Dash = (7, 2.5, 2, 2.5, 2, 2.5)
LONG_DOT: Dash = (14, 3, 2, 3)
DASHES = (SOLID, DASHED, DOTTED, DASH_DOT, LONG, DASH_DOT_DOT, LONG_DOT)

# This layer knows no strategies; a test checks that all of them are here.
STRATEGY_STYLES = {
    "bfs": LineStyle(INK, SOLID),
    "lswc": LineStyle(BLUE, SOLID),
    "segment": LineStyle(PINK, SOLID),
    "perfect": LineStyle(INK, DASHED),
    "cjk": LineStyle(RED, DASHED),
    "soft": LineStyle(ORANGE, DASHED),
    "dfs": LineStyle(BROWN, DASH_DOT),
    "limited-distance": LineStyle(TEAL, DASH_DOT),
    "best-segment": LineStyle(SKY, DASH_DOT),
    "site": LineStyle(INDIGO, LONG),
    "server-filter": LineStyle(BLUE, LONG),
    "best-page": LineStyle(PINK, LONG),
    "relevant-only": LineStyle(INDIGO, DOTTED),
    "hard": LineStyle(RED, DOTTED),
    "larger-site-first": LineStyle(SKY, DOTTED),
    "mean-segment": LineStyle(BROWN, DASH_DOT_DOT),
    "directory-filter": LineStyle(TEAL, DASH_DOT_DOT),
    "naive-bayes": LineStyle(ORANGE, DASH_DOT_DOT),
    "adaptive": LineStyle(RED, LONG_DOT),
}
# What crawls are measured by: solid, and in the colours that are told apart most easily.
MEASURE_STYLES = {
    "pages": LineStyle(INK, SOLID),
    "relevant": LineStyle(BLUE, SOLID),
    "relevant pages": LineStyle(BLUE, SOLID),
    "harvest": LineStyle(BLUE, SOLID),
    "coverage": LineStyle(ORANGE, SOLID),
    "failures": LineStyle(RED, DASHED),
}
_NAMED = STRATEGY_STYLES | MEASURE_STYLES


def styles_of(labels: Sequence[str]) -> list[LineStyle]:
    """The style of each label of one figure; equal labels get equal styles.

    >>> bfs, lswc = styles_of(["bfs", "lswc"])
    >>> bfs.colour.light, lswc == styles_of(["lswc"])[0]
    ('#111111', True)
    """
    chosen: dict[str, LineStyle] = {}
    for label in sorted(set(labels), key=lambda label: (label not in _NAMED, label)):
        taken = set(chosen.values())
        in_grey, colours = {style.in_grey for style in taken}, {style.colour for style in taken}
        candidates = list(_candidates(label))
        free = [style for style in candidates if style.in_grey not in in_grey]
        fresh = (style for style in free if _is_named(label) or style.colour not in colours)
        unused = (style for style in candidates if style not in taken)
        chosen[label] = next(fresh, None) or next(iter(free), None) or next(unused, None) or candidates[0]
    return [chosen[label] for label in labels]


def _is_named(label: str) -> bool:
    return label.partition(":")[0] in _NAMED


def _candidates(label: str) -> Iterator[LineStyle]:
    """All styles, those that suit the label most first: its own, its colour with other dashes, other colours."""
    own = _NAMED.get(label.partition(":")[0]) or LineStyle(
        COLOURS[crc32(label.encode("utf-8", "replace")) % len(COLOURS)]
    )
    yield own
    first = COLOURS.index(own.colour)
    for colour in (*COLOURS[first:], *COLOURS[:first]):
        yield from (LineStyle(colour, dash) for dash in DASHES)
