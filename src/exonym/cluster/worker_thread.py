"""A worker in a thread of its own, so that messages and orders are taken while it works."""

import os
import queue
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

from exonym.cluster.worker import Send, Worker, WorkerSetup
from exonym.cluster.worker_messages import WorkerOrder, WorkerReport, packed, unpacked
from exonym.errors import DiskFullError, ExonymError
from exonym.live.driver import make_collector_patient

REPORT_SECONDS = 0.25


class WorkerThread:
    """Runs a `Worker`. `exchange` and `deliver` may be called by any thread, and never wait for the worker."""

    def __init__(self, setup: WorkerSetup, send: Send, make: Callable[[WorkerSetup, Send], Worker] = Worker) -> None:
        self._setup = setup
        self._send = send
        self._make = make
        self._orders: queue.SimpleQueue[WorkerOrder] = queue.SimpleQueue()
        self._packets: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        os.set_blocking(self._write_fd, False)
        self._report = packed(WorkerReport(setup.name, setup.life, setup.node, 0, 0, []))
        self._is_ending = False
        self._thread = threading.Thread(target=self._run, name=setup.name, daemon=True)
        self._thread.start()

    def exchange(self, order: bytes) -> bytes:
        """Give an order; the worker's last report."""
        self._orders.put(unpacked(order, WorkerOrder))
        self._wake()
        return self._report

    def deliver(self, packet: bytes) -> None:
        """Hand over a packet of another worker."""
        self._packets.put(packet)
        self._wake()

    def end(self) -> None:
        """End the thread; what is not committed is given up."""
        self._is_ending = True
        self._wake()
        self._thread.join()
        os.close(self._read_fd)
        os.close(self._write_fd)

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # the pipe is full: the worker is awake
            os.write(self._write_fd, b"\0")

    def _run(self) -> None:
        try:
            make_collector_patient()
            worker = self._make(self._setup, self._send)
            try:
                worker.watch(self._read_fd)
                self._work(worker)
            finally:
                worker.close()
        except ExonymError as error:
            self._fail(str(error), isinstance(error, DiskFullError))
        except Exception as error:  # a defect of ours: the coordinator must hear of it
            self._fail(f"{type(error).__name__}: {error} ({traceback.format_exc().strip().splitlines()[-3].strip()})")

    def _work(self, worker: Worker) -> None:
        reported = 0.0
        while not self._is_ending:
            with suppress(BlockingIOError):
                os.read(self._read_fd, 65_536)
            has_order = not self._orders.empty()
            while not self._orders.empty():
                worker.obey(self._orders.get())
            while not self._packets.empty():
                worker.receive(self._packets.get())
            worker.round()
            if has_order or time.monotonic() - reported >= REPORT_SECONDS:
                reported = time.monotonic()
                self._report = packed(worker.report())

    def _fail(self, failure: str, is_disk_full: bool = False) -> None:
        setup = self._setup
        failure = f"{failure.removesuffix('.')} (worker {setup.name} on {setup.node})."
        self._report = packed(
            WorkerReport(
                setup.name, setup.life, setup.node, 0, 0, [], failure=failure, is_disk_full=is_disk_full, is_closed=True
            )
        )
