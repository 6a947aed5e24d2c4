"""Shows a running crawl on a terminal: a panel that uses the room there is and answers "is it all right?"."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from exonym.crawl_progress import ending_words
from exonym.live.stop import StopLevel
from exonym.probes.completeness import completeness_words
from exonym.report.number_text import byte_size, clock_time, duration
from exonym.web_text import clean

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.table import Table

    from exonym.crawl_progress import CrawlProgress
    from exonym.live.stop import StopRequest

FRAME_SECONDS = 0.2
_WIDE = 130  # columns from which on events are beside the figures
_LABEL_WIDTH = 9  # of "languages", so that grids below each other are aligned
_STOPPING = {
    StopLevel.GO_ON: "Ctrl-C: finish requests in flight and stop",
    StopLevel.FINISH: "finishing requests in flight; Ctrl-C again: stop now",
    StopLevel.NOW: "stopping now",
}
PanelRow = tuple[str, str]


class Room(NamedTuple):
    """The size of a terminal."""

    width: int
    height: int


class LivePanel:
    """A panel that is drawn over itself, a few times a second at most."""

    def __init__(self, live: "Live", stop: "StopRequest", clock: Callable[[], float] = time.monotonic) -> None:
        self._live = live
        self._stop = stop
        self._clock = clock
        self._shown_at = float("-inf")
        self._room: Room | None = None

    def __call__(self, progress: "CrawlProgress") -> None:
        now = self._clock()
        if now - self._shown_at >= FRAME_SECONDS:
            self._shown_at = now
            room = Room(*self._live.console.size)
            if self._room not in (room, None):
                self._live.console.clear()  # the terminal has broken the lines of the old panel anew
            self._room = room
            self._live.update(panel_of(progress, self._stop.level, room), refresh=True)

    def end(self, progress: "CrawlProgress", reason: str) -> None:
        """Nothing: the panel goes, and a summary follows."""


def panel_of(progress: "CrawlProgress", level: StopLevel, room: Room) -> "RenderableType":
    """The state of a crawl, as large as the room allows; nothing in it is read as markup."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    is_wide = room.width >= _WIDE
    width = room.width // 2 if is_wide else room.width
    rows = _figures(progress)[: max(room.height - 3, 1)]  # the line that says how to stop is always there
    figures = _grid(rows, width)
    if limit := progress.limits.get("pages", 0):
        figures.add_row("", _bar(progress.totals.pages / limit, min(width - 16, 60)))
    hint = Text(_STOPPING[level], style="dim", no_wrap=True, overflow="ellipsis")
    beside, events = [*_at_work_lines(progress), *_rest_lines(progress)], _event_lines(progress)
    if not is_wide:
        left = room.height - len(rows) - bool(limit) - 2
        return Group(figures, _grid(_fitting(beside, events, left), width), hint)
    both = Table.grid(padding=(0, 2))
    both.add_row(figures, _grid(_fitting(beside, events, room.height - 3), room.width - width))
    return Group(both, hint)


def _bar(share: float, width: int) -> "RenderableType":
    from rich.progress_bar import ProgressBar

    return ProgressBar(total=1.0, completed=share, width=width)


def _fitting(beside: list[PanelRow], events: list[PanelRow], lines: int) -> list[PanelRow]:
    """As many rows as fit: the last events get half of the lines, or what is left."""
    shown = beside[: max(lines - min(len(events), lines // 2), 0)]
    room = max(lines - len(shown), 0)
    return shown + (events[-room:] if room else [])


def _grid(rows: Sequence[PanelRow], width: int) -> "Table":
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", justify="right", no_wrap=True, min_width=_LABEL_WIDTH)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for label, value in rows:
        grid.add_row(label, Text(clean(value, max(width - 16, 20))))
    return grid


def _figures(progress: "CrawlProgress") -> list[PanelRow]:
    totals, recent, limits = progress.totals, progress.recent, progress.limits
    pages = _of_limit(totals.pages, int(limits.get("pages", 0)))
    free = f", {byte_size(progress.free_bytes)} free on the disk" if progress.free_bytes is not None else ""
    aside = f", {totals.aside:,} left out by the scope" if totals.aside else ""
    rows = [
        ("time", f"{duration(totals.seconds)}{left_text(progress)}"),
        ("pages", f"{pages}; {recent.pages_per_second:,.1f}/s now, {progress.pages_per_second:,.1f}/s in all"),
        ("harvest", f"{recent.harvest_rate:.1%} now, {totals.harvest_rate:.1%} in all; {totals.relevant:,} relevant"),
        *([] if totals.missing is None else [("found", completeness_words(totals.missing))]),
        ("received", f"{byte_size(totals.bytes)}{free}"),
        ("servers", f"{totals.servers:,}, {totals.relevant_servers:,} relevant; {progress.parked:,} rest"),
        ("frontier", f"{totals.frontier:,} links wait, {progress.in_flight:,} in flight{aside}"),
        ("failures", failures_text(totals.failures, totals.failure_kinds)),
        ("languages", languages_text(totals.languages)),
        ("page", progress.last_url),
        ("title", progress.last_title),
    ]
    return [*rows, ("note", progress.note)] if progress.note else rows


def left_text(progress: "CrawlProgress") -> str:
    """How much longer a crawl may take, as far as that can be told; it follows the time that has passed."""
    if progress.is_paused:
        return "; paused"
    return f"; {ending_words(progress.projection)}" if progress.projection else ""


def failures_text(failures: int, kinds: dict[str, int]) -> str:
    """How many requests failed, by kind, the most frequent first."""
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{kind} {count:,}" for kind, count in ordered[:6])
    return f"{failures:,}" + (f": {shown}{', …' if len(ordered) > 6 else ''}" if shown else "")


def languages_text(languages: dict[str, int]) -> str:
    """The most frequent languages with their pages; "" is the unknown one."""
    ordered = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{code or 'unknown'} {pages:,}" for code, pages in ordered[:6])
    return (shown + (", …" if len(ordered) > 6 else "")) or "none yet"


def _rest_lines(progress: "CrawlProgress") -> list[PanelRow]:
    lines = [f"{rest.seconds:.0f} s for {rest.server}: {rest.why}" for rest in progress.rests if rest.seconds >= 1]
    return [("waiting" if not place else "", line) for place, line in enumerate(lines)]


def _at_work_lines(progress: "CrawlProgress") -> list[PanelRow]:
    return [("at work", ", ".join(progress.at_work))] if progress.at_work else []


def _event_lines(progress: "CrawlProgress") -> list[PanelRow]:
    return [(clock_time(event.when), event.text) for event in progress.events]


def _of_limit(pages: int, limit: int) -> str:
    return f"{pages:,} of {limit:,}" if limit else f"{pages:,}"
