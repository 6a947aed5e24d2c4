"""Charts in a real browser: the values on screen are those of the lines, and a strict policy is kept."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import chromium, wait_until

from exonym.report import ChartChoice, ChartLine, LineChart, Table, page
from exonym.report.table import WebLink
from exonym.report.uplot import chart_css, chart_script

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
# At page n a crawl has n / 1,000 of all; the other line has its points elsewhere, ends early, and has a gap.
PLACES = list(range(0, 1_001, 10))
CHART = LineChart(
    "coverage",
    "Coverage",
    (
        ChartLine("bfs", PLACES, [place / 1_000 for place in PLACES]),
        ChartLine("lswc:S=1", [0, 250, 300, 505], [0.0, 0.5, None, 0.75]),
    ),
    "pages",
    "coverage",
    y_kind="share",
)
TIMES = LineChart("pages", "Pages", (ChartLine("pages", [0, 86_400], [0, 2_500_000]),), x_kind="time")
SITE = {
    "charts.js": chart_script(),
    "charts.css": chart_css(),
    "page.js": f"const drawn = [{json.dumps(CHART.document())}, {json.dumps(TIMES.document())}]"
    ".map((chart, place) => drawChart(document.getElementsByTagName('div')[place], chart));",
    "index.html": "<!DOCTYPE html><html lang=en><meta charset=utf-8><link rel=icon href='data:,'>"
    "<link rel=stylesheet href=charts.css><div></div><script src=charts.js></script>"
    "<div></div><script src=page.js></script>",
}


class StrictSite(SimpleHTTPRequestHandler):
    """Serves files under a policy that allows nothing inline and nothing from elsewhere."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    for name, text in SITE.items():
        (folder / name).write_text(text, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(StrictSite, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def opened(browser: "Browser", address: str, **options: Any) -> "tuple[Page, list[str]]":
    shown = browser.new_page(viewport={"width": 1000, "height": 900}, timezone_id="Asia/Bangkok", **options)
    messages: list[str] = []
    shown.on("console", lambda message: messages.append(message.text))
    shown.on("pageerror", lambda error: messages.append(str(error)))
    shown.goto(address)
    return shown, messages


def values(shown: "Page", chart: int = 0) -> list[str]:
    return shown.locator(".chart-legend").nth(chart).locator("output").all_inner_texts()


def point_at(shown: "Page", x: float) -> None:
    """Move the pointer to where the first chart has x."""
    box = shown.locator(".u-over").first.bounding_box()
    assert box is not None
    shown.mouse.move(box["x"] + x / 1_000 * box["width"], box["y"] + box["height"] / 2)


def test_strict_policy_is_kept_without_a_message(browser: "Browser", address: str) -> None:
    shown, messages = opened(browser, address)
    assert shown.locator("canvas").count() == 2
    shown.emulate_media(color_scheme="dark")
    shown.locator("summary").first.click()
    shown.set_viewport_size({"width": 400, "height": 900})
    wait_until(shown, "drawn[0].uplot.width < 400")
    assert messages == []


def test_pointer_shows_the_values_of_all_lines(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    assert values(shown) == ["100.0%", "75.0%"]  # the last ones
    point_at(shown, 120)
    assert values(shown) == ["12.0%", "24.0%"]  # 120 / 250 of 0.5: a straight line between the points
    assert shown.locator(".chart-place").first.inner_text() == "pages 120"
    point_at(shown, 400)
    assert values(shown) == ["40.0%", "–"]  # in the gap
    point_at(shown, 800)
    assert values(shown) == ["80.0%", "–"]  # after the end


def test_click_hides_a_line_and_a_second_one_shows_it(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    entry, is_shown = shown.locator(".chart-legend button").nth(1), "drawn[0].uplot.series[2].show"
    for state in (False, True):
        entry.click()
        assert shown.evaluate(is_shown) is state
        assert entry.get_attribute("aria-pressed") == json.dumps(state)


def test_dragging_zooms_and_a_double_click_shows_all(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    point_at(shown, 200)
    shown.mouse.down()
    point_at(shown, 600)
    shown.mouse.up()
    low, high = shown.evaluate("[drawn[0].uplot.scales.x.min, drawn[0].uplot.scales.x.max]")
    assert (low, high) == pytest.approx((200, 600), abs=3)  # three pixels
    shown.evaluate("drawn[0].update(drawn[0].chart)")
    assert shown.evaluate("drawn[0].uplot.scales.x.min") == low  # new values leave the zoom as it is
    shown.locator(".u-over").first.dblclick()
    assert shown.evaluate("[drawn[0].uplot.scales.x.min, drawn[0].uplot.scales.x.max]") == [0, 1000]


def test_keys_move_the_pointer_and_open_the_table(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    shown.locator(".chart-plot").first.focus()
    shown.keyboard.press("End")
    assert values(shown)[0] == "100.0%"
    shown.keyboard.press("ArrowLeft")
    assert values(shown)[0] == "99.0%"
    shown.locator("summary").first.press("Enter")
    rows = shown.locator("details table").first.locator("tr")
    rows.first.wait_for()
    assert rows.first.locator("th").all_inner_texts() == ["pages", "bfs", "lswc:S=1"]
    assert rows.last.locator("td").all_inner_texts() == ["1,000", "100.0%", "–"]


def test_colours_follow_the_screen(browser: "Browser", address: str) -> None:
    line = CHART.document()["lines"][1]
    shown, _ = opened(browser, address, color_scheme="light")
    stroke, swatch = "drawn[0].uplot.series[2].stroke()", shown.locator(".chart-legend line").nth(1)
    assert (shown.evaluate(stroke), swatch.get_attribute("stroke")) == (line["colour"],) * 2
    shown.emulate_media(color_scheme="dark")
    wait_until(shown, f"{stroke} === '{line['dark_colour']}'")
    assert swatch.get_attribute("stroke") == line["dark_colour"]
    assert values(shown) == ["100.0%", "75.0%"]


def test_times_are_local_and_counts_whole(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    shown.locator(".chart-plot").nth(1).press("Home")
    assert shown.locator(".chart-place").nth(1).inner_text() == "1 Jan 1970, 07:00:00"  # seven hours before London
    assert values(shown, 1) == ["0"]
    shown.locator(".chart-plot").nth(1).press("End")
    assert values(shown, 1) == ["2,500,000"]


def test_chart_takes_new_lines_and_goes_away(browser: "Browser", address: str) -> None:
    shown, messages = opened(browser, address)
    shown.evaluate(f"drawn[0].update({json.dumps(TIMES.document())})")
    assert shown.locator(".chart-legend").first.locator("button").all_inner_texts() == ["pages\n2,500,000"]
    shown.evaluate("drawn.forEach((chart) => chart.destroy())")
    assert shown.locator("div").all_inner_texts() == ["", ""]
    assert messages == []


def test_page_draws_the_chart_that_the_reader_chooses(browser: "Browser", tmp_path: Path) -> None:
    requests: list[str] = []
    (tmp_path / "a.html").write_text(
        page("Title", [ChartChoice({"against pages": CHART, "against time": TIMES}), CHART]), encoding="utf-8"
    )
    shown = browser.new_page()
    shown.on("request", lambda request: requests.append(request.url))
    shown.goto((tmp_path / "a.html").as_uri())
    assert shown.locator("canvas").count() == 2
    shown.get_by_role("button", name="against time").click()
    assert values(shown) == ["2,500,000"]
    assert len(requests) == 1  # the page itself


def test_printed_page_has_all_columns_and_dark_lines_on_white_paper(browser: "Browser", tmp_path: Path) -> None:
    columns = ("server", *(f"other {hundred}xx" for hundred in range(12)), "last visit", "page", "evidence")
    row = ("www.example.com", *[1_234] * 12, "2026-05-03 12:00:00", WebLink("http://a.example/" + "x" * 300), "y" * 99)
    table = Table("wide", "", columns, (row,))
    (tmp_path / "page.html").write_text(page("Crawl", [CHART, table]), encoding="utf-8")
    shown, messages = opened(browser, f"file://{tmp_path}/page.html", color_scheme="dark")
    line = shown.locator(".chart-legend line").first
    assert line.get_attribute("stroke") == "#f5f5f5"
    shown.emulate_media(media="print", color_scheme="dark")
    shown.wait_for_function("document.querySelector('.chart-legend line').getAttribute('stroke') === '#111111'")
    shown.set_viewport_size({"width": 703, "height": 900})  # A4 without its margins
    for part in ("table", "canvas"):
        box = shown.locator(part).first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 704, part
    assert messages == []


def test_chart_may_begin_with_a_part_of_its_axis(browser: "Browser", address: str) -> None:
    shown, _ = opened(browser, address)
    document = json.dumps(replace(CHART, x_end=400.0).document())
    shown.evaluate(f"drawn[0].update({document})")
    ends = "[drawn[0].uplot.scales.x.min, drawn[0].uplot.scales.x.max]"
    assert shown.evaluate(ends) == [0, 400]
    shown.locator(".chart-plot").first.press("Escape")
    assert shown.evaluate(ends) == [0, 1000]


def test_page_without_scripts_has_a_table(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page("Title", [CHART]), encoding="utf-8")
    shown = browser.new_context(java_script_enabled=False).new_page()
    shown.goto((tmp_path / "a.html").as_uri())
    rows = shown.locator("noscript tr").all_inner_texts()
    assert rows[0].split() == ["pages", "bfs", "lswc:S=1"]
    assert rows[-1].split() == ["1,000", "100.0%", "–"]
    assert len(rows) == 21


def test_script_is_in_pages_with_charts_alone_and_once() -> None:
    assert page("Title", ["text"]).count("drawChart") == 0
    assert page("Title", [CHART, CHART]).count("globalThis.drawChart = ") == 1


def test_numbers_become_plain_json() -> None:
    import numpy as np

    line = ChartLine("a", np.arange(3).tolist(), [float("nan"), np.float64(0.25), None])
    document = LineChart("name", "Caption", (line,)).document()
    assert json.loads(json.dumps(document))["lines"][0]["y"] == [None, 0.25, None]


def test_uplot_is_found_without_loading_its_wrapper() -> None:
    program = "import sys; from exonym.report.uplot import chart_script; chart_script(); print('uplot' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_missing_uplot_is_told_with_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "uplot").mkdir()
    (tmp_path / "uplot" / "__init__.py").touch()  # a package of that name without the script
    program = "from exonym.report.uplot import chart_script; chart_script()"
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    assert found.returncode == 1
    assert found.stderr.splitlines()[-1].endswith("is not installed. Install it: pip install uplot-python.")
