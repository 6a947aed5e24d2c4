"""Writes a practice web with topics as a graph in files: pages as a crawl would read them, judged by the web's truth.

Every page is written, read and judged as in an import of an archive of the whole web, but the judge is an oracle. An
endless calendar is cut after its first months.
"""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from exonym.archive.any_warc import SkippedRecord
from exonym.batches import Outcome
from exonym.errors import ConfigError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.practice.extra_pages import ExtraNumbering
from exonym.practice.topical.subjects import LANGUAGE, check_target, relevant_to
from exonym.practice.web import PracticeWeb
from exonym.practice.web_options import PracticeOptions
from exonym.system.files import disk_errors
from exonym.system.processes import cores, done_in_processes
from exonym.version import __version__
from exonym.webgraph.graph import Graph
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.chunks import ChunkWriter
from exonym.webgraph.importing.from_warc import GraphPageReader
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.joining import Joined, join_chunks
from exonym.webgraph.importing.record import PageRecord
from exonym.webgraph.manifest import Manifest

MONTHS = 100  # of each calendar: a trap for crawls, as large as the pages of a server may get
_AT_A_TIME = 500  # pages
_FEW = 3  # parts: so few are written in this process, because starting others takes longer
_KEPT = ImportOptions((LANGUAGE,), keep_around=True)

PagesWritten = Callable[[int, int], None]  # gets the pages written so far, and the number of all pages


def write_topic_graph(
    web: PracticeWeb, directory: Path, target: str, progress: PagesWritten = lambda done, every: None, jobs: int = 0
) -> Graph:
    """Write all pages of a web with topics as a graph; pages are relevant if they are to a crawl for `target`."""
    check_target(target)
    if not web.options.topics:
        raise ConfigError("a graph with topics needs a web with topics: make it with PracticeOptions(topics=True).")
    work = directory.with_name(directory.name + ".pages")
    with GraphWriter(directory) as writer, disk_errors(work):
        try:
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            chunks = _write_chunks(web, target, work, jobs, progress)
            joined = join_chunks(writer, chunks, work / "joining", _KEPT, web.seeds())
        finally:
            shutil.rmtree(work, ignore_errors=True)
        writer.finish(_manifest(web, target, joined))
    return Graph.open(directory)


def _write_chunks(web: PracticeWeb, target: str, work: Path, jobs: int, progress: PagesWritten) -> list[Path]:
    every = ExtraNumbering(web.facts.extras, MONTHS).end
    parts = [range(first, min(first + _AT_A_TIME, every)) for first in range(0, every, _AT_A_TIME)]
    progress(0, every)
    make = partial(_Maker, web.seed, web.page_count, web.options, target, work)
    processes = jobs or (1 if len(parts) <= _FEW else cores())
    written: Iterator[list[str]]
    if processes == 1:
        written = map(partial(_write_part, make()), parts)
    else:
        written = done_in_processes(_write_part, make, parts, processes, in_order=True)
    chunks: list[Path] = []
    for part, names in zip(parts, written, strict=True):
        chunks += [work / name for name in names]
        progress(part.stop, every)
    return chunks


def _manifest(web: PracticeWeb, target: str, joined: Joined) -> Manifest:
    command = f"exonym graph generate -o GRAPH --profile {target} --size {web.page_count} --random-seed {web.seed}"
    provenance: dict[str, Any] = {
        "made_by": f"Exonym {__version__}, graph generate",
        "method": "practice web",
        "seed": web.seed,
        "pages": web.page_count,
        "target": target,
        "truth": f"oracle: a page is relevant if the web made it for {target}; no judge has read it",
        "collected": f"every page of practice web {web.seed} of {web.page_count} pages, relevant by its own truth",
        "command": command,
    }
    return Manifest(languages=[LANGUAGE], domains=joined.domains, charsets=joined.charsets, provenance=provenance)


# In a process


class _Truth:
    """A judge that knows the web."""

    def __init__(self, web: PracticeWeb, target: str) -> None:
        self._web, self._target = web, target

    def judge(self, document: Document) -> Verdict:
        """The verdict by the subject that the page was made for; extras are English calendars."""
        truth = self._web.truth(document.url)
        relevant = truth is not None and relevant_to(truth, self._target)
        language = LANGUAGE if truth is None else truth.language
        return Verdict(float(relevant), relevant, language, {}, "truth")


class _Maker:
    """Makes the records of a web's pages."""

    def __init__(self, seed: int, pages: int, options: PracticeOptions, target: str, work: Path) -> None:
        self.work = work
        self._web = PracticeWeb(seed, pages, options)
        self._numbering = ExtraNumbering(self._web.facts.extras, MONTHS)
        self._reader = GraphPageReader(_KEPT, _Truth(self._web, target))

    def record(self, node: int) -> PageRecord:
        """The record of a visit to a page or an extra."""
        facts = self._web.facts
        url = facts.url(self._numbering.wide(node))
        outcome = facts.outcome(facts.tree.place(node)) if node < facts.page_count else Outcome.PAGE
        if outcome in (Outcome.FORBIDDEN, Outcome.FAILED):
            return PageRecord(url, outcome)
        response = self._web.respond(url, asked_before=1)
        lines = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
        head = f"HTTP/1.1 {response.status} \r\n{lines}\r\n".encode("latin-1")
        record = self._reader.read(url, head, response.body)
        assert not isinstance(record, SkippedRecord), (url, record.reason)  # all that the web writes can be read
        return record


def _write_part(maker: _Maker, part: range) -> list[str]:
    writer = ChunkWriter(maker.work, f"{part.start:09d}", *_KEPT.kept)
    for node in part:
        writer.add(maker.record(node))
    return writer.close()
