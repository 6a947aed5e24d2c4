"""The compiled simulation, one page at a time, visits what the plain one visits, in its order and for its reasons."""

from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from random_graphs import random_graph

from exonym.batches import Floats, Group, Ids, Integers, LinkBatch, PageBatch, Readings, language_code
from exonym.crawl import Bounds
from exonym.models.links.features import LinkTexts
from exonym.probes.random_probes import Probes
from exonym.simulation.engine.arrays import NOBODY, VISITS
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.engine.score_tables import is_tabular, table_of
from exonym.simulation.plan import Plan
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.base import FACTS, NOT_FOLLOWED, Counting, LoadsLinkModel, Rule, Standings, Strategy
from exonym.strategies.by_name import make_strategy
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.testing.plain_simulation import PlainSimulation, Visited
from exonym.webgraph.importing.import_graph import ImportRequest, import_graph

SEEDS = range(4)
ENGLISH, JAPANESE = language_code("en"), language_code("ja")


class Wandering(Rule):
    """Ranks servers by a real number that every page changes, up and down, and drops some for good."""

    def __init__(self) -> None:
        self._sums: dict[int, int] = {}

    def score(self, links: LinkBatch) -> Floats:
        return (links.url % np.uint64(7)).astype(np.float64) / 7 - links.found_irrelevant

    def note(self, links: LinkBatch) -> Ids:
        return links.url * np.uint64(3) + links.source_relevant

    def learn(self, pages: PageBatch) -> Ids:
        for server, note, url in zip(pages.server.tolist(), pages.note.tolist(), pages.url.tolist(), strict=True):
            self._sums[server] = self._sums.get(server, 0) * 3 % 17 + note - 3 * url + 1
        return np.unique(pages.server)

    def rank(self, groups: Ids) -> Floats:
        sums = np.array([self._sums.get(group, 0) for group in groups.tolist()], dtype=np.float64)
        return np.where(sums % 11 == 10, NOT_FOLLOWED, sums / 3)


class Choosy(Adaptive):
    """Leaves links for their low scores soon, and some often: its floor is high."""

    lessons_before_floor = 10


class Probing(Adaptive):
    """Draws every second page at random."""

    probe_every = 2


class ProbingFewer(Probing):
    """Draws them from few links at a time."""

    probe_sample = 20


class ChoosyProbing(Choosy):
    """Draws links at random that are below its floor."""

    probe_every = 2


class Recommended(Rule):
    """Ranks segments by how many links were found into them."""

    group = Group.SEGMENT

    def __init__(self) -> None:
        self._found: dict[int, int] = {}

    def meet(self, links: LinkBatch) -> Ids:
        for segment in links.segment.tolist():
            self._found[segment] = self._found.get(segment, 0) + 1
        return np.unique(links.segment)

    def score(self, links: LinkBatch) -> Floats:
        return np.where(links.source_relevant, 0.5, 0.0)

    def rank(self, groups: Ids) -> Floats:
        return np.array([self._found.get(group, 0) / 5 for group in groups.tolist()], dtype=np.float64)


class Fickle(Counting):
    """A table with every fact in it, over segments whose rank goes up and down."""

    group = Group.SEGMENT
    facts = FACTS - {"source_relevance"}
    needs = frozenset(["domain", "anchor_language", "target_relevant", "on_path"])
    languages = ("en", "ja")
    farthest = 3
    standings = 3

    def standing(self, pages: Integers, relevant: Integers) -> Standings:
        return ((pages + relevant) % 3).astype(np.uint8)

    def rank_of(self, standings: Standings) -> Floats:
        return np.array([0.0, 0.25, 1.0])[standings]

    def score_of(self, links: LinkBatch, standings: Standings) -> Floats:
        assert links.domain is not None
        assert links.anchor_language is not None
        assert links.target_relevant is not None
        assert links.on_path is not None
        anchor = (links.anchor_language == ENGLISH) + 2 * (links.anchor_language == JAPANESE)
        score = (links.domain % np.uint64(5)).astype(np.float64) + anchor + np.minimum(links.distance, 3)
        score += standings + links.target_relevant + 0.25 * links.on_path
        score += links.source_relevant + 0.5 * (links.server == links.source_server)
        return np.where((links.source_language == ENGLISH) & (links.distance > 1), NOT_FOLLOWED, score / 4)


