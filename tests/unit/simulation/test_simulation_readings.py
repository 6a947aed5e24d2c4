"""What link models make of a graph's links, before and during a simulation."""

from pathlib import Path

import numpy as np
import pytest
from link_examples import READING, made_examples

from exonym.batches import NO_SEGMENT, Floats, Group, Ids, LinkBatch, Outcome, Readings, country_name
from exonym.errors import ColumnError, ExonymError
from exonym.models.links.base import LinkModel, NeutralModel
from exonym.models.links.features import LinkTexts
from exonym.models.links.link_model_file import save_link_model
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.simulation import Plan, link_readings, simulate
from exonym.simulation.engine.loop import Simulation
from exonym.simulation.link_readings import LinkReadings
from exonym.simulation.shared_readings import shared_readings
from exonym.simulation.side_by_side import SimulationRequest, simulate_all, strategy_of
from exonym.strategies.base import Rule
from exonym.strategies.segment.crawler import SegmentCrawler
from exonym.strategies.segment.segment_links import LEAST_RELEVANCE
from exonym.strategies.site import SiteCrawler
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import train_link_model
from exonym.training.train_options import LinkTrainOptions
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import NOFOLLOW
from exonym.webgraph.link_texts import TextsOfGraph


class Lengths:
    """Makes of a link the lengths of its texts, and counts what it was asked."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked = LinkTexts([], [], [], [], [], [])

    def read(self, texts: LinkTexts) -> Readings:
        self.asked = LinkTexts(*(old + new for old, new in zip(self.asked, texts, strict=True)))
        rows = [(len(row[0]) + len(row[1]), len(row[2])) for row in zip(*texts, strict=True)]
        return np.array(rows, np.float32).reshape(-1, 2)

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return np.clip(readings[:, 1] / 200, 0, 1) * degrees


class PooledLengths(Lengths):
    """Guesses from the sums of all links between two segments."""

    name, pool = "pooled lengths", "pair"

    def probability(self, readings: Readings, degrees: Floats) -> Floats:
        return np.clip(readings[:, 1] / np.maximum(readings[:, 0], 1), 0, 1) * (1 + degrees) / 2


class Wrong(Lengths):
    """Gives one number too few."""

    def read(self, texts: LinkTexts) -> Readings:
        return super().read(texts)[:-1] if len(texts.urls) > 1 else super().read(texts)


class Follower(Rule):
    """Scores links by what its model says, and remembers what it was given."""

    group = Group.SEGMENT
    needs = frozenset(["source_segment", "segment_degree", "reading", "text", "anchor", "around"])

    def __init__(self, link_model: LinkModel) -> None:
        self.link_model = link_model
        self.met: list[LinkBatch] = []

    def meet(self, links: LinkBatch) -> Ids:
        self.met.append(links)
        return super().meet(links)

    def score(self, links: LinkBatch) -> Floats:
        assert links.reading is not None
        assert links.segment_degree is not None
        return self.link_model.probability(links.reading, links.segment_degree.astype(np.float64))


class Careless(Rule):
    """Needs readings of nobody."""

    needs = frozenset(["reading"])

    def score(self, links: LinkBatch) -> Floats:
        return np.zeros(len(links))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    web = PracticeWeb(5, 300, PracticeOptions(topics=True))
    return write_topic_graph(web, tmp_path_factory.mktemp("web") / "graph", "thai-tourism", jobs=1)


def followed(graph: Graph) -> np.ndarray:
    """The links that could be followed."""
    sources = np.repeat(np.arange(len(graph)), np.diff(graph.offsets))
    return np.flatnonzero((graph.outcome[sources] == Outcome.PAGE) & (graph.column("link_flags") & NOFOLLOW == 0))


def readings(graph: Graph, model: LinkModel, ahead: bool, jobs: int = 1) -> Readings:
    found, links = LinkReadings(graph, model, graph.outcome == Outcome.PAGE), followed(graph)
    if ahead:
        found.read_all(jobs=jobs)
    sources = np.searchsorted(graph.offsets, links, side="right") - 1
    return found.of(links, sources, np.ones(len(links), np.bool_))


def test_links_are_read_as_they_stand_in_the_graph(graph: Graph) -> None:
    links = followed(graph)[::50]
    texts = TextsOfGraph(graph).of(links)
    sources = np.searchsorted(graph.offsets, links, side="right") - 1
    for row, (link, source) in enumerate(zip(links.tolist(), sources.tolist(), strict=True)):
        target = int(graph.targets[link])
        assert link in range(*graph.offsets[source : source + 2].tolist())
        assert (texts.urls[row], texts.anchors[row]) == (graph.texts("url")[target], graph.texts("anchor")[link])
        assert texts.around[row] == graph.texts("around")[link]
        assert texts.source_domains[row] == graph.manifest.domains[graph.domain[source]]
        countries = [country_name(int(graph.column("country")[node])) for node in (source, target)]
        assert [texts.source_countries[row], texts.countries[row]] == countries


def test_reading_ahead_and_on_the_way_give_the_same_as_reading_one_by_one(graph: Graph) -> None:
    texts = TextsOfGraph(graph).of(followed(graph))
    expected = np.concatenate([Lengths().read(texts.rows(row, row + 1)) for row in range(len(texts.urls))])
    assert (readings(graph, Lengths(), ahead=True) == expected).all()
    assert (readings(graph, Lengths(), ahead=False) == expected).all()


def test_processes_read_what_one_reads(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    model = train_link_model(link_matrix(made_examples(), READING), LinkTrainOptions(reading=READING, folds=2, jobs=1))
    alone = readings(graph, model, ahead=True)
    monkeypatch.setattr(link_readings, "_FEW", 0)
    monkeypatch.setattr(link_readings, "_PART", 1_000)
    assert (readings(graph, model, ahead=True, jobs=2) == alone).all()
    assert len(np.unique(alone[:, 0])) > 10


def test_links_that_say_the_same_are_read_once(graph: Graph) -> None:
    model = Lengths()
    LinkReadings(graph, model, graph.outcome == Outcome.PAGE).read_all(jobs=1)
    asked = list(zip(*model.asked, strict=True))[1:]  # the first has no texts
    links = followed(graph)
    assert len(asked) < len(links)
    texts = TextsOfGraph(graph).of(links)
    assert set(asked) == set(zip(*texts, strict=True))


def test_progress_counts_links_read_and_then_visits(graph: Graph) -> None:
    calls: list[tuple[str, int, int]] = []
    simulate(graph, Follower(Lengths()), Plan(k=1), lambda *call: calls.append(call))
    read = [call for call in calls if call[0] == "reading links"]
    visited = [done for what, done, _ in calls if what == "crawling the graph"]
    assert calls[: len(read)] == read == sorted(read)
    assert read[-1][1] == read[-1][2] == len(followed(graph))
    assert visited == sorted(visited)


@pytest.mark.parametrize("budget", [0, 40])
def test_strategies_are_given_readings_and_the_degrees_of_segments(graph: Graph, budget: int) -> None:
    strategy = Follower(Lengths())
    run = simulate(graph, strategy, Plan(k=1, budget=budget))
    seeds, *met = strategy.met
    assert seeds.segment_degree is not None
    assert seeds.segment_degree.tolist() == [1] * len(seeds)
    assert seeds.reading is not None
    assert not seeds.reading.any()  # of empty texts
    of_pages = [links for links in met if not links.hops.any()]
    assert len(of_pages) > 10
    for links in of_pages:
        row = int(links.source[0])
        node, before = int(run.nodes[row]), run.nodes[: row + 1]
        there = before[(graph.segment[before] == graph.segment[node]) & (graph.outcome[before] == Outcome.PAGE)]
        assert links.source_segment is not None
        assert set(links.source_segment.tolist()) == {int(graph.segment[node])}
        assert links.segment_degree is not None
        assert set(links.segment_degree.tolist()) == {float(np.float32(graph.relevant[there].sum() / len(there)))}
        assert links.text and links.anchor and links.around and links.reading is not None  # noqa: PT018
        lengths = zip(links.text, links.anchor, links.around, strict=True)
        assert links.reading.tolist() == [[len(url) + len(anchor), len(around)] for url, anchor, around in lengths]


def test_behind_a_redirect_nothing_is_said(graph: Graph) -> None:
    strategy = Follower(Lengths())
    simulate(graph, strategy, Plan(k=1))
    redirected = [links for links in strategy.met if links.hops.any()]
    assert redirected
    for links in redirected:
        assert links.reading is not None
        assert links.source_segment is not None
        assert links.segment_degree is not None
        assert not links.reading.any()
        assert set(links.source_segment.tolist()) == {NO_SEGMENT}
        assert links.segment_degree.tolist() == links.source_relevant.tolist()


def test_a_crawl_of_part_of_the_web_reads_only_what_it_sees(graph: Graph) -> None:
    model = Lengths()
    simulate(graph, Follower(model), Plan(k=1, budget=10))
    assert len(model.asked.urls) < len(followed(graph)) / 5


@pytest.mark.parametrize("kind", [SegmentCrawler, SiteCrawler])
@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("erring", [False, True])
@pytest.mark.parametrize("made", [Lengths, PooledLengths])
def test_links_whose_guesses_come_to_nothing_are_not_read_and_the_crawl_is_the_same(
    graph: Graph,
    tmp_path: Path,
    ahead: bool,
    erring: bool,
    made: type[Lengths],
    kind: type[SegmentCrawler | SiteCrawler],
) -> None:
    begin = (*graph.seeds.tolist(), int(np.flatnonzero(graph.relevant)[0]))  # so that it finds pages of both kinds
    plan = Plan(k=1, budget=0 if ahead else 60, seeds=begin, judge_precision=0.8 if erring else 1.0)
    doubtful = with_relevance(graph, tmp_path / "doubtful")
    runs, asked = [], []
    for least in (0.0, kind.least_relevance):
        strategy = kind()
        strategy.least_relevance = least
        strategy.use(model := made())
        simulation = Simulation(doubtful, strategy, plan)
        if ahead:
            simulation.prepare()
        runs.append(simulation.run().nodes.tolist())
        asked.append(len(model.asked.urls))
    assert runs[0] == runs[1]
    assert 1 < asked[1] < asked[0]


def test_a_model_that_knows_nothing_needs_no_texts(tmp_path: Path, graph: Graph) -> None:
    plain = without_texts(graph, tmp_path / "plain")
    strategy = Careless()
    strategy.link_model = NeutralModel()  # type: ignore[attr-defined]
    assert simulate(plain, strategy, Plan(k=1)).pages > 100


def test_what_is_missing_is_told_in_one_line(tmp_path: Path, graph: Graph) -> None:
    with pytest.raises(ColumnError, match="link_model"):
        simulate(graph, Careless())
    with pytest.raises(ColumnError, match=r"reads around.*--keep-around\.$"):
        simulate(without_texts(graph, tmp_path / "plain", ["url", "anchor"]), Follower(Lengths()))
    with pytest.raises(ColumnError, match="2 a link"):
        simulate(graph, Follower(Wrong()))


def test_strategies_with_the_same_model_share_what_was_read(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "segments.model"
    save_link_model(
        train_link_model(link_matrix(made_examples(), READING), LinkTrainOptions(reading=READING, folds=2, jobs=1)),
        path,
    )
    texts = (f"segment:model={path}", f"segment:model={path},S=3", "bfs")
    strategies = {text: strategy_of(text, graph) for text in texts}
    with shared_readings(graph, strategies, Plan()) as files:
        assert set(files) == set(texts[:2])
        assert len(set(files.values())) == 1
        (file,) = set(files.values())
        simulation = Simulation(graph, strategies[texts[0]], Plan(k=1))
        simulation.use_readings(np.load(file, mmap_mode="r"))
        run = simulation.run()
    assert not file.exists()
    expected = simulate(graph, strategy_of(texts[0], graph), Plan(k=1))
    assert run.nodes.tolist() == expected.nodes.tolist()
    with shared_readings(graph, strategies, Plan(budget=3)) as files:
        assert not files  # so few links are read on the way
    (found,) = simulate_all(SimulationRequest(graph.directory, texts[:1], Plan(k=1)))
    assert found.result.pages == expected.pages
    assert found.result.relevant == int(expected.relevant.sum())


@pytest.mark.parametrize("budget", [0, 40])
def test_damaged_graph_is_told_before_anything_is_read_of_it(graph: Graph, tmp_path: Path, budget: int) -> None:
    path, damaged = tmp_path / "segments.model", tmp_path / "damaged"
    save_link_model(
        train_link_model(link_matrix(made_examples(), READING), LinkTrainOptions(reading=READING, folds=2, jobs=1)),
        path,
    )
    with GraphWriter(damaged) as writer:
        writer.link(graph, [name for name in graph.manifest.columns if name != "segment"])
        writer.put("segment", np.asarray(graph.segment))
        writer.finish(graph.manifest)
    numbers = np.load(damaged / "segment.npy")
    numbers[-1] = graph.manifest.segments + 7
    np.save(damaged / "segment.npy", numbers)
    with pytest.raises(ExonymError, match="segment"):
        simulate_all(SimulationRequest(damaged, (f"segment:model={path}",), Plan(budget=budget)))


def with_relevance(graph: Graph, directory: Path) -> Graph:
    """The graph with relevances from just below what counts to 1, and some of exactly none."""
    chance = np.random.default_rng(1)
    doubt = np.where(chance.random(len(graph)) < 0.5, LEAST_RELEVANCE * chance.random(len(graph)), 0)
    relevance = np.where(graph.relevant, 0.5 + chance.random(len(graph)) / 2, doubt)
    with GraphWriter(directory) as writer:
        writer.link(graph, list(graph.manifest.columns))
        writer.put("relevance", relevance.astype(np.float32))
        writer.finish(graph.manifest)
    return Graph.open(directory)


def without_texts(graph: Graph, directory: Path, kept: list[str] | None = None) -> Graph:
    texts = {f"{name}.{part}" for name in kept or [] for part in ("offsets", "bytes")}
    with GraphWriter(directory) as writer:
        writer.link(graph, [name for name in graph.manifest.columns if "." not in name or name in texts])
        writer.finish(graph.manifest)
    return Graph.open(directory)
