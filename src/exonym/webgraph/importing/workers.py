"""Worker processes that read tasks, and are replaced when they die.

A record that kills its process costs one record, not the import: the task is read again, and a record at which a
process has died twice, or taken too long, is passed over. Ctrl-C reaches only the parent, which ends the workers.
"""

import multiprocessing
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from typing import Any

import msgspec

from exonym.archive.ranges import NOWHERE
from exonym.errors import ProcessError
from exonym.system.limits import ProcessLimits, StallClock, limit_cpu, limit_memory
from exonym.system.processes import leave_with_parent, without_interrupts
from exonym.webgraph.importing.tasks import Done, ImportTask, read_source

# For one record, and for writing the chunk that it fills; memory for a chunk, the longest page, and room.
LIMITS = ProcessLimits(cpu_seconds=20, memory_bytes=3 << 30, wall_seconds=120.0)

_PROGRESS_SECONDS = 0.5
_MOST_DEATHS = 100  # in one task: with more, something other than its records kills processes
_MOST_DEATHS_NOWHERE = 3
_RECORD, _PAGES = 0, 1


class _Worker:
    """One process and the task it has."""

    def __init__(self, context: SpawnContext) -> None:
        self.link, theirs = context.Pipe()
        self.places: Any = context.RawArray("q", [NOWHERE, 0])  # shared: the record being read, the pages read so far
        self.task: ImportTask | None = None
        self._clock = StallClock()
        self.process = context.Process(target=read_tasks, args=(theirs, self.places), daemon=True)
        try:
            with without_interrupts():
                self.process.start()
        finally:
            theirs.close()

    def give(self, task: ImportTask) -> None:
        self.task = task
        self.places[:] = [NOWHERE, 0]
        self.link.send(task)

    def is_stuck(self) -> bool:
        """Whether the process has been at one record for too long."""
        record = self.record
        return self._clock.seconds_at(record, time.monotonic()) > LIMITS.wall_seconds and record != NOWHERE

    @property
    def record(self) -> int:
        """The number of the record that the process reads."""
        return int(self.places[_RECORD])

    def end(self) -> int:
        """End the process if it still runs; its exit code."""
        self.process.kill()
        self.process.join()
        self.link.close()
        return self.process.exitcode or 0


def read_tasks(link: Connection, places: Any) -> None:
    """Read tasks until the parent is gone: what a worker process does."""
    leave_with_parent()
    limit_memory(LIMITS.memory_bytes)
    while True:
        try:
            link.send(_read_task(link.recv(), places))
        except (EOFError, OSError):
            return


def _read_task(task: ImportTask, places: Any) -> Done | Exception:
    def at_record(number: int) -> None:
        places[_RECORD] = number
        limit_cpu(LIMITS.cpu_seconds)

    def at_page(count: int) -> None:
        places[_PAGES] = count

    try:
        return read_source(task, at_page, at_record)
    except MemoryError:
        os._exit(1)  # a new process begins with all its memory
    except Exception as error:
        return error


def read_in_process(nothing: None, task: ImportTask) -> str:
    """Read one task in a process with limits; its key. What was read is in its files."""
    (done,) = ImportWorkers([task], 1).done(lambda pages: None)
    return done.key


class ImportWorkers:
    """Reads tasks in processes, the largest task first, so that no core is left alone with it at the end."""

    def __init__(self, tasks: list[ImportTask], jobs: int) -> None:
        self._left = deque(sorted(tasks, key=lambda task: -task.size))
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._jobs = min(jobs, len(tasks))
        self._deaths: Counter[tuple[str, int]] = Counter()

    def done(self, show_pages: Callable[[int], None]) -> Generator[Done]:
        """Yield the result of each task when it is finished; `show_pages` gets the pages read in unfinished tasks."""
        try:
            self._workers += [_Worker(self._context) for _ in range(self._jobs)]
            while self._left or any(worker.task for worker in self._workers):
                self._give()
                yield from self._answers()
                show_pages(sum(worker.places[_PAGES] for worker in self._workers if worker.task))
        finally:
            for worker in self._workers:
                worker.end()

    def _give(self) -> None:
        for worker in list(self._workers):
            if self._left and worker.task is None:
                try:
                    worker.give(self._left.popleft())
                except OSError:  # it died as it started, or while it waited
                    self._replace(worker)

    def _answers(self) -> Iterator[Done]:
        busy = [worker for worker in self._workers if worker.task]
        ready = wait([worker.link for worker in busy], _PROGRESS_SECONDS)
        for worker in busy:
            if worker.link not in ready:
                if worker.is_stuck():
                    self._replace(worker, is_stuck=True)
                continue
            try:
                answer = worker.link.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if isinstance(answer, Exception):
                raise answer
            worker.task = None
            yield answer

    def _replace(self, dead: _Worker, is_stuck: bool = False) -> None:
        """Replace a dead process by a new one, and put its task back into the queue."""
        task, record = dead.task, dead.record
        assert task is not None
        if not is_stuck:
            dead.process.join(LIMITS.wall_seconds)  # it has closed its end of the link, so it is about to end
        is_to_blame = dead.end() == -signal.SIGXCPU or is_stuck
        self._workers[self._workers.index(dead)] = _Worker(self._context)
        self._left.appendleft(self._task_to_retry(task, record, is_to_blame))

    def _task_to_retry(self, task: ImportTask, record: int, is_to_blame: bool) -> ImportTask:
        """The task to read again, without the record at which processes die."""
        self._deaths[task.key, record] += 1
        deaths = sum(count for (key, _), count in self._deaths.items() if key == task.key)
        is_in_vain = record in task.passed_over or self._deaths[task.key, NOWHERE] >= _MOST_DEATHS_NOWHERE
        if is_in_vain or deaths >= _MOST_DEATHS:
            again = "Run the same command again, with --jobs 1 if memory is short; what was read stays read."
            raise ProcessError(f"processes that read {task.source.path} were ended from outside. {again}")
        if record == NOWHERE or not (is_to_blame or self._deaths[task.key, record] > 1):
            return task
        return msgspec.structs.replace(task, passed_over=(*task.passed_over, record))
