"""Reads all tasks of an import, in this process or in several, unless an earlier run finished them; then revisits."""

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.archive.any_warc import SkippedRecord
from exonym.errors import ClusterError
from exonym.system.processes import TaskNeeds, TaskRunner, cores
from exonym.urls import id_of
from exonym.webgraph.importing.chunks import ChunkWriter, load_chunk
from exonym.webgraph.importing.import_sources import JUDGED, SourceKind
from exonym.webgraph.importing.record import Copy
from exonym.webgraph.importing.tasks import Done, ImportTask, done_before, parts_of, read_source, rejoin_torn_parts

_NO_ORIGINAL = "revisit whose original is in none of the files"


class ImportProgress(NamedTuple):
    """Progress of an import."""

    step: str  # reading or joining
    files: int
    files_done: int
    pages: int


class AllRead(NamedTuple):
    """The tasks in their final parts, the result of each, and how many files an earlier run had read."""

    tasks: list[ImportTask]
    done: list[Done]
    resumed: int


ShowImport = Callable[[ImportProgress], None]


def read_all(files: list[ImportTask], jobs: int, show: ShowImport, runner: TaskRunner | None = None) -> AllRead:
    """Read all of `files`, in parts. With `jobs` 1 this process reads them, without limits on time and memory.

    A runner reads them on other machines, which must have the files and the directory of the import.
    """
    tasks = [part for task in files for part in parts_of(task)]
    done: dict[str, Done] = {}
    resumed: int | None = None

    def files_done() -> int:
        unfinished = {task.source for task in tasks if task.key not in done}
        return sum(task.source not in unfinished for task in files)

    def show_pages(pages_more: int) -> None:
        """Show progress; tasks under way have read `pages_more` pages."""
        pages = sum(done[task.key].pages for task in tasks if task.key in done)
        show(ImportProgress("reading", len(files), files_done(), pages + pages_more))

    while True:
        earlier = [done_before(task) for task in tasks if task.key not in done]
        done |= {result.key: result for result in earlier if result}
        resumed = files_done() if resumed is None else resumed
        show_pages(0)
        left = [task for task in tasks if task.key not in done]
        with closing(
            _by_runner(left, runner) if runner else _results(left, jobs, show_pages)
        ) as results:  # closing ends the processes, after Ctrl-C too
            for result in results:
                done[result.key] = result
                show_pages(0)
        rejoined = rejoin_torn_parts(tasks, done)
        if rejoined == tasks:
            return AllRead(tasks, [done[task.key] for task in tasks], resumed)
        tasks = rejoined


def _results(tasks: list[ImportTask], jobs: int, show_pages: Callable[[int], None]) -> Generator[Done]:
    if jobs == 1 or not any(task.source.kind in JUDGED for task in tasks):
        return (read_source(task, show_pages) for task in tasks)
    from exonym.webgraph.importing.workers import ImportWorkers

    return ImportWorkers(tasks, cores(jobs)).done(show_pages)


def _by_runner(tasks: list[ImportTask], runner: TaskRunner) -> Generator[Done]:
    """The results of tasks that other machines read; each machine reads in a process with limits, as this one does."""
    from exonym.webgraph.importing.workers import read_in_process

    tasks = sorted(tasks, key=lambda task: -task.size)
    by_key = {task.key: task for task in tasks}
    needs = TaskNeeds(tuple({task.directory.absolute() for task in tasks}))
    with closing(runner.done(read_in_process, None, tasks, needs)) as keys:
        for key in keys:
            # From the file that the other machine has written: so nothing of a page comes by another way, and it shows
            # whether the directory is the same one there.
            done = done_before(by_key[key])
            if done is None:
                where = by_key[key].directory.absolute()
                raise ClusterError(f"{where} is another directory on other machines. Use one that all of them share.")
            yield done


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
