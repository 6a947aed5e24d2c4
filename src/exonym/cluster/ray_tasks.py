"""Batch work on a cluster: a `TaskRunner` whose tasks Ray places, and repeats if their process or machine dies.

Functions are not sent, only their names. Files are not sent either: they are on storage that all machines share, at the
same paths. Relative paths are relative to the directory where the command was given.
"""

import os
import socket
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

from exonym import errors
from exonym.cluster.ray_connection import RayConnection
from exonym.errors import ClusterError, ExonymError, ProcessError
from exonym.system.processes import NO_NEEDS, Result, Task, TaskNeeds

_WAITING = 2  # tasks for each core, so that none is idle and few are in memory
_RETRIES = 3  # of a task whose process or machine died
_WAIT_SECONDS = 0.5  # Ctrl-C is noticed in between


class RayTasks:
    """Does tasks on the nodes of a cluster, one on each core."""

    def __init__(self, connection: RayConnection) -> None:
        self._connection = connection

    def done(
        self, work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task], needs: TaskNeeds = NO_NEEDS
    ) -> Generator[Result]:
        """Results of `work(shared, task)` in the order of completion; `shared` is sent to each machine once."""
        import ray

        options: dict[str, Any] = {"num_cpus": 1, "max_retries": _RETRIES, "max_calls": int(needs.own_process)}
        if needs.memory_bytes:  # more than the largest machine has would wait forever
            options["memory"] = min(needs.memory_bytes, self._connection.most_memory)
        perform = ray.remote(**options)(_perform)
        sent, paths, here = ray.put((work, shared)), [str(path) for path in needs.paths], os.getcwd()
        left, under_way = iter(tasks), list[Any]()
        try:
            while True:
                while len(under_way) < _WAITING * self._connection.cores and (task := next(left, left)) is not left:
                    under_way.append(perform.remote(sent, task, paths, here))
                if not under_way:
                    return
                ready, under_way = ray.wait(under_way, timeout=_WAIT_SECONDS)
                for ref in ready:
                    yield _result(ray, ref)
        finally:
            for ref in under_way:
                ray.cancel(ref, force=True)


def _perform(sent: tuple[Callable[[Any, Any], Any], Any], task: Any, paths: list[str], here: str) -> tuple[Any, ...]:
    """Do one task, on its node. Errors are returned as texts: not every exception can be sent."""
    work, shared = sent
    try:
        for path in paths:
            if not Path(path).exists():
                raise ClusterError(
                    f"The machine {socket.gethostname()} has no {path}. With --cluster, files must be at the same "
                    "path on all machines."
                )
        if Path(here).is_dir():
            os.chdir(here)
        return None, work(shared, task)
    except ExonymError as error:
        return type(error).__name__, str(error)
    except MemoryError:
        return "ProcessError", f"A task does not fit into the memory of the machine {socket.gethostname()}."
    except Exception as error:
        return "", f"{type(error).__name__}: {error}"


def _result(ray: Any, ref: Any) -> Any:
    try:
        kind, result = ray.get(ref)
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
        raise ProcessError(
            f"A task was ended from outside {_RETRIES + 1} times, perhaps because memory ran out. "
            "Run the same command again."
        ) from None
    except ray.exceptions.RayError as error:
        raise ClusterError(f"Ray lost a task: {' '.join(str(error).split())[:300]}") from None
    if kind is None:
        return result
    if kind == "":
        raise RuntimeError(result)
    raise getattr(errors, kind, ClusterError)(result)
