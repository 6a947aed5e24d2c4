"""Rounds for learned strategies, compiled: `Additive` over the arrays of a graph, with the same facts and arithmetic.

The functions that make facts and scores are those of `exonym.strategies.adaptive`, compiled here for single links.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Counters, Flags, Floats, Ids, Integers, Outcome
from exonym.frontier.base import LEVELS_PER_STEP, LEVELS_PER_UNIT, NO_FLOOR, VISITED, level_of
from exonym.simulation.engine.arrays import CHANGED, NOBODY, PAGES, PENDING, VISITS, CrawlState, Web
from exonym.simulation.engine.asking import count_link, is_open, raised, source_facts
from exonym.simulation.engine.compiling import entry, inlined
from exonym.simulation.engine.frontier import queue
from exonym.simulation.engine.frontier_arrays import TruthArray, WaitingArrays, Whole
from exonym.simulation.engine.rounds import (
    EMPTY,
    PAUSE,
    REVIEW,
    ROOM,
    SPENT,
    RoundLimits,
    begin_visits,
    count_pages,
    free_servers,
    has_room,
    has_room_for,
    is_page,
    keep_or_lower,
    most_lowered,
    pop_pages,
)
from exonym.strategies.adaptive import facts, odds
from exonym.strategies.adaptive.additive import SEED_SCORE, Additive
from exonym.strategies.adaptive.facts import PairTables
from exonym.strategies.base import target_codes
from exonym.urls import id_of
from exonym.webgraph.graph import Graph

_PAGE = int(Outcome.PAGE)
_CODES = 1 << 16  # of languages
_SEED_LEVEL = int(level_of(np.array([SEED_SCORE]))[0])
_IS_NOTED, _NOW_MASK = np.int64(facts.IS_NOTED), np.int64(facts.NOW_MASK)

_server_facts = inlined(facts.server_facts)
_segment_facts = inlined(facts.segment_facts)
_found_facts = inlined(facts.found_facts)
_facts_of_source = inlined(facts.facts_of_source)
_steps_of = inlined(odds.steps_of)
_error_of = inlined(odds.error_of)
_harvest_step = inlined(odds.harvest_step)
_square_of = inlined(odds.square_of)
_corrected = inlined(odds.corrected)


class LearnedState(NamedTuple):
    """What an `Additive` strategy has learned, and what it knows of nodes, servers and segments."""

    weights: Integers
    seen: Integers
    # The tables of pairs: see `PairTables`.
    begins: Integers
    first_shift: Integers
    first_mask: Integers
    second_shift: Integers
    second_mask: Integers
    second_bits: Integers
    # Of each server: the counts that `server_facts` takes, and the facts that follow from them.
    server_counts: NDArray[np.int32]
    server_facts: Integers
    # Of each segment: pages and relevant pages, and the facts that follow from them.
    segment_counts: NDArray[np.int32]
    segment_facts: Integers
    # Of each node: its segment, on which pages it was found, and its note.
    segment: NDArray[np.uint32]
    found: Counters
    notes: Integers
    domain_facts: Integers  # of each domain of the graph
    is_target: Flags  # of each language code
    levels: NDArray[np.int16]  # of the links that were just popped
    lessons: Integers  # how many pages it learned from
    lessons_before_floor: int
    harvest: Integers  # the share of them that are relevant, lately
    least_harvest: int
    floors: tuple[float, float]  # the least scores of links that are followed: see `Additive.floor`


def learned_state(strategy: Additive, graph: Graph, notes: Ids, limits: RoundLimits) -> LearnedState:
    """The arrays of a strategy that has learned nothing of this graph; its weights are used, and moved, themselves."""
    is_target = np.zeros(_CODES, np.bool_)
    is_target[target_codes(strategy)] = True
    domains = np.array([id_of(name) for name in graph.manifest.domains] or [0], np.uint64)
    tables = PairTables(strategy.pairs_of_numbers)
    segment = np.asarray(graph.segment).view()
    segment.flags.writeable = False
    return LearnedState(
        weights=strategy.weights,
        seen=strategy.seen,
        begins=tables.begins,
        first_shift=tables.first_shift,
        first_mask=tables.first_mask,
        second_shift=tables.second_shift,
        second_mask=tables.second_mask,
        second_bits=tables.second_bits,
        server_counts=np.zeros((graph.manifest.servers, 5), np.int32),
        server_facts=np.zeros(graph.manifest.servers, np.int64),
        segment_counts=np.zeros((graph.manifest.segments, 2), np.int32),
        segment_facts=np.zeros(graph.manifest.segments, np.int64),
        segment=segment,
        found=np.zeros((len(graph), 4), np.uint8),
        notes=notes.view(np.int64),
        domain_facts=facts.domain_facts(domains, strategy.own_domains),
        is_target=is_target,
        levels=np.zeros(limits.at_a_time, np.int16),
        lessons=strategy.lessons,
        lessons_before_floor=strategy.lessons_before_floor,
        harvest=strategy.harvest,
        least_harvest=strategy.least_harvest,
        floors=strategy.floors,
    )


@inlined
def _facts_now(m: LearnedState, web: Web, node: Whole) -> Whole:
    of_link = m.found[node]
    of_places = m.server_facts[web.server[node]] | m.segment_facts[m.segment[node]]
    return of_places | _found_facts(of_link[0], of_link[1], of_link[2], of_link[3])


@inlined
def _cell_of(m: LearnedState, table: Whole, note: Whole) -> Whole:
    first = note >> m.first_shift[table] & m.first_mask[table]
    second = note >> m.second_shift[table] & m.second_mask[table]
    return m.begins[table] + (first << m.second_bits[table] | second)


@inlined
def _odds_of(m: LearnedState, note: Whole) -> Whole:
    total: Whole = np.int64(0)
    for table in range(len(m.begins)):
        total += m.weights[_cell_of(m, table, note)]
    return total


@inlined
def _level_of(m: LearnedState, note: Whole) -> Whole:
    return _steps_of(_odds_of(m, note)) * LEVELS_PER_STEP


@inlined
def _take_pages(
    w: WaitingArrays, web: Web, m: LearnedState, c: CrawlState, limits: RoundLimits, most: Whole
) -> tuple[Whole, TruthArray]:
    """Pop the pages of the next round as `Crawl.due` does, scored again; at most about `most` links are put back.

    How many pages there are; and whether there may be more, had as many links not been put back.
    """
    count = 0
    least = NO_FLOOR
    if m.lessons[0] >= m.lessons_before_floor:
        least = m.floors[1] if m.harvest[0] < m.least_harvest else m.floors[0]
    while True:
        if most <= 0 and least > NO_FLOOR:
            return count, True
        popped = pop_pages(w, web, c, limits, count, least)
        if popped == count:
            return count, False
        if most <= 0:
            count = popped
            continue
        first = c.now[VISITS]
        for place in range(popped - count):
            node = c.order[first + count + place]
            note = m.notes[node] & ~_NOW_MASK | _facts_now(m, web, node)
            m.levels[place] = _level_of(m, note)
            if c.source[node] != NOBODY:
                m.notes[node] = note
        kept = keep_or_lower(w, c, limits, count, popped - count, m.levels)
        most -= popped - kept
        count = kept


@inlined
def _renew_server_facts(m: LearnedState, server: Whole) -> None:
    counts = m.server_counts[server]
    m.server_facts[server] = _server_facts(
        np.int64(counts[0]), np.int64(counts[1]), np.int64(counts[2]), np.int64(counts[3]), np.int64(counts[4])
    )


@inlined
def _teaches(web: Web, c: CrawlState, node: Whole) -> TruthArray:
    """Whether a visit counts as a page fetched, and is no copy of another."""
    return is_page(web, node) and not (len(c.is_copy) > 1 and web.outcome[node] == _PAGE and c.is_copy[node])


@inlined
def _learn(web: Web, m: LearnedState, c: CrawlState) -> None:
    """Correct the weights of this round's pages, one after the other; then count them."""
    begin, end = c.now[VISITS] - c.now[PENDING], c.now[VISITS]
    for visit in range(begin, end):
        node = c.order[visit]
        note = m.notes[node]
        if note & _IS_NOTED == 0 or not _teaches(web, c, node):
            continue
        is_relevant = web.outcome[node] == _PAGE and web.judged[node]
        error = _error_of(_odds_of(m, note), is_relevant)
        more = _square_of(error)
        for table in range(len(m.begins)):
            cell = _cell_of(m, table, note)
            m.seen[cell] += more
            m.weights[cell] = np.int64(_corrected(m.weights[cell], m.seen[cell], error))
        m.lessons[0] += 1
        m.harvest[0] += _harvest_step(m.harvest[0], np.int64(is_relevant))
    for visit in range(begin, end):
        node = c.order[visit]
        if not _teaches(web, c, node):
            continue
        server, segment = web.server[node], m.segment[node]
        counts, in_segment = m.server_counts[server], m.segment_counts[segment]
        if web.outcome[node] == _PAGE:
            counts[0] += 1
            counts[1] += web.judged[node]
            in_segment[0] += 1
            in_segment[1] += web.judged[node]
            m.segment_facts[segment] = _segment_facts(np.int64(in_segment[0]), np.int64(in_segment[1]))
        else:
            counts[2] += 1
        _renew_server_facts(m, server)


