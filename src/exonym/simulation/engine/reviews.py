"""Reviews of a simulated crawl, in which links that wait are drawn at random, as `Crawl` draws them.

`exonym.probes.random_probes` decides in both, with node numbers in the place of the ids of URLs.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Floats, Ids, Outcome
from exonym.frontier import base
from exonym.frontier.base import (
    LEVELS_PER_STEP,
    LEVELS_PER_UNIT,
    NOT_FOLLOWED,
    PROBE_BASE,
    PROBE_LEVEL,
    SEED_LEVEL,
    level_of,
)
from exonym.probes.completeness import Missing
from exonym.probes.random_probes import NO_SAMPLE, Probes, ScoredSample, Standing
from exonym.simulation.engine.arrays import HELD, NOBODY, PAGES, VISITS, CrawlState, Web
from exonym.simulation.engine.asking import raised
from exonym.simulation.engine.compiling import entry, inlined
from exonym.simulation.engine.frontier import queue
from exonym.simulation.engine.frontier_arrays import WAITING, WaitingArrays, Whole
from exonym.webgraph.graph import KNOWN, Nodes

_mixed: Callable[[Whole], Whole] = inlined(base.mixed)
_Levels = NDArray[np.int16]
ScoresOf = Callable[[Nodes], Floats]  # the present scores of links that wait
NEVER = 1 << 62  # pages


@entry
def find_least(threshold: Whole, nodes: Nodes) -> Whole:
    """Write which of as many nodes as there is room for have mixed numbers up to a threshold; how many there are."""
    count = 0
    for node in range(len(nodes)):
        if _mixed(np.uint64(node)) <= threshold:
            nodes[count] = node
            count += 1
    return count


@entry
def find_drawable(w: WaitingArrays, c: CrawlState, among: Nodes, nodes: Nodes) -> Whole:
    """Write which nodes, of all or among some, wait and may be drawn; how many there are."""
    count = 0
    for place in range(len(among) or len(w.level)):
        node = np.int64(among[place]) if len(among) else place
        level = w.level[node]
        if level != NOT_FOLLOWED and level < PROBE_LEVEL and c.source[node] != NOBODY:
            nodes[count] = node
            count += 1
    return count


@entry
def queue_drawn(w: WaitingArrays, c: CrawlState, nodes: Nodes, levels: _Levels) -> None:
    """Queue nodes that wait again, at better levels."""
    for place in range(len(nodes)):
        node = np.int64(nodes[place])
        level = raised(w, c, node, levels[place])
        c.waited[node] = level
        queue(w, node, level)


class Reviews:
    """The reviews of one crawl, and what became of the links that were drawn."""

    def __init__(self, probes: Probes, web: Web, crawled: CrawlState) -> None:
        self._probes, self._web, self._crawled = probes, web, crawled
        self._room = np.empty(len(web.outcome), np.uint32)
        self._among = self._room[:0]  # those nodes that may be in the sample, whose numbers are least; none: all
        self._visits = self._pages = self._relevant = 0  # counted so far
        self.estimates: list[Missing] = []  # at each review

    @property
    def next_review(self) -> int:
        """The number of pages at which the next review is due."""
        return self._probes.next_review

    @property
    def is_due(self) -> bool:
        """Whether the next review is to come before any further visit."""
        return int(self._crawled.now[PAGES]) >= self.next_review

    def draw(self, waiting: WaitingArrays, found: Counters, again: ScoresOf) -> tuple[Nodes, _Levels]:
        """Take stock; the links that were drawn, and the levels at which to queue them."""
        self.count()
        nodes, sample = self._sampled(waiting), NO_SAMPLE
        if len(nodes):
            sample = ScoredSample(nodes.astype(np.uint64), again(nodes), found[nodes, 0])
        links = int(waiting.scalars[WAITING] + self._crawled.now[HELD])
        standing = Standing(self._pages, self._relevant, links)
        places, scores = self._probes.review(standing, sample, found[self._probes.found_urls(), 0])
        self.estimates.append(self._probes.missing())
        return nodes[places], level_of(scores)

    def _sampled(self, waiting: WaitingArrays) -> Nodes:
        """The nodes of the frontier's sample, as `Frontier.sample` gives links."""
        nodes = self._room[: find_drawable(waiting, self._crawled, self._among, self._room)]
        numbers: Ids = base.mixed(nodes.astype(np.uint64))
        order = np.argsort(numbers)[: self._probes.most_sampled]
        chosen = nodes[order]
        if len(nodes) > len(order):
            self._keep(numbers[order[-1]])
        return chosen

    def _keep(self, threshold: np.uint64) -> None:
        """From now on, the sample has only nodes with numbers up to a threshold."""
        if len(self._among):
            self._among = self._among[base.mixed(self._among.astype(np.uint64)) <= threshold]
        else:
            self._among = self._room[: find_least(threshold, self._room)].copy()

    def count(self) -> None:
        """Note the visits since the last call."""
        web, c, last = self._web, self._crawled, int(self._crawled.now[VISITS])
        nodes = c.order[self._visits : last]
        outcome = web.outcome[nodes]
        nodes = nodes[(outcome == Outcome.PAGE) | (outcome == Outcome.FAILED) | (outcome == KNOWN)]
        relevant = web.judged[nodes] & (web.outcome[nodes] == Outcome.PAGE)
        if len(c.is_copy) > 1:
            relevant &= ~c.is_copy[nodes]
        levels = c.waited[nodes].astype(np.int64)
        is_drawn = (levels >= PROBE_LEVEL) & (levels < SEED_LEVEL) & (c.source[nodes] != NOBODY)
        scores = levels // LEVELS_PER_STEP * LEVELS_PER_STEP / LEVELS_PER_UNIT - PROBE_BASE
        drawn = np.where(is_drawn, scores, np.nan).astype(np.float32)
        self._probes.add(nodes.astype(np.uint64), relevant, drawn, self._pages)
        self._visits, self._pages = last, self._pages + len(nodes)
        self._relevant += int(np.count_nonzero(relevant))
