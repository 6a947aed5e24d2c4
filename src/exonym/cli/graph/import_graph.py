"""`exonym graph import -o GRAPH PATH…`: a graph from crawl directories, WARC and WAT files, or tables."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AboutOption, InOption, Target, TargetOption
from exonym.cli.terminal.numbers import print_rows
from exonym.cli.terminal.status_line import telling
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.importing.import_graph import ImportProgress, ImportSummary


class Identifier(StrEnum):
    """What tells languages."""

    DEFAULT = "default"
    CLASSIC = "classic"


def import_graph(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="GRAPH", help="Directory to write, not yet there.")],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]…", help="Crawl directories, WARC and Common Crawl WAT files, or folders."),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="What makes a page relevant; may be given again. Crawls bring theirs."),
    ] = None,
    about: AboutOption = "",
    within: InOption = None,
    target: TargetOption = None,
    identifier: Annotated[
        Identifier | None, typer.Option(help="What tells languages. Crawls bring theirs; else default.")
    ] = None,
    inherit_language: Annotated[
        bool | None,
        typer.Option(
            "--inherit-language/--no-inherit-language",
            "--hearsay/--no-hearsay",
            help="Whether pages too short to tell are like those that link to them. Crawls bring theirs; else yes.",
        ),
    ] = None,
    seed: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Where crawls begin; may be given again. Crawls know.")
    ] = None,
    pages: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Table (csv, tsv, parquet) of pages, with a column url.")
    ] = None,
    links: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Table of links, with columns source and target.")
    ] = None,
    no_anchors: Annotated[bool, typer.Option("--no-anchors", help="Do not keep the texts of links.")] = False,
    keep_around: Annotated[
        bool, typer.Option("--keep-around", help="Keep the words around links, for segments' links and their models.")
    ] = False,
    keep_text: Annotated[bool, typer.Option("--keep-text", help="Keep the texts of pages, to judge anew.")] = False,
    jobs: Annotated[int, typer.Option(min=0, max=1_024, help="Processes; 0 for one a core.")] = 0,
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Terms under which the data may be passed on.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="Who collected the data, and how.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Make a web graph of crawls, archives or tables. Run again after a kill, it goes on."""
    from exonym.judges.settings import languages_of
    from exonym.language_names import language_of
    from exonym.webgraph.importing import import_graph
    from exonym.webgraph.importing.sources import ImportOptions

    languages = list(dict.fromkeys(map(language_of, language or ())))
    told_by = identifier.value if identifier else ""
    judge = Target(languages, about, tuple(within or ()), target, told_by, inherit_language).judge()
    request = import_graph.ImportRequest(
        paths=tuple(paths or ()),
        pages=tuple(pages or ()),
        links=tuple(links or ()),
        seeds=tuple(seed or ()),
        options=ImportOptions(
            tuple(languages_of(judge) if judge else languages),
            not no_anchors,
            keep_text,
            told_by,
            inherit_language,
            json.dumps(judge) if judge else "",
            keep_around,
        ),
        jobs=jobs,
        licence=licence,
        note=note,
    )
    with telling("reading") as tell:
        summary = import_graph.import_graph(output, request, lambda progress: tell(_said(progress)))
    if as_json:
        print(json.dumps(_json_of(summary), ensure_ascii=False))
    else:
        _print(summary)


def _said(progress: "ImportProgress") -> str:
    return f"{progress.step}: {progress.files_done:,} of {progress.files:,} files, {progress.pages:,} pages"


def _json_of(summary: "ImportSummary") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
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


def _print(summary: "ImportSummary") -> None:
    found = _json_of(summary)
    resumed = f" ({summary.resumed:,} read before)" if summary.resumed else ""
    rows = [
        ("sources", f"{summary.sources:,}{resumed}"),
        ("pages fetched", f"{found['fetched']:,}, {found['relevant']:,} of them relevant"),
        ("pages known", f"{found['nodes']:,} on {found['servers']:,} servers, in {found['segments']:,} segments"),
        ("relevant if", _judged_by(found)),
        ("links", f"{found['links']:,}"),
        ("seeds", f"{found['seeds']:,}" if found["seeds"] else "none; name some with --seed"),
    ]
    print(f"Imported into {clean(str(summary.graph.directory))}")
    print_rows([*rows, *(("left out", f"{count:,} × {clean(why)}") for why, count in summary.skipped.items())])


def _judged_by(found: dict[str, Any]) -> str:
    from exonym.judges.settings import described, parts_of

    judge = found["judge"]
    if not judge:
        return f"in {', '.join(map(clean, found['languages'])) or '–'}"
    part = next(parts_of(judge))
    short = "short pages like those that link to them" if part["inherit_language"] else "short pages unknown"
    return f"{clean(described(judge))}; by the {part['identifier']} identifier; {short}"
