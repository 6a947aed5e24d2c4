"""`exonym model links tune GRAPH`: searches for the best threshold of segments, and S and D of the segment crawler."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, PagesARound, PagesPerServer, max_pages, number, random_seed
from exonym.cli.output import emit, harmless_lines
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.report.number_text import byte_size
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.training.links.back_link_file import BackLinks
    from exonym.training.links.link_examples import Gathering
    from exonym.training.links.threshold_search import Reached
    from exonym.training.links.tuning import Tried, Tuning


def threshold(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph with judged pages.")],
    threshold: Annotated[
        list[float] | None, typer.Option(metavar="T", help="A relevance degree to try; may be given again.")
    ] = None,
    patience: Annotated[
        list[int] | None, typer.Option("--S", metavar="S", help="A value of S to try; may be given again.")
    ] = None,
    distance: Annotated[
        list[int] | None, typer.Option("--D", metavar="D", help="A value of D to try; may be given again.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A link model to crawl with; without one, all links count the same."),
    ] = None,
    no_crawls: Annotated[bool, typer.Option("--no-crawls", help="Search only for the threshold.")] = False,
    seeds: Annotated[int, number("start-pages", "Relevant pages whose back-links to start from.", 1)] = 1_000,
    hops: Annotated[int, number("hops", "Hops from the back-links.", 1, 100)] = 2,
    back_links: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More back-links: one page per line, or target and source.")
    ] = None,
    crawl_seeds: Annotated[
        int, number("crawl-start-pages", "Relevant pages that crawls with S and D start from.", 1)
    ] = 20,
    budget: Annotated[int, max_pages("Pages each crawl may fetch; 0 for no limit.")] = 10_000,
    pages_per_server: PagesPerServer = 300,
    k: PagesARound = 1,
    seed: Annotated[int, random_seed("Another number starts from other pages.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Search for the best relevance threshold of segments, and for S and D of the segment crawler.

    The threshold is searched for as in Suebchua's thesis (Table 3), by the relevance that the graph records. Then the
    segment crawler is simulated for every pair of S and D.
    """
    require("research", "train")
    from exonym.simulation.plan import Plan
    from exonym.training.links.link_examples import Gathering, part_of
    from exonym.training.links.threshold_search import THRESHOLDS, reached_in
    from exonym.training.links.tuning import (
        DISTANCES,
        PATIENCES,
        Tuning,
        relevant_seeds,
        try_patience_and_distance,
    )
    from exonym.webgraph import Graph

    opened = Graph.open(graph)
    degrees = list(dict.fromkeys(threshold or THRESHOLDS))
    gathering = Gathering(seeds=seeds, hops=hops, seed=seed, back_links=_read_back_links(back_links))
    plan = Plan(k=k, budget=budget, pages_per_server=pages_per_server)
    chosen = (tuple(dict.fromkeys(patience or PATIENCES)), tuple(dict.fromkeys(distance or DISTANCES)))
    _check_values(chosen)
    part = part_of(opened, gathering)
    reached = reached_in(opened, part, degrees)
    tuning = Tuning(*chosen, model=model, plan=replace(plan, seeds=relevant_seeds(opened, crawl_seeds, seed)))
    tried: list[Tried] = []
    if not no_crawls:
        with status_line("starting") as tell:
            tried = list(try_patience_and_distance(opened, tuning, tell))
    listed = {"back_link_file": part.listed._asdict() if part.listed else None}
    document = _document((degrees, reached), tried, (graph, gathering, tuning)) | listed
    shown = [clean(f"{part.listed.file}: {part.listed.summary()}")] if part.listed else []
    emit(document, [*shown, *_shown((degrees, reached), tried, tuning)], as_json)


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


def _shown(search: tuple[list[float], list["Reached"]], tried: list["Tried"], tuning: "Tuning") -> Iterator[str]:
    from exonym.experiments.tflswc2014.tables import patience_table, threshold_table

    tables = [threshold_table(*search)]
    tables += [patience_table(tried, tuning.model.name if tuning.model else "")] if tried else []
    yield from harmless_lines("\n".join(table.text() for table in tables))


def _document(
    search: tuple[list[float], list["Reached"]], tried: list["Tried"], settings: tuple[Path, "Gathering", "Tuning"]
) -> dict[str, Any]:
    graph, gathering, tuning = settings
    return {
        "graph": str(graph),
        **{name: getattr(gathering, name) for name in ("seeds", "hops", "seed")},
        "model": str(tuning.model) if tuning.model else None,
        **{name: getattr(tuning.plan, name) for name in ("k", "budget", "pages_per_server")},
        "crawl_seeds": len(tuning.plan.seeds),
        "thresholds": [
            {"threshold": degree, **_figures(reached), "is_oracle": True}
            for degree, reached in zip(*search, strict=True)
        ],
        "crawls": [
            {"S": crawl.patience, "D": crawl.distance, **_figures(crawl.reached), "reason": crawl.reason}
            for crawl in tried
        ],
    }


def _figures(reached: "Reached") -> dict[str, float]:
    names = ("relevant", "existing", "harvest", "coverage", "f_measure")
    return {"pages": reached.fetched, **{name: getattr(reached, name) for name in names}}
