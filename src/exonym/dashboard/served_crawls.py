"""The crawls that a dashboard shows: one, or all in a folder."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from exonym.config import CONFIG_NAME
from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.crawl_directory.crawl_reader import CrawlDirectory, CrawlStatus
from exonym.crawl_directory.progress_file import RunningCrawl, process_of, read_progress
from exonym.crawl_progress import CrawlProgress
from exonym.crawl_views.view import ViewPage, ViewRequest, page_of
from exonym.crawl_views.views import VIEWS
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ConfigError, DirectoryError, PartialCrawlWarning

FRESH_SECONDS = 2.0  # an index that was brought up to date so recently is not brought up to date again
WAIT_SECONDS = 5.0  # for an index that is being brought up to date; then what it has is shown


class ServedState(StrEnum):
    """What a crawl does now."""

    NOT_BEGUN = "not begun"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"  # nobody runs it, and there is more to do
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How much of a journal an index has read."""

    done: int
    total: int


class ServedCrawl:
    """One crawl. Several threads may ask it at a time."""

    def __init__(self, name: str, directory: Path) -> None:
        self.name = name
        self.directory = directory
        self._lock = threading.Lock()
        self._index: VisitIndex | None = None
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="index")
        self._refreshing: Future[None] | None = None
        self._refreshed = float("-inf")
        self.reading: ReadingProgress | None = None  # None: the index is up to date, but for FRESH_SECONDS

    # What it does now

    @property
    def has_begun(self) -> bool:
        """Whether there is anything to look at."""
        return is_cluster(self.directory) or (self.directory / "state").exists()

    @property
    def process(self) -> int | None:
        """The process that runs the crawl; None if none does."""
        return process_of(self.directory)

    @property
    def status(self) -> CrawlStatus:
        """The totals of the last commit."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PartialCrawlWarning)  # the status names partitions that are missing
            return CrawlDirectory(self.directory).status

    def running(self) -> RunningCrawl | None:
        """What the process of the crawl wrote last, while it runs."""
        return read_progress(self.directory) if self.process is not None else None

    def state(self) -> ServedState:
        """What the crawl does now; DirectoryError if it was moved or deleted."""
        if not is_crawl_directory(self.directory):
            raise DirectoryError(f"{self.directory} has no {CONFIG_NAME} any more: it was moved, renamed or deleted.")
        if self.process is not None:
            running = read_progress(self.directory)
            return ServedState.PAUSED if running is not None and running.progress.is_paused else ServedState.RUNNING
        if not self.has_begun:
            return ServedState.NOT_BEGUN
        return ServedState.FINISHED if self.status.finished else ServedState.STOPPED

    def progress(self) -> CrawlProgress:
        """The progress as its process wrote it last or, if nobody runs the crawl, the totals of the last commit."""
        running = self.running()
        if running is not None:
            return running.progress
        last = read_progress(self.directory)
        events = last.progress.events if last else ()
        totals = self.status.totals
        return CrawlProgress(totals, totals.pages_per_second, events=events)

    # Its visits

    def index(self) -> VisitIndex:
        """The index of its visits, as much of it as a short wait allows; `reading` says whether that is all."""
        if not self.has_begun:
            raise DirectoryError(f"{self.directory} has not begun: nothing was visited yet.")
        with self._lock:
            if self._index is None:
                self._index = VisitIndex(self.directory)
            index = self._index
            is_idle = self._refreshing is None or self._refreshing.done()
            if is_idle and time.monotonic() - self._refreshed >= FRESH_SECONDS:
                self._refreshing = self._reader.submit(self._refresh, index)
            refreshing = self._refreshing
        if refreshing is not None:
            wait([refreshing], WAIT_SECONDS)
            if refreshing.done():
                refreshing.result()  # raises what went wrong
        return index

    def _refresh(self, index: VisitIndex) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PartialCrawlWarning)
            try:
                index.refresh(self._note_reading)
                index.count_large_tables()
            finally:
                self.reading = None
                self._refreshed = time.monotonic()

    def _note_reading(self, what: str, done: int, total: int | None) -> None:
        self.reading = ReadingProgress(done, total or done)

    def view(self, name: str, request: ViewRequest) -> ViewPage:
        """Some rows of a view; KeyError if there is no such view."""
        view, index = VIEWS[name], self.index()
        if name in ("segments", "frontier"):
            index.count_large_tables()
        with index.cursor() as cursor:
            return page_of(cursor, view, request)

    def close(self) -> None:
        """Close the index."""
        self._reader.shutdown(wait=True, cancel_futures=True)
        if self._index is not None:
            self._index.close()


class ServedCrawls:
    """The crawls of a dashboard by name: the crawl in a directory, or all crawls in a folder."""

    def __init__(self, path: Path) -> None:
        """Raise DirectoryError if there is no crawl at `path`, or in it."""
        self.path = path
        self._known: dict[str, ServedCrawl] = {}
        self._lock = threading.Lock()
        self.is_single = is_crawl_directory(path)
        if not self.names():
            raise DirectoryError(
                f"{path} is no crawl directory, and no folder with crawls in it. Make a crawl with: exonym new DIR"
                if path.is_dir()
                else f"{path} does not exist. Name the directory of a crawl, or a folder of crawls."
            )

    def _places(self) -> Iterator[tuple[str, Path]]:
        if self.is_single:
            yield self.path.resolve().name or "crawl", self.path
        elif self.path.is_dir():
            yield from ((each.name, each) for each in sorted(self.path.iterdir()) if is_crawl_directory(each))

    def names(self) -> list[str]:
        """The names of all crawls, in order; crawls may be added to a folder at any time."""
        return [name for name, _ in self._places()]

    def get(self, name: str) -> ServedCrawl | None:
        """The crawl of a name; None if there is none."""
        with self._lock:
            for known, place in self._places():
                if known == name:
                    return self._known.setdefault(name, ServedCrawl(name, place))
        return None

    def all(self) -> list[ServedCrawl]:
        """All crawls, in order of their names."""
        return [crawl for name in self.names() if (crawl := self.get(name)) is not None]

    def close(self) -> None:
        """Close all indexes."""
        for crawl in self._known.values():
            crawl.close()


def is_crawl_directory(path: Path) -> bool:
    """Whether a crawl is, or may begin, in a directory."""
    return (path / CONFIG_NAME).is_file()


def summary_of(crawl: ServedCrawl) -> dict[str, Any]:
    """A crawl in a list of crawls, for JSON. Scripts rely on these names: more may be added, none may be removed."""
    document: dict[str, Any] = {"name": crawl.name, "directory": str(crawl.directory)}
    try:
        document["state"] = str(crawl.state())
        if not crawl.has_begun:
            return document
        status = crawl.status
    except (ConfigError, DirectoryError) as error:  # one damaged crawl does not hide the others
        return {**document, "state": "damaged", "problem": str(error)}
    counted = ("pages", "relevant", "harvest_rate", "servers", "frontier", "bytes", "seconds", "began", "ended")
    return {
        **document,
        "strategy": status.strategy,
        "reason": status.reason,
        **{name: getattr(status.totals, name) for name in counted},
    }