class Lengths:
    """Makes of a link how long its texts are, and of its places a number."""

    name = "lengths"

    def read(self, texts: LinkTexts) -> Readings:
        columns = zip(*texts, strict=True)
        rows = [
            (len(url + anchor), len(around) + crc32("|".join(rest).encode()) % 97)
            for url, anchor, around, *rest in columns
        ]
        return np.array(rows, np.float32).reshape(-1, 2)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return (readings.sum(axis=1) % 7) / 7 * degrees


class PooledLengths(Lengths):
    """Guesses from the sums of all links between two segments."""

    pool = "pair"

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return (readings.sum(axis=1) % 7) / 7 * (1 + degrees) / 2


def pooling() -> Strategy:
    strategy = SegmentCrawler(S=4, D=5, threshold=0.25)
    strategy.use(PooledLengths())
    return strategy


class Reader(Rule):
    """Ranks segments by all that links tell of their sources' segments, and by what a model makes of their texts."""

    group = Group.SEGMENT
    needs = frozenset(["source_segment", "segment_degree", "segment_relevance", "reading"])
    link_model = Lengths()

    def __init__(self) -> None:
        self._found: dict[int, float] = {}

    def meet(self, links: LinkBatch) -> Ids:
        assert links.source_segment is not None
        for segment, source, guess in zip(
            links.segment.tolist(), links.source_segment.tolist(), self._guesses(links).tolist(), strict=True
        ):
            self._found[segment] = max(self._found.get(segment, 0.0), source % 5 / 5 + guess)
        return np.unique(links.segment)

    def score(self, links: LinkBatch) -> Floats:
        assert links.segment_relevance is not None
        return (self._guesses(links) + links.segment_relevance) / 4

    def _guesses(self, links: LinkBatch) -> Floats:
        assert links.reading is not None
        assert links.segment_degree is not None
        return self.link_model.probability(links.reading, links.segment_degree.astype(np.float64))

    def rank(self, groups: Ids) -> Floats:
        return np.array([self._found.get(group, 1.0) for group in groups.tolist()], dtype=np.float64)


def with_lengths(name: str, model: type[Lengths] = Lengths) -> Strategy:
    strategy = make_strategy(name, {})
    assert isinstance(strategy, LoadsLinkModel)
    strategy.use(model())
    return strategy


MAKERS: dict[str, Callable[[], Strategy]] = {
    "adaptive": lambda: make_strategy("adaptive", {"language": "en ja"}),
    "adaptive with a floor": lambda: Choosy("en ja", floor=0.3),
    "adaptive without words": lambda: make_strategy("adaptive", {"language": "en ja", "text": False}),
    "adaptive with probes": lambda: Probing("en ja"),
    "adaptive with probes, without words": lambda: Probing("en ja", text=False),
    "adaptive with probes and a floor": lambda: ChoosyProbing("en ja", floor=0.3, text=False),
    "bfs": lambda: make_strategy("bfs", {}),
    "dfs": lambda: make_strategy("dfs", {}),
    "larger-site-first": lambda: make_strategy("larger-site-first", {}),
    "perfect": lambda: make_strategy("perfect", {}),
    "relevant-only": lambda: make_strategy("relevant-only", {}),
    "hard": lambda: make_strategy("hard", {}),
    "soft": lambda: make_strategy("soft", {}),
    "best-page": lambda: make_strategy("best-page", {}),
    "limited-distance": lambda: make_strategy("limited-distance", {"T": 2, "prioritized": True}),
    "lswc 1 1": lambda: make_strategy("lswc", {"S": 1, "T": 1}),
    "lswc 3 5": lambda: make_strategy("lswc", {"S": 3, "T": 5}),
    "lswc by document": lambda: make_strategy("lswc", {"S": 1, "T": 5, "english": False, "count_failures": False}),
    "wandering": Wandering,
    "recommended": Recommended,
    "fickle": Fickle,
    "best-segment": lambda: make_strategy("best-segment", {}),
    "mean-segment": lambda: make_strategy("mean-segment", {}),
    "site": lambda: with_lengths("site"),
    "site, pooled": lambda: with_lengths("site", PooledLengths),
    "naive-bayes": lambda: with_lengths("naive-bayes"),
    "reader": Reader,
    "pooling": pooling,
}


