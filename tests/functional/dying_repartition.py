"""`exonym repartition DIR --partitions N`, mortal: run by tests as a process of its own.

The process kills itself before the n-th time that it changes anything on the disk. A journal has a part every 50 rows,
so that there are many such moments.

    python dying_repartition.py DIR PARTITIONS N
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

from exonym.cli import main
from exonym.cluster import new_journals
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.frontier.disk import DiskFrontier
from exonym.frontier.seen import SeenSet
from exonym.journal import Journal
from exonym.store import Store

left = int(sys.argv[3])


def mortal(change: Callable[..., Any]) -> Callable[..., Any]:
    """A function that kills the process when its time has come."""

    def changed(*arguments: Any, **named: Any) -> Any:
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return change(*arguments, **named)

    return changed


if __name__ == "__main__":
    new_journals._LEAST_PART_ROWS, new_journals._ROWS_IN_MEMORY = 50, 0
    for owner, names in (
        (os, ("rename", "replace", "link", "mkdir")),
        (shutil, ("rmtree",)),
        (new_journals, ("write_part",)),
        (ClusterLayout, ("write", "write_partition_file")),
        (DiskFrontier, ("adopt", "commit", "committed")),
        (SeenSet, ("put", "flush")),
        (Journal, ("adopt_parts",)),
        (Store, ("writing",)),
    ):
        for name in names:
            setattr(owner, name, mortal(getattr(owner, name)))
    main(["repartition", sys.argv[1], "--partitions", sys.argv[2]])
