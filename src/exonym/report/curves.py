"""Precision against recall, as a drawing in a page: a few lines of SVG that need no library and no script."""

import html
from typing import Any, NamedTuple

_WIDTH, _HEIGHT, _MARGIN = 560, 360, 48
_COLOURS = ("#2a6f97", "#e07a5f", "#81b29a", "#6d597a")


class Curve(NamedTuple):
    """Points of one curve, recall and precision in 0..1."""

    label: str
    recall: list[float]
    precision: list[float]


def curve_svg(curves: list[Curve]) -> str:
    """The curves with axes and names."""
    marks = "".join(_mark(share / 5) for share in range(6))
    lines = "".join(_line(curve, _COLOURS[number % len(_COLOURS)], number) for number, curve in enumerate(curves))
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Precision against recall">{marks}{lines}'
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle">recall</text>'
        f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {_HEIGHT / 2})">precision</text>'
        "</svg>"
    )


def _x(share: float) -> float:
    return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN), 1)


def _mark(share: float) -> str:
    return (
        f'<line class="grid" x1="{_x(0)}" x2="{_x(1)}" y1="{_y(share)}" y2="{_y(share)}"/>'
        f'<line class="grid" x1="{_x(share)}" x2="{_x(share)}" y1="{_y(0)}" y2="{_y(1)}"/>'
        f'<text x="{_x(0) - 6}" y="{_y(share) + 4}" text-anchor="end">{share:.1f}</text>'
        f'<text x="{_x(share)}" y="{_y(0) + 18}" text-anchor="middle">{share:.1f}</text>'
    )


def _line(curve: Curve, colour: str, number: int) -> str:
    points = " ".join(f"{_x(x)},{_y(y)}" for x, y in zip(curve.recall, curve.precision, strict=True))
    name = html.escape(curve.label)
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"><title>{name}</title></polyline>'
        f'<text x="{_x(0) + 10}" y="{_y(0) - 10 - 18 * number}" style="fill:{colour}">{name}</text>'
    )


def thinned(values: list[Any], most: int = 200) -> list[Any]:
    """At most so many of the values, evenly chosen, the first and the last among them."""
    if len(values) <= most:
        return values
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]
