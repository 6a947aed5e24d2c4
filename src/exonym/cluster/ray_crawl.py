"""Workers as Ray actors: Ray places them, starts them, watches them, and starts them again when they die.

All that travels between them is bytes, which Ray copies and never unpickles.
"""

import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import ray
from ray.actor import ActorHandle
from ray.exceptions import RayError

from exonym.cluster.ray_connection import RayConnection
from exonym.cluster.worker import WorkerSetup
from exonym.cluster.worker_thread import WorkerThread
from exonym.config.settings import Settings
from exonym.crawl_directory.cluster_layout import ClusterLayout
from exonym.errors import ClusterError
from exonym.system.processes import machine_name

NAMESPACE = "exonym"
LOOK_SECONDS = 5.0  # after so long without a report, the head is looked for
GONE_SECONDS = 20.0  # a head that is not found for so long is gone


class WorkerActor:
    """A worker in a process that Ray started. Orders and packets are taken by a thread each, in their order."""

    def __init__(self, name: str, layout: tuple[str, str, int], settings: bytes, workers: int) -> None:
        decoded = msgspec.msgpack.decode(settings, type=Settings)
        directory, crawl_id, partitions = layout
        here = ClusterLayout(Path(directory), crawl_id, partitions)
        setup = WorkerSetup(name, uuid.uuid4().hex, machine_name(), here, decoded, workers)
        self._peers: dict[str, ActorHandle[Any]] = {}
        self._thread = WorkerThread(setup, self._send)

    @ray.method(concurrency_group="orders")
    def exchange(self, order: bytes) -> bytes:
        """Give an order; the worker's last report."""
        return self._thread.exchange(order)

    @ray.method(concurrency_group="mail")
    def deliver(self, packet: bytes) -> None:
        """Hand over a packet of another worker."""
        self._thread.deliver(packet)

    def process(self) -> int:
        """The number of this process, for tests that kill it."""
        return os.getpid()

    def _send(self, worker: str, packet: bytes) -> None:
        """Send a packet to another worker, without waiting; it is sent again if no answer comes."""
        try:
            if worker not in self._peers:
                self._peers[worker] = ray.get_actor(worker, namespace=NAMESPACE)
            self._peers[worker].deliver.options(num_returns=0).remote(packet)
        except (RayError, ValueError):  # ValueError: no actor has this name, or not yet
            self._peers.pop(worker, None)


class RayWorkers:
    """The workers of a crawl, as actors."""

    def __init__(self, handles: dict[str, ActorHandle[Any]], address: str) -> None:
        self.names = list(handles)
        self.handles = handles
        self.is_head_gone = False
        self._address = address  # of the head
        self._under_way: dict[Any, str] = {}
        self._heard = self._looked = self._found = time.monotonic()

    def give(self, worker: str, order: bytes) -> None:
        self._under_way[self.handles[worker].exchange.remote(order)] = worker

    def reports(self, seconds: float) -> dict[str, bytes]:
        reports: dict[str, bytes] = {}
        if not self._under_way:  # ray.wait does not wait for nothing
            time.sleep(seconds)
            return reports
        ready, _ = ray.wait(list(self._under_way), num_returns=len(self._under_way), timeout=seconds)
        for ref in ready:
            worker = self._under_way.pop(ref)
            try:
                reports[worker] = ray.get(ref)
            except RayError:  # the worker died; Ray starts another process for it
                reports[worker] = b""
        if any(reports.values()):
            self._heard = self._found = time.monotonic()
        else:
            self._look_for_head(time.monotonic())
        return reports

    def _look_for_head(self, now: float) -> None:
        """Raise if the head of the cluster is gone; Ray itself would wait for a minute, and then end this process."""
        if now - max(self._heard, self._looked) < LOOK_SECONDS:
            return
        self._looked = now
        host, _, port = self._address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=LOOK_SECONDS).close()
            self._found = time.monotonic()
        except OSError:
            if now - self._found > GONE_SECONDS:
                self.is_head_gone = True
                raise ClusterError(
                    f"The head of the cluster, {self._address}, does not answer any more. Nothing is lost. "
                    "Start the cluster again, then run the same command again."
                ) from None


@contextmanager
def ray_workers(
    connection: RayConnection, layout: ClusterLayout, settings: Settings, count: int
) -> Iterator[RayWorkers]:
    """`count` workers for a crawl, spread over the nodes of a cluster; they end with the block."""
    settings = _with_readers(settings, connection.cores, count)
    packed = msgspec.msgpack.encode(settings)
    remote: Any = ray.remote  # its types do not know concurrency groups
    actor = remote(
        max_restarts=-1,
        max_task_retries=0,
        num_cpus=min(1.0, connection.cores / count),
        scheduling_strategy="SPREAD",
        concurrency_groups={"orders": 1, "mail": 1},
    )(WorkerActor)
    handles: dict[str, ActorHandle[Any]] = {}
    workers = None
    try:
        for number in range(count):
            name = f"worker{number}-{layout.crawl_id[:8]}"
            place = str(layout.directory.absolute()), layout.crawl_id, layout.partitions
            handles[name] = actor.options(name=name, namespace=NAMESPACE).remote(name, place, packed, count)
        workers = RayWorkers(handles, connection.address)
        yield workers
    except ValueError as error:
        if "already taken" not in str(error):
            raise
        raise ClusterError(
            f"Another process runs the crawl in {layout.directory} on this cluster. Stop it first."
        ) from None
    finally:
        if not (workers and workers.is_head_gone):  # Ray would wait for the head
            for handle in handles.values():
                ray.kill(handle)


def _with_readers(settings: Settings, cores: int, workers: int) -> Settings:
    """The settings with as many readers for each worker as its share of the cores allows, if they do not say."""
    if settings.readers.count >= 0:
        return settings
    count = max(1, cores // workers - 1)
    readers = msgspec.structs.replace(settings.readers, count=count)
    return msgspec.structs.replace(settings, readers=readers)
