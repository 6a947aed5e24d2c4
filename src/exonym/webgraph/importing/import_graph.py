"""`import_graph`: crawl directories, archives (WARC, ARC, WACZ, WAT) and tables become a graph.

Files, and parts of long files, are read in parallel into chunks in a directory next to the graph, where a later run
finds what an earlier run has finished; then the chunks are joined. Memory grows with the size of a chunk and by a few
numbers per node, not with links and texts: those are sorted on disk.
"""

import shutil
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exonym.errors import ConfigError, DirectoryError
from exonym.system.files import disk_errors
from exonym.system.processes import TaskRunner
from exonym.urls import normal_form
from exonym.version import __version__
from exonym.webgraph.graph import Graph
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.chunks import ChunkWriter
from exonym.webgraph.importing.from_crawl import as_crawled, journal_facts
from exonym.webgraph.importing.import_sources import (
    JUDGED,
    ImportOptions,
    ImportSource,
    SourceKind,
    is_crawl,
    judge_facts,
    sources_of,
    table_source,
)
from exonym.webgraph.importing.joining import Joined, join_chunks
from exonym.webgraph.importing.run_tasks import ImportProgress, ShowImport, read_all, read_copies
from exonym.webgraph.importing.tasks import ImportTask
from exonym.webgraph.manifest import Manifest

_MOST_NAMES = 1_000  # of sources, in the manifest


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The sources of an import, and how to read them."""

    paths: tuple[Path, ...] = ()
    pages: tuple[Path, ...] = ()  # tables
    links: tuple[Path, ...] = ()
    seeds: tuple[str, ...] = ()
    options: ImportOptions = ImportOptions()  # noqa: RUF009  # frozen
    jobs: int = 0  # processes; 0: as many as there are cores
    licence: str = ""
    note: str = ""  # who collected the pages, and how


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """Result of an import."""

    graph: Graph
    sources: int
    resumed: int  # sources that an earlier run had read
    skipped: dict[str, int]  # records by reason, the most frequent first
    warnings: tuple[str, ...] = ()  # of files that are damaged or have nothing in them, with the place


def import_graph(
    directory: Path, request: ImportRequest, show: ShowImport = lambda _: None, runner: TaskRunner | None = None
) -> ImportSummary:
    """Make a graph in `directory` from the sources of `request`; a runner reads them on other machines."""
    sources = _sources(request)
    request = _with_judge(request, sources)
    own_seeds = [normal_form(seed) for seed in request.seeds]  # before hours of reading
    work = directory.with_name(directory.name + ".import")
    with GraphWriter(directory) as writer, disk_errors(work):
        work.mkdir(parents=True, exist_ok=True)
        files, found_seeds = _tasks(sources, request.options, work)
        tasks, done, resumed = read_all(files, request.jobs, show, runner)
        copies = read_copies(tasks, done)
        counts = copies.skipped + sum((Counter(result.skipped) for result in done), start=Counter[str]())
        warnings = tuple(warning for result in done for warning in result.warnings)
        seeds = own_seeds or found_seeds
        seed_writer = ChunkWriter(work, "seeds", *request.options.kept)
        for seed in seeds:  # seeds are nodes, whether or not they were read
            seed_writer.add_url(seed)
        chunks = [*(chunk for result in done for chunk in result.chunks), *copies.chunks, *seed_writer.close()]
        if not chunks:
            left_out = [f"{count:,} × {reason}" for reason, count in counts.most_common(3)]
            why = "; ".join([*left_out, *(warning.rstrip(".") for warning in warnings[:3])])
            raise DirectoryError(f"none of the files has a page in it{f' ({why})' if why else ''}. Name others.")
        pages = sum(result.pages for result in done) + copies.pages
        show(ImportProgress("joining", len(files), len(files), pages))
        shutil.rmtree(work / "joining", ignore_errors=True)
        joined = join_chunks(writer, [work / chunk for chunk in chunks], work / "joining", request.options, seeds)
        if joined.repeated:
            counts["another record of the same URL"] += joined.repeated
        skipped = dict(counts.most_common())
        writer.finish(_manifest(request, sources, joined, skipped))
    shutil.rmtree(work, ignore_errors=True)
    return ImportSummary(Graph.open(directory), len(sources), resumed, skipped, warnings)


def _sources(request: ImportRequest) -> list[ImportSource]:
    sources = sources_of(list(request.paths))
    sources += [table_source(path, SourceKind.PAGES) for path in request.pages]
    sources += [table_source(path, SourceKind.LINKS) for path in request.links]
    if not sources:
        raise ConfigError("there is nothing to import. Name crawl directories, archives, --pages or --links.")
    return sources


def _with_judge(request: ImportRequest, sources: list[ImportSource]) -> ImportRequest:
    """The request with its judge: the one it names, or that of the crawls that are imported."""
    options = as_crawled(request.options, [path for path in request.paths if is_crawl(path)])
    if not options.languages and not options.judge and any(source.kind in JUDGED for source in sources):
        raise ConfigError("--language is missing: it says which pages are relevant. Add it, as in --language th.")
    return replace(request, options=options)


def _tasks(sources: list[ImportSource], options: ImportOptions, work: Path) -> tuple[list[ImportTask], list[str]]:
    """One task for each source, and the seeds in journals."""
    seeds: list[str] = []
    parents: dict[Path, Path] = {}
    for source in sources:
        if source.kind == SourceKind.JOURNAL and source.crawl:
            languages, own_seeds = journal_facts(source.crawl)
            parents[source.crawl] = work / f"parents-{len(parents)}.npz"
            languages.save(parents[source.crawl])
            seeds += own_seeds
    tasks = [
        ImportTask(source, source.key(options), options, work, parents.get(source.crawl) if source.crawl else None)
        for source in sources
    ]
    # The same file may have been named in two ways.
    return list({task.key: task for task in tasks}.values()), seeds


def _manifest(request: ImportRequest, sources: list[ImportSource], joined: Joined, skipped: dict[str, int]) -> Manifest:
    provenance: dict[str, Any] = {
        "made_by": f"Exonym {__version__}, graph import",
        "sources": [f"{source.kind}: {source.path}" for source in sources[:_MOST_NAMES]],
        "source_count": len(sources),
        "collected": request.note,
        "skipped": skipped,
        **judge_facts(request.options, sources),
    }
    return Manifest(
        languages=list(request.options.languages),
        domains=joined.domains,
        charsets=joined.charsets,
        provenance=provenance,
        licence=request.licence,
    )
