"""What a crawl shows while it runs: plain lines in files and pipes, a panel on a terminal, JSON, a log file."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.live import Live

from exonym.cli.terminal.crawl_display import (
    DisplayOptions,
    JsonLines,
    PlainLines,
    crawl_display,
    line_of,
)
from exonym.cli.terminal.crawl_panel import LivePanel, Room, failures_text, panel_of
from exonym.crawl_progress import (
    CrawlEvent,
    CrawlProgress,
    Projection,
    RecentPages,
    ServerRest,
    document_of,
    ending_words,
)
from exonym.errors import ConfigError
from exonym.live.stop import StopLevel, StopRequest
from exonym.metrics import Totals
from exonym.probes.completeness import Missing

CLEARED = "\x1b[2J"


class Clock:
    """A clock that a test sets by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def after(pages: int, limit: int = 0) -> CrawlProgress:
    return CrawlProgress(Totals(pages=pages, relevant=pages // 2), limits={"pages": limit} if limit else {})


def drawn(progress: CrawlProgress, level: StopLevel = StopLevel.GO_ON, width: int = 100, height: int = 30) -> str:
    out = io.StringIO()
    Console(file=out, width=width, height=height).print(panel_of(progress, level, Room(width, height)))
    return out.getvalue()


# Plain lines


def test_line_says_how_the_crawl_goes() -> None:
    totals = Totals(pages=1_200, relevant=300, relevant_servers=7, frontier=45_000, failures=12)
    assert line_of(CrawlProgress(totals, pages_per_second=99.6, limits={"pages": 2_000})) == (
        "pages 1,200 of 2,000, 100 pages/s, harvest rate 25.0%, relevant servers 7, frontier 45,000, failures 12"
    )


def test_the_estimate_of_what_was_found_is_shown_when_there_is_one() -> None:
    late = Missing(2_000, 900, 200, 20, 40, waiting=60.0, unseen=40.0, variance=900.0)
    known, early, never = (CrawlProgress(Totals(missing=missing)) for missing in (late, Missing(), None))
    told = "about 90 % of what can be reached (90 % interval 85 to 94)"
    assert told in line_of(known)
    assert "reached" not in line_of(early) + line_of(never)
    assert told in drawn(known)
    assert "too early to tell" in drawn(early)
    assert "reached" not in drawn(never)
    coverage = [document_of(progress)["coverage"] for progress in (known, early, never)]
    assert coverage[0]["share"] == 0.9
    assert (coverage[1]["share"], coverage[1]["probes"], coverage[2]) == (None, 0, None)


def test_line_carries_a_clean_note() -> None:
    assert line_of(CrawlProgress(Totals(), note="disk \x1b[31malmost\nfull")).endswith("failures 0, disk almost full")


def test_plain_lines_come_every_five_seconds() -> None:
    out, clock = io.StringIO(), Clock()
    show = PlainLines(out, clock)
    for clock.now in (1.0, 4.9, 5.0, 9.9, 10.0):
        show(after(int(clock.now)))
    assert [line.split(",")[0] for line in out.getvalue().splitlines()] == ["pages 5", "pages 10"]


def test_plain_lines_come_at_every_tenth_of_the_limit() -> None:
    out = io.StringIO()
    show = PlainLines(out, Clock())
    for pages in range(1, 51):
        show(after(pages, 50))
    assert len(out.getvalue().splitlines()) == 10


# Which display


def test_pipe_gets_plain_lines() -> None:
    out = io.StringIO()
    with crawl_display(DisplayOptions(), StopRequest(), out) as show:
        show(after(10, 10))
    assert out.getvalue().startswith("pages 10 of 10")


def test_quiet_crawl_shows_nothing() -> None:
    out = io.StringIO()
    with crawl_display(DisplayOptions(quiet=True), StopRequest(), out) as show:
        show(after(10, 10))
    assert out.getvalue() == ""


def test_unknown_display_is_refused() -> None:
    with pytest.raises(ConfigError, match="auto, plain or json"):
        DisplayOptions(progress="xml").check()


def test_json_lines_have_each_event_once() -> None:
    out, clock = io.StringIO(), Clock()
    show, events = JsonLines(out, clock), (CrawlEvent(1.0, "a"), CrawlEvent(2.0, "b"))
    show(CrawlProgress(Totals(pages=1), events=events[:1]))
    clock.now = 0.5
    show(CrawlProgress(Totals(pages=2), events=events))
    clock.now = 1.0
    show(CrawlProgress(Totals(pages=3), events=events))
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["pages"], [event["text"] for event in line["events"]]) for line in lines] == [(1, ["a"]), (3, ["b"])]


