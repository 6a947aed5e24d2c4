"""What holds for every test: one environment, whatever the user's is, and no limit of time."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from ray_cluster import ray_cluster as ray_cluster

# Every test may press Ctrl-C, also where tests are run in the background and were told to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Where tests run for everybody, a tool that they need must be there; elsewhere its tests are skipped.
if os.environ.get("CI"):
    os.environ["EXONYM_TESTS_NEED_ALL"] = "1"

# The user's terminal and wishes change what commands print; tests set what they are about.
for name in ("CI", "COLUMNS", "EXONYM_DEBUG", "FORCE_COLOR", "LINES", "NO_COLOR", "PYTHONWARNINGS"):
    os.environ.pop(name, None)

# Ray listens on the loopback address alone in all processes of tests, and none of them uses the user's cluster.
for name in [name for name in os.environ if name.startswith("RAY_")]:
    del os.environ[name]
os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}

# Tests start hundreds of processes; each would compile our sources again, and each worker the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Each run tries the same examples, so that a failure is there again in the next run and on another machine.
# `pytest --hypothesis-profile explore` looks for new ones. A busy machine is no failure: no deadline, no health check
# by the clock.
_untimed = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", _untimed, derandomize=True)
settings.register_profile("explore", _untimed, print_blob=True)
settings.load_profile("same")

# Files whose tests take longest. They run first, so that no worker is left with a long one when the others are done.
_LONG = ("test_docs.py", "test_kill.py", "test_engine_equals_reference.py", "test_tflswc2014.py", "test_benchmarks.py")
_COLLECTED = pytest.StashKey[list[str]]()


def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as there are cores: many tests wait for servers, disks and processes."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Keep the (random) order of other plugins but for the long files, which come first."""
    config.stash[_COLLECTED] = [item.nodeid for item in sorted(items, key=_is_short)]
    yield
    items.sort(key=_is_short)


def _is_short(item: pytest.Item) -> bool:
    return item.path.name not in _LONG


@pytest.fixture(scope="session")
def served() -> Iterator[Path]:
    """A directory with `exonym` and `python` that start at once, for tests with many processes."""
    from command_server import served_commands  # imports the whole package

    with served_commands() as directory:
        yield directory


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[str]:
    """The names of all tests that this process has collected, in their order before chance has its say."""
    return request.config.stash[_COLLECTED]
