"""`exonym graph generate` and `exonym graph check`: a web with published statistics, and how near it comes to them."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.status_line import telling
from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.webgraph.generating.check import Check, CheckedShare

_PUBLISHED_PAGES = 13_999_847
_PAGES_WITH_TEXTS = 40_000  # as in `exonym experiment tflswc2014`


def generate(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="GRAPH", help="The directory to write.")],
    pages: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="How many fetched pages, as in 14_000_000.",
            show_default=f"{_PUBLISHED_PAGES:_}, {_PAGES_WITH_TEXTS:_} with texts",
        ),
    ] = "",
    seed: Annotated[int, typer.Option(metavar="S", help="The same number gives the same web.")] = 0,
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="thai2009, dense, sparse, scattered, portals, linkfarm, korean2010, japanese2010, chinese2010, or a "
            "file of yours; or with texts: thai-tourism, thai-estate, thai-diving, thai.",
        ),
    ] = "thai2009",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Make a web with the statistics that were published of the Thai web, or with others of a profile.

    Four profiles make a web of sites and sections about tourism, houses, diving and others, in Thailand and elsewhere,
    with texts: every page is written as `exonym practice-web --topics` serves it. What is in English and about the
    profile's topic in Thailand is relevant.
    """
    from exonym.cli.graph.practice_graph import write_practice_graph
    from exonym.practice.topical.subjects import TARGETS

    if profile in TARGETS:
        write_practice_graph(output, profile, _number(pages or f"{_PAGES_WITH_TEXTS}"), seed, as_json)
    else:
        _generate(output, pages or f"{_PUBLISHED_PAGES:_}", seed, profile, as_json)


def _generate(output: Path, pages: str, seed: int, profile: str, as_json: bool) -> None:
    from exonym.practice.topical.subjects import TARGETS
    from exonym.webgraph import Graph
    from exonym.webgraph.generating.generate import Order, generate
    from exonym.webgraph.generating.profile import load_profile

    command = shlex.join(
        ["exonym", "graph", "generate", "-o", str(output), "--pages", pages, "--seed", str(seed), "--profile", profile]
    )
    order = Order(_number(pages), seed, profile, load_profile(profile, TARGETS), command)
    with telling("beginning") as tell:
        generate(output, order, tell)
    made = Graph.open(output).manifest
    if as_json:
        counts = {name: getattr(made, name) for name in ("nodes", "fetched", "links", "servers", "segments")}
        print(json.dumps({"graph": str(output), "profile": profile, "seed": seed, **counts}, ensure_ascii=False))
        return
    print(
        f"{output}: {made.fetched:,} pages, {made.nodes - made.fetched:,} only known, {made.links:,} links, "
        f"{made.servers:,} servers, {made.segments:,} segments."
    )


def check(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Compare a graph with the published figures of the Thai web, side by side."""
    from exonym.webgraph import Graph
    from exonym.webgraph.generating.check import check_graph

    found = check_graph(Graph.open(graph))
    if as_json:
        print(json.dumps(_json_of(found), ensure_ascii=False))
    else:
        _print(found)


def _number(text: str) -> int:
    try:
        return int(text.replace(",", "_"))
    except ValueError:
        raise ConfigError(f"--pages must be a whole number, as in 14_000_000, got {text[:60]!r}.") from None


def _json_of(found: "Check") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    from exonym.published.thai_web import CONTRADICTIONS

    return {
        "rows": [_json_of_row(row) for row in found.rows],
        "counts": [_json_of_row(row) for row in found.counts],
        "largest_difference": found.farthest,
        "reached_from_seeds": found.reached,
        "contradictions": list(CONTRADICTIONS),
    }


def _json_of_row(row: "CheckedShare") -> dict[str, Any]:
    return {
        "name": row.name,
        "published": row.published,
        "generated": row.generated,
        "difference": row.difference,
    }


def _print(found: "Check") -> None:
    from exonym.published.thai_web import CONTRADICTIONS

    width = max(len(row.name) for row in found.rows)
    print(f"{'':{width}}  {'published':>12}  {'generated':>12}  {'difference':>11}")
    for row in found.rows:
        print(f"{row.name:<{width}}  {row.published:>12.1%}  {_percent(row.generated)}  {_points(row.difference)}")
    print(f"\n{f'counts for {_PUBLISHED_PAGES:,} pages':{width}}")
    for row in found.counts:
        difference = f"{(row.difference or 0) / row.published:>+11.1%}"
        print(f"{row.name:<{width}}  {row.published:>12,.0f}  {row.generated or 0:>12,.0f}  {difference}")
    print(f"\nLargest difference between shares: {100 * found.farthest:.2f} points.")
    if found.reached is not None:
        print(f"Reached from the seeds: {found.reached:.2%} of the fetched pages.")
    print("\nWhat was published contradicts itself:")
    for sentence in CONTRADICTIONS:
        print(f"  * {sentence}")


def _percent(share: float | None) -> str:
    return f"{'–':>12}" if share is None else f"{share:>12.1%}"


def _points(difference: float | None) -> str:
    return f"{'–':>11}" if difference is None else f"{100 * difference:>+11.2f}"
