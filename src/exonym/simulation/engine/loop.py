"""`simulate`: crawl a graph in place of the network, with the same order of visits as a live crawl.

A round pops k pages, learns from them, and queues their links; with k = 1 it does what a crawl with one connection
does. A strategy that says what its scores depend on runs compiled, with a table of scores; others are asked for scores
in every round.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome, Readings
from exonym.crawl import probes_of
from exonym.errors import ConfigError
from exonym.frontier.look_ahead import most_of_server
from exonym.progress import Progress, no_progress
from exonym.simulation.engine.arrays import (
    CHANGED,
    HELD,
    PAGES,
    VISITS,
    Keeps,
    groups_of,
    new_crawled,
    originals_within,
    web_of,
)
from exonym.simulation.engine.asked_rounds import AskedRounds, RoundParts
from exonym.simulation.engine.division import division_of
from exonym.simulation.engine.frontier_arrays import SKIPPED, Shape, new_waiting
from exonym.simulation.engine.graph_batches import BatchMaker, check_needs, needs_in_graph
from exonym.simulation.engine.judge import judged_relevant
from exonym.simulation.engine.learned_rounds import learned_state, run_learned, scores_again
from exonym.simulation.engine.oracle_paths import paths_to_relevant
from exonym.simulation.engine.reviews import NEVER, Reviews
from exonym.simulation.engine.rounds import (
    DISTANCE,
    EMPTY,
    REVIEW,
    ROOM,
    SPENT,
    STANDINGS,
    RoundLimits,
    most_put_back,
    run,
)
from exonym.simulation.engine.score_tables import table_of
from exonym.simulation.link_readings import link_readings
from exonym.simulation.plan import Plan, Run
from exonym.strategies.adaptive.additive import Additive
from exonym.strategies.base import Counting, ScoresAgain, Strategy, overrides
from exonym.webgraph.graph import KNOWN, Graph, Nodes

_CRAWLING = "crawling the graph"  # for progress, which counts visits, of the budget
_ROUNDS = 1_000  # in one call of compiled code: few enough for Ctrl-C and progress to come soon


def simulate(
    graph: Graph,
    strategy: Strategy,
    plan: Plan = Plan(),  # noqa: B008  # frozen
    progress: Progress = no_progress,
) -> Run:
    """Crawl the graph."""
    simulation = Simulation(graph, strategy, plan)
    simulation.prepare(progress)
    return simulation.run(progress)


class Simulation:
    """One crawl of a graph, which can be run once.

    With `detailed`, priority and source of every visit are kept. With `asks`, the strategy is asked for scores even if
    it could run compiled: slower, and the same.
    """

    def __init__(
        self, graph: Graph, strategy: Strategy, plan: Plan, detailed: bool = False, asks: bool = False
    ) -> None:
        graph.check_numbers()
        check_needs(strategy, graph)
        self._graph, self._strategy, self._plan = graph, strategy, plan
        judged = judged_relevant(graph, plan)
        seeds = _seeds(graph, plan)
        self._web = web_of(graph, judged)
        division = division_of(graph, strategy.group, plan.partitions)
        if plan.partitions > 1:
            self._web = self._web._replace(original=originals_within(self._web, division.of_server))
        if "on_path" in strategy.needs:
            self._web = self._web._replace(on_path=paths_to_relevant(self._web, seeds))
        group, groups = groups_of(graph, strategy.group)
        counts_failures = not isinstance(strategy, Counting) or strategy.counts_failures
        self._limits = RoundLimits(
            at_a_time=plan.connections or plan.k // plan.partitions,
            budget=plan.budget,
            pages_per_server=plan.pages_per_server,
            counts_failures=counts_failures,
            look_ahead=plan.look_ahead,
            held_of_server=most_of_server(plan.look_ahead),
        )
        is_compiled = plan.partitions == 1 and not asks
        self._table = table_of(strategy, graph) if is_compiled else None
        distances = detailed or self._table is None or bool(self._table.strides[DISTANCE] > 0)
        keeps_levels = isinstance(strategy, ScoresAgain)
        keeps = Keeps(groups if isinstance(strategy, Counting) else 0, distances, detailed, keeps_levels)
        self.crawled = new_crawled(graph, plan, keeps)
        self._readings = link_readings(graph, strategy, judged) if "reading" in strategy.needs else None
        notes = np.zeros(len(graph), np.uint64) if overrides(strategy, "note") else None
        needs = needs_in_graph(strategy, graph)
        columns = BatchMaker(graph, self._web, self.crawled, needs, self._readings, notes)
        is_ranked = overrides(strategy, "rank") if self._table is None else len(self._table.rank_of) > 1
        shape = Shape(groups, graph.manifest.servers, plan.is_timed or is_ranked, plan.is_timed)
        self._learned = None
        reads_texts = not needs.isdisjoint(["text", "anchor"])
        if isinstance(strategy, Additive) and is_compiled and notes is not None and not reads_texts:
            self._learned = learned_state(strategy, graph, notes, self._limits)
        # Partitions draw none: there would have to be probes of each.
        self.probes = probes_of(strategy) if plan.partitions == 1 else None
        self._reviews = None if self.probes is None else Reviews(self.probes, self._web, self.crawled)
        parts = RoundParts(self._web, self.crawled, columns, self._limits, division, notes, self._reviews)
        self._rounds = AskedRounds(parts, strategy, plan, new_waiting(group, self._web.server, shape))
        self._rounds.begin(seeds)

    def prepare(self, progress: Progress = no_progress) -> None:
        """Read all links before the crawl begins, if it will see most of them; else each is read when it is found."""
        if self._readings is not None and self._readings.are_mostly_seen(self._plan.budget):
            self._readings.read_all(progress)

    def use_readings(self, readings: Readings) -> None:
        """Use the readings that the same model made in another process."""
        if self._readings is not None:
            self._readings.use(readings)

    def run(self, progress: Progress = no_progress) -> Run:
        """Crawl until a limit is reached or nothing waits."""
        reason = self._run_compiled(progress) or self._run_asking(progress)
        if self._reviews is not None:
            self._reviews.count()
        visits = int(self.crawled.now[VISITS])
        nodes = self.crawled.order[:visits]
        outcome = self._web.outcome[nodes]
        timed = self._plan.is_timed
        return Run(
            nodes=nodes,
            is_page=(outcome == Outcome.PAGE) | (outcome == Outcome.FAILED) | (outcome == KNOWN),
            relevant=self._web.truth[nodes] & ~self._are_copies(nodes),
            seconds=np.multiply(self.crawled.round[:visits], self._plan.delay_seconds) if timed else None,
            reason=reason,
            waiting=self._rounds.waiting + int(self.crawled.now[HELD]),
            rounds=self._rounds.rounds if self._plan.partitions > 1 else None,
            estimates=tuple(self._reviews.estimates) if self._reviews else (),
        )

    def _are_copies(self, nodes: Nodes) -> Flags:
        """Which visits repeated a page that was fetched before, in whichever partition."""
        repeat = np.zeros(len(nodes), np.bool_)
        if self._graph.has("original"):
            pages = np.flatnonzero(self._web.outcome[nodes] == Outcome.PAGE)
            repeat[pages] = True
            repeat[pages[np.unique(self._graph.column("original")[nodes[pages]], return_index=True)[1]]] = False
        return repeat

    # Compiled: by table, or with what a strategy learns

    def _run_compiled(self, progress: Progress) -> str:
        """Run compiled rounds; "" if the strategy has neither a table nor compiled rules of learning."""
        while True:
            waiting, web, crawled, limits = self._rounds.frontiers[0], self._web, self.crawled, self._limits
            if self._table is not None:
                why = run(waiting, web, self._table, crawled, limits, _ROUNDS)
            elif self._learned is not None:
                next_review = NEVER if self._reviews is None else self._reviews.next_review
                why = run_learned(waiting, web, self._learned, crawled, limits, _ROUNDS, next_review)
            else:
                return ""
            progress(_CRAWLING, int(self.crawled.now[VISITS]), self._plan.budget)
            if why == ROOM:
                groups = int(self.crawled.now[CHANGED] + waiting.scalars[SKIPPED]) + 1
                links = max(self._rounds.links_found(), most_put_back(*self._limits[:2], int(self.crawled.now[PAGES])))
                self._rounds.grow(0, links + self._limits.at_a_time, groups)
            elif why == REVIEW:
                assert self._learned is not None
                self._rounds.review(self._learned.found, partial(scores_again, self._learned, web))
            elif why == STANDINGS:
                self._compute_standings()
            elif why == SPENT:
                return "pages"
            elif why == EMPTY:
                return self._reason_to_end

    def _compute_standings(self) -> None:
        """Ask the strategy for the standings of groups that have more pages than its table."""
        assert isinstance(self._strategy, Counting)
        crawled = self.crawled
        groups = crawled.changed[: crawled.now[CHANGED]]
        pages, relevant = crawled.pages[groups].astype(np.int64), crawled.relevant[groups].astype(np.int64)
        crawled.standing[groups] = self._strategy.standing(pages, relevant)

    # By asking the strategy

    def _run_asking(self, progress: Progress) -> str:
        while self._rounds.run():
            progress(_CRAWLING, int(self.crawled.now[VISITS]), self._plan.budget)
        return self._reason_to_end

    @property
    def _reason_to_end(self) -> str:
        if self._rounds.are_spent:
            return "pages"
        return "floor" if self._rounds.waiting and isinstance(self._strategy, ScoresAgain) else "empty frontier"


def _seeds(graph: Graph, plan: Plan) -> NDArray[np.uint32]:
    seeds = np.array(plan.seeds or graph.seeds, dtype=np.int64)
    if not len(seeds):
        raise ConfigError(f"{graph.directory} has no seeds, so a crawl has no place to begin. Name some with --seeds.")
    if seeds.min() < 0 or seeds.max() >= len(graph):
        raise ConfigError(f"--seeds must be pages of {graph.directory}.")
    return seeds.astype(np.uint32)
