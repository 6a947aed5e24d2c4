"""`exonym graph import -o GRAPH PATH…`: makes a graph from crawl directories, WARC and WAT files, or tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, ClusterOptions, Jobs, RelevanceOptions, output
from exonym.cli.output import OutputRows, emit, warn_each
from exonym.cli.terminal.status_line import status_line
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.importing.run_tasks import ImportProgress


def import_graph(
    output: Annotated[Path, output("GRAPH", "The directory to write; it must not exist.")],
    target: Annotated[
        RelevanceOptions,
        {
            "language": "Pages in this language are relevant; may be given again. Crawls have their own.",
            "identifier": "What identifies languages; if not given, that of the crawl, else default.",
            "inherit_language": "Whether a page too short to identify has the language of the page that links to it; "
            "if not given, as in the crawl, else yes.",
        },
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE | DIR…]", help="Crawl directories; WARC, ARC, WACZ and Common Crawl WAT files; folders."
        ),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A seed; may be given again. Crawls have their own."),
    ] = None,
    pages: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A table of pages (csv, tsv, parquet) with a column url.")
    ] = None,
    links: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A table of links with the columns source and target.")
    ] = None,
    no_anchors: Annotated[bool, typer.Option("--no-anchors", help="Do not keep the anchor texts of links.")] = False,
    keep_around: Annotated[
        bool, typer.Option("--keep-around", help="Keep the words around links, which link models are trained on.")
    ] = False,
    keep_text: Annotated[
        bool, typer.Option("--keep-text", help="Keep the texts of pages, for `exonym graph judge`.")
    ] = False,
    jobs: Jobs = 0,
    licence: Annotated[str, typer.Option(metavar="LICENCE", help="Terms under which the data may be passed on.")] = "",
    note: Annotated[str, typer.Option(metavar="WORDS", help="Who collected the data, and how.")] = "",
    as_json: AsJson = False,
    *,
    where: ClusterOptions,
) -> None:
    """Make a web graph from crawls, archives or tables. The same command resumes an import that was killed."""
    from exonym.judges.judge_settings import languages_of
    from exonym.webgraph.analyses.link_parts import count_relevant
    from exonym.webgraph.importing import import_graph
    from exonym.webgraph.importing.import_sources import ImportOptions

    judge = target.judge()
    request = import_graph.ImportRequest(
        paths=tuple(paths or ()),
        pages=tuple(pages or ()),
        links=tuple(links or ()),
        seeds=tuple(seed or ()),
        options=ImportOptions(
            tuple(languages_of(judge) if judge else target.languages),
            not no_anchors,
            keep_text,
            target.judge_section.get("identifier", ""),
            target.inherit_language,
            json.dumps(judge) if judge else "",
            keep_around,
        ),
        jobs=jobs,
        licence=licence,
        note=note,
    )
    with where.runner(jobs) as runner, status_line("reading") as tell:

        def show(progress: "ImportProgress") -> None:
            files = f"{progress.files_done:,} of {progress.files:,} files"
            tell(f"{progress.step}: {files}, {progress.pages:,} pages")

        summary = import_graph.import_graph(output, request, show, runner)
    manifest = summary.graph.manifest
    document = {
        "graph": str(summary.graph.directory),
        "sources": summary.sources,
        "resumed": summary.resumed,
        **{name: getattr(manifest, name) for name in ("nodes", "fetched", "links", "servers", "segments", "languages")},
        **count_relevant(summary.graph)._asdict(),
        "seeds": len(summary.graph.seeds),
        "judge": manifest.provenance.get("judge"),
        "skipped": summary.skipped,
        "warnings": summary.warnings,
    }
    warn_each(summary.warnings)
    emit(document, _shown(document), as_json)


def _shown(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    pages, servers, segments = (f"{document[name]:,}" for name in ("nodes", "servers", "segments"))
    resumed = f" ({document['resumed']:,} read before)" if document["resumed"] else ""
    count = document["relevant_inherited"]
    inherited = f" ({count:,} by an inherited language)" if count else ""
    yield f"Imported into {clean(document['graph'])}"
    yield [
        ("sources", f"{document['sources']:,}{resumed}"),
        ("pages fetched", f"{document['fetched']:,}, {document['relevant']:,} of them relevant{inherited}"),
        ("pages known", f"{pages} on {servers} servers, in {segments} segments"),
        ("relevant if", _relevance_rule(document)),
        ("links", f"{document['links']:,}"),
        ("seeds", f"{document['seeds']:,}" if document["seeds"] else "none; name some with --seed"),
        *(("left out", f"{count:,} × {clean(why)}") for why, count in document["skipped"].items()),
    ]


def _relevance_rule(document: dict[str, Any]) -> str:
    """What makes a page relevant, in words."""
    from exonym.judges.judge_settings import described, parts_of

    judge = document["judge"]
    if not judge:
        return f"in {', '.join(map(clean, document['languages'])) or '–'}"
    part = next(parts_of(judge))
    short = "short pages as the pages that link to them" if part["inherit_language"] else "short pages unknown"
    return f"{clean(described(judge))}; by the {part['identifier']} identifier; {short}"
