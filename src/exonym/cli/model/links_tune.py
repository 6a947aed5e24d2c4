"""`exonym model links tune GRAPH`: the best threshold for segments, and the best S and D of the segment crawler."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, PagesARound, PagesPerServer, max_pages, number, random_seed
from exonym.cli.output import emit, harmless_lines
from exonym.cli.terminal.numbers import byte_size
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.training.links.back_link_file import BackLinks
    from exonym.training.links.examples import Gathering
    from exonym.training.links.threshold_search import Reached
    from exonym.training.links.tuning import Tried, Tuning


def threshold(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph, its pages judged.")],
    threshold: Annotated[
        list[float] | None, typer.Option(metavar="T", help="A relevance degree to try; may be given again.")
    ] = None,
    patience: Annotated[list[int] | None, typer.Option("--S", metavar="S", help="To try; may be given again.")] = None,
    distance: Annotated[list[int] | None, typer.Option("--D", metavar="D", help="To try; may be given again.")] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A link model to crawl with; if none, all links count alike.")
    ] = None,
    no_crawls: Annotated[bool, typer.Option("--no-crawls", help="Search for the threshold alone.")] = False,
    seeds: Annotated[int, number("start-pages", "Relevant pages whose back-links are taken.", 1)] = 1_000,
    hops: Annotated[int, number("hops", "How far from the back-links.", 1, 100)] = 2,
    back_links: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More back-links: one page a line, or target and source.")
    ] = None,
    crawl_seeds: Annotated[
        int, number("crawl-start-pages", "Relevant pages that crawls with S and D begin from.", 1)
    ] = 20,
    budget: Annotated[int, max_pages("Pages each crawl may fetch; 0 for no limit.")] = 10_000,
    pages_per_server: PagesPerServer = 300,
    k: PagesARound = 1,
    seed: Annotated[int, random_seed("Another number begins from other pages.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Search for the relevance degree from which on a segment is best called relevant, and for S and D.

    The first is the search of Suebchua's thesis (Table 3), by the graph's truth. Then the segment crawler is simulated
    for every pair of S and D.
    """
    require("research", "train")
    from exonym.simulation.plan import Plan
    from exonym.training.links.examples import Gathering, part_of
    from exonym.training.links.threshold_search import THRESHOLDS, reached_in
    from exonym.training.links.tuning import DISTANCES, PATIENCES, Tuning, relevant_seeds
    from exonym.webgraph import Graph

    opened = Graph.open(graph)
    degrees = list(dict.fromkeys(threshold or THRESHOLDS))
    gathering = Gathering(seeds=seeds, hops=hops, seed=seed, back_links=_read_back_links(back_links))
    plan = Plan(k=k, budget=budget, pages_per_server=pages_per_server)
    chosen = (tuple(dict.fromkeys(patience or PATIENCES)), tuple(dict.fromkeys(distance or DISTANCES)))
    _check_values(chosen)
    part = part_of(opened, gathering)
    found = reached_in(opened, part, degrees)
    tuning = Tuning(*chosen, model=model, plan=replace(plan, seeds=relevant_seeds(opened, crawl_seeds, seed)))
    tried = [] if no_crawls else _tried(opened.directory, tuning)
    listed = {"back_link_file": part.listed._asdict() if part.listed else None}
    document = _document((degrees, found), tried, (graph, gathering, tuning)) | listed
    shown = [clean(f"{part.listed.file}: {part.listed.summary()}")] if part.listed else []
    emit(document, [*shown, *_shown((degrees, found), tried, tuning)], as_json)


def _read_back_links(path: Path | None) -> "BackLinks | None":
    from exonym.training.links.back_link_file import read_back_links

    if path is None:
        return None
    with status_line(f"reading {path.name}") as tell:
        return read_back_links(path, lambda done: tell(f"reading {path.name}: {byte_size(done)}"))


def _check_values(chosen: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """Raise if S or D has a wrong value: before anything is crawled."""
    from exonym.strategies.segment.crawler import SegmentCrawler

    for patience, distance in zip_longest(*chosen, fillvalue=2):
        try:
            SegmentCrawler(patience, distance)
        except ConfigError as error:
            raise ConfigError(f"--{error.fact}") from None


def _tried(graph: Path, tuning: "Tuning") -> list["Tried"]:
    from exonym.training.links.tuning import try_patience_and_distance
    from exonym.webgraph import Graph

    with status_line("beginning") as tell:
        return list(try_patience_and_distance(Graph.open(graph), tuning, tell))


def _shown(search: tuple[list[float], list["Reached"]], tried: list["Tried"], tuning: "Tuning") -> Iterator[str]:
    from exonym.experiments.tflswc2014.tables import patience_table, threshold_table

    tables = [threshold_table(*search)]
    tables += [patience_table(tried, tuning.model.name if tuning.model else "")] if tried else []
    yield from harmless_lines("\n".join(table.text() for table in tables))


def _document(
    search: tuple[list[float], list["Reached"]], tried: list["Tried"], settings: tuple[Path, "Gathering", "Tuning"]
) -> dict[str, Any]:
    graph, gathering, tuning = settings
    plan = {name: getattr(tuning.plan, name) for name in ("k", "budget", "pages_per_server")}
    chosen = {name: getattr(gathering, name) for name in ("seeds", "hops", "seed")}
    return {
        "graph": str(graph),
        **chosen,
        "model": str(tuning.model) if tuning.model else None,
        **plan,
        "crawl_seeds": len(tuning.plan.seeds),
        "thresholds": [
            {"threshold": degree, **_reached(one), "is_oracle": True} for degree, one in zip(*search, strict=True)
        ],
        "crawls": [
            {"S": one.patience, "D": one.distance, **_reached(one.reached), "reason": one.reason} for one in tried
        ],
    }


def _reached(one: "Reached") -> dict[str, float]:
    return {"pages": one.fetched, "relevant": one.relevant, "existing": one.existing} | {
        "harvest": one.harvest,
        "coverage": one.coverage,
        "f_measure": one.f_measure,
    }
