"""A slow simulation of a crawl that is divided into partitions: a `Crawl` for each, and messages between them.

The compiled simulation with partitions is compared with it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from exonym.batches import NO_ROW, BareLinks, Floats, Ids, LinkBatch, PageBatch
from exonym.crawl import Bounds, Crawl
from exonym.partitions import Partition, home_of
from exonym.politeness.delays import Politeness
from exonym.strategies.base import NoLearning, Strategy, learner_of
from exonym.testing.plain_simulation import PlainSimulation, Visited
from exonym.testing.reference import ReferenceFrontier
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import url_of


class PartitionPlan(NamedTuple):
    """How many partitions there are, and how many rounds links and what was learned are under way between them."""

    partitions: int
    lag: int = 0
    model_lag: int = 0  # 0: partitions learn nothing from each other


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
            member.begin(seeds)
        self._visited: list[tuple[int, Visited]] = []  # with the number of the partition
        under_way: deque[list[LinkBatch]] = deque()  # of each round
        lessons: deque[list[_Lesson]] = deque()
        while (sent := self._visit_all()) is not None or (any(under_way) and not self._is_spent):
            under_way.append(sent or [])
            arrived = under_way.popleft() if len(under_way) > self._plan.lag else []
            for member in self._members:
                member.receive(arrived)
            lessons.append([member.lesson() for member in self._members])
            taught = lessons.popleft() if len(lessons) > self._plan.model_lag else []
            for member in self._members if self._plan.model_lag else ():
                member.learn_from([lesson for lesson in taught if lesson.number != member.number])
        return self._in_order()

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
                self._visited.append((member.number, visited))
            member.rows += len(due)
            foreign = member.crawl.take(results, 0.0) if results else None
            member.end_own_links()
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


class _Lesson(NamedTuple):
    """What one partition learned in a round: from its pages, from links on them, from links of other partitions."""

    number: int
    pages: Sequence[PageBatch]
    own_links: Sequence[LinkBatch]
    foreign_links: Sequence[LinkBatch]


class _Member:
    """One partition."""

    def __init__(self, strategy: Strategy, partition: Partition, bounds: Bounds) -> None:
        self.number, self.rows = partition.number, 0
        self.contents: set[int] = set()
        self.contents_of_servers: set[tuple[int, str]] = set()
        self._strategy, self._recorder = strategy, _Recorder(strategy)
        self._partition = partition
        self._own_links: list[LinkBatch] = []
        frontier = ReferenceFrontier(strategy.group)
        self.crawl = Crawl(frontier, self._recorder, Politeness(), bounds, partition=partition)

    def begin(self, seeds: BareLinks) -> None:
        """Queue its own seeds, and learn from all."""
        foreign = self.crawl.add_seeds(seeds)
        if foreign is not None:
            learner_of(self._strategy).meet(foreign)
        self.lesson()

    def end_own_links(self) -> None:
        self._own_links, self._recorder.met = self._recorder.met, []

    def receive(self, links: list[LinkBatch]) -> None:
        """Queue those links that are its own."""
        own = [batch.pick(self._partition.owners(batch) == self.number) for batch in links]
        if any(map(len, own)):
            self.crawl.add(LinkBatch.join(own))

    def lesson(self) -> _Lesson:
        """What it learned since the last call."""
        recorder = self._recorder
        lesson = _Lesson(self.number, recorder.learned, self._own_links, recorder.met)
        recorder.learned, self._own_links, recorder.met = [], [], []
        return lesson

    def learn_from(self, lessons: list[_Lesson]) -> None:
        """Learn what others have learned, and rank its groups again."""
        if pages := [batch for lesson in lessons for batch in lesson.pages]:
            self.crawl.rerank(self._strategy.learn(PageBatch.join(pages)))
        own, foreign = [lesson.own_links for lesson in lessons], [lesson.foreign_links for lesson in lessons]
        for batches in (own, foreign):
            if links := [batch for each in batches for batch in each]:
                self.crawl.rerank(learner_of(self._strategy).meet(LinkBatch.join(links)))


class _Recorder(NoLearning):
    """A strategy that records what it learns from."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy, self.group, self.needs = strategy, strategy.group, strategy.needs
        self.link_model = getattr(strategy, "link_model", None)
        self.least_relevance = getattr(strategy, "least_relevance", 0.0)
        self.learned: list[PageBatch] = []
        self.met: list[LinkBatch] = []

    def score(self, links: LinkBatch) -> Floats:
        return self._strategy.score(links)

    def rank(self, groups: Ids) -> Floats:
        return self._strategy.rank(groups)

    def learn(self, pages: PageBatch) -> Ids:
        self.learned.append(pages)
        return self._strategy.learn(pages)

    def meet(self, links: LinkBatch) -> Ids:
        self.met.append(links)
        return learner_of(self._strategy).meet(links)

    def note(self, links: LinkBatch) -> Ids:
        return learner_of(self._strategy).note(links)
