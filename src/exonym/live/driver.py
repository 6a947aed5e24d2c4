"""The loop of a live crawl: real sockets, real robots.txt, WARC files, a frontier on disk.

One process fetches pages, orders links, and writes archive and journal; reader processes read pages. The loop never
sleeps while there is work, and never waits without a limit. A process may drive several partitions of a crawl: they
share its connections and readers, and take turns.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from exonym.config import SettingChanges, Settings
from exonym.crawl_progress import CrawlProgress
from exonym.errors import DirectoryError, DiskFullError
from exonym.live.assembly import KEYS_PER_PARTITION, Equipment, open_parts
from exonym.live.directory_watch import DirectoryWatch
from exonym.live.monitor import RunMonitor, progress_of
from exonym.live.partition_driver import PartitionDriver
from exonym.live.stop import StopLevel, StopRequest
from exonym.metrics import FINAL_REASONS, Summary
from exonym.strategies.base import Strategy

SHOW_SECONDS = 0.25
LONGEST_POLL_SECONDS = 0.2

ShowCrawl = Callable[[CrawlProgress], None]


def run(
    directory: Path,
    settings: Settings,
    show: ShowCrawl,
    stop: StopRequest,
    strategy: Strategy | None = None,
    changes: SettingChanges | None = None,
) -> Summary:
    """Start the crawl in `directory`, or go on with it, until it ends or is asked to stop.

    `strategy`, which may be one that crawl.toml cannot name, replaces that of the settings. `changes` are settings that
    hold for this run, also when crawl.toml is read again.
    """
    settings.check_live()
    with open_parts(directory, settings, strategy) as parts:
        make_collector_patient()
        driver = PartitionDriver(parts, settings.limits.bytes or None)
        watch = DirectoryWatch(directory, settings, changes, driver.events.tell)
        monitor = RunMonitor(directory)
        try:
            driver.restore(watch.wishes.scope)
            reason = _LiveRun(driver, parts.equipment, watch, monitor, stop).crawl(show)
        except DiskFullError:
            reason = "disk full"  # the last commit is intact; later pages will be fetched again
        finally:
            watch.clear()
        monitor.publish(progress_of(driver), reason)
        files, size = parts.writer.archive_size()
        return Summary(parts.writer.totals, reason, str(directory), files, size)


def make_collector_patient() -> None:
    """Let the garbage collector run rarely.

    Batches make no reference cycles; a garbage collector that often walks the frontier takes 20 % of the time.
    """
    gc.set_threshold(100_000, 50, 100)


@dataclass(slots=True)
class _LiveRun:
    """One run of a crawl in one process."""

    driver: PartitionDriver
    equipment: Equipment
    watch: DirectoryWatch
    monitor: RunMonitor
    stop: StopRequest

    def crawl(self, show: ShowCrawl) -> str:
        """Crawl until there is a reason to end, and return it."""
        driver, loop = self.driver, LiveLoop(self.equipment)
        loop.add(driver)
        shown = time.monotonic()
        while not (reason := self._reason_to_end()):
            if (wishes := self.watch.look(time.monotonic())) is not None:
                driver.obey(wishes)
                if wishes.is_stopped:
                    self.stop.finish()
            loop.may_begin = not self.stop.level and not driver.is_paused and self._has_time()
            loop.round()
            for _, error in loop.failures:
                raise error
            driver.commit_if_due(time.monotonic())
            if time.monotonic() - shown >= SHOW_SECONDS:
                shown = time.monotonic()
                self._show(show)
        driver.commit(finished=reason if reason in FINAL_REASONS else "")
        self._show(show)
        return reason

    def _show(self, show: ShowCrawl) -> None:
        progress = self.monitor.completed(progress_of(self.driver), self.watch.wishes.limits, self.driver.is_paused)
        self.monitor.publish(progress)
        show(progress)

    def _has_time(self) -> bool:
        most_seconds = self.watch.wishes.limits.seconds
        return not most_seconds or self.driver.seconds() < most_seconds

    def _reason_to_end(self) -> str:
        driver = self.driver
        if self.stop.level == StopLevel.NOW:
            return "interrupted"
        if driver.is_busy:
            return ""
        if self.stop.level:
            return "interrupted"
        if driver.is_paused:
            return ""
        if not driver.has_bytes():
            return "bytes"
        if not self._has_time():
            return "seconds"
        if not driver.crawl.has_room:
            return "pages"
        if not driver.crawl.is_spent:
            return ""
        return "floor" if driver.crawl.is_at_floor else "empty frontier"


class LiveLoop:
    """Drives the partitions of one process, round by round."""

    def __init__(self, equipment: Equipment) -> None:
        self.may_begin = True  # if not, visits that have no connection go back to their frontiers
        # Partitions that were given up in the last round, because their directories are damaged or were taken over.
        self.failures: list[tuple[PartitionDriver, DirectoryError]] = []
        self._equipment = equipment
        self._drivers: dict[int, PartitionDriver] = {}  # by the part of their keys that names the partition
        self._watched: list[int] = []  # file descriptors of readers
        self._checked = time.monotonic()
        self._turn = 0
        equipment.fetcher.watch(equipment.resolver.fileno())

    @property
    def drivers(self) -> list[PartitionDriver]:
        """The drivers of all partitions."""
        return list(self._drivers.values())

    def add(self, driver: PartitionDriver) -> None:
        """Drive a partition from now on."""
        self._drivers[driver.requests.first_key // KEYS_PER_PARTITION] = driver
        self._share()

    def remove(self, driver: PartitionDriver) -> None:
        """Drive a partition no longer; responses to its requests and its pages will be ignored."""
        del self._drivers[driver.requests.first_key // KEYS_PER_PARTITION]
        self._share()

    def _share(self) -> None:
        for driver in self._drivers.values():
            driver.share(len(self._drivers))

    def round(self) -> None:
        """Begin visits, wait for something to happen, and take in what has happened."""
        now = time.monotonic()
        self.failures = []
        self._begin(now)
        for driver in self._drivers.values():
            driver.requests.start_due(time.monotonic())  # a stale time would bring the next request too close
        self._wait()
        self._read()
        now = time.monotonic()
        for driver in self.drivers:
            try:
                driver.take(now)
            except DirectoryError as error:
                self._fail(driver, error)
        if now - self._checked >= 1.0:
            self._checked = now
            self._equipment.readers.check(now)

    def _begin(self, now: float) -> None:
        """Begin visits of the partitions in turn, each at most its share of the room."""
        self._turn += 1
        drivers = self.drivers
        for position in range(len(drivers)):
            driver = drivers[(position + self._turn) % len(drivers)]
            if not self.may_begin or not driver.may_begin(now):
                driver.requests.give_back(now)
            elif (room := self._room()) > 0:
                try:
                    driver.begin(now, -(-room // (len(drivers) - position)))
                except DirectoryError as error:
                    self._fail(driver, error)

    def _fail(self, driver: PartitionDriver, error: DirectoryError) -> None:
        """Drive a partition no longer; the others go on."""
        self.remove(driver)
        self.failures.append((driver, error))

    def _room(self) -> int:
        """How many visits may begin: besides those on connections, nearly as many pages may be with the readers.

        With one connection, one visit is in flight at a time: that makes the crawl deterministic.
        """
        in_flight = waiting = 0
        for driver in self._drivers.values():
            in_flight += driver.crawl.in_flight
            waiting += driver.requests.waiting
        unread = 2 * self._equipment.connections - 1 - in_flight
        return min(unread, self._equipment.fetcher.free - waiting)

    def _wait(self) -> None:
        """Wait for responses, addresses or judged pages, at most until there is something else to do."""
        fetcher, resolver = self._equipment.fetcher, self._equipment.resolver
        has_ended = any(driver.requests.has_ended for driver in self._drivers.values())
        for response in fetcher.poll(0.0 if has_ended else self._poll_seconds()):
            driver = self._drivers.get(response.key // KEYS_PER_PARTITION)
            if driver is not None:
                driver.requests.receive(response, time.monotonic())
        if resolver.fileno() in fetcher.ready:
            now = time.monotonic()
            resolutions = resolver.collect(now)
            for driver in self._drivers.values():
                driver.requests.go_on_with(resolutions, now)

    def _poll_seconds(self) -> float:
        now = time.monotonic()
        has_free, has_room = self._equipment.fetcher.free > 0, self.may_begin and self._room() > 0
        soonest = now + LONGEST_POLL_SECONDS
        for driver in self._drivers.values():
            event = driver.next_event(now, has_free, has_room)
            soonest = soonest if event is None else min(soonest, event)
        return max(soonest - now, 0.0)

    def _read(self) -> None:
        """Hand fetched pages to the readers, and pages that have been read to their partitions."""
        readers = self._equipment.readers
        jobs = [job for driver in self._drivers.values() for job in driver.jobs()]
        if jobs:
            readers.submit(jobs)
        for page in readers.collect():
            driver = self._drivers.get(page.key // KEYS_PER_PARTITION)
            if driver is not None:
                driver.receive_page(page)
        fds = readers.fds()
        if fds != self._watched:
            for fd in self._watched:
                self._equipment.fetcher.unwatch(fd)
            for fd in fds:
                self._equipment.fetcher.watch(fd)
            self._watched = fds
