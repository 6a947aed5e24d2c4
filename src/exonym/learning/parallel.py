"""Work in several processes that end with the one that began them, and with Ctrl-C, without a word."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from exonym.errors import ConfigError
from exonym.processes import leave_with_parent, without_interrupts

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING = 3  # tasks for each process, so that none is idle and few are in memory


def cores(jobs: int) -> int:
    """How many processes are meant; 0 means as many as there are cores."""
    return jobs or os.cpu_count() or 1


def done_in_processes(
    work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """`work(shared, task)` of each task, in the order in which they are done; `shared` is sent once a process."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _prepare, (work, shared)) as pool:
        try:
            left: set[Future[Result]] = set()
            for task in tasks:
                with without_interrupts():  # half begun, processes would print where they were
                    left.add(pool.submit(_work, task))
                if len(left) >= _WAITING * jobs:
                    ready, left = wait(left, return_when=FIRST_COMPLETED)
                    yield from (one.result() for one in ready)
            yield from (one.result() for one in as_completed(left))
        except BrokenProcessPool:
            raise ConfigError(
                "a training process was ended from outside. Run the same command again, with --jobs 1 "
                "if memory is short."
            ) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_own: list[tuple[Callable[[Any, Any], Any], Any]] = []  # a worker's work, and what it shares


def _prepare(work: Callable[[Any, Any], Any], shared: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker without a word
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    leave_with_parent()
    _own.append((work, shared))


def _work(task: Any) -> Any:
    work, shared = _own[0]
    return work(shared, task)
