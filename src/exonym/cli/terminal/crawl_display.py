"""How a command shows a running crawl: a panel on a terminal, plain lines elsewhere, lines of JSON, a log file."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from exonym.errors import ConfigError
from exonym.system.files import disk_errors
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.crawl_progress import CrawlEvent, CrawlProgress
    from exonym.live.stop import StopRequest

ShowProgress = Callable[["CrawlProgress"], None]

_LINE_SECONDS = 5.0
_JSON_SECONDS = 1.0
_LOG_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayOptions:
    """How the progress of a crawl is shown."""

    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no summary.")] = False
    progress: Annotated[
        str, typer.Option(metavar="auto|plain|json", help="A panel on a terminal, plain lines, or lines of JSON.")
    ] = "auto"
    log_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append what happens, with times, to this file.")
    ] = None

    def check(self) -> None:
        """Raise if there is no such display."""
        if self.progress not in ("auto", "plain", "json"):
            raise ConfigError(f"--progress must be auto, plain or json, got {self.progress[:40]!r}.")


@contextmanager
def crawl_display(options: DisplayOptions, stop: "StopRequest", stream: TextIO) -> Iterator[ShowProgress]:
    """A function that shows the progress of a crawl while the block runs."""
    with ExitStack() as stack:
        displays: list[ShowProgress] = []
        if options.log_file is not None:
            displays.append(stack.enter_context(_log(options.log_file)))
        if not options.quiet:
            displays.append(_display(options.progress, stop, stream, stack))

        def show(progress: "CrawlProgress") -> None:
            for display in displays:
                display(progress)

        yield show


def _display(kind: str, stop: "StopRequest", stream: TextIO, stack: ExitStack) -> ShowProgress:
    if kind == "json":
        return JsonLines(stream)
    if kind == "plain" or not stream.isatty():
        return PlainLines(stream)
    from rich.console import Console
    from rich.live import Live

    from exonym.cli.terminal.crawl_panel import LivePanel

    live = stack.enter_context(Live(console=Console(file=stream), auto_refresh=False, transient=True))
    return LivePanel(live, stop)


class PlainLines:
    """One line every few seconds, and at every tenth of the page limit."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._shown_at = clock()
        self._tenths = 0

    def __call__(self, progress: "CrawlProgress") -> None:
        now, limit = self._clock(), int(progress.limits.get("pages", 0))
        tenths = 10 * progress.totals.pages // limit if limit else 0
        if now - self._shown_at >= _LINE_SECONDS or tenths > self._tenths:
            self._shown_at, self._tenths = now, tenths
            print(line_of(progress), file=self._out, flush=True)


def line_of(progress: "CrawlProgress") -> str:
    """The state of a crawl in one line of plain text."""
    from exonym.cli.terminal.crawl_panel import projected

    totals, limit = progress.totals, int(progress.limits.get("pages", 0))
    parts = [
        f"pages {totals.pages:,} of {limit:,}" if limit else f"pages {totals.pages:,}",
        f"{progress.recent.pages_per_second or progress.pages_per_second:,.0f} pages/s",
        f"harvest rate {totals.harvest_rate:.1%}",
        f"relevant servers {totals.relevant_servers:,}",
        f"frontier {totals.frontier:,}",
        f"failures {totals.failures:,}",
    ]
    parts += [projected(progress.projection)] if progress.projection else []
    parts += ["paused"] if progress.is_paused else []
    return ", ".join([*parts, clean(progress.note, 120)] if progress.note else parts)


class JsonLines:
    """A line of JSON about once a second; each event is in one line only."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._shown_at = float("-inf")
        self._news = NewEvents()

    def __call__(self, progress: "CrawlProgress") -> None:
        from exonym.crawl_progress import document_of

        now = self._clock()
        if now - self._shown_at < _JSON_SECONDS:
            return
        self._shown_at = now
        events = [{"when": event.when, "text": event.text} for event in self._news.of(progress.events)]
        print(json.dumps({**document_of(progress), "events": events}, ensure_ascii=False), file=self._out, flush=True)


class NewEvents:
    """Tells which events were not seen before."""

    def __init__(self) -> None:
        self._last: tuple[CrawlEvent, ...] = ()

    def of(self, events: "Sequence[CrawlEvent]") -> "list[CrawlEvent]":
        """The events since the last call."""
        seen, self._last = set(self._last), tuple(events)
        return [event for event in events if event not in seen]


@contextmanager
def _log(path: Path) -> Iterator[ShowProgress]:
    """Appends events, and now and then the state of the crawl, to a file."""
    with disk_errors(path), path.open("a", encoding="utf-8", errors="replace") as file:
        news, last = NewEvents(), float("-inf")

        def write(when: float, text: str) -> None:
            stamp = datetime.fromtimestamp(when).astimezone().isoformat(timespec="seconds")
            print(f"{stamp} {clean(text, 1_000)}", file=file, flush=True)

        def show(progress: "CrawlProgress") -> None:
            nonlocal last
            for event in news.of(progress.events):
                write(event.when, event.text)
            if time.monotonic() - last >= _LOG_SECONDS:
                last = time.monotonic()
                write(time.time(), line_of(progress))

        write(time.time(), f"crawl begins: {' '.join(sys.argv)}")
        try:
            yield show
        finally:
            write(time.time(), "run ends")
