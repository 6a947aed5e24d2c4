"""What a crawl shows while it runs: plain lines in files and pipes, a panel on a terminal."""

import io

import pytest
from rich.console import Console
from rich.live import Live

from exonym.cli.terminal.crawl_progress import LivePanel, PlainLines, line_of, panel_of, progress_display
from exonym.live.stop import StopLevel, StopRequest
from exonym.metrics import CrawlProgress, Totals


class Clock:
    """A clock that a test sets by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def after(pages: int) -> CrawlProgress:
    return CrawlProgress(Totals(pages=pages, relevant=pages // 2))


def drawn(progress: CrawlProgress, limit: int = 0, level: StopLevel = StopLevel.GO_ON) -> str:
    out = io.StringIO()
    Console(file=out, width=100).print(panel_of(progress, limit, level, 100))
    return out.getvalue()


def test_line_says_how_the_crawl_goes() -> None:
    totals = Totals(pages=1_200, relevant=300, relevant_servers=7, frontier=45_000, failures=12)
    assert line_of(CrawlProgress(totals, pages_per_second=99.6), 2_000) == (
        "pages 1,200 of 2,000, 100 pages/s, harvest rate 25.0%, relevant servers 7, frontier 45,000, failures 12"
    )


def test_line_carries_a_clean_note() -> None:
    assert line_of(CrawlProgress(Totals(), note="disk \x1b[31malmost\nfull"), 0).endswith(
        "failures 0, disk almost full"
    )


def test_plain_lines_come_every_five_seconds() -> None:
    out, clock = io.StringIO(), Clock()
    show = PlainLines(out, 0, clock)
    for clock.now in (1.0, 4.9, 5.0, 9.9, 10.0):
        show(after(int(clock.now)))
    assert [line.split(",")[0] for line in out.getvalue().splitlines()] == ["pages 5", "pages 10"]


def test_plain_lines_come_at_every_tenth_of_the_limit() -> None:
    out = io.StringIO()
    show = PlainLines(out, 50, Clock())
    for pages in range(1, 51):
        show(after(pages))
    assert len(out.getvalue().splitlines()) == 10


def test_pipe_gets_plain_lines() -> None:
    with progress_display(10, StopRequest(), io.StringIO()) as show:
        assert isinstance(show, PlainLines)


def test_panel_shows_figures_and_the_page() -> None:
    totals = Totals(pages=10, relevant=4, servers=3, relevant_servers=2, frontier=1_234, failures=1)
    text = drawn(CrawlProgress(totals, 2.0, "http://example.org/a", "ข่าววันนี้"), 100)
    for part in ("10 of 100", "40.0%", "2 of 3", "1,234 links waiting", "http://example.org/a", "ข่าววันนี้"):
        assert part in text


def test_panel_shows_text_from_the_web_as_text() -> None:
    text = drawn(CrawlProgress(Totals(), last_url="http://[/bold]x", last_title="[red]\x1b[2Jnot red\u202e[/red]"))
    assert "http://[/bold]x" in text
    assert "[red]not red[/red]" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("level", "words"), [(StopLevel.GO_ON, "Ctrl-C: finish"), (StopLevel.FINISH, "again: stop now")]
)
def test_panel_says_what_ctrl_c_does(level: StopLevel, words: str) -> None:
    assert words in drawn(CrawlProgress(Totals()), level=level)


def test_live_panel_draws_on_a_terminal() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80)
    with Live(console=console, auto_refresh=False) as live:
        LivePanel(live, 0, StopRequest())(after(6))
    assert "50.0%" in out.getvalue()
