"""Reads one source into chunks, in this process or in a worker; a finished task survives a kill."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from exonym.archive.any_warc import TORN, SkippedRecord
from exonym.archive.ranges import Stretch, cuts_of
from exonym.system.files import disk_errors, replacing
from exonym.webgraph.importing.chunks import ChunkWriter
from exonym.webgraph.importing.import_sources import ImportOptions, ImportSource, SourceKind
from exonym.webgraph.importing.record import Copy, LooseLink, PageRecord

_PROGRESS_PAGES = 500
_MOST_WARNINGS = 20  # of a task


class ImportTask(msgspec.Struct, frozen=True):
    """A source or a part of it, where its chunks go, and how to read it. Tasks are sent to workers."""

    source: ImportSource
    key: str
    options: ImportOptions
    directory: Path
    parents: Path | None = None
    first: int = 0  # where the part of the file begins
    last: int = 0  # where it ends; 0: at the end of the file
    passed_over: tuple[int, ...] = ()  # numbers of records that are not to be read

    @property
    def size(self) -> int:
        """How much there is to read, in bytes."""
        return (self.last or self.source.path.stat().st_size) - self.first


class Done(msgspec.Struct, frozen=True):
    """Result of a task; written when its source has been read to the end."""

    key: str
    chunks: list[str]
    pages: int
    links: int
    skipped: dict[str, int]
    copies: list[Copy]
    is_torn: bool = False  # the part ends in the middle of a record: it was cut at a wrong place
    warnings: list[str] = []  # msgspec copies it


def done_before(task: ImportTask) -> Done | None:
    """The result that an earlier run wrote of this task, if it read the task to its end."""
    try:
        done = msgspec.json.decode(_result_file(task).read_bytes(), type=Done)
    except (OSError, msgspec.DecodeError):
        return None
    return done if all((task.directory / chunk).is_file() for chunk in done.chunks) else None


def _result_file(task: ImportTask) -> Path:
    return task.directory / f"{task.key}.json"


def read_source(
    task: ImportTask,
    at_page: Callable[[int], object] = lambda count: None,
    at_record: Callable[[int], object] = lambda number: None,
) -> Done:
    """Read a source into chunks.

    `at_page` is called now and then with the number of pages so far, `at_record` with each record's number before the
    record is read.
    """
    options = task.options
    writer = ChunkWriter(task.directory, task.key, *options.kept)
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    copies: list[Copy] = []
    warnings: list[str] = []
    for record in _records_in(task, at_record):
        if record is TORN:
            counts["torn"] += 1
        elif isinstance(record, SkippedRecord):
            skipped[record.reason] += 1
            warnings += [record.warning] if record.warning else []
        elif isinstance(record, Copy):
            copies.append(record)
        elif isinstance(record, LooseLink):
            counts["links"] += 1
            writer.add_link(record)
        else:
            counts["pages"] += 1
            counts["links"] += len(record.targets)
            writer.add(record)
            if counts["pages"] % _PROGRESS_PAGES == 0:
                at_page(counts["pages"])
    result = counts["pages"], counts["links"], dict(skipped), copies, counts["torn"] > 0, warnings[:_MOST_WARNINGS]
    done = Done(task.key, writer.close(), *result)
    path = _result_file(task)
    with disk_errors(path), replacing(path) as draft:
        draft.write_text(json.dumps(msgspec.to_builtins(done)), encoding="utf-8")
    return done


TaskRecord = PageRecord | LooseLink | Copy | SkippedRecord


def _records_in(task: ImportTask, at_record: Callable[[int], object]) -> Iterator[TaskRecord]:
    """The records of a task's source. Modules are imported when a source of their kind is read: some load slowly."""
    path = task.source.path
    stretch = Stretch(task.first, task.last, task.passed_over, at_record)
    match task.source.kind:
        case SourceKind.WARC:
            from exonym.webgraph.importing.from_crawl import Parents
            from exonym.webgraph.importing.from_warc import GraphPageReader, read_warc

            parents = Parents.load(task.parents) if task.parents else None
            return read_warc(path, GraphPageReader(task.options), parents, stretch)
        case SourceKind.WAT:
            from exonym.webgraph.importing.from_warc import GraphPageReader
            from exonym.webgraph.importing.from_wat import read_wat

            return read_wat(path, GraphPageReader(task.options), stretch)
        case SourceKind.JOURNAL:
            from exonym.webgraph.importing.from_crawl import journal_records

            assert task.source.crawl is not None
            return journal_records(task.source.crawl)
        case SourceKind.PAGES:
            from exonym.webgraph.importing.from_tables import read_pages

            return read_pages(path, task.options.languages)
        case SourceKind.LINKS:
            from exonym.webgraph.importing.from_tables import read_links

            return read_links(path)


# Cutting tasks into parts of files, and rejoining parts that were cut inside a record.


def parts_of(task: ImportTask) -> list[ImportTask]:
    """The task, or the parts that make it up if its file is long."""
    if task.source.kind not in (SourceKind.WARC, SourceKind.WAT):
        return [task]
    cuts = cuts_of(task.source.path)
    if len(cuts) == 2:
        return [task]
    return [_part(task, task.key, first, last) for first, last in pairwise(cuts)]


def _part(task: ImportTask, key: str, first: int, last: int) -> ImportTask:
    # A file that has grown has another key, so the end of the last part may be a number too.
    return msgspec.structs.replace(task, key=f"{key}-{first:x}-{last:x}", first=first, last=last)


def rejoin_torn_parts(tasks: list[ImportTask], done: dict[str, Done]) -> list[ImportTask]:
    """Merge a part with its successor where the cut fell inside a record."""
    whole: list[ImportTask] = []
    for task in tasks:
        before = whole[-1] if whole else None
        # A part that was merged just now has no result yet.
        is_torn = before is not None and before.key in done and done[before.key].is_torn
        if before and is_torn and 0 < before.last == task.first and before.source == task.source:
            whole[-1] = _part(before, before.key.partition("-")[0], before.first, task.last)
        else:
            whole.append(task)
    return whole
