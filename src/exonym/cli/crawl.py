"""`exonym crawl DIR`: starts or resumes the crawl in a directory."""

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import warn
from exonym.errors import DiskFullError

if TYPE_CHECKING:
    from exonym.config import Settings

_INTERRUPTED = 130


def crawl(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A directory with a crawl.toml.")],
    as_json: AsJson = False,
) -> int:
    """Start the crawl in DIR, or resume it where it stopped."""
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    settings.check_live()
    return run_crawl(directory, settings, as_json=as_json)


def run_crawl(directory: Path, settings: "Settings", command: str = "crawl", as_json: bool = False) -> int:
    """Start or resume the crawl in `directory` and return the exit code; `exonym COMMAND DIR` would resume it.

    With `as_json`, progress goes to the standard error, so that the output is one line of JSON.
    """
    from exonym.cli.status import emit_summary
    from exonym.cli.terminal.crawl_progress import progress_display
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals

    _run_as_batch()
    screen = sys.stderr if as_json else sys.stdout
    with stop_on_signals() as stop, progress_display(settings.limits.pages, stop, screen) as show:
        summary = run(directory, settings, show, stop)
    resume = f"exonym {command} {shlex.quote(str(directory))}"
    emit_summary(summary, resume, as_json)
    if summary.totals.failures and settings.network.connect_to:
        _warn_of_missing_tls(directory, settings.network.connect_to)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {directory}. Make room, then: {resume}")
    return _INTERRUPTED if summary.reason == "interrupted" else 0


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
