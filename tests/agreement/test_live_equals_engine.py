"""A practice web crawled live, by every strategy, and the compiled simulation of the graph imported from its archive.

The graph comes from one whole crawl, read back by `exonym graph import`; so live driver, archive, import and simulation
agree, or this fails.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hand_made import hand_made
from strategies_tried import STRATEGIES

from exonym.batches import language_name
from exonym.journal import JournalRow
from exonym.models.links.base import LinkUnit
from exonym.models.links.link_model_file import save_link_model
from exonym.practice import PracticeAddress, PracticeOptions, PracticeWeb, running_practice_web
from exonym.simulation.engine.arrays import NOBODY
from exonym.simulation.engine.loop import Simulation, simulate
from exonym.simulation.plan import Plan
from exonym.strategies.by_name import make_strategy
from exonym.testing.live import check_directory, crawl, write_crawl
from exonym.webgraph import Graph
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.url_spelling import url_of

# Nothing that takes time, and no calendar without an end: the graph must hold all of the web.
OPTIONS = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0, traps=False)
MOST = 40  # pages a server


@pytest.fixture(scope="module")
def web() -> PracticeWeb:
    return PracticeWeb(seed=4, pages=250, options=OPTIONS)


@pytest.fixture(scope="module")
def served(web: PracticeWeb) -> Iterator[PracticeAddress]:
    with running_practice_web(web) as address:
        yield address


@pytest.fixture(scope="module")
def graph(web: PracticeWeb, served: PracticeAddress, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    place = tmp_path_factory.mktemp("whole")
    crawled(place / "crawl", web, served, {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 0}})
    return import_graph(
        place / "graph", ImportRequest((place / "crawl",), options=ImportOptions(keep_around=True), jobs=1)
    ).graph


def crawled(directory: Path, web: PracticeWeb, address: PracticeAddress, asked: dict[str, Any]) -> list[JournalRow]:
    address.reset()  # what a server answers may depend on how often it was asked
    common = {"seeds": {"sitemaps": False}, "judge": {"inherit_language": False}, "readers": {"count": 0}}
    common |= {"urls": {"files": "follow"}}  # a simulation knows addresses by their numbers alone
    write_crawl(directory, web, address, common | {"network": {"connections": 1}} | asked)
    assert crawl(directory).reason == "empty frontier"
    return check_directory(directory)


def simulated(graph: Graph, name: str, options: dict[str, Any]) -> list[tuple[object, ...]]:
    strategy = make_strategy(name, options, graph.manifest.languages)
    simulation = Simulation(graph, strategy, Plan(k=1, pages_per_server=MOST), detailed=True)
    run, crawled = simulation.run(), simulation.crawled
    nodes = run.nodes.tolist()
    row_of = {node: row for row, node in enumerate(nodes)} | {NOBODY: -1}
    return [
        (
            *(url_of(graph, node), int(graph.outcome[node]), bool(run.relevant[row])),
            *(language_name(int(graph.language[node])), int(crawled.distance[node])),
            *(float(crawled.total[row]), row_of[int(crawled.source[node])]),
        )
        for row, node in enumerate(nodes)
    ]


def facts_of(row: JournalRow) -> tuple[object, ...]:
    return row.url, int(row.outcome), row.relevant, row.language, row.distance, row.score, row.source


@pytest.mark.parametrize(("name", "options"), STRATEGIES, ids=lambda given: str(given))
def test_live_crawl_is_the_simulation_of_its_imported_graph(
    name: str, options: dict[str, Any], tmp_path: Path, web: PracticeWeb, graph: Graph, served: PracticeAddress
) -> None:
    asked = {"strategy": {"name": name, **options}, "limits": {"pages_per_server": MOST}}
    rows = crawled(tmp_path, web, served, asked)
    assert list(map(facts_of, rows)) == simulated(graph, name, options)


@pytest.mark.parametrize(("name", "unit"), [("segment", "segment"), ("site", "site"), ("naive-bayes", "page")])
def test_live_crawl_by_a_link_model_is_the_simulation_of_its_imported_graph(
    name: str, unit: LinkUnit, tmp_path: Path, web: PracticeWeb, graph: Graph, served: PracticeAddress
) -> None:
    save_link_model(hand_made(unit), tmp_path / "hand.links")
    options = {"model": str(tmp_path / "hand.links")}
    asked = {"strategy": {"name": name, **options}, "limits": {"pages_per_server": MOST}}
    rows = crawled(tmp_path / "crawl", web, served, asked)
    assert len({row.score for row in rows}) > 3  # the model has a say
    assert list(map(facts_of, rows)) == simulated(graph, name, options)


def test_a_crawl_with_many_connections_and_delays_finds_what_simulated_time_promises(tmp_path: Path) -> None:
    # The order in which answers come is that of the network, so only numbers can agree.
    web = PracticeWeb(seed=4, pages=1_500, options=OPTIONS)
    plan = Plan(budget=200, pages_per_server=120, connections=100, delay_seconds=0.05)
    asked = {
        "strategy": {"name": "soft"},
        "limits": {"pages": plan.budget, "pages_per_server": plan.pages_per_server},
        "network": {"connections": plan.connections},
        "politeness": {"delay_seconds": plan.delay_seconds},
        "seeds": {"sitemaps": False},
        "judge": {"inherit_language": False},
    }
    with running_practice_web(web) as address:
        everything = {"limits": {"pages_per_server": 0}, "network": {"connections": 30}}
        crawled(tmp_path / "whole", web, address, {"strategy": {"name": "bfs"}} | everything)
        address.reset()
        write_crawl(tmp_path / "crawl", web, address, asked)
        assert crawl(tmp_path / "crawl").reason == "pages"
    graph = import_graph(tmp_path / "graph", ImportRequest((tmp_path / "whole",), jobs=1)).graph
    found = {
        eagerness: int(simulate(graph, make_strategy("soft", {}), replace(plan, eagerness=eagerness)).relevant.sum())
        for eagerness in ("auto", 1.0)
    }
    assert found[1.0] < 0.6 * found["auto"]  # else the next line would say nothing about eagerness
    live = sum(row.relevant for row in check_directory(tmp_path / "crawl"))
    assert live == pytest.approx(found["auto"], rel=0.15)
