"""Processes that are begun for work, and Ctrl-C."""

import os
import subprocess
import sys

import pytest

# Ctrl-C comes each time that a semaphore is made, just before anything knows that it must be cleaned up.
_INTERRUPTED = """
import os, signal
from multiprocessing import resource_tracker
from exonym.system.processes import done_in_processes

register = resource_tracker.register

def interrupted(name, kind):
    register(name, kind)
    os.kill(os.getpid(), signal.SIGINT)

resource_tracker.register = interrupted
try:
    list(done_in_processes(print, dict, [1], 2))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_interrupted_while_processes_are_prepared_nothing_is_left_behind() -> None:
    ended = subprocess.run([sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


# Bound to one core before the cores are counted.
_BOUND = """
import os
from exonym.system.processes import cores
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(cores(), cores(7))
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system binds no process to cores")
def test_cores_are_those_that_the_process_may_use() -> None:
    ended = subprocess.run([sys.executable, "-c", _BOUND], capture_output=True, text=True, check=True)
    assert ended.stdout == "1 7\n"
