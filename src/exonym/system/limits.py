"""What one record may cost: a reading process notes where it is, and the kernel ends it if it is there too long.

For the whole process, as the kernel's limits are. A process that nobody watches has no limits.
"""

import math
import os
import resource
import time
from collections.abc import MutableSequence

CPU_SECONDS = 20  # for one record, and for writing the chunk that it fills
WALL_SECONDS = 120.0
MEMORY_BYTES = 3 << 30  # beyond what a process has when it begins: a chunk, the longest page, and room
NOWHERE = -1

_RECORD, _PAGES = 0, 1


class Watch:
    """Where this process is: the record by its number in the task, the pages it has read."""

    def __init__(self) -> None:
        self._places: MutableSequence[int] | None = None

    def begin(self, places: MutableSequence[int]) -> None:
        """Be watched from now on, within limits; `places` is seen from outside."""
        self._places = places
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit(resource.RLIMIT_AS, _memory_now() + MEMORY_BYTES)

    def at_record(self, number: int) -> None:
        """Say that a record is begun, NOWHERE for that there is none any more."""
        if self._places is not None:
            self._places[_RECORD] = number
            _limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + CPU_SECONDS)

    def at_page(self, count: int) -> None:
        """Say how many pages there were."""
        if self._places is not None:
            self._places[_PAGES] = count


def record_at(places: MutableSequence[int]) -> int:
    """The record that a process noted last."""
    return places[_RECORD]


def pages_at(places: MutableSequence[int]) -> int:
    """The pages that a process noted last."""
    return places[_PAGES]


def _limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _memory_now() -> int:
    """Address space in use: libraries reserve much of it that no page is to blame for."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30


WATCH = Watch()
