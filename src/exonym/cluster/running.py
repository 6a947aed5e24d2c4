"""Runs a crawl with a coordinator and workers that can be given orders, wherever they are."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import msgspec

from exonym.cluster.coordinator import Coordinator
from exonym.cluster.worker_messages import WorkerReport, packed, unpacked
from exonym.config import SettingChanges, Settings
from exonym.crawl_directory.cluster_layout import ClusterLayout, is_cluster
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_progress import CrawlProgress
from exonym.errors import ClusterError, ConfigError
from exonym.judges.by_name import judge_settings, make_judge
from exonym.live.assembly import strategy_of
from exonym.live.directory_watch import DirectoryWatch, Wishes
from exonym.live.driver import SHOW_SECONDS, ShowCrawl
from exonym.live.events import MOST_EVENTS, EventLog, pause_text, scope_text
from exonym.live.monitor import RunMonitor
from exonym.live.stop import StopRequest
from exonym.metrics import Summary
from exonym.store.lock import DirectoryLock
from exonym.strategies.by_name import check_mergeable
from exonym.system.files import replacing

ORDER_SECONDS = 0.2
PARTITIONS_PER_WORKER = 4
_PLACED_NAME = "placed.json"  # which machine has which partition

Say = Callable[[str], None]  # tells the user one line


class Workers(Protocol):
    """The workers of a crawl, as a coordinator reaches them."""

    names: list[str]

    def give(self, worker: str, order: bytes) -> None:
        """Give an order, without waiting for it; its answer is the worker's report."""

    def reports(self, seconds: float) -> dict[str, bytes]:
        """The reports that have arrived, by worker; waits for one for at most `seconds`."""


@contextmanager
def coordinating(directory: Path, partitions: int) -> Iterator[ClusterLayout]:
    """The layout of a crawl that no other coordinator runs, made with `partitions` if the crawl is new."""
    lock = DirectoryLock(directory / "coordinator")
    try:
        yield ClusterLayout.open(directory) if is_cluster(directory) else ClusterLayout.create(directory, partitions)
    finally:
        lock.release()


def check_settings(directory: Path, settings: Settings) -> None:
    """Raise if a cluster cannot do what the settings of the crawl in `directory` ask for."""
    settings.check_live()
    check_mergeable(settings.strategy.name, strategy_of(directory, settings))
    make_judge(judge_settings(settings, directory))  # raises if a model is not usable
    if settings.table.file and settings.table.grow:
        raise ConfigError(
            "target.table.grow asks for a table that grows during the crawl, which a cluster cannot do: "
            "each worker would judge by a table of its own. Set it to 0 in crawl.toml, [target.table]."
        )


def run(
    layout: ClusterLayout,
    settings: Settings,
    workers: Workers,
    show: ShowCrawl,
    stop: StopRequest,
    say: Say,
    changes: SettingChanges | None = None,
) -> Summary:
    """Start the crawl, or go on with it, until it ends or is asked to stop; `changes` as in `live.driver.run`."""
    directory, events = layout.directory, EventLog()
    watch, monitor = DirectoryWatch(directory, settings, changes, events.tell), RunMonitor(directory)
    placed = _read_placed(directory)
    request_seconds = settings.network.total_seconds
    coordinator = Coordinator(settings.limits, layout.partitions, workers.names, placed, request_seconds)
    _obey(coordinator, watch.wishes, events)

    def shown_progress() -> CrawlProgress:
        progress = monitor.completed(coordinator.progress(), coordinator.limits, coordinator.is_paused)
        progress = replace(progress, events=(*progress.events, *events.latest())[-MOST_EVENTS:])
        monitor.publish(progress, coordinator.reason if coordinator.is_over else "")
        return progress

    given = dict.fromkeys(workers.names, 0.0)
    idle = set(workers.names)  # those that have answered the last order
    shown, said = time.monotonic(), ""
    while not coordinator.is_over:
        now = time.monotonic()
        coordinator.stop_level = stop.level
        if (wishes := watch.look(now)) is not None:
            _obey(coordinator, wishes, events)
            if wishes.is_stopped:
                stop.finish()
        coordinator.decide(now)
        for name in [name for name in idle if now - given[name] >= ORDER_SECONDS]:
            workers.give(name, packed(coordinator.order_for(name)))
            given[name] = now
            idle.discard(name)
        for name, data in workers.reports(ORDER_SECONDS / 2).items():
            idle.add(name)
            if data:
                coordinator.take(unpacked(data, WorkerReport), time.monotonic())
        now_placed = {**placed, **coordinator.placed()}
        if now_placed != placed:
            placed = now_placed
            _write_placed(directory, placed)
        if time.monotonic() - shown >= SHOW_SECONDS:
            shown = time.monotonic()
            show(shown_progress())
            news = _news(coordinator, shown)
            if news and news != said:
                say(news)
            said = news
    watch.clear()
    show(shown_progress())
    if coordinator.reason == "failed":
        raise ClusterError(coordinator.failure)
    files = CrawlDirectory(directory).archives()
    size = sum(file.stat().st_size for file in files)
    return Summary(coordinator.totals(), coordinator.reason, str(directory), len(files), size)


def _obey(coordinator: Coordinator, wishes: Wishes, events: EventLog) -> None:
    rules = [f"{rule.text}  # {rule.comment}" if rule.comment else rule.text for rule in wishes.scope.rules]
    if wishes.is_paused != coordinator.is_paused:
        events.tell(pause_text(wishes.is_paused))
    if rules != coordinator.scope:
        events.tell(scope_text(wishes.scope))
    coordinator.limits = wishes.limits
    coordinator.is_paused = wishes.is_paused
    coordinator.scope = rules


def _news(coordinator: Coordinator, now: float) -> str:
    """What the user should know: workers and partitions that are missing."""
    lost = [f"worker {name} does not answer" for name in coordinator.lost(now)]
    absent = [f"partition {number} waits: {why}" for number, why in coordinator.absent().items() if why]
    return "; ".join([*lost, *absent[:3], *([f"and {len(absent) - 3} more"] if len(absent) > 3 else [])])


def _read_placed(directory: Path) -> dict[int, str]:
    try:
        return msgspec.json.decode((directory / _PLACED_NAME).read_bytes(), type=dict[int, str], strict=False)
    except FileNotFoundError:
        return {}
    except msgspec.MsgspecError as error:
        raise ClusterError(
            f"{directory / _PLACED_NAME} is damaged ({error}). Delete it if all partitions are here."
        ) from error


def _write_placed(directory: Path, placed: dict[int, str]) -> None:
    with replacing(directory / _PLACED_NAME) as draft:
        draft.write_bytes(msgspec.json.encode(dict(sorted(placed.items()))))
