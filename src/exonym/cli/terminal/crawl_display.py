"""How a command shows a running crawl: a panel on a terminal, plain lines elsewhere, lines of JSON, a log file."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, TextIO

import typer

from exonym.errors import ConfigError
from exonym.report.number_text import clock_time
from exonym.system.files import disk_errors
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.crawl_progress import CrawlEvent, CrawlProgress
    from exonym.live.stop import StopRequest

ShowProgress = Callable[["CrawlProgress"], None]

_LINE_SECONDS = 5.0
_JSON_SECONDS = 1.0
_LOG_SECONDS = 60.0
_MOST_EVENTS = 5  # in plain lines at a time


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

    @property
    def has_summary(self) -> bool:
        """Whether people read what is printed: then a summary ends the run."""
        return not self.quiet and self.progress != "json"

    def check(self) -> None:
        """Raise if there is no such display."""
        if self.progress not in ("auto", "plain", "json"):
            raise ConfigError(f"--progress must be auto, plain or json, got {self.progress[:40]!r}.")


class CrawlDisplay(Protocol):
    """Shows a running crawl."""

    def __call__(self, progress: "CrawlProgress") -> None:
        """Show the state of the crawl, unless it was shown just before."""

    def end(self, progress: "CrawlProgress", reason: str) -> None:
        """Show the last state of the crawl, which ended for a reason, and all that was not shown yet."""


class CrawlDisplays:
    """All displays of one run."""

    def __init__(self, displays: "Sequence[CrawlDisplay]") -> None:
        self._displays = displays
        self._last: CrawlProgress | None = None

    def __call__(self, progress: "CrawlProgress") -> None:
        self._last = progress
        for display in self._displays:
            display(progress)

    def end(self, reason: str) -> None:
        """Show how the run ended."""
        for display in self._displays:
            if self._last is not None:
                display.end(self._last, reason)


@contextmanager
def crawl_display(options: DisplayOptions, stop: "StopRequest", stream: TextIO) -> Iterator[CrawlDisplays]:
    """What shows the progress of a crawl while the block runs."""
    with ExitStack() as stack:
        displays: list[CrawlDisplay] = []
        if options.log_file is not None:
            displays.append(stack.enter_context(_log(options.log_file)))
        if not options.quiet:
            displays.append(_display(options.progress, stop, stream, stack))
        yield CrawlDisplays(displays)


def _display(kind: str, stop: "StopRequest", stream: TextIO, stack: ExitStack) -> CrawlDisplay:
    if kind == "json":
        return JsonLines(stream)
    if kind == "plain" or not stream.isatty():
        return PlainLines(stream)
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from exonym.cli.terminal.crawl_panel import LivePanel

    console = Console(file=stream)
    if console.is_dumb_terminal:  # it cannot draw over itself
        return PlainLines(stream)
    opening = Text("Opening the crawl …", style="dim")  # for a large one, what it learned is read for a minute
    live = stack.enter_context(Live(opening, console=console, auto_refresh=False, transient=True))
    return LivePanel(live, stop)


class PlainLines:
    """One line every few seconds, at every tenth of the page limit, and for each event."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._shown_at = clock()
        self._tenths = 0
        self._news = NewEvents()

    def __call__(self, progress: "CrawlProgress") -> None:
        self._show_events(progress)
        now, limit = self._clock(), int(progress.limits.get("pages", 0))
        tenths = 10 * progress.totals.pages // limit if limit else 0
        if now - self._shown_at >= _LINE_SECONDS or tenths > self._tenths:
            self._shown_at, self._tenths = now, tenths
            print(line_of(progress), file=self._out, flush=True)

    def end(self, progress: "CrawlProgress", reason: str) -> None:
        """Show the last events; a summary follows."""
        self._show_events(progress)

    def _show_events(self, progress: "CrawlProgress") -> None:
        events = self._news.of(progress.events)
        for event in events[:_MOST_EVENTS]:
            print(f"{clock_time(event.when)} {clean(event.text, 300)}", file=self._out, flush=True)
        if len(events) > _MOST_EVENTS:
            more = len(events) - _MOST_EVENTS
            print(f"… and {more:,} more event{'s' * (more > 1)}; --log-file has all", file=self._out, flush=True)


