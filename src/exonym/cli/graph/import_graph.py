"""`exonym graph import -o GRAPH PATH…`: a graph from crawl directories, WARC and WAT files, or tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, Jobs, RelevanceOptions, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.importing.import_graph import ImportProgress, ImportSummary


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
        typer.Argument(metavar="[FILE | DIR…]", help="Crawl directories, WARC and Common Crawl WAT files, or folders."),
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
) -> None:
    """Make a web graph from crawls, archives or tables. The same command resumes an import that was killed."""
    from exonym.judges.settings import languages_of
    from exonym.webgraph.importing import import_graph
    from exonym.webgraph.importing.sources import ImportOptions

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
    with status_line("reading") as tell:

        def show(progress: "ImportProgress") -> None:
            files = f"{progress.files_done:,} of {progress.files:,} files"
            tell(f"{progress.step}: {files}, {progress.pages:,} pages")

        summary = import_graph.import_graph(output, request, show)
    document = _document(summary)
    emit(document, _shown(summary, document), as_json)


def _document(summary: "ImportSummary") -> dict[str, Any]:
    manifest = summary.graph.manifest
    return {
        "graph": str(summary.graph.directory),
        "sources": summary.sources,
        "resumed": summary.resumed,
        "nodes": manifest.nodes,
        "fetched": manifest.fetched,
        "relevant": int(summary.graph.relevant.sum()),
        "links": manifest.links,
        "servers": manifest.servers,
        "segments": manifest.segments,
        "seeds": len(summary.graph.seeds),
        "languages": manifest.languages,
        "judge": manifest.provenance.get("judge"),
        "skipped": summary.skipped,
    }


def _shown(summary: "ImportSummary", found: dict[str, Any]) -> Iterator[str | OutputRows]:
    resumed = f" ({summary.resumed:,} read before)" if summary.resumed else ""
    rows = [
        ("sources", f"{summary.sources:,}{resumed}"),
        ("pages fetched", f"{found['fetched']:,}, {found['relevant']:,} of them relevant"),
        ("pages known", f"{found['nodes']:,} on {found['servers']:,} servers, in {found['segments']:,} segments"),
        ("relevant if", _relevance_rule(found)),
        ("links", f"{found['links']:,}"),
        ("seeds", f"{found['seeds']:,}" if found["seeds"] else "none; name some with --seed"),
    ]
    yield f"Imported into {clean(str(summary.graph.directory))}"
    yield [*rows, *(("left out", f"{count:,} × {clean(why)}") for why, count in summary.skipped.items())]


def _relevance_rule(found: dict[str, Any]) -> str:
    """What makes a page relevant, in words."""
    from exonym.judges.settings import described, parts_of

    judge = found["judge"]
    if not judge:
        return f"in {', '.join(map(clean, found['languages'])) or '–'}"
    part = next(parts_of(judge))
    short = "short pages like those that link to them" if part["inherit_language"] else "short pages unknown"
    return f"{clean(described(judge))}; by the {part['identifier']} identifier; {short}"
