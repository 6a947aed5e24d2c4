"""Work on data that is sent once to each of several processes."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from exonym import processes
from exonym.processes import Result, Task, cores

__all__ = ["cores", "done_in_processes"]


def done_in_processes(
    work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """`work(shared, task)` of each task, in the order in which they are done."""
    return processes.done_in_processes(work, partial(_given, shared), tasks, jobs)


def _given(shared: Any) -> Any:
    return shared
