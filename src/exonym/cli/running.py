"""Runs a crawl directory with display, signals and summary; shared by `crawl` and `demo`."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from exonym.errors import DiskFullError

if TYPE_CHECKING:
    from exonym.config import Settings

_INTERRUPTED = 130


def run_crawl(directory: Path, settings: "Settings", command: str = "crawl") -> int:
    """Starts or resumes the crawl in `directory`; the exit code says how it ended, `command` would resume it."""
    from exonym.cli.progress import progress_display
    from exonym.cli.stopping import stop_on_signals
    from exonym.cli.summary import print_summary
    from exonym.drivers.live import run

    with stop_on_signals() as stop, progress_display(settings.limits.pages, stop) as show:
        summary = run(directory, settings, show, stop)
    go_on = f"exonym {command} {shlex.quote(str(directory))}"
    print_summary(summary, go_on)
    if summary.reason == "disk full":
        raise DiskFullError(f"no room left on the disk of {directory}. Make room, then: {go_on}")
    return _INTERRUPTED if summary.reason == "interrupted" else 0
