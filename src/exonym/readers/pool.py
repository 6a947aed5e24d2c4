"""Worker processes that read pages, within limits, and are replaced when they die.

Judged pages are returned in the order of submission, whichever worker is first, so that the order of a crawl does not
depend on its workers. A page that kills its worker is tried once more, alone, and then given up.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

import msgspec

from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.readers.page import Job, JudgedPage, read_safely, unpacked
from exonym.readers.pipe import Pipe
from exonym.readers.reader_process import WORN_OUT, Setup
from exonym.system.limits import ProcessLimits, StallClock

MAKE_JUDGE = "exonym.judges.by_name:make_judge"
_MOST_UNDER_WAY = 8  # pages that a worker is given: enough to keep it busy, few to read again when it dies
_BYTES_UNDER_WAY = 512 * 1024  # all pages of usual size: with two of 67 kB at a time, a crawl took 10 % more
_MOST_FAILED_STARTS = 3
# Memory that a page has used is kept for the next one. Giving it back and asking again takes 5 % of the time of small
# pages, and 30 % of those of 64 kB and more, whose texts glibc would map one by one.
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(64 * 1024 * 1024),
    "MALLOC_MMAP_THRESHOLD_": str(32 * 1024 * 1024),  # the most that glibc accepts
}


@dataclass(frozen=True, slots=True)
class ReaderPoolOptions(ProcessLimits):
    """How many workers, and what one page may cost. `count` 0 reads in this process, without limits."""

    count: int = 1


@dataclass(slots=True)
class _Task:
    number: int
    key: int
    message: bytes
    deaths: int = 0


class _Worker:
    """One process and the pages that it has been given; it reads the first of them."""

    def __init__(self, setup: bytes) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self.pipe = Pipe(ours)
        self.tasks: deque[_Task] = deque()
        self.bytes_under_way = 0
        self.is_ready = False
        self.is_stuck = False
        self.is_outdated = False  # started before the judge changed
        self._clock = StallClock()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by `end`
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "exonym.readers.reader_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                process_group=0,  # Ctrl-C is for the driver alone
                env=os.environ | _ENVIRONMENT,
            )
        self.pipe.share()
        self.pipe.send(setup)
        self.pipe.flush()

    def give(self, task: _Task) -> None:
        self.tasks.append(task)
        self.bytes_under_way += len(task.message)
        self.pipe.lend(task.message)

    def finished(self) -> _Task:
        """Take out the task that the worker has just answered."""
        task = self.tasks.popleft()
        self.bytes_under_way -= len(task.message)
        self.pipe.returned()
        return task

    def has_room(self) -> bool:
        """Whether the worker may be given another page; a page that may have killed a worker is read alone."""
        if not self.is_ready or self.is_outdated:
            return False
        if not self.tasks:
            return True
        is_alone = self.tasks[0].deaths > 0
        return not is_alone and len(self.tasks) < _MOST_UNDER_WAY and self.bytes_under_way < _BYTES_UNDER_WAY

    def seconds_on_page(self, now: float) -> float:
        """How long the worker has been reading its present page, or starting, as far as was observed."""
        seconds = self._clock.seconds_at(self.tasks[0].number if self.tasks else -1, now)
        return seconds if self.tasks or not self.is_ready else 0.0

    def last_error(self) -> str:
        """The last line that the worker wrote to stderr, else its exit status."""
        self._errors.seek(0)
        lines = self._errors.read()[-2_000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit status {self.process.returncode}"

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipe.close()
        self._errors.close()


class ReaderPool:
    """Reads pages in worker processes. Poll `fds()`, then `collect()`; call `check(now)` every second or so."""

    def __init__(
        self,
        options: ReaderPoolOptions,
        judge: dict[str, Any],
        wants: Wants,
        judge_factory: str = MAKE_JUDGE,
        link_model: str = "",
    ) -> None:
        self._options = options
        self._wants = wants
        self._setup = Setup(judge, judge_factory, wants, options, link_model)
        self._judge = None if options.count else self._setup.make_judge()
        self._link_reader = None if options.count else self._setup.make_link_reader()
        self._waiting: deque[_Task] = deque()
        self._suspects: deque[_Task] = deque()  # may have killed a worker: to be read alone
        self._jobs: deque[Job] = deque()  # to be read in this process, if there are no workers
        self._done: dict[int, JudgedPage] = {}
        self._submitted = self._returned = 0
        self._failed_starts = 0
        self._encode = msgspec.msgpack.Encoder().encode
        self._workers = [self._new_worker() for _ in range(options.count)]

    def fds(self) -> list[int]:
        """Descriptors that become readable when there may be something to collect; ask again after `collect`."""
        return [worker.pipe.fileno() for worker in self._workers]

    def processes(self) -> list[int]:
        """Process ids of the workers, for observers."""
        return [worker.process.pid for worker in self._workers]

    def submit(self, jobs: list[Job]) -> None:
        """Take pages to be read. Never blocks."""
        if self._judge is not None:
            self._jobs.extend(jobs)
        else:
            tasks = [_Task(number, job.key, self._encode(job)) for number, job in enumerate(jobs, self._submitted)]
            self._waiting.extend(tasks)
            self._dispatch()
        self._submitted += len(jobs)

    def collect(self) -> list[JudgedPage]:
        """Pages that have been read, in the order of submission. Never blocks."""
        if self._judge is not None:
            pages = [read_safely(job, self._judge, self._wants, self._link_reader) for job in self._jobs]
            self._jobs.clear()
            return pages
        for position, worker in enumerate(self._workers):
            messages = worker.pipe.receive()
            if messages is None:
                self._workers[position] = self._replaced(worker)
                continue
            for message in messages:
                self._failed_starts = 0  # a worker has answered, so the installation works
                if worker.is_ready:
                    self._done[worker.finished().number] = unpacked(message)
                elif message:
                    raise ExonymError(message.decode("utf-8", "replace"))
                else:
                    worker.is_ready = True
        self._renew()
        self._dispatch()
        pages = []
        while self._returned in self._done:
            pages.append(self._done.pop(self._returned))
            self._returned += 1
        return pages

    def check(self, now: float) -> None:
        """End workers that have read one page for too long; `now` is any steadily growing number of seconds."""
        for position, worker in enumerate(self._workers):
            worker.pipe.flush()
            if worker.seconds_on_page(now) > self._options.wall_seconds:
                worker.is_stuck = True
                self._workers[position] = self._replaced(worker)
        self._dispatch()

    def change_judge(self, judge: dict[str, Any]) -> None:
        """Judge by other settings from now on; pages that a worker already has are still judged by the old ones."""
        self._setup = msgspec.structs.replace(self._setup, judge=judge)
        if self._judge is not None:
            self._judge = self._setup.make_judge()
        for worker in self._workers:
            worker.is_outdated = True
        self._renew()

    def _renew(self) -> None:
        """Replace outdated workers that have no pages left."""
        for position, worker in enumerate(self._workers):
            if worker.is_outdated and not worker.tasks:
                self._workers[position] = self._successor(worker)

    def close(self) -> None:
        """End all workers; pages that they have not finished are lost."""
        for worker in self._workers:
            worker.end()
        self._workers = []

    def _new_worker(self) -> _Worker:
        try:
            return _Worker(self._encode(self._setup))
        except OSError as error:
            raise ExonymError(f"No reader process could be started: {error}. Free memory or processes.") from error

    def _dispatch(self) -> None:
        """Give waiting pages to workers that have room; a suspect gets a worker for itself."""
        for worker in self._workers:
            if self._suspects and not worker.tasks and worker.has_room():
                worker.give(self._suspects.popleft())
        while self._waiting:
            free = [worker for worker in self._workers if worker.has_room()]
            if not free:
                break
            min(free, key=lambda worker: len(worker.tasks)).give(self._waiting.popleft())
        for worker in self._workers:
            worker.pipe.flush()

    def _replaced(self, dead: _Worker) -> _Worker:
        """A new worker in place of a dead or stuck one, whose pages go back to the head of the queue."""
        status = dead.process.poll()
        if status is None and not dead.is_stuck:
            with suppress(subprocess.TimeoutExpired):  # it has closed its end, so it is about to exit
                status = dead.process.wait(timeout=5)
        if not dead.is_ready:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_FAILED_STARTS:
                why = dead.last_error()
                raise ExonymError(f"Reader processes die when they start ({why}). Is Exonym installed completely?")
        elif dead.tasks and status != WORN_OUT:
            self._suspect(dead.tasks.popleft(), dead, status)
        self._waiting.extendleft(reversed(dead.tasks))
        return self._successor(dead)

    def _successor(self, worker: _Worker) -> _Worker:
        # Started before the old worker ends: with the same descriptor, the poller would not notice the change.
        successor = self._new_worker()
        worker.end()
        return successor

    def _suspect(self, task: _Task, dead: _Worker, status: int | None) -> None:
        """Read the page at which a worker died once more, alone, unless the page is certain to be the cause."""
        task.deaths += 1
        if dead.is_stuck:
            failure = f"reader: killed after {self._options.wall_seconds:g} s"
        elif status == -signal.SIGXCPU:
            failure = f"reader: killed after {self._options.cpu_seconds} s of CPU"
        elif task.deaths < 2:
            self._suspects.append(task)
            return
        else:
            ending = f"signal {-status}" if status is not None and status < 0 else f"status {status}"
            failure = f"reader: crashed twice ({ending})"
        self._done[task.number] = JudgedPage(task.key, failure=failure)
