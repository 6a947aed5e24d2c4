"""Processes that are begun for work, and Ctrl-C."""

import subprocess
import sys

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