@inlined
def _count_links(web: Web, m: LearnedState, c: CrawlState, node: Whole) -> None:
    is_followed, source, _, hops = source_facts(web, c, node)
    if is_followed:
        for link in range(web.offsets[node], web.offsets[node + 1]):
            if is_open(web, link, hops):
                count_link(web, m.found, m.is_target, link, source, hops)
                server = web.server[web.targets[link]]
                if source != NOBODY and web.server[source] != server:
                    m.server_counts[server, 3 if web.judged[source] else 4] += 1
                    _renew_server_facts(m, server)


@inlined
def _queue_links(w: WaitingArrays, web: Web, m: LearnedState, c: CrawlState, limits: RoundLimits, node: Whole) -> None:
    """Queue the links of a page that are new, or have a better level than before."""
    is_followed, source, distance, hops = source_facts(web, c, node)
    if not is_followed:
        return
    is_seed = source == NOBODY
    is_relevant = is_seed or web.judged[source]
    own = np.int64(-1) if is_seed else np.int64(web.server[source])
    for link in range(web.offsets[node], web.offsets[node + 1]):
        target = web.targets[link]
        known = w.level[target]
        if known == VISITED or not is_open(web, link, hops):
            continue
        domain = m.domain_facts[web.domain[target]]
        is_same = np.int64(np.int64(web.server[target]) == own)
        of_source = _facts_of_source(m.notes[node], np.int64(is_relevant), is_same, distance, domain)
        note = of_source | _facts_now(m, web, target)
        level = raised(w, c, target, _SEED_LEVEL if is_seed else _level_of(m, note))
        if level <= known:
            continue
        if limits.pages_per_server > 0 and c.server_pages[web.server[target]] >= limits.pages_per_server:
            continue
        c.distance[target] = distance
        c.source[target] = source
        if len(c.hops) > 1:
            c.hops[target] = hops
        c.waited[target] = level
        m.notes[target] = note
        queue(w, target, level)


