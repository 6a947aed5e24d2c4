"""`exonym crawl DIR`: starts the crawl in a directory, or goes on with it."""

import contextlib
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.errors import DiskFullError

if TYPE_CHECKING:
    from exonym.config import Settings

_INTERRUPTED = 130


def crawl(directory: Annotated[Path, typer.Argument(metavar="DIR", help="A directory with a crawl.toml.")]) -> int:
    """Start the crawl in DIR, or go on with it where it stopped."""
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    settings.check_live()
    return run_crawl(directory, settings)


def run_crawl(directory: Path, settings: "Settings", command: str = "crawl") -> int:
    """Start or resume the crawl in `directory`; the exit code says how it ended, `command` would resume it."""
    from exonym.cli.terminal.crawl_progress import progress_display
    from exonym.cli.terminal.crawl_summary import print_summary
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals

    _run_as_batch()
    with stop_on_signals() as stop, progress_display(settings.limits.pages, stop) as show:
        summary = run(directory, settings, show, stop)
    go_on = f"exonym {command} {shlex.quote(str(directory))}"
    print_summary(summary, go_on)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {directory}. Make room, then: {go_on}")
    return _INTERRUPTED if summary.reason == "interrupted" else 0


def _run_as_batch() -> None:
    """Tell the system that nobody waits for our next instruction.

    It then lets crawl and readers each run on for a while where they share a core, instead of switching for
    every page: the pipe between them costs half. Readers inherit it.
    """
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
