"""What takes long to make and is only read afterwards: made once for all workers of a run.

A fixture of a module would be made again in each worker that runs a test of the module.
"""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The directory that `make` fills: by the first worker that needs it, while others wait. No test may change it."""
    run = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each worker has a directory below the run's
        run = run.parent
    directory, done = run / name, run / f"{name}.done"
    with open(run / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # given back as the file is closed, also if this process dies
        if not done.exists():
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()
            make(directory)
            done.touch()
    return directory
