"""`simulate`: crawl a graph in place of the network, with the same order of visits as a live crawl.

A round pops k pages, learns from them, and queues their links; with k = 1 it does what a crawl with one connection
does. A strategy that says what its scores depend on runs compiled, with a table of scores; others are asked for scores
in every round.
"""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Floats, Ids, LinkBatch, Outcome, Readings
from exonym.errors import ConfigError
from exonym.frontier.base import level_of
from exonym.frontier.look_ahead import most_of_server
from exonym.progress import Progress, no_progress
from exonym.simulation.engine import asking
from exonym.simulation.engine.arrays import CHANGED, HELD, PAGES, PENDING, VISITS, Keeps, groups_of, new_crawled, web_of
from exonym.simulation.engine.frontier_arrays import SKIPPED, WAITING, Shape, grown, new_waiting
from exonym.simulation.engine.graph_batches import BatchMaker, check_needs
from exonym.simulation.engine.judge import judged_relevant
from exonym.simulation.engine.oracle_paths import paths_to_relevant
from exonym.simulation.engine.rounds import (
    DISTANCE,
    EMPTY,
    ROOM,
    SPENT,
    STANDINGS,
    RoundLimits,
    ScoreTable,
    queue_seed,
    run,
)
from exonym.simulation.engine.score_tables import table_of
from exonym.simulation.link_readings import link_readings
from exonym.simulation.plan import Plan, Run
from exonym.strategies.base import Counting, Strategy, learner_of, overrides
from exonym.webgraph.graph import KNOWN, Graph

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
    """One crawl of a graph, which can be run once. With `detailed`, priority and source of every visit are kept."""

    def __init__(self, graph: Graph, strategy: Strategy, plan: Plan, detailed: bool = False) -> None:
        graph.check_numbers()
        check_needs(strategy, graph)
        self._graph, self._strategy, self._plan = graph, strategy, plan
        self._learner = learner_of(strategy)
        judged = judged_relevant(graph, plan)
        seeds = _seeds(graph, plan)
        self._web = web_of(graph, judged)
        if "on_path" in strategy.needs:
            self._web = self._web._replace(on_path=paths_to_relevant(self._web, seeds))
        group, groups = groups_of(graph, strategy.group)
        counts_failures = not isinstance(strategy, Counting) or strategy.counts_failures
        self._limits = RoundLimits(
            at_a_time=plan.connections or plan.k,
            budget=plan.budget,
            pages_per_server=plan.pages_per_server,
            counts_failures=counts_failures,
            look_ahead=plan.look_ahead,
            held_of_server=most_of_server(plan.look_ahead),
        )
        self._table = table_of(strategy, graph)
        distances = detailed or self._table is None or bool(self._table.strides[DISTANCE] > 0)
        keeps = Keeps(groups if isinstance(strategy, Counting) else 0, distances, detailed)
        self.crawled = new_crawled(graph, plan, keeps)
        self._readings = link_readings(graph, strategy, judged) if "reading" in strategy.needs else None
        self._notes: Ids | None = np.zeros(len(graph), np.uint64) if overrides(strategy, "note") else None
        self._columns = BatchMaker(graph, self._web, self.crawled, strategy.needs, self._readings, self._notes)
        links = self._columns.seeds(seeds)
        self._learner.meet(links)  # the groups that it returns need no move: all ranks are set below
        levels = level_of(strategy.score(links))
        is_ranked = overrides(strategy, "rank") if self._table is None else len(self._table.rank_of) > 1
        shape = Shape(groups, graph.manifest.servers, plan.is_timed or is_ranked, plan.is_timed)
        self._waiting = new_waiting(group, self._web.server, shape)
        self._write_notes(seeds, levels, links)
        if is_ranked:
            self._waiting.rank[:] = self._ranks(np.arange(len(self._waiting.rank), dtype=np.uint64))
        self._waiting = grown(self._waiting, len(seeds), 1)
        for seed, level in zip(seeds, levels, strict=True):
            queue_seed(self._waiting, seed, level)

    def _ranks(self, groups: Ids) -> Floats:
        ranks = np.asarray(self._strategy.rank(groups), np.float64)
        if ranks.shape != groups.shape:
            raise ConfigError(f"the strategy's rank gave {ranks.shape} values for {len(groups)} groups. Give one each.")
        return ranks

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
        reason = self._run_table(self._table, progress) if self._table is not None else self._run_asking(progress)
        visits = int(self.crawled.now[VISITS])
        nodes = self.crawled.order[:visits]
        outcome = self._web.outcome[nodes]
        timed = self._plan.is_timed
        return Run(
            nodes=nodes,
            is_page=(outcome == Outcome.PAGE) | (outcome == Outcome.FAILED) | (outcome == KNOWN),
            relevant=self._web.truth[nodes] & ~self.crawled.is_copy[nodes if len(self.crawled.is_copy) > 1 else 0],
            seconds=np.multiply(self.crawled.round[:visits], self._plan.delay_seconds) if timed else None,
            reason=reason,
            waiting=int(self._waiting.scalars[WAITING] + self.crawled.now[HELD]),
        )

    # By table

    def _run_table(self, table: ScoreTable, progress: Progress) -> str:
        while True:
            why = run(self._waiting, self._web, table, self.crawled, self._limits, _ROUNDS)
            progress(_CRAWLING, int(self.crawled.now[VISITS]), self._plan.budget)
            if why == ROOM:
                self._grow()
            elif why == STANDINGS:
                self._compute_standings()
            elif why == SPENT:
                return "pages"
            elif why == EMPTY:
                return "empty frontier"

    def _compute_standings(self) -> None:
        """Ask the strategy for the standings of groups that have more pages than its table."""
        assert isinstance(self._strategy, Counting)
        crawled = self.crawled
        groups = crawled.changed[: crawled.now[CHANGED]]
        pages, relevant = crawled.pages[groups].astype(np.int64), crawled.relevant[groups].astype(np.int64)
        crawled.standing[groups] = self._strategy.standing(pages, relevant)

    def _links_in_round(self) -> int:
        now, offsets = self.crawled.now, self._web.offsets
        nodes = self.crawled.order[now[VISITS] - now[PENDING] : now[VISITS]].astype(np.int64)
        return int((offsets[nodes + 1] - offsets[nodes]).sum())

    def _grow(self) -> None:
        groups = int(self.crawled.now[CHANGED] + self._waiting.scalars[SKIPPED]) + 1
        self._waiting = grown(self._waiting, self._links_in_round(), groups)

    # By asking the strategy

    def _run_asking(self, progress: Progress) -> str:
        crawled, web = self.crawled, self._web
        counters = asking.FoundCounts(np.zeros(len(self._graph), np.uint8), np.zeros(len(self._graph), np.uint8))
        while count := asking.begin_round(self._waiting, web, crawled, self._limits):
            progress(_CRAWLING, int(crawled.now[VISITS]), self._plan.budget)
            if len(pages := self._columns.pages(count)):
                self._move(self._strategy.learn(pages))
            self._queue_links(counters)
            asking.end_round(self._waiting, web, crawled, self._limits)
        budget = self._plan.budget
        return "pages" if budget and int(crawled.now[PAGES]) >= budget else "empty frontier"

    def _queue_links(self, counters: asking.FoundCounts) -> None:
        most = self._links_in_round()
        room = asking.GatheredLinks(
            np.empty(most, np.int64),
            np.empty(most, np.uint32),
            np.empty(most, np.uint32),
            np.empty(most, np.uint16),
            np.empty(most, np.uint8),
            np.empty(most, np.uint32),
        )
        count = asking.gather(self._web, self.crawled, counters, room)
        levels = self._levels(room, count, counters) if count else np.empty(0, np.int16)
        # Only now: groups that links moved have taken heap entries.
        if not asking.room(self._waiting, self._web, self.crawled):
            self._grow()
        asking.push(self._waiting, self._web, self.crawled, room, levels, self._plan.pages_per_server)

    def _levels(self, room: asking.GatheredLinks, count: int, counters: asking.FoundCounts) -> NDArray[np.int16]:
        """The levels of a round's links, after the strategy has learned from them."""
        links = self._columns.links(room, count, counters)
        self._move(self._learner.meet(links))
        levels = level_of(self._strategy.score(links))
        if levels.shape != (count,):  # compiled code does not check the bounds of arrays
            raise ConfigError(f"the strategy's score gave {levels.shape} values for {count} links. Give one a link.")
        self._write_notes(room.target[:count], levels, links)
        return levels

    def _write_notes(self, target: NDArray[np.uint32], levels: NDArray[np.int16], links: LinkBatch) -> None:
        """Keep the notes of links that will be queued."""
        if self._notes is not None:
            better = np.flatnonzero(levels > self._waiting.level[target])
            # Of several links to one page, the best and earliest is queued: its note is written last.
            better = better[np.lexsort((-better, levels[better]))]
            self._notes[target[better]] = self._learner.note(links)[better]

    def _move(self, groups: Ids) -> None:
        if len(groups) and len(self._waiting.rank) > 1:
            if int(groups.max()) >= len(self._waiting.rank):
                raise ConfigError(f"the strategy's learn or meet names a group, {groups.max()}, that is not there.")
            self._waiting = grown(self._waiting, 0, len(groups) + int(self._waiting.scalars[SKIPPED]) + 1)
            asking.move(self._waiting, self.crawled, groups, self._ranks(groups))


def _seeds(graph: Graph, plan: Plan) -> NDArray[np.uint32]:
    seeds = np.array(plan.seeds or graph.seeds, dtype=np.int64)
    if not len(seeds):
        raise ConfigError(f"{graph.directory} has no seeds, so a crawl has no place to begin. Name some with --seeds.")
    if seeds.min() < 0 or seeds.max() >= len(graph):
        raise ConfigError(f"--seeds must be pages of {graph.directory}.")
    return seeds.astype(np.uint32)
