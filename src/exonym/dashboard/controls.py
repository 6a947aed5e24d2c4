"""Starting, pausing and stopping a crawl, and changing its limits: by files that a running crawl obeys."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import msgspec

from exonym.config import CONFIG_NAME, load
from exonym.config.editing import set_values
from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.dashboard.served_crawls import ServedCrawl
from exonym.errors import DirectoryError
from exonym.live.directory_watch import PAUSE_NAME, STOP_NAME
from exonym.system.files import disk_errors

LOG_NAME = "crawl.log"
DEMO_NAME = "demo.json"  # in the directory of a demo, whose practice web has to be served as well
ACTIONS = ("start", "pause", "resume", "stop")


def act(crawl: ServedCrawl, action: str) -> None:
    """Do one of ACTIONS; DirectoryError if the crawl is in no state for it."""
    is_running = crawl.process is not None
    if action == "start":
        if is_running:
            raise DirectoryError(f"{crawl.directory} is already running.")
        _start(crawl.directory)
        return
    if not is_running:
        raise DirectoryError(f"{crawl.directory} is not running, so there is nothing to {action}.")
    directory = crawl.directory
    with disk_errors(directory):
        if action == "pause":
            (directory / PAUSE_NAME).touch()
        elif action == "resume":
            (directory / PAUSE_NAME).unlink(missing_ok=True)
        else:
            (directory / STOP_NAME).touch()


def _start(directory: Path) -> None:
    """Run the crawl in a process of its own, which goes on when the dashboard ends."""
    load(directory / CONFIG_NAME).check_live()
    command = "demo" if (directory / DEMO_NAME).exists() else "crawl"
    cluster = ["--cluster"] if is_cluster(directory) else []
    log = directory / LOG_NAME
    with disk_errors(log), log.open("ab") as output:
        subprocess.Popen(
            [sys.executable, "-m", "exonym", command, str(directory), "--progress", "plain", *cluster],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


LimitNumber = Annotated[int, msgspec.Meta(ge=0, le=10**15)]


class LimitChanges(msgspec.Struct, forbid_unknown_fields=True):
    """Limits to set, as in [limits] of crawl.toml: 0 is no limit, and one that is left out or null stays as it is."""

    pages: LimitNumber | None = None
    pages_per_server: LimitNumber | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None
    bytes: LimitNumber | None = None


def set_limits(directory: Path, changes: LimitChanges) -> dict[str, float]:
    """Write limits into crawl.toml, from where a running crawl takes them; returns all limits."""
    path = directory / CONFIG_NAME
    given = {name: value for name, value in msgspec.structs.asdict(changes).items() if value is not None}
    if given:
        set_values(path, "limits", given)
    return msgspec.structs.asdict(load(path).limits)
