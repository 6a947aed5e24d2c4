"""One source read into chunks, in a worker process; done is done, also after a kill."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from exonym.archive.ranges import TORN, Stretch
from exonym.system.files import disk_errors
from exonym.webgraph.imports.chunks import ChunkWriter
from exonym.webgraph.imports.record import Copy, LooseLink, PageRecord, Skipped
from exonym.webgraph.imports.sources import Kind, Options, Source

_TOLD_PAGES = 500


class Task(msgspec.Struct, frozen=True):
    """A source, where its chunks go, and how it is read. Travels to workers."""

    source: Source
    key: str
    options: Options
    directory: Path
    parents: Path | None = None
    first: int = 0  # of a part of a file: where it begins
    last: int = 0  # and ends; 0: at the end of the file
    passed_over: tuple[int, ...] = ()  # records, by number, that are not to be looked into

    @property
    def size(self) -> int:
        """How much there is to read, in bytes."""
        return (self.last or self.source.path.stat().st_size) - self.first


class Done(msgspec.Struct, frozen=True):
    """What a source gave; written when all of it has been read."""

    key: str
    chunks: list[str]
    pages: int
    links: int
    skipped: dict[str, int]
    copies: list[Copy]
    is_torn: bool = False  # a part that ends in the middle of a record: it was cut at a wrong place


def done_before(task: Task) -> Done | None:
    """What an earlier run wrote of this task, if it came to its end."""
    try:
        done = msgspec.json.decode(_note(task).read_bytes(), type=Done)
    except (OSError, msgspec.DecodeError):
        return None
    return done if all((task.directory / chunk).is_file() for chunk in done.chunks) else None


def _note(task: Task) -> Path:
    return task.directory / f"{task.key}.json"


def read_source(task: Task, tell: Callable[[int], object] = lambda _: None) -> Done:
    """Read a source from its beginning to its end; `tell` hears now and then how many pages there were."""
    options = task.options
    writer = ChunkWriter(task.directory, task.key, *options.kept)
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    copies: list[Copy] = []
    for found in _found_in(task):
        if found is TORN:
            counts["torn"] += 1
        elif isinstance(found, Skipped):
            skipped[found.reason] += 1
        elif isinstance(found, Copy):
            copies.append(found)
        elif isinstance(found, LooseLink):
            counts["links"] += 1
            writer.add_link(found)
        else:
            counts["pages"] += 1
            counts["links"] += len(found.targets)
            writer.add(found)
            if counts["pages"] % _TOLD_PAGES == 0:
                tell(counts["pages"])
    done = Done(task.key, writer.close(), counts["pages"], counts["links"], dict(skipped), copies, counts["torn"] > 0)
    _write_note(_note(task), done)
    return done


def _write_note(path: Path, done: Done) -> None:
    with disk_errors(path):
        draft = path.with_suffix(".note")
        draft.write_text(json.dumps(msgspec.to_builtins(done)), encoding="utf-8")
        os.replace(draft, path)


Found = PageRecord | LooseLink | Copy | Skipped


def _found_in(task: Task) -> Iterator[Found]:
    readers: dict[Kind, Callable[[Task], Iterator[Any]]] = {
        Kind.WARC: _in_warc,
        Kind.WAT: _in_wat,
        Kind.JOURNAL: _in_journal,
        Kind.PAGES: _in_pages,
        Kind.LINKS: _in_links,
    }
    return readers[task.source.kind](task)


def _in_warc(task: Task) -> Iterator[Found]:
    from exonym.archive.any_warc import read_warc
    from exonym.webgraph.imports.pages import PageReader
    from exonym.webgraph.imports.parents import Parents

    parents = Parents.load(task.parents) if task.parents else None
    stretch = Stretch(task.first, task.last, task.passed_over)
    return read_warc(task.source.path, PageReader(task.options), parents, stretch)


def _in_wat(task: Task) -> Iterator[Found]:
    from exonym.webgraph.imports.pages import PageReader
    from exonym.webgraph.imports.wat import read_wat

    return read_wat(task.source.path, PageReader(task.options), Stretch(task.first, task.last, task.passed_over))


def _in_journal(task: Task) -> Iterator[Found]:
    from exonym.webgraph.imports.crawl_directory import journal_records

    assert task.source.crawl is not None
    return journal_records(task.source.crawl)


def _in_pages(task: Task) -> Iterator[Found]:
    from exonym.webgraph.imports.tables import read_pages

    return read_pages(task.source.path, task.options.languages)


def _in_links(task: Task) -> Iterator[Found]:
    from exonym.webgraph.imports.tables import read_links

    return read_links(task.source.path)
