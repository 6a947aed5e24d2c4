"""Rounds of a simulation, compiled: pop pages, count them, and queue their links with levels from a table."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Outcome
from exonym.crawl import MOST_HOPS, MOST_LOWERED, MOST_LOWERED_A_VISIT
from exonym.frontier.base import LEVELS_PER_STEP, LEVELS_PER_UNIT, NO_FLOOR, NOT_FOLLOWED, PROBE_LEVEL, VISITED
from exonym.simulation.engine.arrays import CHANGED, CLOSED, GAPS, HELD, NOBODY, PAGES, PENDING, VISITS, CrawlState, Web
from exonym.simulation.engine.compiling import entry, inlined
from exonym.simulation.engine.frontier import pop, queue, release, rerank
from exonym.simulation.engine.frontier_arrays import (
    BLOCK,
    BLOCKS,
    BUCKETS,
    BUSY,
    ENTRIES,
    HEAP,
    QUEUES,
    ROUND,
    SKIPPED,
    Real,
    TruthArray,
    WaitingArrays,
    Whole,
)
from exonym.webgraph.graph import KNOWN, NOFOLLOW

EMPTY, SPENT, STANDINGS, ROOM, PAUSE, REVIEW = range(6)  # why `run` ends
_PAGE, _FAILED, _REDIRECT = int(Outcome.PAGE), int(Outcome.FAILED), int(Outcome.REDIRECT)  # 0, 1, 2
_FARTHEST = 65_535

# Places of the facts in `ScoreTable.strides`.
RELEVANT, LANGUAGE, DISTANCE, SAME_SERVER, DOMAIN, ANCHOR, STANDING, TARGET, PATH = range(9)


class ScoreTable(NamedTuple):
    """The scores of a rule as levels, one for each combination of facts."""

    levels: NDArray[np.int16]
    seed_levels: NDArray[np.int16]  # for links without a source: the targets of redirected seeds
    strides: NDArray[np.int64]  # of each fact; 0: the rule does not use it
    language_class: NDArray[np.uint8]  # of each language code
    domain_class: NDArray[np.uint16]  # of each domain of the graph
    standing_of: NDArray[np.uint8]  # by pages · side + relevant pages, as far as they are tabulated
    rank_of: NDArray[np.float64]  # by standing
    farthest: int
    side: int


class RoundLimits(NamedTuple):
    """The limits of the plan; 0 is no limit."""

    at_a_time: int
    budget: int
    pages_per_server: int
    counts_failures: bool = True  # whether groups count failed requests as pages
    look_ahead: int = 0  # so many links, at most, wait for their servers while worse ones are visited
    held_of_server: int = 0  # so many of them, at most, are of one server


@inlined
def is_page(web: Web, node: Whole) -> TruthArray:
    """Whether a visit counts as a page fetched."""
    outcome = web.outcome[node]
    return outcome <= _FAILED or outcome == KNOWN


@inlined
def take_pages(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> Whole:
    """Pop the pages of the next round; how many there are."""
    count = pop_pages(w, web, c, limits, 0, NO_FLOOR)
    begin_visits(web, c, count)
    return count


@inlined
def begin_visits(web: Web, c: CrawlState, count: Whole) -> None:
    """Let the pages that were popped be those of this round."""
    now = c.now
    for visit in range(now[VISITS], now[VISITS] + count):
        if is_page(web, c.order[visit]):
            now[PAGES] += 1
    now[VISITS] += count
    now[PENDING] = count


@inlined
def pop_pages(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits, count: Whole, least: Real) -> Whole:
    """Pop pages for the next round, which has `count` pages so far; how many it has then."""
    now, most = c.now, limits.at_a_time
    if limits.budget > 0:
        most = min(most, limits.budget - now[PAGES])
    place = 0  # among the links held
    while count < most:
        if limits.look_ahead > 0:
            node, total, place = _take_near(w, web, c, limits, place, least)
        else:
            node, total = pop(w, least)
        if node < 0:
            break
        server = web.server[node]
        if limits.pages_per_server > 0 and c.server_pages[server] >= limits.pages_per_server:
            continue
        visit = now[VISITS] + count
        c.order[visit] = node
        if len(c.total) > 1:
            c.total[visit] = total
        if len(c.round) > 1:
            c.round[visit] = w.scalars[ROUND]
        if len(c.asked) > 1:
            c.asked[server] = w.scalars[ROUND]
        if len(w.busy) > 1 and limits.look_ahead == 0:
            w.busy[server] = BUSY
        count += 1
    _close_gaps(c)
    return count


def most_put_back(at_a_time: Whole, budget: Whole, pages: Whole) -> Whole:
    """How many links may be put back in a round before no more are scored again, as in `Crawl.due`."""
    count = at_a_time
    if budget > 0:
        count = min(count, budget - pages)
    return MOST_LOWERED + MOST_LOWERED_A_VISIT * count


most_lowered = inlined(most_put_back)


@inlined
def keep_or_lower(
    w: WaitingArrays, c: CrawlState, limits: RoundLimits, count: Whole, popped: Whole, levels: NDArray[np.int16]
) -> Whole:
    """Of `popped` pages from place `count` on, keep those whose level did not fall; how many are kept.

    Seeds, and links that were drawn at random, are kept too.
    """
    kept = count
    for place in range(popped):
        node = c.order[c.now[VISITS] + count + place]
        level, waited = np.int64(levels[place]), np.int64(c.waited[node])
        is_exempt = c.source[node] == NOBODY or waited >= PROBE_LEVEL
        if is_exempt or level >= waited // LEVELS_PER_STEP * LEVELS_PER_STEP:
            _keep_page(c, count + place, kept, 0 if is_exempt else level - waited)
            kept += 1
        else:
            _lower_page(w, c, limits, node, level | (waited + 1) % LEVELS_PER_STEP)
    return kept


@inlined
def _lower_page(w: WaitingArrays, c: CrawlState, limits: RoundLimits, node: Whole, level: Whole) -> None:
    """Put a page that was popped back into the frontier, at a lower level."""
    w.level[node] = NOT_FOLLOWED
    c.waited[node] = level
    queue(w, node, level)
    if limits.look_ahead > 0:
        c.asked[w.server[node]] = -1
    elif len(w.busy) > 1:
        release(w, w.server[node])


@inlined
def _keep_page(c: CrawlState, popped: Whole, kept: Whole, levels_risen: Whole) -> None:
    """Move a page that was popped to the place `kept` among the visits of the next round."""
    first = c.now[VISITS]
    c.order[first + kept] = c.order[first + popped]
    if len(c.round) > 1:
        c.round[first + kept] = c.round[first + popped]
    if len(c.total) > 1:
        c.total[first + kept] = c.total[first + popped] + levels_risen / LEVELS_PER_UNIT


@inlined
def _take_near(
    w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits, place: Whole, least: Real
) -> tuple[Whole, Real, Whole]:
    """Take the first link, held from `place` on or waiting, whose server was not yet asked in this round.

    Links before it that wait for their servers are held; when as many are held as may be, none is taken. Also returns
    the place among the links held to go on from.
    """
    now, asked = c.now, w.scalars[ROUND]
    while place < now[HELD]:
        node = np.int64(c.held[place])
        place += 1
        if c.asked[web.server[node]] != asked:
            c.held[place - 1] = NOBODY
            c.held_of[web.server[node]] -= 1
            now[GAPS] += 1
            return node, c.held_total[place - 1], place
    while now[HELD] - now[GAPS] < limits.look_ahead:
        node, total = pop(w, least)
        if node < 0 or c.asked[web.server[node]] != asked:
            return node, total, place
        if now[HELD] == len(c.held):
            _close_gaps(c)
        server = web.server[node]
        c.held[now[HELD]] = node
        c.held_total[now[HELD]] = total
        now[HELD] += 1
        place = now[HELD]
        c.held_of[server] += 1
        if c.held_of[server] == limits.held_of_server:
            w.busy[server] = BUSY
            c.closed[now[CLOSED]] = server
            now[CLOSED] += 1
    return np.int64(-1), 0.0, place


@inlined
def _close_gaps(c: CrawlState) -> None:
    """Move links held into the gaps that others have left."""
    kept = 0
    for place in range(c.now[HELD]):
        if c.held[place] != NOBODY:
            c.held[kept] = c.held[place]
            c.held_total[kept] = c.held_total[place]
            kept += 1
    c.now[HELD] = kept
    c.now[GAPS] = 0


@inlined
def forget_dropped(w: WaitingArrays, c: CrawlState) -> None:
    """Forget the links held whose groups were dropped; found again, they may be queued again."""
    if c.now[HELD] == 0 or len(w.rank) == 1:
        return
    dropped = 0
    for place in range(c.now[HELD]):
        if np.isnan(w.rank[w.group[c.held[place]]]):
            w.level[c.held[place]] = NOT_FOLLOWED
            c.held_of[w.server[c.held[place]]] -= 1
            c.held[place] = NOBODY
            dropped += 1
    if dropped > 0:
        _close_gaps(c)


@inlined
def count_pages(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> Whole:
    """Count the pages of this round for their servers and groups; the largest count of such a group."""
    now, changed, most = c.now, 0, 0
    for place in range(now[VISITS] - now[PENDING], now[VISITS]):
        node = c.order[place]
        if not is_page(web, node):
            continue
        if limits.pages_per_server > 0:
            c.server_pages[web.server[node]] += 1
        if len(c.is_copy) > 1 and web.outcome[node] == _PAGE:
            first, own = web.original[node], web.own_original[node]
            c.is_copy[node] = c.has_content[first]
            c.is_own_copy[node] = c.server_has_content[own]
            c.has_content[first] = c.server_has_content[own] = True
            if c.is_copy[node]:  # it says nothing of its server
                continue
        if len(c.pages) > 1 and (limits.counts_failures or web.outcome[node] == _PAGE):
            group = w.group[node]
            c.pages[group] += 1
            c.relevant[group] += web.judged[node]
            most = max(most, c.pages[group])
            c.changed[changed] = group
            changed += 1
    now[CHANGED] = changed
    return most


@inlined
def has_room(w: WaitingArrays, web: Web, c: CrawlState) -> TruthArray:
    """Whether the frontier has room for all links of this round, and for the heap entries that it may need."""
    now, links = c.now, 0
    for place in range(now[VISITS] - now[PENDING], now[VISITS]):
        node = c.order[place]
        links += web.offsets[node + 1] - web.offsets[node]
    return has_room_for(w, c, links)


@inlined
def has_room_for(w: WaitingArrays, c: CrawlState, links: Whole) -> TruthArray:
    """Whether the frontier has room for so many links, and for the heap entries that it may need."""
    s = w.scalars
    if (len(w.next_block) - s[BLOCKS]) < links // BLOCK + BUCKETS + 1:
        return False
    if s[HEAP] + links + c.now[CHANGED] + s[SKIPPED] + 1 > len(w.heap_total):
        return False
    return len(w.rank) == 1 or (s[QUEUES] + links <= len(w.queue_next) and s[ENTRIES] + links <= len(w.entry_next))


@inlined
def _move_groups(w: WaitingArrays, table: ScoreTable, c: CrawlState) -> None:
    for place in range(c.now[CHANGED]):
        group = c.changed[place]
        rerank(w, group, table.rank_of[c.standing[group]])
    forget_dropped(w, c)


@inlined
def free_servers(w: WaitingArrays, web: Web, c: CrawlState, limits: RoundLimits) -> None:
    """End a round: in simulated time, the servers of its visits may be sent requests again."""
    now = c.now
    w.scalars[ROUND] += 1
    if limits.look_ahead > 0:
        still_closed = 0
        for place in range(now[CLOSED]):
            server = c.closed[place]
            if c.held_of[server] < limits.held_of_server:
                release(w, server)
            else:
                c.closed[still_closed] = server
                still_closed += 1
        now[CLOSED] = still_closed
    elif len(w.busy) > 1:
        for place in range(now[VISITS] - now[PENDING], now[VISITS]):
            release(w, web.server[c.order[place]])


@inlined
def _facts_of(w: WaitingArrays, web: Web, table: ScoreTable, c: CrawlState, own: Whole, link: Whole) -> Whole:
    """What the facts of a link's target add to the index in the table; `own` is the server of its source."""
    target, s, at = web.targets[link], table.strides, 0
    if s[SAME_SERVER] > 0:
        at += s[SAME_SERVER] * (np.int64(web.server[target]) == own)
    if s[DOMAIN] > 0:
        at += s[DOMAIN] * table.domain_class[web.domain[target]]
    if s[ANCHOR] > 0:
        at += s[ANCHOR] * table.language_class[web.anchor_language[link]]
    if s[STANDING] > 0:
        at += s[STANDING] * c.standing[w.group[target]]
    if s[TARGET] > 0:
        at += s[TARGET] * web.truth[target]
    if s[PATH] > 0:
        at += s[PATH] * web.on_path[target]
    return at


