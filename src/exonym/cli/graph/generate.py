"""`exonym graph generate` and `exonym graph check`: make a web with published statistics, and compare it with them."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import FEWEST_PAGES, MOST_PAGES, AsJson, GraphArgument, output, random_seed, whole_number
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.webgraph.generating.check import Check

_PUBLISHED_PAGES = 13_999_847
_COUNTS = ("nodes", "fetched", "links", "servers", "segments")  # of a manifest
_PAGES_WITH_TEXTS = 40_000  # as in `exonym experiment tflswc2014`


def generate(
    output: Annotated[Path, output("GRAPH", "The directory to write.")],
    pages: Annotated[
        str,
        typer.Option(
            "--size",
            metavar="N",
            help="Fetched pages in the web, as in 14_000_000.",
            show_default=f"{_PUBLISHED_PAGES:_}, {_PAGES_WITH_TEXTS:_} with texts",
        ),
    ] = "",
    seed: Annotated[int, random_seed("Another number makes another web.")] = 0,
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME | FILE",
            help="thai2006, dense, sparse, scattered, portals, linkfarm, stuffed, blogrolls, korean2010, japanese2010, "
            "chinese2010, or your own file; with texts: thai-tourism, thai-estate, thai-diving, thai.",
        ),
    ] = "thai2006",
    as_json: AsJson = False,
) -> None:
    """Make a web with the published statistics of the Thai web, or with those of another profile.

    Four profiles make a web with texts, of sites and sections about tourism, houses, diving and other topics, in
    Thailand and elsewhere: every page is written as `exonym practice-web --topics` serves it. English pages about the
    profile's topic in Thailand are relevant.
    """
    from exonym.practice.topical.subjects import TARGETS

    if profile in TARGETS:
        _write_practice_graph(output, profile, whole_number("--size", pages or f"{_PAGES_WITH_TEXTS}"), seed, as_json)
    else:
        _generate(output, pages or f"{_PUBLISHED_PAGES:_}", seed, profile, as_json)


def _generate(output: Path, pages: str, seed: int, profile: str, as_json: bool) -> None:
    from exonym.practice.topical.subjects import TARGETS
    from exonym.webgraph import Graph
    from exonym.webgraph.generating.generate import Order, generate
    from exonym.webgraph.generating.profile import load_profile

    words = ["exonym", "graph", "generate", "-o", str(output), "--size", pages, "--random-seed", str(seed)]
    command = shlex.join([*words, "--profile", profile])
    order = Order(whole_number("--size", pages), seed, profile, load_profile(profile, TARGETS), command)
    with status_line("starting") as tell:
        generate(output, order, tell)
    made = Graph.open(output).manifest
    counts = {name: getattr(made, name) for name in _COUNTS}
    line = (
        f"{output}: {made.fetched:,} pages, {made.nodes - made.fetched:,} known but not fetched, {made.links:,} links, "
        f"{made.servers:,} servers, {made.segments:,} segments."
    )
    emit({"graph": str(output), "profile": profile, "seed": seed, **counts}, [line], as_json)


def _write_practice_graph(directory: Path, target: str, pages: int, seed: int, as_json: bool) -> None:
    """Write the graph of a practice web with texts, and print what is in it."""
    from exonym.practice import PracticeOptions, PracticeWeb
    from exonym.practice.graph.write import write_topic_graph

    if not FEWEST_PAGES <= pages <= MOST_PAGES:
        raise ConfigError(f"--size must be {FEWEST_PAGES} to {MOST_PAGES:,} for webs with texts, got {pages}.")
    web = PracticeWeb(seed, pages, PracticeOptions(topics=True))
    with status_line("Writing pages") as tell:
        graph = write_topic_graph(web, directory, target, lambda done, every: tell("Writing pages", done, every))
    facts: dict[str, Any] = {"graph": str(graph.directory), "target": target, "seed": graph.manifest.provenance["seed"]}
    facts |= {name: getattr(graph.manifest, name) for name in _COUNTS}
    facts["relevant"] = int(graph.relevant.sum())
    rows = [
        ("pages fetched", f"{facts['fetched']:,}, {facts['relevant']:,} of them relevant to {target}"),
        ("pages known", f"{facts['nodes']:,} on {facts['servers']:,} servers, in {facts['segments']:,} segments"),
        ("links", f"{facts['links']:,}, with anchors and the words around them"),
    ]
    emit(facts, [rows, f"\nWrote {clean(str(directory))}."], as_json)


def check(
    graph: GraphArgument,
    as_json: AsJson = False,
) -> None:
    """Compare a graph with the published figures of the Thai web."""
    from exonym.published.thai_web import CONTRADICTIONS
    from exonym.webgraph import Graph
    from exonym.webgraph.generating.check import check_graph

    found = check_graph(Graph.open(graph))
    names = ("name", "published", "generated", "difference")
    document = {
        "rows": [{name: getattr(row, name) for name in names} for row in found.rows],
        "counts": [{name: getattr(row, name) for name in names} for row in found.counts],
        "figures": [{name: getattr(row, name) for name in (*names, "holds")} for row in found.figures],
        "largest_difference": found.farthest,
        "reached_from_seeds": found.reached,
        "contradictions": list(CONTRADICTIONS),
    }
    emit(document, _shown(found), as_json)


def _shown(found: "Check") -> Iterator[str | OutputRows]:
    from exonym.published.thai_web import CONTRADICTIONS

    width = max(len(row.name) for row in found.rows)
    yield f"{'':{width}}  {'published':>12}  {'generated':>12}  {'difference':>11}"
    for row in found.rows:
        generated = "–" if row.generated is None else f"{row.generated:.1%}"
        points = "–" if row.difference is None else f"{100 * row.difference:+.2f}"
        yield f"{row.name:<{width}}  {row.published:>12.1%}  {generated:>12}  {points:>11}"
    yield f"\n{f'counts for {_PUBLISHED_PAGES:,} pages':{width}}"
    for row in found.counts:
        difference = f"{(row.difference or 0) / row.published:>+11.1%}"
        yield f"{row.name:<{width}}  {row.published:>12,.0f}  {row.generated or 0:>12,.0f}  {difference}"
    yield f"\n{'shapes':{width}}  {'published':>12}  {'generated':>12}  {'holds':>11}"
    for shape in found.figures:
        values = ("–" if value is None else f"{value:.4g}" for value in (shape.published, shape.generated))
        holds = {None: "–", True: "yes", False: "no"}[shape.holds]
        yield "  ".join([f"{shape.name:<{width}}", *(f"{value:>12}" for value in values), f"{holds:>11}"])
    yield f"\nLargest difference between shares: {100 * found.farthest:.2f} points."
    if found.reached is not None:
        yield f"Reached from the seeds: {found.reached:.2%} of the fetched pages."
    yield "\nPublished figures that contradict each other:"
    yield from (f"  * {sentence}" for sentence in CONTRADICTIONS)
