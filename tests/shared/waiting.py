"""Waiting for what another process does, however long it takes: ends as soon as the process has ended."""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def is_reached(is_so: Callable[[], bool], process: "subprocess.Popen[Any]") -> bool:
    """Wait until something is so; False if the process has ended before."""
    while not is_so():
        if process.poll() is not None:
            return is_so()
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    return True


def wait_until(is_so: Callable[[], bool], process: "subprocess.Popen[Any]") -> None:
    """Wait until something is so, which must happen while the process runs."""
    assert is_reached(is_so, process), f"{process.args} ended too early, with {process.returncode}"
