"""`exonym practice-web`: serves a made-up web of many hosts on one port, to crawl without harm."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from exonym.testing.practice import PracticeWeb


def practice_web(
    pages: Annotated[int, typer.Option(min=200, max=1_000_000, help="Pages in it.")] = 1_000,
    seed: Annotated[int, typer.Option(min=0, help="Another number makes another web.")] = 7,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any free port.")] = 8_080,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")] = False,
) -> None:
    """Serve a practice web on this machine until Ctrl-C."""
    from exonym.testing.practice import BoundTo, PracticeWeb, ServingOptions, describe, serve

    web = PracticeWeb(seed, pages)

    def announce(bound: BoundTo) -> None:
        address = f"{bound.host}:{bound.port}"
        told = [json.dumps(_facts(web, address))] if as_json else [*describe(web, address), "", "Ctrl-C ends it."]
        print("\n".join(told), flush=True)

    serve(web, ServingOptions(host=host, port=port), announce)


def _facts(web: "PracticeWeb", address: str) -> dict[str, Any]:
    return {
        "address": address,
        "seeds": web.seeds(),
        "language": web.language,
        "languages": web.languages,
        "pages": web.page_count,
        "servers": len(web.servers),
        "seed": web.seed,
    }