@entry
def levels_again(m: LearnedState, web: Web, nodes: NDArray[np.uint32], levels: NDArray[np.int16]) -> None:
    """Write the present levels of nodes that wait."""
    for place in range(len(nodes)):
        node = nodes[place]
        levels[place] = _level_of(m, m.notes[node] & ~_NOW_MASK | _facts_now(m, web, node))


def scores_again(m: LearnedState, web: Web, nodes: NDArray[np.uint32]) -> Floats:
    """The present scores of nodes that wait."""
    levels = np.empty(len(nodes), np.int16)
    levels_again(m, web, nodes, levels)
    return levels / LEVELS_PER_UNIT


@entry
def run_learned(
    w: WaitingArrays, web: Web, m: LearnedState, c: CrawlState, limits: RoundLimits, rounds: Whole, next_review: Whole
) -> Whole:
    """Run rounds until nothing waits, the budget is spent, or Python has something to do; why, as in `rounds.run`.

    At `next_review` pages, links are to be drawn at random before the next visit.
    """
    now = c.now
    while True:
        if now[PENDING] == 0:
            if rounds == 0:
                return PAUSE
            if now[PAGES] >= next_review:
                return REVIEW
            most = most_lowered(limits.at_a_time, limits.budget, now[PAGES])
            if not has_room_for(w, c, most + limits.at_a_time):
                return ROOM
            rounds -= 1
            count, has_more = _take_pages(w, web, m, c, limits, most)
            begin_visits(web, c, count)
            if count == 0 and has_more:
                continue
            if count == 0:
                return SPENT if limits.budget > 0 and now[PAGES] >= limits.budget else EMPTY
            count_pages(w, web, c, limits)
            _learn(web, m, c)
        if not has_room(w, web, c):
            return ROOM
        for visit in range(now[VISITS] - now[PENDING], now[VISITS]):
            _count_links(web, m, c, c.order[visit])
        for visit in range(now[VISITS] - now[PENDING], now[VISITS]):
            _queue_links(w, web, m, c, limits, c.order[visit])
        free_servers(w, web, c, limits)
        now[PENDING] = 0
        now[CHANGED] = 0
