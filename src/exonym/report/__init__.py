"""The presentation of results: tables, figures, and pages of HTML that need no other file.

table      `Table`: rows of plain values, and the same as text, CSV, JSON values, HTML, Arrow and pandas
figures    `Figure`: curves and bars, drawn by Matplotlib as SVG, PNG and PDF
charts     `LineChart`: lines that readers explore in the browser, drawn by uPlot
uplot      the scripts and styles of such charts
styles     the colour and the dashes of each line, the same in every figure and chart
pages      `page(title, parts)`: the only place that makes whole HTML pages
findings   the results of an analysis or experiment, written as a set of files
rendering  fills in templates/: the HTML (jinja2, always with autoescape), CSS and JavaScript of the pages

Any layer above may use it; it knows nothing of crawls, graphs or models.
"""

from exonym.report.charts import ChartChoice, ChartLine, LineChart
from exonym.report.figures import Figure, Line
from exonym.report.html_page import page
from exonym.report.table import Chart, Table

__all__ = ["Chart", "ChartChoice", "ChartLine", "Figure", "Line", "LineChart", "Table", "page"]
