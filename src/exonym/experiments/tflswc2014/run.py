"""The experiment of Suebchua's thesis (2014): the segment crawler for three topics, on webs it was not trained on.

Models are trained on one practice web with topics; another one, with a different seed number, is crawled. The web's
truth judges the pages: an oracle, the same for all crawlers.
"""

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import Flags
from exonym.errors import ConfigError
from exonym.experiments.directory import take_directory
from exonym.experiments.tflswc2014.claims import (
    FigureResult,
    TopicClaimResult,
    claims_table,
    figures_on,
    figures_table,
    verdicts_on,
)
from exonym.experiments.tflswc2014.crawls import (
    BEST_SEGMENT,
    BREADTH_FIRST,
    SEGMENT,
    SimulatedCrawl,
    crawl_all,
    crawlers_of,
    source_table,
)
from exonym.experiments.tflswc2014.models import TrainedModels, train_models
from exonym.experiments.tflswc2014.tables import (
    crawl_table,
    harvest_table,
    segment_link_tables,
    threshold_table,
    training_table,
)
from exonym.experiments.tflswc2014.webs import TopicWeb, topic_graph, write_crawled
from exonym.progress import Tell
from exonym.published.thesis import TOPICS
from exonym.report.findings import Findings, write_findings
from exonym.report.table import Table
from exonym.simulation.plan import Plan
from exonym.training.links.link_examples import Gathering
from exonym.training.links.threshold_search import THRESHOLDS, search_thresholds
from exonym.training.links.tuning import relevant_seeds
from exonym.webgraph import Graph
from exonym.webgraph.analyses.names import NamesNation

NAME = "tflswc2014"
PAGES = 40_000
BUDGET = 10_000
SMALL = (5_000, 1_000)  # pages of a web and of a crawl, for a first look and for tests
TRAIN_PAGES = 40_000
SEEDS = 20  # relevant pages that a crawl begins with: two pages of search results
PAGES_PER_SERVER = 300  # as in the thesis
_OBSERVED = (SEGMENT, BEST_SEGMENT, BREADTH_FIRST)  # crawlers whose links the thesis analyses


