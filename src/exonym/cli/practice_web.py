"""`exonym practice-web`: serves a made-up web of many hosts, or a web graph, on one port, to crawl without harm."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.testing.practice import GraphWeb, PracticeWeb

_PAGES, _SEED = 1_000, 7


def practice_web(
    pages: Annotated[
        int | None, typer.Option(min=200, max=1_000_000, help="Pages in it.", show_default=f"{_PAGES}")
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
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any free port.")] = 8_080,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")] = False,
) -> None:
    """Serve a practice web on this machine until Ctrl-C."""
    from exonym.testing.practice import BoundTo, ServingOptions, describe, serve

    if graph is not None and (pages is not None or seed is not None):
        raise ConfigError("--graph has its own pages: leave --pages and --seed out.")
    web = _graph_web(graph) if graph is not None else _practice_web(pages, seed)

    def announce(bound: BoundTo) -> None:
        address = f"{bound.host}:{bound.port}"
        told = [json.dumps(_facts(web, address))] if as_json else [*describe(web, address), "", "Ctrl-C ends it."]
        print("\n".join(told), flush=True)

    serve(web, ServingOptions(host=host, port=port), announce)


def _practice_web(pages: int | None, seed: int | None) -> "PracticeWeb":
    from exonym.testing.practice import PracticeWeb

    return PracticeWeb(_SEED if seed is None else seed, pages or _PAGES)


def _graph_web(directory: Path) -> "GraphWeb":
    from exonym.testing.practice import GraphWeb
    from exonym.webgraph import Graph

    return GraphWeb(Graph.open(directory))


def _facts(web: "PracticeWeb | GraphWeb", address: str) -> dict[str, Any]:
    from exonym.testing.practice import PracticeWeb

    return {
        "address": address,
        "seeds": web.seeds(),
        "language": web.language,
        "languages": web.languages,
        "pages": web.page_count,
        "servers": len(web.servers),
        **({"seed": web.seed} if isinstance(web, PracticeWeb) else {"graph": str(web.directory)}),
    }
