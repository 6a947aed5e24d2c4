"""Watches a run: adds what takes all partitions together to its progress, and writes the progress file."""

import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from exonym.config.settings import Limits
from exonym.crawl_directory.progress_file import write_progress
from exonym.crawl_progress import CrawlProgress, Pace, ServerRest
from exonym.live.partition_driver import PartitionDriver

WRITE_SECONDS = 1.0
MOST_NAMED = 10  # servers at work, and servers that rest


@dataclass(slots=True)
class RunMonitor:
    """The pace of a run, and when its progress was last written."""

    directory: Path
    pace: Pace = field(default_factory=Pace)
    _written: float = float("-inf")
    _free_bytes: int | None = None

    def completed(self, progress: CrawlProgress, limits: Limits, is_paused: bool) -> CrawlProgress:
        """The progress with what is known of the run as a whole."""
        set_limits = {name: value for name, value in msgspec.structs.asdict(limits).items() if value}
        if not is_paused:
            self.pace.add(progress.totals.seconds, progress.totals)
        return replace(
            progress,
            projection=None if is_paused else self.pace.projection(set_limits),
            free_bytes=self._free_bytes,
            is_paused=is_paused,
            limits=set_limits,
        )

    def publish(self, progress: CrawlProgress, reason: str = "") -> None:
        """Write the progress file, about once a second; at the end with the reason."""
        now = time.monotonic()
        if not reason and now - self._written < WRITE_SECONDS:
            return
        self._written = now
        try:
            self._free_bytes = shutil.disk_usage(self.directory).free
        except OSError:
            self._free_bytes = None
        write_progress(self.directory, progress, reason)


def progress_of(driver: PartitionDriver) -> CrawlProgress:
    """What a partition has done so far, for people who watch it."""
    now, totals = time.monotonic(), driver.totals()
    return CrawlProgress(
        totals,
        totals.pages_per_second,
        *driver.last,
        in_flight=driver.crawl.in_flight,
        parked=driver.politeness.resting,
        recent=driver.window.recent(now),
        at_work=tuple(driver.crawl.at_work(MOST_NAMED)),
        rests=rests_of(driver, now),
        events=driver.events.latest(),
    )


def rests_of(driver: PartitionDriver, now: float) -> tuple[ServerRest, ...]:
    """Some servers of a partition that rest."""
    rests = [ServerRest(name, until - now, why) for until, name, why in driver.politeness.rests() if until > now]
    return tuple(longest_rests(rests))


def longest_rests(rests: Iterable[ServerRest]) -> list[ServerRest]:
    """The rests that are worth naming, the longest first."""
    return sorted(rests, key=lambda rest: rest.seconds, reverse=True)[:MOST_NAMED]