@dataclass(frozen=True, slots=True)
class TflswcRequest:
    """Everything that a result depends on, and the directory to write to."""

    directory: Path
    pages: int = PAGES
    seed: int = 11  # of the web that is crawled
    train_seed: int = 3
    train_pages: int = 0  # of the web that is trained on; 0: as many as `pages`, at most TRAIN_PAGES
    budget: int = BUDGET
    topics: tuple[str, ...] = tuple(TOPICS)
    k: int = 1
    judge_errors: float = 0.0
    command: str = ""

    def __post_init__(self) -> None:
        unknown = [topic for topic in self.topics if topic not in TOPICS]
        if unknown or not self.topics:
            raise ConfigError(f"--only must be some of {', '.join(TOPICS)}, got {' '.join(unknown)[:60]!r}.")
        if self.seed == self.train_seed:
            raise ConfigError(
                f"--random-seed and --train-random-seed are both {self.seed}: it would crawl what it was trained on."
            )
        if not 0 <= self.judge_errors <= 0.5:
            raise ConfigError(f"--judge-errors must be 0 to 0.5, got {self.judge_errors:g}.")

    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same for a later run to continue the experiment."""
        names = ("pages", "seed", "train_seed", "budget", "k", "judge_errors")
        settings = {name: getattr(self, name) for name in names}
        return settings | {"train_pages": self.web_to_train.pages, "topics": list(self.topics)}

    @property
    def web_to_train(self) -> TopicWeb:
        """The web that is trained on."""
        pages = self.train_pages or min(self.pages, TRAIN_PAGES)
        return TopicWeb(self.directory / "train", self.train_seed, pages)

    @property
    def web(self) -> TopicWeb:
        """The web that is crawled."""
        return TopicWeb(self.directory / "web", self.seed, self.pages)

    def plan(self, graph: Graph) -> Plan:
        """A crawl from relevant pages of the graph; the judge's errors lower its precision and its recall alike."""
        sure, relevant = 1 - self.judge_errors, int(np.count_nonzero(graph.relevant))
        return Plan(
            k=self.k,
            budget=self.budget,
            pages_per_server=PAGES_PER_SERVER,
            seeds=relevant_seeds(graph, max(1, min(SEEDS, relevant // 10)), self.seed),
            judge_precision=sure,
            judge_recall=sure,
        )


@dataclass(frozen=True, slots=True)
class _Topic:
    """The results for one topic."""

    training: TrainedModels
    verdicts: list[TopicClaimResult]
    figures: list[FigureResult]
    tables: list[Table]
    values: dict[str, Any]


def run_tflswc2014(request: TflswcRequest, tell: Tell) -> Findings:
    """Make both webs, train, crawl with every crawler, compare the results with the claims, and write all of it."""
    from exonym.nations import load_nation
    from exonym.nations.matching.matcher import matcher_of

    take_directory(request.directory, NAME, request.settings())
    matcher = matcher_of(load_nation("TH"))
    # Cached, because the pages of every topic have the same texts.
    names_nation = cache(lambda text: bool(matcher.find(text).names))
    done = {topic: _run_topic(request, topic, names_nation, tell) for topic in request.topics}
    verdicts = [verdict for result in done.values() for verdict in result.verdicts]
    figures = [figure for result in done.values() for figure in result.figures]
    tables = [
        claims_table(verdicts, _note(request)),
        figures_table(figures),
        *(table for result in done.values() for table in result.tables),
        training_table({topic: result.training for topic, result in done.items()}),
    ]
    findings = Findings(
        f"{NAME}: the segment crawler on webs that it was not trained on",
        tuple(tables),
        {
            "experiment": NAME,
            **request.settings(),
            "command": request.command,
            "judge": f"the web's truth{', with errors by chance' if request.judge_errors else ' (oracle)'}",
            "claims": [verdict.values() for verdict in verdicts],
            "figures": [figure.values() for figure in figures],
            "topics_found": {topic: result.values for topic, result in done.items()},
            "tables": [table.values() for table in tables],
        },
    )
    tell("writing figures and pages")
    write_findings(request.directory, findings)
    return findings


def _run_topic(request: TflswcRequest, topic: str, names_nation: NamesNation, tell: Tell) -> _Topic:
    trained_on = topic_graph(request.web_to_train, topic, tell)
    training = train_models(trained_on, request.directory / "models" / topic, tell)
    graph = topic_graph(request.web, topic, tell)
    crawls = crawl_all(graph, crawlers_of(request.directory / "models" / topic), request.plan(graph), tell)
    moments = (min(request.budget, int(np.count_nonzero(graph.relevant))), request.budget)
    tell(f"{topic}: looking at links between segments")
    visited: Flags = np.zeros(len(graph), np.bool_)
    for crawl in crawls:
        if crawl.name in _OBSERVED:
            visited[crawl.nodes[: moments[0]]] = True
    directory = request.directory / f"crawled-{topic}"
    shutil.rmtree(directory, ignore_errors=True)
    crawled = write_crawled(graph, directory, visited)
    thresholds = search_thresholds(trained_on, Gathering(), THRESHOLDS)
    segment_links = segment_link_tables(topic, crawled, names_nation)
    tables = [
        crawl_table(topic, graph, crawls, moments),
        harvest_table(topic, crawls, request.budget),
        threshold_table(THRESHOLDS, thresholds, topic),
        *segment_links,
        source_table(topic, graph),
    ]
    verdicts = verdicts_on(topic, {crawl.name: crawl for crawl in crawls}, moments)
    reached = dict(zip(THRESHOLDS, thresholds, strict=True))
    figures = figures_on(topic, training.g_means["bayes"], reached, segment_links)
    return _Topic(training, verdicts, figures, tables, _values(training, graph, crawls, moments))


def _values(
    training: TrainedModels, graph: Graph, crawls: list[SimulatedCrawl], moments: tuple[int, int]
) -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    early, budget = moments
    return {
        "relevant_pages": int(np.count_nonzero(graph.relevant)),
        "training": training.values(),
        "early": early,
        "crawls": [
            {
                "crawler": crawl.name,
                "pages": len(crawl.nodes),
                "relevant": crawl.found(budget),
                "harvest_early": crawl.harvest(early),
                "harvest": crawl.harvest(budget),
                "reason": crawl.reason,
            }
            for crawl in crawls
        ],
    }


def _note(request: TflswcRequest) -> str:
    judge = "the web's truth (an oracle)"
    if request.judge_errors:
        judge += f", wrong by chance: precision and recall {1 - request.judge_errors:.0%}"
    return (
        f"Practice webs: links are learned on web {request.train_seed} of {request.web_to_train.pages:,} pages, crawls "
        f"are on web {request.seed} of {request.pages:,}, from {SEEDS} relevant pages (a tenth where there are few), "
        f"at most {PAGES_PER_SERVER} pages a server. Both webs come from the same generator, whose ratios of links "
        "were set by the thesis' Tables 5 to 7 (calibration): that links are informative is built in, how well a "
        f"crawler uses them is a result. Pages are judged by {judge}. Early: over as many pages as are relevant; "
        "budget: over all that may be fetched, when a small web has little left to choose from. The thesis' web had no "
        "end: as relevant pages become scarce, best-page does better than a mean over sources, which rates segments "
        "with one relevant source as highly as those with many (the last table of each topic). On a web of 1,000,000 "
        "pages this happens later: --size 1000000. History and neighbourhood are 0.5, not tuned; S=1 and a doubt of 4 "
        f"did well on web 7. Made by: {request.command} (k {request.k})."
    )
