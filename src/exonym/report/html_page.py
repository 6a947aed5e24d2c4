"""Whole pages of HTML, each in one file that loads nothing from elsewhere.

A page is a title and parts. Text of a part is escaped by the templates, so it may come from the web.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union

from exonym.report.charts import ChartChoice, LineChart, has_charts
from exonym.report.figures import Figure
from exonym.report.rendering import rendered
from exonym.report.table import Table
from exonym.report.uplot import chart_css, chart_script


class PagePart(NamedTuple):
    """Parts under a heading."""

    heading: str
    parts: "Sequence[Part]"


class SideBySide(NamedTuple):
    """Parts in columns, where there is room for them."""

    parts: "Sequence[Part]"


class Facts(NamedTuple):
    """Facts, each with its name."""

    facts: Mapping[str, Any]


class ShellLines(NamedTuple):
    """Lines of shell commands."""

    text: str


# A text is a paragraph.
Part = Union[str, Table, Figure, PagePart, SideBySide, Facts, ShellLines, LineChart, ChartChoice]  # noqa: UP007


def page(title: str, parts: Sequence[Part], contents: bool = False) -> str:
    """A whole page; with `contents` it begins with a list of its tables.

    >>> "<h1>1 &lt; 2</h1>" in page("1 < 2", ["A paragraph."])
    True
    """
    return rendered(
        "page.html",
        title=title,
        parts=parts,
        contents=contents,
        has_charts=has_charts(parts),
        chart_css=chart_css,
        chart_script=chart_script,
    )


def parts_html(parts: Sequence[Part]) -> str:
    """Parts without the frame of a page, for notebooks."""
    return "".join(rendered("parts.html", "show", part) for part in parts)
