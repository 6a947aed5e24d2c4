"""A page on a terminal: what it is, as much of its text as there is room for, and the keys."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exonym.web_text import clean

KEY_LINE = "[y]es  [n]o  [s]kip  [u]ndo  [m]ore  [q]uit"
_LEAST_LINES = 3  # of text, however small the terminal
_NARROWEST = 20


class Size(NamedTuple):
    """Of a terminal, in cells."""

    columns: int
    lines: int


@dataclass(frozen=True, slots=True)
class PageView:
    """What is shown of a page; all of it comes from the web or may."""

    progress: str
    title: str
    url: str
    language: str
    evidence: Sequence[str]
    text: str


def screen_of(view: PageView, size: Size, start: int = 0) -> tuple[list[str], int]:
    """The lines of a screen whose text begins at its line `start`, and where the next screen begins (0: anew)."""
    width = max(size.columns - 1, _NARROWEST)  # a terminal may break a full line twice
    top = [_rule(clean(view.progress, width), width)]
    top += _cut([view.title or "(no title)", view.url, view.language], width)
    for evidence in view.evidence:
        top += _wrapped(evidence, width)[:2]
    text = [line for block in view.text.split("\n") for line in _wrapped(block, width)]
    keys = textwrap.wrap(KEY_LINE, width)
    room = max(size.lines - len(top) - len(keys) - 3, _LEAST_LINES)
    shown, left = text[start : start + room], max(len(text) - start - room, 0)
    following = f"… {left:,} more lines: m" if left else ("(the end; m: from the beginning)" if start else "")
    return [*top, "", *shown, clean(following, width), *keys], start + room if left else 0


def _rule(text: str, width: int) -> str:
    return f"── {text} ".ljust(width, "─")


def _cut(lines: Sequence[str], width: int) -> list[str]:
    return [_wrapped(line, width)[0] if clean(line) else "" for line in lines]


def _wrapped(text: str, width: int) -> list[str]:
    """A harmless block in lines that fit; letters of East Asia take two cells, marks of Thai vowels none."""
    from rich.cells import cell_len, chop_cells

    lines = []
    for start in range(0, len(text), 1_000):
        piece = clean(text[start : start + 1_000])
        lines += textwrap.wrap(piece, width) if cell_len(piece) == len(piece) else chop_cells(piece, width)
    return lines
