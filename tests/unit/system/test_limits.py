"""Limits that a process takes on, and places that it is seen at."""

import signal
import subprocess
import sys

import pytest

from exonym.system.limits import StallClock

_SPIN = "from exonym.system.limits import limit_cpu\nlimit_cpu(1)\nwhile True: pass"
_FILL = "from exonym.system.limits import {0}\n{0}({1} << 20)\nbytearray({2} << 20)\nprint('filled')"


def test_process_that_uses_up_its_cpu_time_is_ended_by_the_kernel() -> None:
    assert subprocess.run([sys.executable, "-c", _SPIN]).returncode == -signal.SIGXCPU


@pytest.mark.parametrize("limit", ["limit_memory", "limit_data"])
@pytest.mark.parametrize(("most", "wanted", "fits"), [(512, 64, True), (512, 1024, False)])
def test_memory_beyond_the_limit_is_refused(limit: str, most: int, wanted: int, fits: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FILL.format(limit, most, wanted)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, "MemoryError" in done.stderr) == (("filled\n", False) if fits else ("", True))


def test_seconds_at_a_place_begin_anew_at_another() -> None:
    clock = StallClock()
    assert [clock.seconds_at(place, now) for place, now in [(3, 10.0), (3, 12.5), (4, 13.0), (4, 14.0), (3, 15.0)]] == [
        0.0,
        2.5,
        0.0,
        1.0,
        0.0,
    ]
