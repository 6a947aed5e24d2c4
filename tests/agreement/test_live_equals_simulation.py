"""The same web, crawled over real sockets and simulated over its graph, gives the same visits in the same order.

The live crawl uses the disk frontier, the simulation the reference frontier; the live crawl's relevance and
languages are the judge's, the simulation's the truth of the generator: each agrees with its twin, or this fails.
"""

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from strategies_tried import STRATEGIES

from exonym.batches import Outcome, language_code
from exonym.crawl import Bounds
from exonym.extract.document import Wants
from exonym.journal import JournalRow
from exonym.judges.base import Judge
from exonym.judges.by_name import make_judge
from exonym.practice import (
    PAGE_NOFOLLOW,
    REL_NOFOLLOW,
    PageKind,
    PracticeAddress,
    PracticeGraph,
    PracticeOptions,
    PracticeWeb,
    running_practice_web,
)
from exonym.practice.serving.server import framed
from exonym.readers.page import Job, JudgedPage, read_page
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import check_directory, crawl, crawl_practice_web, write_crawl
from exonym.testing.simulation import ReferenceSimulation

# Nothing that takes time: a server that rests would let others pass it, and a simulation has no clock.
TIMELESS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)
PAGES_PER_SERVER = 40  # less than the largest server and its calendar have


@pytest.fixture(scope="module")
def web() -> PracticeWeb:
    return PracticeWeb(seed=2, pages=300, options=TIMELESS)  # one with a frameset


@pytest.fixture(scope="module")
def graph(web: PracticeWeb) -> PracticeGraph:
    return web.graph()


@pytest.fixture(scope="module")
def served(web: PracticeWeb) -> Iterator[PracticeAddress]:
    with running_practice_web(web) as address:
        yield address


def facts_of(row: JournalRow) -> tuple[object, ...]:
    return row.row, row.url, row.outcome, row.relevant, row.language, row.distance, row.score, row.source


def simulated(web: PracticeWeb, graph: PracticeGraph, name: str, options: dict[str, Any]) -> list[JournalRow]:
    strategy = make_strategy(name, options, [web.language])
    return ReferenceSimulation(graph, strategy, Bounds(0, PAGES_PER_SERVER), relevances_of(web)).run()


@cache
def relevances_of(web: PracticeWeb) -> dict[str, float]:
    """What the judge says of every page when it is read alone: the graph only knows yes and no."""
    graph = web.graph()
    judge = make_judge({"kind": "language", "languages": [web.language]})
    nodes = np.flatnonzero(graph.outcome == Outcome.PAGE).tolist()
    return {url: read_alone(web, url, judge).relevance for url in map(graph.url, nodes)}


def read_alone(web: PracticeWeb, url: str, judge: Judge) -> JudgedPage:
    answer = framed(web.respond(url, asked_before=1))
    assert answer.wire is not None
    return read_page(Job(0, url, answer.wire[: answer.head_bytes], answer.wire[answer.head_bytes :]), judge, Wants())


def crawled(directory: Path, web: PracticeWeb, address: PracticeAddress, asked: dict[str, Any]) -> list[JournalRow]:
    address.reset()  # what a server answers may depend on how often it was asked
    common = {"seeds": {"sitemaps": False}, "limits": {"pages_per_server": PAGES_PER_SERVER}}
    write_crawl(directory, web, address, common | asked)
    assert crawl(directory).reason == "empty frontier"
    return check_directory(directory)


@pytest.mark.parametrize(("name", "options"), STRATEGIES, ids=lambda given: str(given))
def test_live_crawl_visits_what_the_simulation_visits_in_its_order(
    name: str, options: dict[str, Any], tmp_path: Path, web: PracticeWeb, graph: PracticeGraph, served: PracticeAddress
) -> None:
    asked = {"strategy": {"name": name, **options}, "network": {"connections": 1}, "readers": {"count": 0}}
    rows = crawled(tmp_path, web, served, asked)
    assert list(map(facts_of, rows)) == list(map(facts_of, simulated(web, graph, name, options)))


@pytest.mark.parametrize("name", ["lswc", "cjk"])
def test_worker_processes_change_nothing(
    name: str, tmp_path: Path, web: PracticeWeb, graph: PracticeGraph, served: PracticeAddress
) -> None:
    asked = {"strategy": {"name": name}, "network": {"connections": 1}, "readers": {"count": 2}}
    rows = crawled(tmp_path, web, served, asked)
    assert list(map(facts_of, rows)) == list(map(facts_of, simulated(web, graph, name, {})))


def test_many_connections_change_the_order_but_not_the_visits(tmp_path: Path) -> None:
    web = PracticeWeb(seed=2, pages=400, options=dataclasses.replace(TIMELESS, traps=False))  # no end otherwise
    asked = {
        "strategy": {"name": "bfs"},
        "network": {"connections": 30},
        "seeds": {"sitemaps": False},
        "limits": {"pages_per_server": 0},
        "urls": {"files": "follow"},  # else a few files are tried, and which ones depends on the order
    }
    live = crawl_practice_web(tmp_path, web, asked)
    graph = web.graph()
    simulation = ReferenceSimulation(graph, make_strategy("bfs", {}), Bounds(), follows_files=True).run()
    # A frameset takes its parent's language: who that is depends on the order.
    framesets = {graph.url(node) for node in np.flatnonzero(graph.kind == PageKind.FRAMES).tolist()}
    assert {nature_of(row, framesets) for row in live.rows} == {nature_of(row, framesets) for row in simulation}
    # Which of two pages alike is the copy depends on the order too, but not how many copies there are.
    assert sum(row.copy for row in live.rows) == sum(row.copy for row in simulation) > 0


def nature_of(row: JournalRow, framesets: set[str]) -> tuple[object, ...]:
    return (row.url, row.outcome) if row.url in framesets else (row.url, row.outcome, row.language)


def test_frameset_takes_the_language_of_the_page_that_linked_to_it(tmp_path: Path) -> None:
    web = PracticeWeb(seed=2, pages=500, options=TIMELESS)
    rows = crawl_practice_web(tmp_path, web, {"strategy": {"name": "bfs"}}).rows
    heirs = [row for row in rows if "like the page that linked here" in row.why]
    assert heirs
    for row in heirs:
        parent = rows[row.source]
        assert (row.language, row.relevant, row.relevance) == (
            parent.language,
            parent.language == "th",
            row.relevant / 2,
        )


@pytest.mark.parametrize("nation", ["th", "jp", "kr", "cn", "tw", "de", "fr", "vn"])
def test_every_page_is_read_as_the_generator_meant_it(nation: str) -> None:
    web = PracticeWeb(seed=3, pages=300, options=PracticeOptions(nation=nation))
    graph = web.graph()
    judge = make_judge({"kind": "language", "languages": [web.language]})
    for node in np.flatnonzero(graph.outcome[: graph.page_count] == Outcome.PAGE).tolist():
        if graph.kind[node] in (PageKind.IMAGE, PageKind.DOCUMENT):
            continue
        url = graph.url(node)
        reading = read_alone(web, url, judge)
        assert (url, reading.relevant) == (url, bool(graph.relevant[node]))
        assert (url, language_code(reading.language)) == (url, int(graph.language[node]))
        assert (url, reading.text) == (url, followed_links(graph, node))


def followed_links(graph: PracticeGraph, node: int) -> list[str]:
    first, last = graph.offsets[node : node + 2].tolist()
    followed = graph.link_flags[first:last] & np.uint8(PAGE_NOFOLLOW | REL_NOFOLLOW) == 0
    return [graph.url(target) for target in graph.targets[first:last][followed].tolist()]
