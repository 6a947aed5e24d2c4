"""The presentation of results: tables, figures, and pages of HTML that need no other file.

table      `Table`: rows of plain values, and the same as text, CSV, JSON values, HTML, Arrow and pandas
figures    `Figure`: curves and bars, drawn by Matplotlib as SVG and PNG
pages      `page(title, parts)`: the only place that makes whole HTML pages
findings   the results of an analysis or experiment, written as a set of files
rendering  fills in templates/: the HTML (jinja2, always with autoescape), CSS and JavaScript of the pages

Any layer above may use it; it knows nothing of crawls, graphs or models.
"""

from exonym.report.figures import Figure, Line
from exonym.report.html_page import page
from exonym.report.table import Chart, Table

__all__ = ["Chart", "Figure", "Line", "Table", "page"]
