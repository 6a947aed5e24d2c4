"""Revisits: pages whose body was archived once already, read from where that was. After all else has been read."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.archive.any_warc import SkippedRecord
from exonym.urls import id_of
from exonym.webgraph.importing.chunks import ChunkWriter, load_chunk
from exonym.webgraph.importing.record import Copy
from exonym.webgraph.importing.sources import SourceKind
from exonym.webgraph.importing.tasks import Done, ImportTask

_NO_ORIGINAL = "revisit whose original is in none of the files"


class CopiesRead(NamedTuple):
    """The chunks of revisits, how many pages, and why others were left out."""

    chunks: list[str]
    pages: int
    skipped: Counter[str]


def read_copies(tasks: list[ImportTask], done: list[Done]) -> CopiesRead:
    """Read all revisits of the tasks."""
    skipped: Counter[str] = Counter()
    copies = [copy for one in done for copy in one.copies]
    if not copies:
        return CopiesRead([], 0, skipped)
    from exonym.webgraph.importing.from_warc import GraphPageReader, read_copy

    options, directory = tasks[0].options, tasks[0].directory
    places = _places(tasks, done, copies)
    reader, pages = GraphPageReader(options), 0
    writer = ChunkWriter(directory, "copies", *options.kept)
    for copy in copies:
        place = places.get(id_of(copy.original))
        found = read_copy(copy, *place, reader) if place else SkippedRecord(_NO_ORIGINAL)
        if isinstance(found, SkippedRecord):
            skipped[found.reason] += 1
        else:
            writer.add(found)
            pages += 1
    return CopiesRead(writer.close(), pages, skipped)


def _places(tasks: list[ImportTask], done: list[Done], copies: list[Copy]) -> dict[int, tuple[Path, int]]:
    """Where the originals that are wanted stand."""
    wanted = np.unique(np.array([id_of(copy.original) for copy in copies], np.uint64))
    places: dict[int, tuple[Path, int]] = {}
    for task, one in zip(tasks, done, strict=True):
        for name in one.chunks if task.source.kind == SourceKind.WARC else ():
            chunk = load_chunk(task.directory / name, "url_id", "page_url", "offset")
            ids = chunk["url_id"][chunk["page_url"]]
            for record in np.flatnonzero(np.isin(ids, wanted) & (chunk["offset"] >= 0)).tolist():
                places.setdefault(int(ids[record]), (task.source.path, int(chunk["offset"][record])))
    return places
