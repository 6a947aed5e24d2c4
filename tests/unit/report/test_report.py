"""Tables, figures and pages: the same rows in every form, and no text from the web that gets out of its place."""

import importlib.util
import json
from html.parser import HTMLParser
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import DirectoryError, ExonymError
from exonym.report import Chart, ChartLine, Figure, Line, LineChart, Table, page
from exonym.report.findings import Findings, write_files, write_findings
from exonym.report.html_page import Facts, PagePart, ShellLines, SideBySide
from exonym.report.table import TOTAL, Cell, WebLink

HOSTILE = """</script></style></title><script>alert(1)</script><img src=x onerror="a" '>&{{ 7 * 7 }}$x$"""
TABLE = Table(
    "pages",
    "Pages by language",
    ("language", "pages", "share", "seconds", "mixed"),
    (("th", 1_500, 0.75, 1.25, 1), ("en", None, 0.25, 3.0, "no way"), (TOTAL, 2_000, None, None, None)),
    "A note.",
    Chart("bar", ("language",), ("pages",)),
    "Table 1 of a paper",
    {"seconds": ".2f"},
)


class Elements(HTMLParser):
    """Which elements a page has, the text that people see, and what it would load from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.text = ""
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.loads += [
            value for name, value in attributes if (value and name in ("src", "data")) or name.startswith("on")
        ]

    def handle_data(self, data: str) -> None:
        self.text += data


# Tables


def test_counts_shares_and_formats_are_shown_as_people_read_them() -> None:
    assert TABLE.shown_rows() == [
        ["th", "1,500", "75.0%", "1.25", "1"],
        ["en", "–", "25.0%", "3.00", "no way"],
        ["Total", "2,000", "–", "–", "–"],
    ]
    assert "(Table 1 of a paper)" in TABLE.text()


def test_text_folds_names_of_columns_and_notes_that_would_not_fit_a_line() -> None:
    columns = ("kind of link", *(f"a rather long name of column {number}" for number in range(6)))
    table = Table("a", "Caption", columns, (("all", *range(6)),), "word " * 40)
    lines = table.text().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == " ".join(["word"] * 8)  # 16 words of four letters and a space fit a line: 40 are 16 + 16 + 8
    names = [line.split() for line in lines[2 : lines.index("") + 8]]
    assert sum(word == "rather" for line in names for word in line) == 6
    assert table.text(width=500).splitlines()[2].split("  ")[:2] == ["kind of link", "a rather long name of column 0"]


def test_csv_and_values_are_bare() -> None:
    assert TABLE.csv().splitlines()[1:] == ["th,1500,0.75,1.25,1", "en,,0.25,3.0,no way", "Total,2000,,,"]
    assert TABLE.values()["rows"][0] == ["th", 1500, 0.75, 1.25, 1]
    assert json.loads(json.dumps(TABLE.values()))["paper"] == "Table 1 of a paper"


def test_arrow_columns_have_the_types_of_their_cells() -> None:
    table = TABLE.to_arrow()
    assert table.schema.types == [pyarrow.string(), pyarrow.int64(), *[pyarrow.float64()] * 2, pyarrow.string()]
    assert table["pages"].to_pylist() == [1500, None, 2000]
    assert table["mixed"].to_pylist() == ["1", "no way", None]
    assert table.schema.metadata[b"caption"] == b"Pages by language"


def test_arrow_keeps_links_truths_and_tables_without_rows() -> None:
    table = Table("a", "b", ("link", "true"), ((WebLink("http://a.th/", "ก"), True), (None, False))).to_arrow()
    assert table.to_pydict() == {"link": ["http://a.th/", None], "true": [True, False]}
    assert Table("a", "b", ("one", "two"), ()).to_arrow().column_names == ["one", "two"]


@given(
    st.lists(st.one_of(st.none(), st.text(), st.integers(-(1 << 62), 1 << 62), st.floats(allow_nan=False)), min_size=1)
)
def test_every_column_has_a_form_in_arrow(cells: list[Cell]) -> None:
    column = Table("a", "b", ("one",), tuple((cell,) for cell in cells)).to_arrow()["one"]
    assert [cell is None for cell in column.to_pylist()] == [cell is None for cell in cells]


def test_pandas_is_named_where_it_is_missing() -> None:
    if importlib.util.find_spec("pandas"):
        assert list(TABLE.to_pandas().columns) == list(TABLE.columns)
        return
    with pytest.raises(ExonymError, match="pip install pandas"):
        TABLE.to_pandas()


def test_row_of_totals_is_not_drawn() -> None:
    figure = TABLE.figure
    assert figure is not None
    assert (figure.ticks, figure.lines[0].y) == (("th", "en"), (1500.0,))
    assert Table("a", "b", ("x", "y"), (("th", "–"),), chart=Chart("line", ("x",), ("y",))).figure is None


# Pages


def hostile_page() -> str:
    table = Table(
        HOSTILE,
        HOSTILE,
        (HOSTILE, "link"),
        ((HOSTILE, WebLink("javascript:alert(1)", HOSTILE)),),
        HOSTILE,
        None,
        HOSTILE,
    )
    figure = Figure("drawn", (Line(HOSTILE, [0, 1], [0, 1]),), HOSTILE, HOSTILE)
    chart = LineChart(HOSTILE, HOSTILE, (ChartLine(HOSTILE, [0], [0]),), HOSTILE, HOSTILE)
    parts = [
        table,
        HOSTILE,
        figure,
        PagePart(HOSTILE, [SideBySide([table, HOSTILE])]),
        Facts({HOSTILE: HOSTILE}),
        ShellLines(HOSTILE),
    ]
    return page(HOSTILE, [*parts, chart])


def test_no_text_gets_out_of_its_place() -> None:
    text = hostile_page()
    found = Elements(text)
    assert found.names.count("script") == 2  # the data of the chart, and the script that draws it
    assert "img" not in found.names
    assert found.loads == []
    assert found.text.count("{{ 7 * 7 }}") > 10  # nothing is evaluated
    assert 'href="javascript' not in text
    assert "&lt;img src=x" in text


def test_links_lead_to_the_web_alone() -> None:
    shown = Table("a", "b", ("page",), ((WebLink('http://a.th/"><b>', "<i>"),), (WebLink("data:text/html,x"),))).html()
    assert '<a href="http://a.th/&#34;&gt;&lt;b&gt;" rel="noreferrer noopener nofollow">' in shown
    assert shown.count("<a ") == 1
    assert "<br>&lt;i&gt;" in shown


def test_table_shows_itself_in_a_notebook_with_its_figure() -> None:
    names = Elements(TABLE._repr_html_()).names
    assert [names.count(name) for name in ("html", "table", "svg", "tr")] == [0, 1, 1, 4]


# Files


def test_findings_are_a_set_of_files(tmp_path: Path) -> None:
    found = Findings("Title", (TABLE,), {"a": "ก"}, {"pages": "in other words\n"})
    assert write_findings(tmp_path / "new", found) == tmp_path / "new" / "report.html"
    written = {path.name: path for path in (tmp_path / "new").iterdir()}
    assert set(written) == {"pages.csv", "pages.svg", "pages.png", "report.txt", "report.json", "report.html"}
    assert written["report.txt"].read_text("utf-8") == "Title\n\nin other words\n"
    assert json.loads(written["report.json"].read_text("utf-8")) == {"a": "ก"}
    assert '<a href="#pages">Pages by language</a>' in written["report.html"].read_text("utf-8")


def test_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "inside").touch()
    write_files(tmp_path, {"a": "old"})
    with pytest.raises(DirectoryError):
        write_files(tmp_path, {"a": "new \ud800", "b": b"never"})
    assert (tmp_path / "a").read_text() == "new ?"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
