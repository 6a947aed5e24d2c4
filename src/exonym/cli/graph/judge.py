"""`exonym graph judge GRAPH -o NEW`: the kept texts of a graph judged again, for other languages or in another way."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.graph.import_graph import Identifier
from exonym.cli.options import AboutOption, InOption, Target, TargetOption
from exonym.cli.terminal.numbers import print_rows
from exonym.cli.terminal.status_line import telling
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph import Graph


def judge(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph with texts.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="NEW", help="Directory to write, not yet there.")],
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LANGUAGE", help="What makes a page relevant; may be given again. If not given: as before."
        ),
    ] = None,
    about: AboutOption = "",
    within: InOption = None,
    target: TargetOption = None,
    identifier: Annotated[
        Identifier | None, typer.Option(help="What tells languages; if not given: as before.")
    ] = None,
    inherit_language: Annotated[
        bool | None,
        typer.Option(
            "--inherit-language/--no-inherit-language",
            "--hearsay/--no-hearsay",
            help="Whether pages too short to tell are like those that link to them; if not given: as before.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=1_024, help="Processes; 0 for one a core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Judge the pages of a graph again, by the texts that were kept; writes a new graph."""
    from exonym.language_names import language_of
    from exonym.webgraph import Graph
    from exonym.webgraph.judging import judge_again

    old = Graph.open(graph)
    languages = list(dict.fromkeys(map(language_of, language or ())))
    asked = Target(
        languages, about, tuple(within or ()), target, identifier.value if identifier else "", inherit_language
    )
    settings = asked.judge() or _as_before(old, asked)
    with telling("judging") as tell:
        new = judge_again(old, output, settings, jobs, lambda done: tell(f"judging: {done:,} of {len(old):,} pages"))
    found = _json_of(old, new)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        _print(found)


def _as_before(graph: "Graph", asked: Target) -> dict[str, Any]:
    """The judge of the graph, with what is asked otherwise."""
    from exonym.judges.settings import parts_of
    from exonym.webgraph.judging import judge_settings

    settings = judge_settings(graph)
    if asked.languages:
        settings = {**next(parts_of(settings)), "kind": "language", "languages": asked.languages}
    if settings["kind"] == "language" and not settings["languages"]:
        raise ConfigError("--language is missing: it says which pages are relevant. Add it, as in --language th.")
    for part in parts_of(settings):
        part.update({"identifier": asked.identifier} if asked.identifier else {})
        part.update({"inherit_language": asked.inherit_language} if asked.inherit_language is not None else {})
    return settings


def _json_of(old: "Graph", new: "Graph") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    return {
        "graph": str(new.directory),
        "judge": new.manifest.provenance["judge"],
        "fetched": new.manifest.fetched,
        "relevant": int(new.relevant.sum()),
        "relevant_before": int(old.relevant.sum()),
        "languages_changed": int((old.language != new.language).sum()),
        "relevant_changed": int((old.relevant != new.relevant).sum()),
    }


def _print(found: dict[str, Any]) -> None:
    from exonym.judges.settings import described

    print(f"Judged into {clean(found['graph'])}")
    print_rows(
        [
            ("relevant if", clean(described(found["judge"]))),
            ("pages fetched", f"{found['fetched']:,}"),
            ("relevant", f"{found['relevant']:,}; before: {found['relevant_before']:,}"),
            ("in another language now", f"{found['languages_changed']:,}"),
        ]
    )
