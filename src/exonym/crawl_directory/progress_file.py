"""The file `progress.json` of a crawl directory: how the crawl goes, written about once a second while it runs.

The dashboard reads it, and so may scripts. It tells nothing that the next run needs: a crawl goes on without it.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from exonym.crawl_directory.cluster_layout import is_cluster
from exonym.crawl_progress import CrawlProgress
from exonym.store.lock import owner_of

PROGRESS_NAME = "progress.json"


class RunningCrawl(msgspec.Struct, frozen=True):
    """The progress of a crawl as its process wrote it last."""

    process: int
    when: float  # seconds since 1970
    progress: CrawlProgress
    reason: str = ""  # why the run ended; "": it had not, when this was written


def process_of(directory: Path) -> int | None:
    """The process on this machine that runs the crawl in a directory; None if none does."""
    return owner_of(directory / "coordinator" if is_cluster(directory) else directory / "state")


def write_progress(directory: Path, progress: CrawlProgress, reason: str = "") -> None:
    """Write the progress of the crawl that this process runs. A disk without room is no reason to stop here."""
    document = msgspec.json.encode(RunningCrawl(os.getpid(), time.time(), progress, reason))
    draft = directory / f".{PROGRESS_NAME}.{os.getpid()}.draft"
    with suppress(OSError):
        draft.write_bytes(document)
        draft.replace(directory / PROGRESS_NAME)


def read_progress(directory: Path) -> RunningCrawl | None:
    """What the last process wrote; None if there is no such file, or none that this version can read."""
    try:
        return msgspec.json.decode((directory / PROGRESS_NAME).read_bytes(), type=RunningCrawl)
    except (OSError, msgspec.MsgspecError):
        return None
