"""`exonym crawl DIR`, hurried and mortal: run by the kill tests as a process of its own.

Hurried: what happens once a second or every 20,000 rows (commits, sealed journal assembly, blocks of the
frontier, new WARC files) happens after every few pages, however fast the machine is, so that few pages meet all
of it. Mortal: given a place of PLACES, `before` or `after`, and a number n, the process kills itself at the n-th
time it comes there.

    python dying.py DIR [PLACE before|after N]
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from exonym.archive import Originals, WarcWriter
from exonym.cli import main
from exonym.crawl import Crawl
from exonym.crawl_directory import crawl_writer
from exonym.frontier.disk import DiskFrontier, DiskFrontierOptions
from exonym.journal import Journal
from exonym.live import assembly, partition_driver

PLACES: dict[str, tuple[type, str]] = {
    "page archived": (WarcWriter, "write"),
    "archive flushed": (WarcWriter, "flush"),
    "page taken": (Crawl, "take"),
    "frontier written": (DiskFrontier, "commit"),
    "rows written": (Journal, "append"),
    "journal sealed": (Journal, "seal"),
    "payloads written": (Originals, "commit"),
    "committed": (DiskFrontier, "committed"),
}


def hurry() -> None:
    """Make the rare things frequent."""
    partition_driver.COMMIT_ROWS, partition_driver.COMMIT_SECONDS = 5, 3_600.0
    crawl_writer.Journal = partial(Journal, seal_rows=20)  # type: ignore[misc,assignment]
    options = partial(DiskFrontierOptions, tail_bytes=4_000, open_blocks=4)
    assembly.DiskFrontierOptions = options  # type: ignore[misc,assignment]


def die_at(place: str, moment: str, number: int) -> None:
    """Arrange that the process is killed there."""
    owner, name = PLACES[place]
    method: Callable[..., Any] = getattr(owner, name)
    left = number

    def mortal(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if not left and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        outcome = method(*arguments, **named)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

    setattr(owner, name, mortal)


if __name__ == "__main__":
    hurry()
    if len(sys.argv) > 2:
        die_at(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    main(["crawl", sys.argv[1]])
