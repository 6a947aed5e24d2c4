"""Rounds for strategies without a score table: links are gathered into columns, scored by the strategy, and queued."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Flags, Outcome
from exonym.crawl import MOST_HOPS
from exonym.frontier.base import LARGEST_COUNT, LEVELS_PER_STEP
from exonym.simulation.engine.arrays import CHANGED, NOBODY, PENDING, VISITS, CrawlState, Web
from exonym.simulation.engine.compiling import entry, inlined
from exonym.simulation.engine.frontier import queue, rerank
from exonym.simulation.engine.frontier_arrays import Real, TruthArray, WaitingArrays, Whole
from exonym.simulation.engine.rounds import (
    RoundLimits,
    begin_visits,
    count_pages,
    forget_dropped,
    free_servers,
    keep_or_lower,
    pop_pages,
    take_pages,
)
from exonym.webgraph.graph import NOFOLLOW

_PAGE, _REDIRECT = int(Outcome.PAGE), int(Outcome.REDIRECT)
_FARTHEST = 65_535
_RELEVANT, _IRRELEVANT, _ELSEWHERE, _SPOKEN = range(4)  # as in `FoundCounters`


class GatheredLinks(NamedTuple):
    """The links of a round, in arrays that may be longer than there are links."""

    link: NDArray[np.int64]  # its number among all links of the graph
    target: NDArray[np.uint32]
    source: NDArray[np.uint32]  # the page whose facts it has; NOBODY for a redirected seed
    distance: NDArray[np.uint16]
    hops: NDArray[np.uint8]
    visited: NDArray[np.uint32]  # the page or redirect that has it


@entry
def begin_round(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> Whole:
    """Pop the pages of this round and count them; how many visits there are."""
    count = take_pages(w, web, c, limits)
    if count > 0:
        count_pages(w, web, c, limits)
    return count


@entry
def pop_more(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits, count: Whole, least: Real) -> Whole:
    """Pop more pages for the next round, which has `count` pages so far; how many it has then."""
    return pop_pages(w, web, c, limits, count, least)


@entry
def keep_or_lower_popped(
    w: WaitingArrays, c: CrawlState, limits: RoundLimits, count: Whole, levels: NDArray[np.int16]
) -> Whole:
    """`keep_or_lower` of all pages popped from place `count` on, by their present levels."""
    return keep_or_lower(w, c, limits, count, len(levels), levels)


@entry
def begin_popped(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits, count: Whole) -> None:
    """Begin a round with the pages that were popped for it, and count them."""
    begin_visits(web, c, count)
    if count > 0:
        count_pages(w, web, c, limits)


@entry
def end_round(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> None:
    """End a round whose links are all queued."""
    free_servers(w, web, c, limits)
    c.now[PENDING] = 0
    c.now[CHANGED] = 0


@inlined
def source_facts(web: Web, c: CrawlState, node: Whole) -> tuple[TruthArray, Whole, Whole, Whole]:
    """Of a visit: whether its links are followed, and the source, distance and hops of the links."""
    if web.outcome[node] == _REDIRECT:
        hops = np.int64(c.hops[node])
        return hops < MOST_HOPS, np.int64(c.source[node]), np.int64(c.distance[node]), hops + 1
    is_followed = web.outcome[node] == _PAGE and not (len(c.is_own_copy) > 1 and c.is_own_copy[node])
    distance: Whole = 1 if web.judged[node] else min(np.int64(c.distance[node]) + 1, _FARTHEST)
    return is_followed, np.int64(node), distance, np.int64(0)


@inlined
def is_open(web: Web, link: Whole, hops: Whole) -> TruthArray:
    """Whether a link may be followed: a redirect always, others unless their page says no."""
    return hops > 0 or len(web.link_flags) == 1 or web.link_flags[link] & NOFOLLOW == 0


@entry
def gather(web: Web, c: CrawlState, links: GatheredLinks) -> Whole:
    """Gather the links of this round's pages, in their order; how many there are."""
    now, count = c.now, 0
    for place in range(now[VISITS] - now[PENDING], now[VISITS]):
        node = c.order[place]
        is_followed, source, distance, hops = source_facts(web, c, node)
        if not is_followed:
            continue
        for link in range(web.offsets[node], web.offsets[node + 1]):
            if not is_open(web, link, hops):
                continue
            links.link[count] = link
            links.target[count] = web.targets[link]
            links.source[count] = source
            links.distance[count] = distance
            links.hops[count] = hops
            links.visited[count] = node
            count += 1
    return count


@inlined
def _count(counters: Counters, node: Whole, which: Whole) -> None:
    if counters[node, which] < LARGEST_COUNT:
        counters[node, which] += 1


@inlined
def count_link(web: Web, found: Counters, is_target: Flags, link: Whole, source: Whole, hops: Whole) -> None:
    """Count that the target of a link was found; `is_target` says of each language whether it is one looked for."""
    if source == NOBODY:
        return
    target = web.targets[link]
    if web.judged[source]:
        _count(found, target, _RELEVANT)
        if web.server[source] != web.server[target]:
            _count(found, target, _ELSEWHERE)
    else:
        _count(found, target, _IRRELEVANT)
    if len(web.anchor_language) > 1 and hops == 0 and is_target[web.anchor_language[link]]:
        _count(found, target, _SPOKEN)


@entry
def count_found(web: Web, found: Counters, is_target: Flags, links: GatheredLinks) -> None:
    """Count the targets of links as found."""
    for place in range(len(links.target)):
        count_link(web, found, is_target, links.link[place], links.source[place], links.hops[place])


@inlined
def raised(w: WaitingArrays, c: CrawlState, node: Whole, level: Whole) -> Whole:
    """The level of a link that was found, as `raised_levels` gives it if links may be put back."""
    return level | w.level[node] % LEVELS_PER_STEP if len(c.waited) > 1 else level


@entry
def push(
    w: WaitingArrays, web: Web, c: CrawlState, links: GatheredLinks, levels: NDArray[np.int16], most: Whole
) -> None:
    """Queue links that are new, or have a better level than before."""
    for place in range(len(levels)):
        target = links.target[place]
        level = raised(w, c, target, levels[place])
        if level <= w.level[target]:
            continue
        if most > 0 and c.server_pages[web.server[target]] >= most:
            continue
        if len(w.rank) > 1 and np.isnan(w.rank[w.group[target]]):
            continue
        c.distance[target] = links.distance[place]
        if len(c.source) > 1:
            c.source[target] = links.source[place]
        if len(c.hops) > 1:
            c.hops[target] = links.hops[place]
        if len(c.waited) > 1:
            c.waited[target] = level
        queue(w, target, level)


@entry
def move(w: WaitingArrays, c: CrawlState, groups: NDArray[np.uint64], ranks: NDArray[np.float64]) -> None:
    """Give groups new ranks."""
    for place in range(len(groups)):
        rerank(w, np.int64(groups[place]), ranks[place])
    forget_dropped(w, c)
