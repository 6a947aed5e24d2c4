"""The dashboard as a person uses it: `exonym serve` in a process of its own, and a real browser."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import chromium
from crawls_to_look_at import whole_crawl
from dashboards import RunningDashboard, running_dashboard

from exonym.batches import Outcome
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.scope.scope_file import file_rules
from exonym.testing.live import crawl_from, merged, rows_of, write_settings
from exonym.testing.scripted import ScriptedWeb, page
from exonym.training.labels import read_labels
from exonym.urls import server_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVIL = "</title><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("seen") / "thai crawl"
    shutil.copytree(whole_crawl(tmp_path_factory), place)
    return place


@pytest.fixture(scope="module")
def dashboard(crawl: Path) -> Iterator[RunningDashboard]:
    with running_dashboard(crawl) as running:
        yield running


class Watched:
    """A tab of the browser, of which every complaint and every request is kept."""

    def __init__(self, browser: "Browser", **options: Any) -> None:
        self.page: Page = browser.new_page(**options)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> "Page":
        answer = self.page.goto(address)
        assert answer is not None
        assert answer.ok, answer.status_text
        return self.page


@pytest.fixture
def tab(browser: "Browser") -> Iterator[Watched]:
    watched = Watched(browser)
    yield watched
    watched.page.close()
    assert watched.complaints == []


def press(shown: "Page", name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def test_figures_on_the_screen_are_those_of_the_journal(tab: Watched, dashboard: RunningDashboard, crawl: Path) -> None:
    shown, rows = tab.open(dashboard.address), rows_of(crawl)
    pages = [row for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)]
    relevant = sum(row.relevant for row in rows)
    assert number(shown.inner_text("#pages")) == len(pages)
    assert number(shown.inner_text("#relevant")) == relevant
    assert shown.inner_text("#harvest") == f"{relevant / len(pages):.1%}"
    # The curves are drawn, and end with the same numbers.
    while shown.locator("canvas").count() < 4:
        pass
    legend = shown.locator("figure", has=shown.locator("canvas")).nth(2).inner_text()
    assert f"{len(pages):,}" in legend
    assert f"{relevant:,}" in legend
    shown.click("nav >> text=Languages")
    first = [cell.inner_text() for cell in shown.locator("tbody tr").first.locator("td").all()]
    languages = [row.language for row in rows if row.outcome == Outcome.PAGE]
    most = max(set(languages), key=languages.count)
    assert first[0] == (most or "unknown")
    assert number(first[1]) == languages.count(most)


def test_token_is_in_no_address_after_the_first(tab: Watched, dashboard: RunningDashboard) -> None:
    shown = tab.open(dashboard.address)
    assert "token" not in shown.url
    assert all("token" not in address for address in tab.requests[1:])


def test_nothing_is_asked_of_other_servers(tab: Watched, dashboard: RunningDashboard, crawl: Path) -> None:
    shown = tab.open(dashboard.address)
    shown.wait_for_selector("canvas")
    row = next(row for row in rows_of(crawl) if row.relevant)
    for path in ("/tables/servers", "/tables/visits", f"/visits/{row.row}", "/scope", "/settings"):
        tab.open(dashboard.page(f"/crawls/{crawl.name}{path}"))
    own = dashboard.page("/")
    assert all(address.startswith((own, "data:")) for address in tab.requests)


def test_tables_are_sorted_searched_and_paged_by_clicks(tab: Watched, dashboard: RunningDashboard, crawl: Path) -> None:
    shown = tab.open(dashboard.page(f"/crawls/{crawl.name}/tables/visits"))
    total = len(rows_of(crawl))
    assert shown.inner_text("#counted") == f"1–50 of {total:,}"
    shown.click("text=next ›")
    assert shown.inner_text("#counted") == f"51–100 of {total:,}"
    shown.click("thead >> text=status")
    assert shown.locator("th[aria-sort=descending]").inner_text().startswith("status")
    assert shown.inner_text("#counted") == f"1–50 of {total:,}"
    shown.click("thead >> text=status")
    assert shown.locator("th[aria-sort=ascending]").inner_text().startswith("status")
    shown.click(".filters >> text=failed")
    failed = sum(row.outcome == Outcome.FAILED for row in rows_of(crawl))
    assert shown.inner_text("#counted").endswith(f"of {failed}")
    server = server_of(next(row.url for row in rows_of(crawl) if row.outcome == Outcome.FAILED))
    shown.fill("input[type=search]", server)
    shown.keyboard.press("Enter")
    shown.wait_for_url("**search=**")
    wanted = sum(row.outcome == Outcome.FAILED and server in (row.url + row.title) for row in rows_of(crawl))
    assert shown.inner_text("#counted").endswith(f"of {wanted}")


def test_page_and_server_say_why(tab: Watched, dashboard: RunningDashboard, crawl: Path) -> None:
    row = next(row for row in rows_of(crawl) if row.relevant and row.source >= 0)
    shown = tab.open(dashboard.page(f"/crawls/{crawl.name}/visits/{row.row}"))
    text = shown.inner_text("main")
    assert row.why in text
    assert f"{row.score:.3f}" in text
    assert ("a copy of another page" in text) == row.copy
    document = CrawlDirectory(crawl).page(row)
    assert document.text.split("\n")[0].split()[0] in shown.inner_text("#text")
    shown.click(".chain a")
    assert shown.url.endswith(f"/visits/{row.source}")
    shown.get_by_role("link", name=server_of(rows_of(crawl)[row.source].url), exact=True).last.click()
    assert "harvest rate" in shown.inner_text("main")


def test_curator_leaves_a_server_out_and_labels_a_page(
    browser: "Browser", tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    row = next(row for row in rows_of(tmp_path / "crawl") if row.relevant)
    with running_dashboard(tmp_path / "crawl") as dashboard:
        tab = Watched(browser)
        shown = tab.open(dashboard.address)
        tab.open(dashboard.page(f"/crawls/crawl/visits/{row.row}"))
        press(shown, "Not relevant")
        assert shown.inner_text("#label") == "labelled not relevant"
        assert [(label.url, label.positive) for label in read_labels(tmp_path / "crawl/labels.jsonl")] == [
            (row.url, False)
        ]
        shown.fill("input[name=why]", "asked by mail on 3 May")
        press(shown, "Write the rule")
        assert "left out by" in shown.inner_text("main")
        rule = file_rules(tmp_path / "crawl")[-1]
        assert rule.text == f"drop {server_of(row.url)}"
        assert rule.comment.startswith("asked by mail on 3 May")
        shown.click("nav >> text=Scope")
        shown.locator("tr", has_text=rule.text).locator("text=Remove").click()
        assert rule.text not in shown.inner_text("main")
        shown.goto(dashboard.page("/crawls/crawl/settings"))
        shown.fill("input[name=pages]", "1234")
        press(shown, "Change the limits")
        assert CrawlDirectory(tmp_path / "crawl").settings.limits.pages == 1234
        assert tab.complaints == []
        shown.close()


def test_segment_in_a_table_or_at_a_server_leads_to_a_rule_about_it(
    browser: "Browser", tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    with running_dashboard(tmp_path / "crawl") as dashboard:
        tab = Watched(browser)
        tab.open(dashboard.address)
        shown = tab.open(dashboard.page("/crawls/crawl/tables/segments"))
        segment = shown.locator("tbody tr").first.locator("td").first.inner_text()
        shown.click("tbody a")
        assert shown.input_value("input[name=target]") == segment
        shown.select_option("select", "limit")
        shown.fill("input[name=number]", "7")
        press(shown, "Write the rule")
        assert file_rules(tmp_path / "crawl")[-1].text == f"limit 7 {segment}"
        assert f"limit 7 {segment}" in shown.inner_text("p[role=status]")
        tab.open(dashboard.page(f"/crawls/crawl/servers/{server_of(segment)}"))
        shown.get_by_role("link", name=segment, exact=True).first.click()
        assert shown.input_value("input[name=target]") == segment
        assert tab.complaints == []
        shown.close()


def test_text_from_the_web_is_shown_as_text(browser: "Browser", tmp_path: Path) -> None:
    home = "http://evil.example/"
    answers = {
        home: page(f"<title>{EVIL.replace('</title>', '')}</title><p>{'ภาษาไทย ' * 50}<a href='/x?\"><script>'>x</a>"),
        "/x?%22%3E%3Cscript%3E": page(f"<title>&lt;/title&gt;{EVIL}</title>{'ภาษาไทย ' * 50}"),
    }
    with ScriptedWeb(answers) as web:
        rows = crawl_from([home], tmp_path / "crawl", web.address)
    assert any("<script>" in row.title for row in rows)
    with running_dashboard(tmp_path / "crawl") as dashboard:
        tab = Watched(browser)
        paths = ["/", "/tables/visits", "/tables/servers", "/tables/segments", "/tables/failures", "/tables/seeds"]
        paths += [f"/visits/{row.row}" for row in rows] + ["/servers/evil.example", "/live"]
        paths += [
            "/scope?url=<script>window.hacked=1</script>",
            "/tables/visits?search=<script>window.hacked=1</script>",
        ]
        tab.open(dashboard.address)
        for path in paths:
            shown = tab.open(dashboard.page(f"/crawls/crawl{path}"))
            assert shown.evaluate("window.hacked") is None
            assert shown.locator("main script, main img").count() == 0
            if path == "/tables/visits":
                assert "<script>window.hacked = 1</script>" in shown.inner_text("main")
        assert tab.complaints == []  # the policy had nothing to forbid, either
        tab.page.close()


def test_works_on_a_phone_in_the_dark_and_by_keyboard(
    browser: "Browser", dashboard: RunningDashboard, crawl: Path
) -> None:
    tab = Watched(browser, viewport={"width": 360, "height": 740}, color_scheme="dark")
    shown = tab.open(dashboard.address)
    row = next(row for row in rows_of(crawl) if row.relevant)
    # A page that others were visited from, one of them without a title, so that its long address is shown.
    parent = next(row.source for row in rows_of(crawl) if row.outcome == Outcome.FAILED and row.source >= 0)
    paths = ["/", "/tables/servers", "/tables/statuses-by-server", f"/visits/{row.row}", f"/visits/{parent}"]
    addresses = [f"/crawls/{crawl.name}{path}" for path in (*paths, "/scope", "/settings")]
    for path in (*addresses, "/api/"):
        tab.open(dashboard.page(path))
        assert shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
    red, green, blue = map(int, re.findall(r"\d+", shown.evaluate("getComputedStyle(document.body).backgroundColor")))
    assert red + green + blue < 150
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.textContent") == "Skip to the content"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "main"
    assert tab.complaints == []
    shown.close()


def test_crawl_is_started_watched_paused_and_stopped(browser: "Browser", tmp_path: Path) -> None:
    server = "http://host.example/"
    links = " ".join(f'<a href="/{place}">{place}</a>' for place in range(2_000))
    answers = {server: page(links)} | {f"/{place}": page("words " * 50, delay_seconds=0.02) for place in range(2_000)}
    settings: dict[str, dict[str, Any]] = {
        "seeds": {"urls": [server]},
        "target": {"languages": ["th"]},
        "strategy": {"name": "bfs"},
        "limits": {"pages_per_server": 0},
        "politeness": {"delay_seconds": 0.0},
    }
    with ScriptedWeb(answers) as web:
        write_settings(tmp_path / "crawl", merged(settings, {"network": {"connect_to": web.address, "connections": 1}}))
        with running_dashboard(tmp_path / "crawl") as dashboard:
            shown = browser.new_page()
            shown.set_default_timeout(600_000)  # however busy the machine is
            shown.goto(dashboard.address)
            assert "has not begun" in shown.inner_text("main")
            press(shown, "Start")
            shown.wait_for_selector("#state[data-state=running]")
            while number(shown.inner_text("#pages")) < 20:
                pass
            press(shown, "Pause")
            shown.wait_for_selector("#state[data-state=paused]")
            press(shown, "Go on")
            shown.wait_for_selector("#state[data-state=running]")
            press(shown, "Stop")
            shown.wait_for_selector("#state[data-state=stopped]")
            assert "stopped by you" in shown.inner_text(".asked")
            assert number(shown.inner_text("#pages")) == CrawlDirectory(tmp_path / "crawl").status.totals.pages
            shown.close()
