"""`exonym practice-web`: serves a made-up web of many hosts, or a web graph, on one port, to crawl without harm."""

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.graph.practice_graph import FEWEST_PAGES, MOST_PAGES
from exonym.cli.practice_labels import SAMPLE, TARGET, Asked, write_practice_labels
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.practice import GraphWeb, PracticeWeb

_PAGES, _SEED = 1_000, 7


def practice_web(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND…]", help="Serve while this command runs, as in -- exonym crawl DIR."),
    ] = None,
    pages: Annotated[
        int | None, typer.Option(min=FEWEST_PAGES, max=MOST_PAGES, help="Pages in it.", show_default=f"{_PAGES}")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Another number makes another web.", show_default=f"{_SEED}")
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            help="Serve this graph (of `exonym graph generate` or `import`) instead: its URLs, links and languages.",
            metavar="GRAPH",
        ),
    ] = None,
    topics: Annotated[
        bool,
        typer.Option("--topics", help="Most sites are English: tourism, houses, diving and others, here and there."),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --topics: write labelled pages to train a judge from, and serve nothing."
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Pages to label, chosen by chance.", show_default=f"{SAMPLE}")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="What labels go by: thai-tourism, thai-estate, thai-diving or thai.", show_default=TARGET),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any free port.")] = 8_080,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")] = False,
) -> int:
    """Serve a practice web on this machine until Ctrl-C, or while a command runs."""
    if graph is not None and (pages is not None or seed is not None or topics):
        raise ConfigError("--graph has its own pages: leave --pages, --seed and --topics out.")
    if labels is None and (sample is not None or target is not None):
        raise ConfigError("--sample and --target are about labels: name a file for them with --labels.")
    if labels is not None:
        if not topics:
            raise ConfigError("--labels needs a web with topics: add --topics.")
        asked = Asked(labels, target or TARGET, sample or SAMPLE)
        write_practice_labels(_practice_web(pages, seed, topics), asked, as_json)
        return 0
    web = _graph_web(graph) if graph is not None else _practice_web(pages, seed, topics)
    if command:
        return _serve_while(web, command, host, port)
    _serve(web, host, port, as_json)
    return 0


def _serve_while(web: "PracticeWeb | GraphWeb", command: list[str], host: str, port: int) -> int:
    """Serve while a command runs; its exit code. Ctrl-C is the command's."""
    from exonym.practice import ServingOptions, running_practice_web

    with running_practice_web(web, ServingOptions(host=host, port=port)):
        try:
            process = subprocess.Popen(command)
        except OSError as error:
            raise ConfigError(f"{command[0][:60]!r} cannot be run: {error.strerror}. Name a command.") from None
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the command was told as well, and ends in its own way


def _serve(web: "PracticeWeb | GraphWeb", host: str, port: int, as_json: bool) -> None:
    from exonym.practice import BoundTo, ServingOptions, describe, serve

    def announce(bound: BoundTo) -> None:
        address = f"{bound.host}:{bound.port}"
        told = [json.dumps(_facts(web, address))] if as_json else [*describe(web, address), "", "Ctrl-C ends it."]
        print("\n".join(told), flush=True)

    serve(web, ServingOptions(host=host, port=port), announce)


def _practice_web(pages: int | None, seed: int | None, topics: bool) -> "PracticeWeb":
    from exonym.practice import PracticeOptions, PracticeWeb

    return PracticeWeb(_SEED if seed is None else seed, pages or _PAGES, PracticeOptions(topics=topics))


def _graph_web(directory: Path) -> "GraphWeb":
    from exonym.practice import GraphWeb
    from exonym.webgraph import Graph

    return GraphWeb(Graph.open(directory))


def _facts(web: "PracticeWeb | GraphWeb", address: str) -> dict[str, Any]:
    return {
        "address": address,
        "seeds": web.seeds(),
        "language": web.language,
        "languages": web.languages,
        "pages": web.page_count,
        "servers": len(web.servers),
        **_origin_of(web),
    }


def _origin_of(web: "PracticeWeb | GraphWeb") -> dict[str, Any]:
    from exonym.practice import PracticeWeb

    if isinstance(web, PracticeWeb):
        return {"seed": web.seed, "topics": web.options.topics}
    return {"graph": str(web.directory)}
