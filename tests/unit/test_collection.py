"""Names of tests depend on nothing but the sources: workers that collect at different times have the same ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# pytest in a process whose clocks are 31 hours ahead, before anything else is imported.
_ANOTHER_DAY = """
import datetime, sys, time

AHEAD = 31 * 3_600
def late(clock, ahead):
    return lambda: clock() + ahead
time.time, time.time_ns = late(time.time, AHEAD), late(time.time_ns, AHEAD * 10**9)
time.monotonic = late(time.monotonic, AHEAD)

class Date(datetime.date):
    __slots__ = ()

    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())

class DateTime(datetime.datetime):
    __slots__ = ()

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

datetime.date, datetime.datetime = Date, DateTime

import pytest
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def test_collecting_another_day_at_another_place_gives_the_same_names_in_the_same_order(
    request: pytest.FixtureRequest, collected: list[str], tmp_path: Path
) -> None:
    files = list(dict.fromkeys(name.partition("::")[0] for name in collected))
    elsewhere = {"PYTHONHASHSEED": "17", "LC_ALL": "C", "TZ": "Asia/Bangkok", "HOME": str(tmp_path), "COLUMNS": "40"}
    command = [sys.executable, "-c", _ANOTHER_DAY, *files]
    root = request.config.rootpath
    listed = subprocess.run(command, cwd=root, env=os.environ | elsewhere, capture_output=True, text=True)
    assert listed.returncode == 0, listed.stdout + listed.stderr
    known, there = set(collected), listed.stdout.splitlines()
    assert [name for name in there if name in known] == collected
