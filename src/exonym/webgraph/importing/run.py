"""Reads all tasks of an import, in this process or in several, unless an earlier run finished them; then revisits."""

import os
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.archive.any_warc import SkippedRecord
from exonym.urls import id_of
from exonym.webgraph.importing.chunks import ChunkWriter, load_chunk
from exonym.webgraph.importing.record import Copy
from exonym.webgraph.importing.sources import JUDGED, SourceKind
from exonym.webgraph.importing.tasks import Done, ImportTask, done_before, parts_of, read_source, rejoin_torn_parts

_NO_ORIGINAL = "revisit whose original is in none of the files"


class ReadProgress(NamedTuple):
    """Progress of reading."""

    files: int
    files_done: int
    pages: int


class AllRead(NamedTuple):
    """The tasks in their final parts, the result of each, and how many files an earlier run had read."""

    tasks: list[ImportTask]
    done: list[Done]
    resumed: int


ShowReading = Callable[[ReadProgress], None]


def read_all(files: list[ImportTask], jobs: int, show: ShowReading) -> AllRead:
    """Read all of `files`, in parts. With `jobs` 1 this process reads them, without limits on time and memory."""
    reading = _Reading(files, jobs, show)
    reading.resume()
    resumed = reading.files_done()
    reading.read()
    while (tasks := rejoin_torn_parts(reading.tasks, reading.done)) != reading.tasks:
        reading.tasks = tasks
        reading.resume()
        reading.read()
    return AllRead(tasks, [reading.done[task.key] for task in tasks], resumed)


class _Reading:
    """The tasks, and the results so far."""

    def __init__(self, files: list[ImportTask], jobs: int, show: ShowReading) -> None:
        self._files, self._jobs, self._show = files, jobs, show
        self.tasks = [part for task in files for part in parts_of(task)]
        self.done: dict[str, Done] = {}

    def resume(self) -> None:
        """Take over the results of an earlier run."""
        results = [done_before(task) for task in self.tasks if task.key not in self.done]
        self.done.update({result.key: result for result in results if result})

    def read(self) -> None:
        """Read the tasks that are left."""
        self._show_pages(0)
        left = [task for task in self.tasks if task.key not in self.done]
        with closing(self._results(left)) as results:  # closing ends the processes, after Ctrl-C too
            for result in results:
                self.done[result.key] = result
                self._show_pages(0)

    def _results(self, left: list[ImportTask]) -> Generator[Done]:
        if self._jobs == 1 or not any(task.source.kind in JUDGED for task in left):
            return (read_source(task, self._show_pages) for task in left)
        from exonym.webgraph.importing.workers import ImportWorkers

        return ImportWorkers(left, self._jobs or os.cpu_count() or 1).done(self._show_pages)

    def files_done(self) -> int:
        """How many files have been read to their end."""
        left = {task.source for task in self.tasks if task.key not in self.done}
        return sum(task.source not in left for task in self._files)

    def _show_pages(self, pages_more: int) -> None:
        """Show progress; tasks under way have read `pages_more` pages."""
        pages = sum(self.done[task.key].pages for task in self.tasks if task.key in self.done)
        self._show(ReadProgress(len(self._files), self.files_done(), pages + pages_more))


# Revisits: pages whose body was archived before, for the same or another URL. They are read last, from that record.


class CopiesRead(NamedTuple):
    """The chunks of revisits, how many pages they hold, and why others were left out."""

    chunks: list[str]
    pages: int
    skipped: Counter[str]


def read_copies(tasks: list[ImportTask], done: list[Done]) -> CopiesRead:
    """Read all revisits of the tasks."""
    skipped: Counter[str] = Counter()
    copies = [copy for result in done for copy in result.copies]
    if not copies:
        return CopiesRead([], 0, skipped)
    from exonym.webgraph.importing.from_warc import GraphPageReader, read_copy

    options, directory = tasks[0].options, tasks[0].directory
    places = _places_of_originals(tasks, done, copies)
    reader, pages = GraphPageReader(options), 0
    writer = ChunkWriter(directory, "copies", *options.kept)
    for copy in copies:
        place = places.get(id_of(copy.original))
        record = read_copy(copy, *place, reader) if place else SkippedRecord(_NO_ORIGINAL)
        if isinstance(record, SkippedRecord):
            skipped[record.reason] += 1
        else:
            writer.add(record)
            pages += 1
    return CopiesRead(writer.close(), pages, skipped)


def _places_of_originals(tasks: list[ImportTask], done: list[Done], copies: list[Copy]) -> dict[int, tuple[Path, int]]:
    """File and offset of each original that a copy repeats, by the id of its URL."""
    wanted = np.unique(np.array([id_of(copy.original) for copy in copies], np.uint64))
    places: dict[int, tuple[Path, int]] = {}
    for task, result in zip(tasks, done, strict=True):
        for name in result.chunks if task.source.kind == SourceKind.WARC else ():
            chunk = load_chunk(task.directory / name, "url_id", "page_url", "offset")
            ids = chunk["url_id"][chunk["page_url"]]
            for record in np.flatnonzero(np.isin(ids, wanted) & (chunk["offset"] >= 0)).tolist():
                places.setdefault(int(ids[record]), (task.source.path, int(chunk["offset"][record])))
    return places