@inlined
def _queue_links(w: WaitingArrays, web: Web, table: ScoreTable, c: CrawlState, node: Whole, most: Whole) -> None:
    """Queue the links of a page, or the target of a redirect with the facts of the link that led to the redirect."""
    is_redirect = web.outcome[node] == _REDIRECT
    if web.offsets[node] == web.offsets[node + 1] or not (is_redirect or web.outcome[node] == _PAGE):
        return
    if (is_redirect and c.hops[node] >= MOST_HOPS) or (len(c.is_own_copy) > 1 and c.is_own_copy[node]):
        return
    s = table.strides
    source = c.source[node] if is_redirect else np.uint32(node)
    is_seed = source == NOBODY
    # Each column that is read costs a cache miss: only the facts that the rule uses are read.
    relevant = is_seed or ((s[RELEVANT] > 0 or len(c.distance) > 1) and web.judged[source])
    language = table.language_class[web.language[source]] if s[LANGUAGE] > 0 and not is_seed else 0
    distance: Whole = np.int64(c.distance[node]) if len(c.distance) > 1 else 0
    if not is_redirect:
        distance = 1 if relevant else min(distance + 1, _FARTHEST)
    own = np.int64(web.server[source]) if s[SAME_SERVER] > 0 and not is_seed else np.int64(-1)
    base = s[RELEVANT] * relevant + s[LANGUAGE] * language + s[DISTANCE] * min(distance, table.farthest)
    is_plain = s[SAME_SERVER] + s[DOMAIN] + s[ANCHOR] + s[STANDING] + s[TARGET] + s[PATH] == 0
    levels = table.seed_levels if is_seed else table.levels
    if is_plain and levels[base] == NOT_FOLLOWED:
        return
    for link in range(web.offsets[node], web.offsets[node + 1]):
        target = web.targets[link]
        known = w.level[target]
        if known == VISITED:
            continue
        if len(web.link_flags) > 1 and web.link_flags[link] & NOFOLLOW and not is_redirect:
            continue
        level = levels[base] if is_plain else levels[base + _facts_of(w, web, table, c, own, link)]
        if level <= known or (most > 0 and c.server_pages[web.server[target]] >= most):
            continue
        if len(w.rank) > 1 and np.isnan(w.rank[w.group[target]]):
            continue
        if len(c.distance) > 1:
            c.distance[target] = distance
        if len(c.source) > 1:
            c.source[target] = source
        if len(c.hops) > 1:
            c.hops[target] = c.hops[node] + 1 if is_redirect else 0
        queue(w, target, level)