def simulated(directory: Path, seed: int, make: Callable[[], Strategy], plan: Plan, nodes: int = 60) -> list[Visited]:
    simulation = Simulation(random_graph(directory, seed, nodes), make(), plan, detailed=True)
    run, crawled = simulation.run(), simulation.crawled
    row_of = {node: row for row, node in enumerate(run.nodes.tolist())} | {NOBODY: -1}
    totals = crawled.total[: crawled.now[VISITS]].tolist()
    times = run.seconds.tolist() if run.seconds is not None else [0.0] * len(totals)
    return [
        Visited(node, int(crawled.distance[node]), total, row_of[int(crawled.source[node])], when)
        for node, total, when in zip(run.nodes.tolist(), totals, times, strict=True)
    ]


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_simulation_equals_the_plain_one(name: str, seed: int, tmp_path: Path) -> None:
    plain = PlainSimulation(random_graph(tmp_path / "plain", seed), MAKERS[name]()).run()
    assert simulated(tmp_path / "compiled", seed, MAKERS[name], Plan(k=1)) == plain


@pytest.mark.parametrize(
    "name",
    ["adaptive", "adaptive with probes, without words", "wandering", "recommended", "fickle", "reader", "pooling"],
)
def test_larger_webs_make_the_frontier_grow_and_tidy_up(name: str, tmp_path: Path) -> None:
    plain = PlainSimulation(random_graph(tmp_path / "plain", 3, nodes=900), MAKERS[name]()).run()
    assert len(plain) > 80
    assert simulated(tmp_path / "compiled", 3, MAKERS[name], Plan(k=1), nodes=900) == plain


@pytest.mark.parametrize("name", MAKERS)
def test_limits_are_the_same(name: str, tmp_path: Path) -> None:
    bounds = Bounds(pages=25, pages_per_server=4)
    plain = PlainSimulation(random_graph(tmp_path / "plain", 1), MAKERS[name](), bounds).run()
    plan = Plan(k=1, budget=25, pages_per_server=4)
    assert simulated(tmp_path / "compiled", 1, MAKERS[name], plan) == plain


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_simulated_time_is_that_of_a_crawl_with_as_many_connections(name: str, seed: int, tmp_path: Path) -> None:
    bounds = Bounds(pages_per_server=9)
    plain = PlainSimulation(random_graph(tmp_path / "plain", seed), MAKERS[name](), bounds, delay=2.0).run(3)
    plan = Plan(connections=3, delay_seconds=2.0, pages_per_server=9)
    assert simulated(tmp_path / "compiled", seed, MAKERS[name], plan) == plain


@pytest.mark.parametrize("look_ahead", [1, 9, 24])
@pytest.mark.parametrize("name", MAKERS)
def test_a_frontier_that_looks_ahead_gives_the_same_visits(name: str, look_ahead: int, tmp_path: Path) -> None:
    bounds = Bounds(pages=60, pages_per_server=9, look_ahead=look_ahead)
    graph = random_graph(tmp_path / "plain", 2)
    plain = PlainSimulation(graph, MAKERS[name](), bounds, delay=2.0).run(8)
    plan = Plan(connections=8, delay_seconds=2.0, pages_per_server=9, budget=60, eagerness=look_ahead / 60)
    assert plan.look_ahead == look_ahead
    assert simulated(tmp_path / "compiled", 2, MAKERS[name], plan) == plain


def test_a_floor_ends_a_simulation_while_links_wait(tmp_path: Path) -> None:
    runs = [
        Simulation(random_graph(tmp_path / str(floor), 3, nodes=900), Choosy("en ja", floor=floor), Plan(k=1)).run()
        for floor in (0.0, 0.3, 0.9)
    ]
    assert [run.reason for run in runs] == ["empty frontier", "floor", "floor"]
    assert runs[0].waiting == 0 < min(runs[1].waiting, runs[2].waiting)
    assert runs[0].pages > runs[1].pages > runs[2].pages >= 10


@pytest.mark.parametrize("k", [1, 7, 50])
def test_compiled_learning_is_that_of_the_strategy(k: int, tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "graph", 3, nodes=900)
    compiled, asked = (make_strategy("adaptive", {"language": "en ja", "text": False}) for _ in range(2))
    plan = Plan(k=k, budget=400, pages_per_server=200)
    runs = [Simulation(graph, strategy, plan, asks=asks).run() for strategy, asks in ((compiled, False), (asked, True))]
    assert runs[0].pages == 400
    assert runs[0].nodes.tolist() == runs[1].nodes.tolist()
    assert isinstance(compiled, Adaptive)
    assert isinstance(asked, Adaptive)
    assert compiled.weights.tolist() == asked.weights.tolist()


