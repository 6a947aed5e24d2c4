"""All tasks done: here or in several processes, what an earlier run has read not again."""

import os
from collections.abc import Callable, Generator
from contextlib import closing
from typing import NamedTuple

from exonym.webgraph.importing.sources import SourceKind
from exonym.webgraph.importing.tasks import Done, ImportTask, done_before, mended, parts_of, read_source

_ANSWERS = (SourceKind.WARC, SourceKind.WAT)


class ReadProgress(NamedTuple):
    """How far reading has come."""

    files: int
    files_done: int
    pages: int


class AllRead(NamedTuple):
    """Tasks as they were cut in the end, what each gave, and how many files an earlier run had read."""

    tasks: list[ImportTask]
    done: list[Done]
    resumed: int


ShowReading = Callable[[ReadProgress], None]


class _Reading:
    """Does tasks and tells of it."""

    def __init__(self, files: list[ImportTask], jobs: int, tell: ShowReading) -> None:
        self._files, self._jobs, self._tell = files, jobs, tell
        self.tasks = [part for task in files for part in parts_of(task)]
        self.done: dict[str, Done] = {}

    def look_up(self) -> None:
        """Find what an earlier run has read."""
        found = [done_before(task) for task in self.tasks if task.key not in self.done]
        self.done.update({one.key: one for one in found if one})

    def do(self) -> None:
        """Read what is left."""
        self._told(0)
        left = [task for task in self.tasks if task.key not in self.done]
        with closing(self._read(left)) as found:  # ends processes also when Ctrl-C comes in between
            for one in found:
                self.done[one.key] = one
                self._told(0)

    def _read(self, left: list[ImportTask]) -> Generator[Done]:
        if self._jobs == 1 or not any(task.source.kind in _ANSWERS for task in left):
            return (read_source(task, self._told) for task in left)
        from exonym.webgraph.importing.workers import ImportWorkers

        return ImportWorkers(left, self._jobs or os.cpu_count() or 1).done(self._told)

    def files_done(self) -> int:
        """How many files have been read to their end."""
        left = {task.source for task in self.tasks if task.key not in self.done}
        return sum(task.source not in left for task in self._files)

    def _told(self, pages_more: int) -> None:
        pages = sum(self.done[task.key].pages for task in self.tasks if task.key in self.done)
        self._tell(ReadProgress(len(self._files), self.files_done(), pages + pages_more))


def read_all(files: list[ImportTask], jobs: int, tell: ShowReading) -> AllRead:
    """Read all of `files`, in parts; `jobs` 1 is this process, without limits on what a page may cost."""
    reading = _Reading(files, jobs, tell)
    reading.look_up()
    resumed = reading.files_done()
    reading.do()
    while (tasks := mended(reading.tasks, reading.done)) != reading.tasks:
        reading.tasks = tasks
        reading.look_up()
        reading.do()
    return AllRead(tasks, [reading.done[task.key] for task in tasks], resumed)
