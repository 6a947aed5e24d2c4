"""`exonym graph judge GRAPH -o NEW`: judges the pages of a graph again by their texts."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, Jobs, RelevanceOptions, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph import Graph


def judge(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph with texts.")],
    output: Annotated[Path, output("NEW", "The directory to write; it must not exist.")],
    target: Annotated[
        RelevanceOptions,
        {
            "language": "Pages in this language are relevant; may be given again. If not given, as before.",
            "identifier": "What identifies languages; if not given, as before.",
            "inherit_language": "Whether a page too short to identify has the language of the page that links to it; "
            "if not given, as before.",
        },
    ],
    jobs: Jobs = 0,
    as_json: AsJson = False,
) -> None:
    """Judge the pages of a graph again by their texts, and write a new graph."""
    from exonym.webgraph import Graph
    from exonym.webgraph.judging import judge_again

    old = Graph.open(graph)
    settings = target.judge() or _as_before(old, target)
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
    """The settings of the judge that the graph was made with, changed by the options."""
    from exonym.judges.judge_settings import parts_of
    from exonym.webgraph.judging import judge_settings

    settings = judge_settings(graph)
    if options.languages:
        settings = {**next(parts_of(settings)), "kind": "language", "languages": options.languages}
    if settings["kind"] == "language" and not settings["languages"]:
        raise ConfigError("--language is missing: it defines which pages are relevant. Add it, as in --language th.")
    for part in parts_of(settings):
        part.update(options.judge_section)
    return settings


def _shown(found: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.judges.judge_settings import described

    yield f"Judged into {clean(found['graph'])}"
    yield [
        ("relevant if", clean(described(found["judge"]))),
        ("pages fetched", f"{found['fetched']:,}"),
        ("relevant", f"{found['relevant']:,}; before: {found['relevant_before']:,}"),
        ("language changed", f"{found['languages_changed']:,}"),
    ]
