"""`exonym crawl DIR`: starts or resumes the crawl in a directory."""

import contextlib
import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, CrawlClusterOptions, SettingOption
from exonym.cli.output import note, warn
from exonym.cli.terminal.crawl_display import DisplayOptions, ShowProgress, crawl_display
from exonym.errors import ConfigError, DirectoryError, DiskFullError

if TYPE_CHECKING:
    from exonym.config import SettingChanges, Settings
    from exonym.live.stop import StopRequest
    from exonym.metrics import Summary

_INTERRUPTED = 130
_CONNECT_SECONDS = 10.0


def crawl(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A directory with a crawl.toml.")],
    cluster: CrawlClusterOptions,
    display: DisplayOptions,
    setting: SettingOption = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Show the crawl as web pages while it runs, as exonym serve does.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Start the crawl in DIR, or resume it where it stopped.

    With --cluster, several workers share the crawl: on this machine, or on all machines of a Ray cluster. What --set
    changes holds for this run only.
    """
    from exonym.config import CONFIG_NAME, change_of, load

    changes = dict(map(change_of, setting or ()))
    settings = load(directory / CONFIG_NAME, changes)
    settings.check_live()
    if settings.network.connect_to and not cluster.cluster:  # machines of a cluster may reach what this one cannot
        _check_reachable(directory, settings.network.connect_to)
    return run_crawl(directory, settings, RunOptions("crawl", as_json, cluster, display, changes, serve))


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a crawl is run and shown; `exonym COMMAND DIR` would resume it."""

    command: str
    as_json: bool  # the output is one line of JSON; progress goes to the standard error
    cluster: CrawlClusterOptions
    display: DisplayOptions
    changes: "SettingChanges | None" = None
    serve: bool = False  # a dashboard beside it


def run_crawl(directory: Path, settings: "Settings", options: RunOptions) -> int:
    """Start or resume the crawl in `directory` and return the exit code."""
    from exonym.cli.serve import dashboard_beside
    from exonym.cli.status import emit_summary
    from exonym.live.stop import stop_on_signals

    cluster = options.cluster
    cluster.check()
    options.display.check()
    _run_as_batch()
    with stop_on_signals() as stop, dashboard_beside(directory) if options.serve else contextlib.nullcontext():
        screen = sys.stderr if options.as_json else sys.stdout
        with crawl_display(options.display, stop, screen) as show:
            run = _run_in_cluster if cluster.cluster else _run_here
            summary = run(directory, settings, show, stop, options)
            show.end(summary.reason)
    resume = f"exonym {options.command} {shlex.quote(str(directory))}" + cluster.text()
    if options.as_json or options.display.has_summary:
        emit_summary(summary, resume, options.as_json)
    if summary.totals.failures and settings.network.connect_to:
        _warn_of_missing_tls(directory, settings.network.connect_to)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {directory}. Make room, then: {resume}")
    if summary.reason == "missing partitions":
        raise DirectoryError(
            f"partitions of {directory} are missing, the others are done. Restore them, then: {resume}"
        )
    return _INTERRUPTED if summary.reason == "interrupted" else 0


def _run_here(
    directory: Path, settings: "Settings", show: ShowProgress, stop: "StopRequest", options: RunOptions
) -> "Summary":
    from exonym.live.driver import run

    _refuse_divided(directory)
    return run(directory, settings, show, stop, changes=options.changes)


def _run_in_cluster(
    directory: Path, settings: "Settings", show: ShowProgress, stop: "StopRequest", options: RunOptions
) -> "Summary":
    from exonym.cluster.running import PARTITIONS_PER_WORKER, check_settings, coordinating, run

    check_settings(directory, settings)
    with options.cluster.connected(quiet=options.display.quiet) as connection:
        from exonym.cluster.ray_crawl import ray_workers

        assert connection is not None, "--cluster is given"
        count = options.cluster.workers or len(connection.node_ids)
        with (
            coordinating(directory, count * PARTITIONS_PER_WORKER) as layout,
            ray_workers(connection, layout, settings, count) as workers,
        ):
            machines = len(connection.node_ids)
            if not options.display.quiet:
                on = f"on {machines} machine{'s' * (machines > 1)}"
                note(f"Workers: {count}, for {layout.partitions} partitions, {on}.")
            return run(layout, settings, workers, show, stop, warn, options.changes)


def _check_reachable(directory: Path, connect_to: str) -> None:
    """Raise if nothing listens where all requests go: else every page would fail."""
    import socket

    host, _, port = connect_to.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        where = f"{connect_to}, to which network.connect_to sends all requests"
        serve = f"exonym practice-web --port {port} -- exonym crawl {shlex.quote(str(directory))}"
        raise ConfigError(
            f"Nothing answers at {where} ({error.strerror or error}). Start the practice web with the crawl: {serve}"
        ) from None


def _refuse_divided(directory: Path) -> None:
    from exonym.crawl_directory.cluster_layout import is_cluster

    if is_cluster(directory):
        quoted = shlex.quote(str(directory))
        raise DirectoryError(
            f"The crawl in {directory} is divided into partitions. Go on with: exonym crawl {quoted} --cluster"
        )


def _warn_of_missing_tls(directory: Path, connect_to: str) -> None:
    """Say so if https links failed because the one server that gets all requests has no TLS."""
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.fetch.failures import TLS_MISSING

    visits = CrawlDirectory(directory).journal(["url", "failure"]).to_pylist()
    failed = sum(visit["url"].startswith("https:") and visit["failure"].endswith(TLS_MISSING) for visit in visits)
    if failed:
        what = "1 https link" if failed == 1 else f"{failed:,} https links"
        advice = "If it speaks plain HTTP, set network.connect_to_tls = false in crawl.toml."
        warn(f"{what} failed: {connect_to}, which network.connect_to names, made no TLS connection. {advice}")


def _run_as_batch() -> None:
    """Ask the scheduler to treat this process as batch work; reader processes inherit that.

    Where crawl and readers share a core, each then runs for a while instead of switching for every page, which halves
    the cost of the pipe between them.
    """
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