@entry
def run(w: WaitingArrays, web: Web, table: ScoreTable, c: CrawlState, limits: RoundLimits, rounds: Whole) -> Whole:
    """Run rounds until nothing waits, the budget is spent, or Python has something to do; the reason, one of five."""
    now = c.now
    while True:
        if now[PENDING] == 0:
            if rounds == 0:
                return PAUSE
            rounds -= 1
            if take_pages(w, web, c, limits) == 0:
                return SPENT if limits.budget > 0 and now[PAGES] >= limits.budget else EMPTY
            most = count_pages(w, web, c, limits)
            if len(c.pages) > 1:
                if most >= table.side:
                    return STANDINGS
                for place in range(now[CHANGED]):
                    group = c.changed[place]
                    c.standing[group] = table.standing_of[c.pages[group] * table.side + c.relevant[group]]
        if not has_room(w, web, c):
            return ROOM
        if len(table.rank_of) > 1:
            _move_groups(w, table, c)
        for place in range(now[VISITS] - now[PENDING], now[VISITS]):
            _queue_links(w, web, table, c, c.order[place], limits.pages_per_server)
        free_servers(w, web, c, limits)
        now[PENDING] = 0
        now[CHANGED] = 0


@entry
def queue_seed(w: WaitingArrays, node: Whole, level: Whole) -> None:
    """Queue a seed, unless it waits already."""
    if level > w.level[node]:
        queue(w, node, level)
