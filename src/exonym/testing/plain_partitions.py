"""A slow simulation of a crawl that is divided into partitions: a `Crawl` for each, and messages between them.

The compiled simulation with partitions is compared with it.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from exonym.batches import NO_ROW, BareLinks, LinkBatch
from exonym.crawl import Bounds, Crawl
from exonym.partitions import Partition, home_of
from exonym.politeness.delays import Politeness
from exonym.strategies.base import SharesLearning, State, Strategy
from exonym.testing.plain_simulation import PlainSimulation, Visited
from exonym.testing.reference import ReferenceFrontier
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import url_of


class PartitionPlan(NamedTuple):
    """How many partitions there are, how many rounds links are under way, and how often copies exchange differences."""

    partitions: int
    lag: int = 0
    model_lag: int = 0  # 0: never


class PlainPartitions(PlainSimulation):
    """Crawls a graph, a page of every partition in each round; `run` returns the visits, round by round."""

    def __init__(
        self,
        graph: Graph,
        make: Callable[[], Strategy],
        plan: PartitionPlan,
        bounds: Bounds = Bounds(),  # noqa: B008  # frozen
    ) -> None:
        super().__init__(graph, make(), bounds)
        self._plan = plan
        of_one = replace(bounds, pages=0)
        self._members = [
            _Member(make(), Partition(number, plan.partitions), of_one) for number in range(plan.partitions)
        ]

    def run(self, connections: int = 1) -> list[Visited]:
        """Crawl until a bound is reached, or nothing waits and no link is under way."""
        seeds = self._links(self._graph.seeds.tolist(), [0] * len(self._graph.seeds), has_texts=False)
        for member in self._members:
            member.crawl.add_seeds(seeds)
        self._differences()  # from now on they are recorded
        rounds = 0
        self._visited: list[tuple[int, Visited]] = []  # with the number of the partition
        under_way: deque[list[LinkBatch]] = deque()  # of each round
        while (sent := self._visit_all()) is not None or (any(under_way) and not self._is_spent):
            under_way.append(sent or [])
            arrived = under_way.popleft() if len(under_way) > self._plan.lag else []
            for member in self._members:
                member.receive(arrived)
            rounds += 1
            if self._plan.model_lag and rounds % self._plan.model_lag == 0:
                self._exchange()
        return self._in_order()

    def _differences(self) -> list[State]:
        strategies = [member.strategy for member in self._members]
        return [strategy.differences() for strategy in strategies if isinstance(strategy, SharesLearning)]

    def _exchange(self) -> None:
        told = self._differences()
        for number, member in enumerate(self._members):
            for other, differences in enumerate(told):
                if other != number and differences and isinstance(member.strategy, SharesLearning):
                    member.crawl.rerank(member.strategy.add_differences(differences))

    @property
    def _is_spent(self) -> bool:
        return 0 < self._bounds.pages <= sum(member.crawl.pages for member in self._members)

    def _visit_all(self) -> list[LinkBatch] | None:
        """Make the visits of a round: links for other partitions; None if there was no visit."""
        sent, before = [], len(self._visited)
        for member in self._members:
            due = [] if self._is_spent else member.crawl.due(0.0, 1)
            self._contents, self._contents_of_servers = member.contents, member.contents_of_servers
            results = [self._answer(visit, member.rows) for visit in due]
            for visit in due:
                visited = Visited(visit.url, visit.distance, visit.score, visit.source)
                self._visited.append((member.partition.number, visited))
            member.rows += len(due)
            foreign = member.crawl.take(results, 0.0) if results else None
            sent += [] if foreign is None else [foreign]
        return sent if len(self._visited) > before else None

    def _in_order(self) -> list[Visited]:
        """The visits of all partitions, each with its source by its place among all of them."""
        rows = [0] * len(self._members)
        place_of = {(number, NO_ROW): NO_ROW for number in range(len(self._members))}
        for place, (number, _) in enumerate(self._visited):
            place_of[number, rows[number]] = place
            rows[number] += 1
        return [visited._replace(source=place_of[home_of(visited.source, number)]) for number, visited in self._visited]

    def _links(self, targets: list[int], links: list[int], has_texts: bool) -> BareLinks:
        bare = super()._links(targets, links, has_texts)
        return bare._replace(columns={**bare.columns, "text": [url_of(self._graph, target) for target in targets]})


class _Member:
    """One partition."""

    def __init__(self, strategy: Strategy, partition: Partition, bounds: Bounds) -> None:
        self.strategy, self.partition, self.rows = strategy, partition, 0
        self.contents: set[int] = set()
        self.contents_of_servers: set[tuple[int, str]] = set()
        frontier = ReferenceFrontier(strategy.group)
        self.crawl = Crawl(frontier, strategy, Politeness(), bounds, partition=partition)

    def receive(self, links: list[LinkBatch]) -> None:
        """Queue those links that are its own."""
        own = [batch.pick(self.partition.owners(batch) == self.partition.number) for batch in links]
        if any(map(len, own)):
            self.crawl.add(LinkBatch.join(own))