def test_log_file_has_events_with_their_times(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("kept\n")
    with crawl_display(DisplayOptions(quiet=True, log_file=path), StopRequest(), io.StringIO()) as show:
        show(CrawlProgress(Totals(pages=1), events=(CrawlEvent(0.0, "bad \x1b[31m title\n"),)))
        show(CrawlProgress(Totals(pages=2), events=(CrawlEvent(0.0, "bad \x1b[31m title\n"),)))
    lines = path.read_text().splitlines()
    assert lines[0] == "kept"
    assert [line.partition(" ")[2] for line in lines if "title" in line] == ["bad title"]
    assert lines[-1].endswith("run breaks off")


def test_log_file_ends_with_the_last_figures_and_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with crawl_display(DisplayOptions(quiet=True, log_file=path), StopRequest(), io.StringIO()) as show:
        show(after(1))
        show(after(7, 7))
        show.end("pages")
    begun, first, last, ended = (line.partition(" ")[2] for line in path.read_text().splitlines())
    assert begun.startswith("run begins: ")
    assert (first.split(",")[0], last.split(",")[0], ended) == ("pages 1", "pages 7 of 7", "run ends: pages")


def test_last_json_line_has_the_last_state_whenever_the_line_before_was_printed() -> None:
    out = io.StringIO()
    with crawl_display(DisplayOptions(progress="json"), StopRequest(), out) as show:
        show(after(1))
        show(after(2))
        show(CrawlProgress(Totals(pages=3), events=(CrawlEvent(1.0, "a"),)))
        show.end("pages")
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["pages"], line["reason"]) for line in lines] == [(1, ""), (3, "pages")]
    assert [event["text"] for event in lines[-1]["events"]] == ["a"]


def test_event_that_is_pushed_out_by_later_ones_is_not_lost_from_json() -> None:
    out = io.StringIO()
    show = JsonLines(out, Clock())
    for number in range(5):
        show(CrawlProgress(Totals(), events=(CrawlEvent(float(number), str(number)),)))
    show.end(CrawlProgress(Totals()), "pages")
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["text"] for line in lines for event in line["events"]] == ["0", "1", "2", "3", "4"]


def test_plain_lines_tell_events_once_and_not_too_many() -> None:
    out = io.StringIO()
    show, events = PlainLines(out, Clock()), tuple(CrawlEvent(float(number), f"event {number}") for number in range(9))
    for progress in (CrawlProgress(Totals(), events=events[:2]), CrawlProgress(Totals(), events=events)):
        show(progress)
    show.end(CrawlProgress(Totals(), events=events), "pages")
    told = [line.partition(" ")[2] for line in out.getvalue().splitlines()]
    assert told[:-1] == [f"event {number}" for number in range(7)]
    assert told[-1] == "and 2 more events; --log-file has all"


# The panel


FULL = CrawlProgress(
    Totals(
        *(1_234, 700, 86, 5, 3, 12_300_000, 40, 12, 5_678),
        seconds=3_725.0,
        aside=42,
        failure_kinds={"http 404": 50, "connect": 36},
    ),
    pages_per_second=0.33,
    last_url="http://example.org/a",
    last_title="ข่าววันนี้",
    in_flight=9,
    parked=31,
    recent=RecentPages(1_000, 412, 100.0),
    at_work=("a.example", "b.example"),
    rests=(ServerRest("slow.example", 18.4, "crawl delay of its robots.txt"),),
    events=tuple(CrawlEvent(float(number), f"event {number}") for number in range(60)),
    projection=Projection("pages", 600.0, 540.0, 700.0),
    free_bytes=80_000_000_000,
    limits={"pages": 2_000},
)
PARTS = [
    *("1 h 2 min", "9 min to 12 min until the page limit", "1,234 of 2,000", "10.0/s now", "0.3/s in all"),
    *("41.2% now", "56.7% in all", "12.3 MB", "80.0 GB free", "40, 12 relevant", "5,678 links wait", "9 in flight"),
    *("42 left out", "86: http 404 50, connect 36", "http://example.org/a", "18 s for slow.example: crawl delay"),
    *("a.example, b.example", "event 59"),
]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (200, 50)])
def test_panel_answers_whether_all_is_right(width: int, height: int) -> None:
    text = drawn(FULL, width=width, height=height)
    for part in PARTS:
        assert part in text, part
    lines = text.splitlines()
    assert len(lines) <= height
    assert max(map(len, lines)) <= width


