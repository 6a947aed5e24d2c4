"""Process pools for work on trusted data. The parent handles Ctrl-C; children end silently, also if the parent dies."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar

from exonym.errors import ProcessError

Task = TypeVar("Task")
Result = TypeVar("Result")


class TaskNeeds(NamedTuple):
    """What a task of a `TaskRunner` needs of the machine that does it."""

    paths: tuple[Path, ...] = ()  # that must be there
    memory_bytes: int = 0  # roughly; 0 is little
    own_process: bool = False  # no process does a second task


NO_NEEDS = TaskNeeds()


class TaskRunner(Protocol):
    """Does tasks on other machines, in place of processes of this one."""

    def done(
        self, work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task], needs: TaskNeeds = NO_NEEDS
    ) -> Generator[Result]:
        """Results of `work(shared, task)` in the order of completion; closing the generator ends the tasks.

        `work` is a function of a module. Data, tasks and results are paths, settings, numbers, bytes and arrays.
        """


_WAITING = 4  # tasks for each process, so that none is idle and few are in memory


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block; processes started inside begin with it blocked."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets Ctrl-C
        with _without_main_module():
            yield
        return
    resource_tracker.ensure_running()  # else the first process starts it, and lets interrupts in again
    pressed: list[int] = []
    # Both: processes inherit the mask, but threads of libraries may still take the signal in this process.
    old = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        with _without_main_module():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, old)
        if pressed:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Processes begun inside do not run the user's script again, as `multiprocessing` makes them do otherwise.

    So a script needs no `if __name__ == "__main__":`. What processes work with is never defined in a script.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def leave_with_parent() -> None:
    """End this process when its parent ends: otherwise it would wait for work forever."""
    threading.Thread(target=_leave, daemon=True).start()


def _leave() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def machine_name(boot_id: Path = Path("/proc/sys/kernel/random/boot_id")) -> str:
    """The name of this machine, with what tells it from another of the same name: `boot_id` has it, on Linux."""
    try:
        started = boot_id.read_text(encoding="ascii")[:8]
    except OSError:
        started = ""
    return f"{os.uname().nodename} {started}".strip()


def cores(jobs: int = 0) -> int:
    """The number of processes to start: `jobs`, or one for each core that this process may use if that is 0."""
    return jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def done_in_processes(
    work: Callable[[Any, Task], Result],
    make: Callable[[], Any],
    tasks: Iterable[Task],
    jobs: int,
    in_order: bool = False,
) -> Iterator[Result]:
    """Results of `work(made, task)`, in the order of completion or of tasks; each process makes `made` once."""
    with without_interrupts():  # a pool interrupted while it is made leaves semaphores behind
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _prepare, (work, make))
    with pool:
        try:
            left: deque[Future[Result]] = deque()
            for task in tasks:
                with without_interrupts():  # processes interrupted while they start print a traceback
                    left.append(pool.submit(_work, task))
                if len(left) >= _WAITING * jobs:
                    yield from _take_results(left, in_order)
            while left:
                yield from _take_results(left, in_order)
        except BrokenProcessPool:
            raise ProcessError(
                "A process was ended from outside. Run the same command again, with --jobs 1 if memory is short."
            ) from None
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _take_results(left: "deque[Future[Result]]", in_order: bool) -> Iterator[Result]:
    """Take results out of `left`: the first, or all that are ready."""
    if in_order:
        yield left.popleft().result()
        return
    ready = wait(left, return_when=FIRST_COMPLETED).done
    waiting = [future for future in left if future not in ready]
    left.clear()
    left.extend(waiting)
    yield from (future.result() for future in ready)


_own: list[tuple[Callable[[Any, Any], Any], Any]] = []  # in a worker process: its work, and what it made


def _prepare(work: Callable[[Any, Any], Any], make: Callable[[], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker silently
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    leave_with_parent()
    _own.append((work, make()))


def _work(task: Any) -> Any:
    work, made = _own[0]
    return work(made, task)


def done_with_shared_data(
    work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Results of `work(shared, task)` in the order of completion; `shared` is sent to each process once.

    With one job, this process does all tasks in order.
    """
    if jobs == 1:
        return (work(shared, task) for task in tasks)
    return done_in_processes(work, partial(_same, shared), tasks, jobs)


def _same(shared: Any) -> Any:  # of a module, not a lambda: it is sent to other processes
    return shared
