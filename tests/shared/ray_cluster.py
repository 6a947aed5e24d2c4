"""A Ray cluster of one node: started once in each worker that needs it, on the loopback address, with a token.

Tests connect to it with `connect(ray_cluster.address)`, or run commands with `--cluster --address`.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from exonym.cluster.ray_connection import QUIET

TOKEN = "a-token-for-tests-that-nobody-else-has"


class RayCluster(NamedTuple):
    """A cluster that runs."""

    address: str
    token: str
    cluster: Any  # ray.cluster_utils.Cluster: `add_node` and `remove_node` for more nodes
    directory: Path  # what Ray calls RAY_TMPDIR


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[RayCluster]:
    """One node of two cores; the environment of this process and those that it starts has the token."""
    with started_cluster("token") as cluster:
        yield cluster


@contextmanager
def started_cluster(mode: str) -> Iterator[RayCluster]:
    """A cluster of one node that asks for the token (`token`) or for none (`disabled`)."""
    directory = Path(tempfile.mkdtemp(prefix="x-", dir="/tmp"))  # sockets below it have 107 bytes for their path
    (directory / "ray").mkdir()
    ours = QUIET | {"RAY_AUTH_MODE": mode, "RAY_AUTH_TOKEN": TOKEN, "RAY_TMPDIR": str(directory)}
    before = {name: os.environ.get(name) for name in ours}
    os.environ |= ours
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # of log files that Ray leaves to its processes
            from ray.cluster_utils import Cluster

            node = {"num_cpus": 2, "object_store_memory": 80_000_000, "include_dashboard": False}
            cluster = Cluster(initialize_head=True, head_node_args=node)
            try:
                yield RayCluster(cluster.address, TOKEN, cluster, directory)
            finally:
                cluster.shutdown()
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(directory, ignore_errors=True)