@pytest.mark.parametrize("k", [1, 7, 50])
def test_compiled_rounds_draw_what_a_strategy_that_is_asked_draws(k: int, tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "graph", 3, nodes=900)
    plan = Plan(k=k, budget=400)
    compiled, asked = (Simulation(graph, Probing("en ja", text=False), plan, asks=asks) for asks in (False, True))
    assert compiled.run().nodes.tolist() == asked.run().nodes.tolist()
    check_equal_probes(compiled.probes, asked.probes)


def check_equal_probes(probes: Probes | None, others: Probes | None) -> None:
    assert probes is not None
    assert others is not None
    assert len(probes.records.pages) > 10
    states = [{name: column.tolist() for name, column in each.state().items()} for each in (probes, others)]
    assert states[0] == states[1]


@pytest.mark.parametrize("make", [Probing, ProbingFewer])
def test_a_simulation_knows_of_its_probes_what_a_crawl_knows(make: type[Adaptive], tmp_path: Path) -> None:
    graph = random_graph(tmp_path / "graph", 3, nodes=900)
    simulation, plain = (
        Simulation(graph, make("en ja", text=False), Plan(k=1)),
        PlainSimulation(graph, make("en ja", text=False)),
    )
    nodes = simulation.run().nodes.tolist()
    assert [visited.node for visited in plain.run()] == nodes
    check_equal_probes(simulation.probes, plain.probes)


# Shades of relevance: s leads to two pages, a and b, whose relevances are 0.6 and 0.9 or the reverse, and each of these
# to two irrelevant ones. All of s, a and b are relevant, so `soft` has no reason to prefer the links of either; to
# `best-page`, the links of the page with 0.9 come before the others.


@pytest.mark.parametrize("better", ["a", "b"])
def test_imported_shades_of_relevance_order_links_as_by_hand(better: str, tmp_path: Path) -> None:
    shades = {"s": 1.0, "a": 0.6, "b": 0.6, "a1": 0.0, "a2": 0.0, "b1": 0.0, "b2": 0.0} | {better: 0.9}
    links = [("s", "a"), ("s", "b"), ("a", "a1"), ("a", "a2"), ("b", "b1"), ("b", "b2")]
    rows = "".join(f"http://{name}.example/,{relevance}\n" for name, relevance in shades.items())
    (tmp_path / "pages.csv").write_text("url,relevance\n" + rows)
    rows = "".join(f"http://{source}.example/,http://{target}.example/\n" for source, target in links)
    (tmp_path / "links.csv").write_text("source,target\n" + rows)
    tables = ImportRequest((), (tmp_path / "pages.csv",), (tmp_path / "links.csv",), ("http://s.example/",), jobs=1)
    graph = import_graph(tmp_path / "graph", tables).graph
    names = [url.removeprefix("http://").removesuffix(".example/") for url in graph.texts("url").part(0, len(graph))]
    assert dict(zip(names, graph.column("relevance").tolist(), strict=True)) == pytest.approx(shades)

    def order(name: str) -> list[str]:
        nodes = Simulation(graph, make_strategy(name, {}), Plan(k=1)).run().nodes.tolist()
        assert nodes == [visited.node for visited in PlainSimulation(graph, make_strategy(name, {})).run()]
        return [names[node] for node in nodes]

    first, second = (better, "a" if better == "b" else "b")
    best_page, soft = order("best-page"), order("soft")
    assert [name[0] for name in best_page[3:]] == [first, first, second, second]
    assert [name[0] for name in soft[3:]] == [soft[1], soft[1], soft[2], soft[2]]
    assert soft[1:3] == best_page[1:3]  # found on one page: in one order, whichever has the better links


def test_rules_of_the_package_are_looked_up_in_tables() -> None:
    assert is_tabular(MAKERS["lswc 3 5"]())
    assert is_tabular(Fickle())
    assert not is_tabular(Wandering())


def test_a_rule_of_all_facts_has_a_table(tmp_path: Path) -> None:
    assert table_of(Fickle(), random_graph(tmp_path / "graph", 1)) is not None
