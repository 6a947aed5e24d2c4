"""`exonym graph judge GRAPH -o NEW`: the kept texts of a graph judged again, for other languages or in another way."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import (
    AboutNation,
    AsJson,
    IdentifierName,
    Jobs,
    Relevance,
    RelevanceOptions,
    Within,
    identifier,
    inherit_language,
    output,
)
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph import Graph


def judge(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph with texts.")],
    output: Annotated[Path, output("NEW", "The directory to write, which is not there yet.")],
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LANGUAGE", help="What makes a page relevant; may be given again. If not given: as before."
        ),
    ] = None,
    about_nation: AboutNation = "",
    within: Within = None,
    relevance: Relevance = None,
    identifier: Annotated[IdentifierName | None, identifier("as before")] = None,
    inherit_language: Annotated[bool | None, inherit_language("as before")] = None,
    jobs: Jobs = 0,
    as_json: AsJson = False,
) -> None:
    """Judge the pages of a graph again, by the texts that were kept; writes a new graph."""
    from exonym.webgraph import Graph
    from exonym.webgraph.judging import judge_again

    old = Graph.open(graph)
    options = RelevanceOptions.given(language, about_nation, within, relevance, (identifier, inherit_language))
    settings = options.judge() or _as_before(old, options)
    with status_line("judging") as tell:
        new = judge_again(old, output, settings, jobs, lambda done: tell("judging pages", done, len(old)))
    document = {
        "graph": str(new.directory),
        "judge": new.manifest.provenance["judge"],
        "fetched": new.manifest.fetched,
        "relevant": int(new.relevant.sum()),
        "relevant_before": int(old.relevant.sum()),
        "languages_changed": int((old.language != new.language).sum()),
        "relevant_changed": int((old.relevant != new.relevant).sum()),
    }
    emit(document, _shown(document), as_json)


def _as_before(graph: "Graph", options: RelevanceOptions) -> dict[str, Any]:
    """The judge of the graph, with what the options change."""
    from exonym.judges.settings import parts_of
    from exonym.webgraph.judging import judge_settings

    settings = judge_settings(graph)
    if options.languages:
        settings = {**next(parts_of(settings)), "kind": "language", "languages": options.languages}
    if settings["kind"] == "language" and not settings["languages"]:
        raise ConfigError("--language is missing: it says which pages are relevant. Add it, as in --language th.")
    for part in parts_of(settings):
        part.update({"identifier": options.identifier} if options.identifier else {})
        part.update({"inherit_language": options.inherit_language} if options.inherit_language is not None else {})
    return settings


def _shown(found: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.judges.settings import described

    yield f"Judged into {clean(found['graph'])}"
    yield [
        ("relevant if", clean(described(found["judge"]))),
        ("pages fetched", f"{found['fetched']:,}"),
        ("relevant", f"{found['relevant']:,}; before: {found['relevant_before']:,}"),
        ("in another language now", f"{found['languages_changed']:,}"),
    ]