def line_of(progress: "CrawlProgress") -> str:
    """The state of a crawl in one line of plain text."""
    from exonym.crawl_progress import ending_words
    from exonym.probes.completeness import completeness_of, completeness_words

    totals, limit = progress.totals, int(progress.limits.get("pages", 0))
    parts = [
        f"pages {totals.pages:,} of {limit:,}" if limit else f"pages {totals.pages:,}",
        f"{progress.recent.pages_per_second or progress.pages_per_second:,.0f} pages/s",
        f"harvest rate {totals.harvest_rate:.1%}",
        f"relevant servers {totals.relevant_servers:,}",
        f"frontier {totals.frontier:,}",
        f"failures {totals.failures:,}",
    ]
    if totals.missing is not None and completeness_of(totals.missing) is not None:
        parts.append(f"found {completeness_words(totals.missing)}")
    parts += [ending_words(progress.projection)] if progress.projection else []
    parts += ["paused"] if progress.is_paused else []
    return ", ".join([*parts, clean(progress.note, 120)] if progress.note else parts)


class JsonLines:
    """A line of JSON about once a second, and one at the end; each event is in one line only."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._shown_at = float("-inf")
        self._news = NewEvents()
        self._events: list[CrawlEvent] = []  # not shown yet

    def __call__(self, progress: "CrawlProgress") -> None:
        self._events += self._news.of(progress.events)
        now = self._clock()
        if now - self._shown_at >= _JSON_SECONDS:
            self._shown_at = now
            self._print(progress, "")

    def end(self, progress: "CrawlProgress", reason: str) -> None:
        """Show the last state, with the reason."""
        self._events += self._news.of(progress.events)
        self._print(progress, reason)

    def _print(self, progress: "CrawlProgress", reason: str) -> None:
        from exonym.crawl_progress import document_of

        events, self._events = [asdict(event) for event in self._events], []
        document = {**document_of(progress), "events": events, "reason": reason}
        print(json.dumps(document, ensure_ascii=False), file=self._out, flush=True)


class NewEvents:
    """Tells which events were not seen before."""

    def __init__(self) -> None:
        self._last: tuple[CrawlEvent, ...] = ()

    def of(self, events: "Sequence[CrawlEvent]") -> "list[CrawlEvent]":
        """The events since the last call."""
        seen, self._last = set(self._last), tuple(events)
        return [event for event in events if event not in seen]


class LogFile:
    """Appends events, and now and then the state of the crawl, to a file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._news = NewEvents()
        self._written_at = float("-inf")
        self.has_ended = False

    def write(self, when: float, text: str) -> None:
        """Append a line."""
        stamp = datetime.fromtimestamp(when).astimezone().isoformat(timespec="seconds")
        print(f"{stamp} {clean(text, 1_000)}", file=self._file, flush=True)

    def __call__(self, progress: "CrawlProgress") -> None:
        for event in self._news.of(progress.events):
            self.write(event.when, event.text)
        if time.monotonic() - self._written_at >= _LOG_SECONDS:
            self._written_at = time.monotonic()
            self.write(time.time(), line_of(progress))

    def end(self, progress: "CrawlProgress", reason: str) -> None:
        """Append the last events and figures, and why the run ended."""
        self._written_at = float("-inf")
        self(progress)
        self.write(time.time(), f"run ends: {reason}")
        self.has_ended = True


@contextmanager
def _log(path: Path) -> Iterator[LogFile]:
    with disk_errors(path), path.open("a", encoding="utf-8", errors="replace") as file:
        log = LogFile(file)
        log.write(time.time(), f"run begins: {' '.join(sys.argv)}")
        try:
            yield log
        finally:
            if not log.has_ended:
                log.write(time.time(), "run breaks off")
