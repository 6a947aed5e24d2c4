"""`exonym graph import …` whose reading processes are mortal: run by tests as a process of its own.

Reading processes find their work, `read_tasks`, in this file. What a page does to the process that reads it stands in
its URL: crash, crash-once, spin, fill, wait. With EXONYM_TEST_STILLBORN set, reading processes die as they start.

    python dying_import.py -o GRAPH FILE… --language th
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from exonym.cli import main
from exonym.system.limits import ProcessLimits
from exonym.webgraph.importing import workers
from exonym.webgraph.importing.from_warc import GraphPageReader

_read = GraphPageReader.read


def read(self: GraphPageReader, url: str, *arguments: Any) -> Any:
    """As GraphPageReader does, or not at all."""
    fate = url.rpartition("/")[2]
    if fate == "crash" or (fate == "crash-once" and _is_first_time()):
        os.kill(os.getpid(), signal.SIGKILL)
    elif fate == "spin":
        while True:
            pass
    elif fate == "fill":
        bytearray(4 * workers.LIMITS.memory_bytes)
    elif fate == "wait":
        signal.pause()
    return _read(self, url, *arguments)


def _is_first_time() -> bool:
    try:
        Path(os.environ["EXONYM_TEST_CRASHED"]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def read_tasks(*arguments: Any) -> None:
    """The work of a reading process."""
    if "EXONYM_TEST_STILLBORN" in os.environ:
        os._exit(3)
    workers.read_tasks(*arguments)


GraphPageReader.read = read  # type: ignore[method-assign,assignment]
workers.LIMITS = ProcessLimits(1, 512 << 20, float(os.environ["EXONYM_TEST_WALL_SECONDS"]))

if __name__ == "__main__":
    import dying_import  # by the name that processes know it by

    workers.read_tasks = dying_import.read_tasks
    main(["graph", "import", *sys.argv[1:]])
