"""Limits of a process that reads hostile bytes: CPU time and memory, which the kernel enforces, and time at one place.

A process sets the first two for itself; its parent process observes the third.
"""

import math
import os
import resource
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one page or record may cost the process that reads it."""

    cpu_seconds: int = 10
    memory_bytes: int = 1024 * 1024 * 1024  # beyond what the process has when it is ready
    wall_seconds: float = 60.0


def limit_memory(more_bytes: int) -> None:
    """Give this process `more_bytes` of address space beyond what it has now; if it dies, it writes no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _set(resource.RLIMIT_AS, _address_space() + more_bytes)


def limit_data(most_bytes: int) -> None:
    """Give this process `most_bytes` of memory, mapped files not counted."""
    _set(resource.RLIMIT_DATA, most_bytes)


def limit_cpu(more_seconds: int) -> None:
    """Give this process `more_seconds` of CPU time from now on; the kernel ends it (SIGXCPU) when they are used."""
    _set(resource.RLIMIT_CPU, math.ceil(time.process_time()) + more_seconds)


def _set(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _address_space() -> int:
    """Address space in use: libraries reserve much of it before any page is read."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1024 * 1024 * 1024


class StallClock:
    """How long a process has been observed at one place."""

    def __init__(self) -> None:
        self._place: int | None = None
        self._since = 0.0

    def seconds_at(self, place: int, now: float) -> float:
        """Seconds since the process was first seen at `place`; `now` is any steadily growing number of seconds."""
        if place != self._place:
            self._place, self._since = place, now
        return now - self._since
