"""The files of uPlot, the library that draws the charts of pages, and our own script on top of it.

They come inside the package `uplot-python`. The package is found, not imported: importing it would load IPython.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from exonym.errors import ExonymError

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def chart_script() -> str:
    """The JavaScript that a page with charts needs: uPlot, and `drawChart(holder, document)`."""
    return _part_of_uplot("uPlot.iife.js") + "\n" + (_TEMPLATES / "charts.js").read_text("utf-8")


@cache
def chart_css() -> str:
    """The CSS that a page with charts needs."""
    return _part_of_uplot("uPlot.min.css") + "\n" + (_TEMPLATES / "charts.css").read_text("utf-8")


def _part_of_uplot(name: str) -> str:
    found = find_spec("uplot")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "static" / name
        if path.is_file():
            return path.read_text("utf-8")
    raise ExonymError(f"{name} of uPlot, which draws charts, is not installed. Install it: pip install uplot-python.")
