"""Shows a running crawl: a live panel on a terminal, elsewhere a plain line every few seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from exonym.live.stop import StopLevel, StopRequest
from exonym.web_text import clean

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from exonym.metrics import CrawlProgress

Show = Callable[["CrawlProgress"], None]

_LINE_SECONDS = 5.0
_FRAME_SECONDS = 0.2
_STOPPING = {
    StopLevel.GO_ON: "Ctrl-C: finish requests in flight and stop",
    StopLevel.FINISH: "finishing requests in flight; Ctrl-C again: stop now",
    StopLevel.NOW: "stopping now",
}


@contextmanager
def progress_display(pages_limit: int, stop: StopRequest, out: TextIO | None = None) -> Iterator[Show]:
    """A function that shows the progress of a crawl while the block runs; 0 means no page limit."""
    stream = sys.stdout if out is None else out
    if not stream.isatty():
        yield PlainLines(stream, pages_limit)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(file=stream), auto_refresh=False, transient=True) as live:
        yield LivePanel(live, pages_limit, stop)


class PlainLines:
    """One line every few seconds, and at every tenth of the page limit."""

    def __init__(self, out: TextIO, pages_limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._limit = pages_limit
        self._clock = clock
        self._shown_at = clock()
        self._tenths = 0

    def __call__(self, progress: "CrawlProgress") -> None:
        now = self._clock()
        tenths = 10 * progress.totals.pages // self._limit if self._limit else 0
        if now - self._shown_at >= _LINE_SECONDS or tenths > self._tenths:
            self._shown_at, self._tenths = now, tenths
            print(line_of(progress, self._limit), file=self._out, flush=True)


def line_of(progress: "CrawlProgress", pages_limit: int) -> str:
    """The state of a crawl in one line of plain text."""
    totals = progress.totals
    parts = [
        f"pages {_of_limit(totals.pages, pages_limit)}",
        f"{progress.pages_per_second:,.0f} pages/s",
        f"harvest rate {totals.harvest_rate:.1%}",
        f"relevant servers {totals.relevant_servers:,}",
        f"frontier {totals.frontier:,}",
        f"failures {totals.failures:,}",
    ]
    return ", ".join([*parts, clean(progress.note, 120)] if progress.note else parts)


class LivePanel:
    """A panel that is drawn over itself, a few times a second at most."""

    def __init__(self, live: "Live", pages_limit: int, stop: StopRequest) -> None:
        self._live = live
        self._limit = pages_limit
        self._stop = stop
        self._shown_at = float("-inf")

    def __call__(self, progress: "CrawlProgress") -> None:
        now = time.monotonic()
        if now - self._shown_at >= _FRAME_SECONDS:
            self._shown_at = now
            width = self._live.console.width
            self._live.update(panel_of(progress, self._limit, self._stop.level, width), refresh=True)


def panel_of(progress: "CrawlProgress", pages_limit: int, level: StopLevel, width: int) -> "Table":
    """The state of a crawl as rows of label and value; nothing in it is read as markup."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", justify="right", no_wrap=True)
    rows.add_column(no_wrap=True)
    for label, value in _rows(progress, pages_limit):
        rows.add_row(label, Text(clean(value, max(width - 20, 20))))
    if pages_limit:
        rows.add_row("", ProgressBar(total=pages_limit, completed=progress.totals.pages, width=40))
    rows.add_row("", Text(_STOPPING[level], style="dim"))
    return rows


def _rows(progress: "CrawlProgress", pages_limit: int) -> list[tuple[str, str]]:
    totals = progress.totals
    rows = [
        ("pages", f"{_of_limit(totals.pages, pages_limit)}, {progress.pages_per_second:,.0f} per second"),
        ("harvest rate", f"{totals.harvest_rate:.1%}, {totals.relevant:,} relevant pages"),
        ("relevant servers", f"{totals.relevant_servers:,} of {totals.servers:,}"),
        (
            "frontier",
            f"{totals.frontier:,} links waiting, {progress.in_flight:,} in flight, {progress.parked:,} parked",
        ),
        ("failures", f"{totals.failures:,}"),
        ("page", progress.last_url),
        ("title", progress.last_title),
    ]
    return [*rows, ("note", progress.note)] if progress.note else rows


def _of_limit(pages: int, limit: int) -> str:
    return f"{pages:,} of {limit:,}" if limit else f"{pages:,}"