def test_panel_uses_the_room_it_has() -> None:
    small, large = (drawn(FULL, width=width, height=height) for width, height in ((80, 24), (200, 50)))
    assert small.count("event ") < large.count("event ")
    assert large.count("event ") > 30


@pytest.mark.parametrize(("width", "height"), [(60, 15), (80, 24), (129, 30), (130, 30), (200, 50)])
def test_panel_fits_the_terminal_and_its_labels_are_aligned(width: int, height: int) -> None:
    rests = tuple(ServerRest(f"{'long' * 20}{number}.example", 9.0, "delay between requests") for number in range(10))
    lines = drawn(replace(FULL, rests=rests), width=width, height=height).splitlines()
    assert len(lines) < height  # a line more would make the terminal scroll with every frame
    assert max(map(len, lines)) <= width
    if width < 130:
        assert {
            line.index(label) + len(label)
            for label in ("time", "languages", "waiting")
            for line in lines
            if label in line[:9]
        } == {9}
    assert any("event 59" in line for line in lines)


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
        LivePanel(live, StopRequest())(after(6))
    assert "50.0%" in out.getvalue()


@pytest.mark.parametrize("limits", [{}, {"pages": 100}])
@pytest.mark.parametrize(("width", "height"), [(40, 10), (80, 24), (200, 50), (30, 5)])
def test_panel_fits_its_terminal_and_says_how_to_stop(width: int, height: int, limits: dict[str, float]) -> None:
    title = "日本語の長い題" * 40 + "\x1b[2J\u202e" + "ก็" * 200
    events = tuple(CrawlEvent(number, title) for number in range(99))
    progress = CrawlProgress(Totals(pages=5), last_title=title, events=events, limits=limits, note=title)
    lines = drawn(progress, width=width, height=height).splitlines()
    assert len(lines) < height
    assert all(cell_len(line) <= width for line in lines)
    assert lines[-1].startswith("Ctrl-C: finish requests")


def test_terminal_that_cannot_draw_over_itself_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    ours, its = os.openpty()
    os.set_blocking(ours, False)
    with open(its, "w") as stream, crawl_display(DisplayOptions(), StopRequest(), stream) as show:
        show(replace(after(6), events=(CrawlEvent(0, "something happened"),)))
        shown = os.read(ours, 1_000).decode()
    os.close(ours)
    assert "something happened" in shown
    assert "\x1b" not in shown


def test_terminal_that_changes_its_size_is_cleared_of_the_old_panel() -> None:
    out, clock = io.StringIO(), Clock()
    console = Console(file=out, force_terminal=True, width=200, height=50)
    with Live(console=console, auto_refresh=False) as live:
        panel = LivePanel(live, StopRequest(), clock)
        for _ in range(2):
            panel(after(6))
            clock.now += 1
        assert CLEARED not in out.getvalue()
        console.width = 80
        panel(after(6))
        assert CLEARED in out.getvalue()


@pytest.mark.parametrize(
    ("projection", "words"),
    [
        (Projection("pages", 60, 50, 70), "50 s to 70 s until the page limit"),
        (Projection("bytes", 7_000, 7_000, 7_010), "1.9 h until the byte limit"),
        (Projection("empty frontier", 90, 60, None), "60 s or more until nothing is left to fetch"),
    ],
)
def test_projection_is_told_with_its_error(projection: Projection, words: str) -> None:
    assert ending_words(projection) == words


def test_failures_are_told_by_kind() -> None:
    assert failures_text(0, {}) == "0"
    assert failures_text(9, {"dns": 1, "http 404": 8}) == "9: http 404 8, dns 1"
