"""What the strategy `adaptive` costs a link and a page, with and without words, and how much memory its words take.

    python benchmarks/adaptive.py [--batches 10 50 100 1000] [--links 20000] [--pages 2000] [--json]

Links are those of a practice web with topics (pages in several languages, with anchors), as a live crawl hands them
over; every third one leads to a page that was visited. *Found* is all that a crawl asks when links are found: `meet`,
`score` and `note`. *Again* is `again`, for links that come first and are about to be visited. A *page* is `learn`, of
pages one by one and of ten at a time. Processor time of one process; the figures are means.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import NO_ROW, LinkBatch, Outcome, PageBatch, WaitingBatch, uncounted
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.urls import id_of
from exonym.webgraph import Graph
from exonym.webgraph.url_spelling import kept_texts, urls_of

WAYS = {"with words": True, "without": False}
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Material:
    """Links and pages of a web."""

    links: LinkBatch
    pages: PageBatch


def made(directory: Path, links: int, pages: int) -> Material:
    """The first links and pages of a practice web."""
    size = max(600, pages)
    graph = write_topic_graph(PracticeWeb(3, size, PracticeOptions(topics=True)), directory / "graph", "thai-tourism")
    rows = np.arange(links) % graph.manifest.links
    targets = np.asarray(graph.targets)[rows].astype(np.int64)
    sources = np.searchsorted(graph.offsets, rows, side="right") - 1
    batch = LinkBatch(
        url=targets.astype(np.uint64),
        server=np.asarray(graph.server)[targets].astype(np.uint64),
        segment=np.asarray(graph.segment)[targets].astype(np.uint64),
        distance=(rows % 4).astype(np.uint16),
        source=sources,
        source_server=np.asarray(graph.server)[sources].astype(np.uint64),
        source_relevance=np.asarray(graph.relevant)[sources].astype(np.float32),
        source_relevant=np.asarray(graph.relevant)[sources],
        source_language=np.asarray(graph.language)[sources],
        hops=np.zeros(links, np.uint8),
        **uncounted(links)._asdict(),
        text=urls_of(graph, targets).to_pylist(),
        anchor=kept_texts(graph, "anchor", rows).to_pylist(),
        domain=np.array([id_of(name) for name in graph.manifest.domains], np.uint64)[graph.domain[targets]],
        anchor_language=np.asarray(graph.column("anchor_language"))[rows],
        source_note=np.zeros(links, np.uint64),
    )
    return Material(batch, pages_of(graph, pages))


def pages_of(graph: Graph, pages: int) -> PageBatch:
    """A third of the nodes, as visits of links whose notes are any."""
    nodes = (np.arange(pages) * 3) % len(graph)
    chance = np.random.default_rng(1)
    return PageBatch(
        url=nodes.astype(np.uint64),
        server=np.asarray(graph.server)[nodes].astype(np.uint64),
        segment=np.asarray(graph.segment)[nodes].astype(np.uint64),
        distance=np.zeros(pages, np.uint16),
        row=np.arange(pages),
        outcome=np.full(pages, Outcome.PAGE, np.uint8),
        relevance=np.asarray(graph.relevant)[nodes].astype(np.float32),
        relevant=np.asarray(graph.relevant)[nodes],
        language=np.asarray(graph.language)[nodes],
        note=chance.integers(0, 1 << 62, pages).astype(np.uint64) | np.uint64(1 << 62),
        text=urls_of(graph, nodes).to_pylist(),
    )


def mean_micros(call: Callable[[Any], object], given: list[Any], items: int) -> float:
    """The mean processor time of an item, in µs."""
    begin = time.process_time()
    for one in given:
        call(one)
    return (time.process_time() - begin) / items * 1e6


def found(strategy: Adaptive, links: LinkBatch) -> None:
    """All that a crawl asks when it finds links."""
    strategy.meet(links)
    strategy.score(links)
    strategy.note(links)


def waiting_of(strategy: Adaptive, links: LinkBatch) -> WaitingBatch:
    """The same links, about to be visited."""
    return WaitingBatch(
        links.url,
        links.server,
        links.segment,
        strategy.note(links),
        links.found_relevant,
        links.found_irrelevant,
        links.found_elsewhere,
        links.found_spoken,
        links.text,
    )


def measured(material: Material, batches: list[int]) -> dict[str, dict[str, float]]:
    """The figures of both ways, by what they are of."""
    figures: dict[str, dict[str, float]] = {}
    links, pages = material.links, material.pages
    Adaptive("th").learn(pages.pick(np.arange(1)))  # reads the list of public suffixes, once a process
    for name, text in WAYS.items():
        of_way: dict[str, float] = {}
        for size in (10, 1):
            visits = [pages.pick(np.arange(at, at + size)) for at in range(0, len(pages) - size + 1, size)]
            strategy = Adaptive("th en", text=text)
            of_way[f"page, {size}"] = mean_micros(strategy.learn, visits, size * len(visits))
        for size in batches:
            parts = [links.pick(np.arange(at, at + size)) for at in range(0, len(links) - size + 1, size)][:1_000]
            asked = len(parts) * size
            of_way[f"found, {size}"] = mean_micros(partial(found, strategy), parts, asked)
            waiting = [waiting_of(strategy, part.pick(part.source != NO_ROW)) for part in parts]
            of_way[f"again, {size}"] = mean_micros(strategy.again, waiting, asked)
        figures[name] = of_way
    words = Adaptive("th en").words
    assert words is not None
    kept = sum(column.nbytes for column in vars(words).values() if isinstance(column, np.ndarray))
    figures["with words"]["MB of words"] = kept / MEGABYTE
    return figures


def main() -> None:
    """Make a web, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 10, 50, 100, 1_000])
    parser.add_argument("--links", type=int, default=20_000)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        figures = measured(made(Path(directory), asked.links, asked.pages), asked.batches)
    if asked.json:
        print(json.dumps(figures))
        return
    print(f"{'µs each':<14}" + "".join(f"{name:>14}" for name in figures))
    for row in figures["with words"]:
        values = (figures[name].get(row) for name in figures)
        print(f"{row:<14}" + "".join(f"{'' if value is None else format(value, '.2f'):>14}" for value in values))


if __name__ == "__main__":
    main()
