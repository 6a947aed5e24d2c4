"""Rounds for strategies without a score table: links are gathered into columns, scored by the strategy, and queued."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Flags, FoundCounters, Outcome
from exonym.crawl import MOST_HOPS
from exonym.frontier.base import LARGEST_COUNT
from exonym.simulation.engine.arrays import CHANGED, NOBODY, PENDING, VISITS, CrawlState, Web
from exonym.simulation.engine.compiling import entry, inlined
from exonym.simulation.engine.frontier import queue, rerank
from exonym.simulation.engine.frontier_arrays import TruthArray, WaitingArrays, Whole
from exonym.simulation.engine.rounds import (
    RoundLimits,
    begin_visits,
    count_pages,
    forget_dropped,
    free_servers,
    keep_page,
    lower_page,
    pop_pages,
    take_pages,
)
from exonym.webgraph.graph import NOFOLLOW

_PAGE, _REDIRECT = int(Outcome.PAGE), int(Outcome.REDIRECT)
_FARTHEST = 65_535


class GatheredLinks(NamedTuple):
    """The links of a round, in arrays that may be longer than there are links."""

    link: NDArray[np.int64]  # its number among all links of the graph
    target: NDArray[np.uint32]
    source: NDArray[np.uint32]  # the page whose facts it has; NOBODY for a redirected seed
    distance: NDArray[np.uint16]
    hops: NDArray[np.uint8]
    visited: NDArray[np.uint32]  # the page or redirect that has it


def no_node_found(nodes: int) -> FoundCounters:
    """The counters of nodes of which none was found."""
    return FoundCounters(*(np.zeros(nodes, np.uint8) for _ in FoundCounters._fields))


@entry
def begin_round(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> Whole:
    """Pop the pages of this round and count them; how many visits there are."""
    count = take_pages(w, web, c, limits)
    if count > 0:
        count_pages(w, web, c, limits)
    return count


@entry
def pop_more(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits, count: Whole) -> Whole:
    """Pop more pages for the next round, which has `count` pages so far; how many it has then."""
    return pop_pages(w, web, c, limits, count)


@entry
def keep_or_lower(
    w: WaitingArrays, c: CrawlState, limits: RoundLimits, count: Whole, levels: NDArray[np.int16]
) -> Whole:
    """Of the pages popped from place `count` on, keep those whose level did not fall, and seeds; how many are kept."""
    kept = count
    for place in range(len(levels)):
        popped = count + place
        node = c.order[c.now[VISITS] + popped]
        risen: Whole = np.int64(levels[place]) - c.waited[node]
        is_seed = c.source[node] == NOBODY
        if is_seed or risen >= 0:
            keep_page(c, popped, kept, 0 if is_seed else risen)
            kept += 1
        else:
            lower_page(w, c, limits, node, levels[place])
    return kept


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
def _is_followed(web: Web, c: CrawlState, node: Whole) -> TruthArray:
    if web.outcome[node] == _REDIRECT:
        return c.hops[node] < MOST_HOPS
    return web.outcome[node] == _PAGE and not (len(c.is_own_copy) > 1 and c.is_own_copy[node])


@entry
def gather(web: Web, c: CrawlState, links: GatheredLinks) -> Whole:
    """Gather the links of this round's pages, in their order; how many there are."""
    now, count = c.now, 0
    for place in range(now[VISITS] - now[PENDING], now[VISITS]):
        node = c.order[place]
        if not _is_followed(web, c, node):
            continue
        is_redirect = web.outcome[node] == _REDIRECT
        source = c.source[node] if is_redirect else np.uint32(node)
        is_relevant = source == NOBODY or web.judged[source]
        distance: Whole = np.int64(c.distance[node])
        if not is_redirect:
            distance = 1 if is_relevant else min(distance + 1, _FARTHEST)
        for link in range(web.offsets[node], web.offsets[node + 1]):
            if len(web.link_flags) > 1 and web.link_flags[link] & NOFOLLOW and not is_redirect:
                continue
            links.link[count] = link
            links.target[count] = web.targets[link]
            links.source[count] = source
            links.distance[count] = distance
            links.hops[count] = c.hops[node] + 1 if is_redirect else 0
            links.visited[count] = node
            count += 1
    return count


@inlined
def _count(counter: Counters, node: Whole) -> None:
    if counter[node] < LARGEST_COUNT:
        counter[node] += 1


@inlined
def count_link(web: Web, found: FoundCounters, is_target: Flags, link: Whole, source: Whole, hops: Whole) -> None:
    """Count that the target of a link was found; `is_target` says of each language whether it is one looked for."""
    if source == NOBODY:
        return
    target = web.targets[link]
    if web.judged[source]:
        _count(found.found_relevant, target)
        if web.server[source] != web.server[target]:
            _count(found.found_elsewhere, target)
    else:
        _count(found.found_irrelevant, target)
    if len(web.anchor_language) > 1 and hops == 0 and is_target[web.anchor_language[link]]:
        _count(found.found_spoken, target)


@entry
def count_found(web: Web, found: FoundCounters, is_target: Flags, links: GatheredLinks) -> None:
    """Count the targets of links as found."""
    for place in range(len(links.target)):
        count_link(web, found, is_target, links.link[place], links.source[place], links.hops[place])


@entry
def push(
    w: WaitingArrays, web: Web, c: CrawlState, links: GatheredLinks, levels: NDArray[np.int16], most: Whole
) -> None:
    """Queue links that are new, or have a better level than before."""
    for place in range(len(levels)):
        target = links.target[place]
        if levels[place] <= w.level[target]:
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
            c.waited[target] = levels[place]
        queue(w, target, levels[place])


@entry
def move(w: WaitingArrays, c: CrawlState, groups: NDArray[np.uint64], ranks: NDArray[np.float64]) -> None:
    """Give groups new ranks."""
    for place in range(len(groups)):
        rerank(w, np.int64(groups[place]), ranks[place])
    forget_dropped(w, c)
