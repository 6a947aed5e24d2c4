"""`exonym crawl DIR`: starts or resumes the crawl in a directory."""

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, CrawlClusterOptions
from exonym.cli.output import note, warn
from exonym.errors import DirectoryError, DiskFullError

if TYPE_CHECKING:
    from typing import TextIO

    from exonym.config import Settings
    from exonym.live.stop import StopRequest
    from exonym.metrics import Summary

_INTERRUPTED = 130


def crawl(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A directory with a crawl.toml.")],
    cluster: CrawlClusterOptions,
    as_json: AsJson = False,
) -> int:
    """Start the crawl in DIR, or resume it where it stopped.

    With --cluster, several workers share the crawl: on this machine, or on all machines of a Ray cluster.
    """
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    settings.check_live()
    return run_crawl(directory, settings, as_json=as_json, cluster=cluster)


def run_crawl(
    directory: Path,
    settings: "Settings",
    command: str = "crawl",
    as_json: bool = False,
    cluster: CrawlClusterOptions = CrawlClusterOptions(),  # noqa: B008 (frozen)
) -> int:
    """Start or resume the crawl in `directory` and return the exit code; `exonym COMMAND DIR` would resume it.

    With `as_json`, progress goes to the standard error, so that the output is one line of JSON.
    """
    from exonym.cli.status import emit_summary
    from exonym.cli.terminal.crawl_progress import progress_display
    from exonym.live.stop import stop_on_signals

    cluster.check()
    _run_as_batch()
    screen = sys.stderr if as_json else sys.stdout
    with stop_on_signals() as stop:
        if cluster.cluster:
            summary = _run_in_cluster(directory, settings, stop, screen, cluster)
        else:
            from exonym.live.driver import run

            _refuse_divided(directory)
            with progress_display(settings.limits.pages, stop, screen) as show:
                summary = run(directory, settings, show, stop)
    resume = f"exonym {command} {shlex.quote(str(directory))}" + cluster.text()
    emit_summary(summary, resume, as_json)
    if summary.totals.failures and settings.network.connect_to:
        _warn_of_missing_tls(directory, settings.network.connect_to)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {directory}. Make room, then: {resume}")
    if summary.reason == "missing partitions":
        raise DirectoryError(
            f"partitions of {directory} are missing, the others are done. Restore them, then: {resume}"
        )
    return _INTERRUPTED if summary.reason == "interrupted" else 0


def _run_in_cluster(
    directory: Path, settings: "Settings", stop: "StopRequest", screen: "TextIO", options: CrawlClusterOptions
) -> "Summary":
    from exonym.cli.terminal.crawl_progress import progress_display
    from exonym.cluster.running import PARTITIONS_PER_WORKER, check_settings, coordinating, run

    check_settings(directory, settings)
    with options.connected() as connection:
        from exonym.cluster.ray_crawl import ray_workers

        assert connection is not None, "--cluster is given"
        count = options.workers or len(connection.node_ids)
        with (
            coordinating(directory, count * PARTITIONS_PER_WORKER) as layout,
            ray_workers(connection, layout, settings, count) as workers,
            progress_display(settings.limits.pages, stop, screen) as show,
        ):
            machines = len(connection.node_ids)
            note(f"Workers: {count}, for {layout.partitions} partitions, on {machines} machine{'s' * (machines > 1)}.")
            return run(layout, settings, workers, show, stop, warn)


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
