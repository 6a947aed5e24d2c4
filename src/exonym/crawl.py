"""The loop of a crawl and its rules, without I/O: which URLs are due now, and what their pages change.

A driver calls `due`, fetches (or looks up) those pages, and hands them over with their bare links to `take`. What a
link inherits from its source (distance, relevance, segment, hops) is decided here, so that a driver has no rules of its
own. Crawl receives the time as an argument; it never reads a clock, waits, or touches the network.

The live driver and the slow reference simulations run this object. The compiled simulator
(`exonym.simulation.engine`) is a second implementation of the same rules over arrays;
`tests/agreement/test_engine_equals_reference.py` and `test_live_equals_engine.py` compare both, visit by visit.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exonym.batches import (
    LINK_COLUMNS,
    NO_ROW,
    SITEMAP_HOP,
    BareLinks,
    Flags,
    Group,
    Ids,
    LinkBatch,
    Outcome,
    PageBatch,
    Visit,
    VisitResult,
    WaitingBatch,
)
from exonym.errors import DirectoryError
from exonym.frontier.base import (
    LEVELS_PER_UNIT,
    MOST_SAMPLED,
    NO_FLOOR,
    PROBE_LEVEL,
    Frontier,
    KnowsCounters,
    drawn_score,
    level_of,
    rough_level,
)
from exonym.frontier.look_ahead import LookAhead
from exonym.link_columns import SegmentMeans, Source, link_batch
from exonym.link_types import LinkTypes
from exonym.models.links.base import blank_reading
from exonym.partitions import Partition
from exonym.politeness.delays import Politeness
from exonym.probes.random_probes import NO_SAMPLE, Probes, ScoredSample, Standing
from exonym.scope.crawl_scope import CrawlScope
from exonym.scope.guard import ScopeGuard
from exonym.strategies.base import (
    Learner,
    MergesState,
    ScoresAgain,
    SharesLearning,
    State,
    Strategy,
    Tally,
    is_download,
    learner_of,
    lessons_of,
    reads_links,
    target_codes,
)
from exonym.urls import server_of

MOST_HOPS = 10
FARTHEST = 65_535  # distances have 16 bits
MOST_LOWERED, MOST_LOWERED_A_VISIT = 1_000, 64  # links that `due` puts back at a time; then it scores none again
MOST_LEFT_OUT = 2_000  # links that `due` leaves out at a time, so that a rule for many links delays nothing
_OF_PROBES = "probes_"  # in link updates
PATIENCE_SECONDS = 10.0  # a server that rests longer, and longer than four usual delays, keeps no others waiting


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many pages this crawl may fetch, and how far ahead it looks; 0 is no limit."""

    pages: int = 0
    pages_per_server: int = 0
    look_ahead: int = 0  # so many links, at most, wait for their servers while worse ones are visited


class Crawl:
    """Joins frontier, strategy and politeness for the servers of one partition.

    Between `due` and `take` (or `postpone`) a visit is in flight, and its server gets no other request.
    """

    def __init__(
        self,
        frontier: Frontier,
        strategy: Strategy,
        politeness: Politeness,
        bounds: Bounds,
        types: LinkTypes | None = None,
        partition: Partition | None = None,
    ) -> None:
        """Without `types`, links are followed whatever they seem to lead to; without `partition`, all are its own."""
        self._look_ahead = LookAhead(frontier, strategy.group, bounds.look_ahead) if bounds.look_ahead else None
        self._frontier = frontier if self._look_ahead is None else self._look_ahead
        self._strategy = strategy
        self._learner = learner_of(strategy)
        self._rescorer = strategy if isinstance(strategy, ScoresAgain) else None
        self.probes = probes_of(strategy)
        if self.probes is not None:
            frontier.keep_sample(self.probes.most_sampled)
        self._target_codes = target_codes(strategy)
        self._politeness = politeness
        self._bounds = bounds
        self.types = types
        self._partition = partition
        self._in_flight: dict[int, Visit] = {}
        self._servers = Tally()
        self.guard = ScopeGuard(self._frontier, strategy.group, politeness, self._servers)
        self._segments = SegmentMeans(strategy.needs)
        self._blanks: dict[str, Any] = {name: LINK_COLUMNS[name].blank for name in strategy.needs}
        if "reading" in strategy.needs:
            self._blanks["reading"] = blank_reading(reads_links(strategy).link_model)
        self._patience_seconds = max(PATIENCE_SECONDS, 4 * politeness.usual_delay_seconds)
        self._now = 0.0
        self._left_out = 0  # by the present call of `due`
        self.has_more = False  # `due` left out, or put back, as many links as it may at a time: call it again at once
        self._is_at_floor = False  # all links of servers that do not rest are below the floor
        self.pages = 0
        self.page_limit = bounds.pages or None  # of this partition; what a cluster lends it changes

    # What to fetch

    def due(self, now: float, count: int) -> list[Visit]:
        """Up to `count` visits that may be made now, best first."""
        self._now = now
        for server in self._politeness.rested(now):
            self._frontier.release(server)
        if self._look_ahead is not None:
            self._look_ahead.reopen()
        if self.probes is not None and self.pages >= self.probes.next_review:
            self._review(self.probes)
        if self.page_limit is not None:
            count = min(count, self.page_limit - self.pages - len(self._in_flight))
        visits: list[Visit] = []
        most_lowered, self._left_out = MOST_LOWERED + MOST_LOWERED_A_VISIT * count, 0
        floor = NO_FLOOR if self._rescorer is None else self._rescorer.floor
        # Above a floor, no link is visited without being scored again.
        while (most_lowered > 0 or floor == NO_FLOOR) and (popped := self._popped(count - len(visits), floor)):
            worth = self._scored_again(popped) if self._rescorer is not None and most_lowered > 0 else popped
            most_lowered -= len(popped) - len(worth)
            visits += worth
        self._in_flight.update((visit.url, visit) for visit in visits)
        self.has_more = self._left_out == MOST_LEFT_OUT or (most_lowered <= 0 and floor > NO_FLOOR)
        self._is_at_floor = floor > NO_FLOOR and len(visits) < count and not self.has_more
        return visits

    def _popped(self, count: int, floor: float) -> list[Visit]:
        """Up to `count` links that may be visited now; those that may not be visited at all wait no more."""
        visits: list[Visit] = []
        while len(visits) < count and self._left_out < MOST_LEFT_OUT:
            visit = self._frontier.pop(park=True, least=floor)
            if visit is None:
                break
            if self._leaves_out(visit):
                self._frontier.release(visit.server)
                self._left_out += 1
                continue
            visits.append(visit)
        return visits

    def _review(self, probes: Probes) -> None:
        """Draw links that wait at random, to be visited next."""
        assert self._rescorer is not None
        waiting, sample = self._frontier.sample(), NO_SAMPLE
        if waiting:
            batch = waiting_batch(waiting, self._frontier)
            sample = ScoredSample(batch.url, self._rescorer.again(batch)[0], batch.found_relevant)
        found = self._frontier.counters_of(probes.found_urls())
        standing = Standing(self.pages, self._servers.relevant, len(self._frontier))
        places, scores = probes.review(standing, sample, found.found_relevant)
        for place, score in zip(places.tolist(), scores.tolist(), strict=True):
            self._frontier.advance(waiting[place], score)

    def _scored_again(self, popped: list[Visit]) -> list[Visit]:
        """The links whose score did not fall while they waited, with their present notes; the others wait on."""
        assert self._rescorer is not None
        scores, notes = self._rescorer.again(waiting_batch(popped, self._frontier))
        worth = []
        for visit, score, level, note in zip(
            popped, scores.tolist(), level_of(scores).tolist(), notes.tolist(), strict=True
        ):
            if visit.source == NO_ROW:
                worth.append(visit)
            elif visit.level >= PROBE_LEVEL:  # drawn at random, whatever its score
                worth.append(visit._replace(note=note))
            elif level >= rough_level(visit.level):
                risen = (level - visit.level) / LEVELS_PER_UNIT
                worth.append(visit._replace(note=note, score=visit.score + risen, risen=risen))
            else:
                self._frontier.lower(visit._replace(note=note), score)
                self._frontier.release(visit.server)
        return worth

    def _leaves_out(self, visit: Visit) -> bool:
        """Whether a visit must not be made, by the scope or by the limit for each server; if so, it waits no more."""
        if self.guard.leaves_out(visit):
            return True
        limit = self._bounds.pages_per_server
        is_full = bool(limit) and self._servers.pages_of(visit.server) >= limit
        if is_full and not self.guard.has_own_limit(visit):
            self._frontier.done(visit)
            return True
        if self.guard.is_beside_kept(visit) and np.isnan(self._strategy.rank(self._groups_of([visit]))[0]):
            self._frontier.done(visit)  # the strategy dropped its group, which a rule keeps for other links
            return True
        return False

    def _groups_of(self, visits: Sequence[Visit]) -> Ids:
        groups = [visit.server if self._strategy.group == Group.SERVER else visit.segment for visit in visits]
        return np.array(groups, dtype=np.uint64)

    def set_limits(self, pages: int, pages_per_server: int) -> None:
        """Fetch at most so many pages from now on, in all and of each server; 0 is no limit."""
        self._bounds = replace(self._bounds, pages=pages, pages_per_server=pages_per_server)
        self.page_limit = pages or None

    def set_scope(self, scope: CrawlScope, pages: Iterable[list[str]] = ()) -> None:
        """Obey other rules from now on; `pages` as in `ScopeGuard.set_scope`."""
        groups = self.guard.set_scope(scope, pages)
        if len(groups):
            self.rerank(groups)

    @property
    def in_flight(self) -> int:
        """How many visits from `due` are not yet taken or postponed."""
        return len(self._in_flight)

    def at_work(self, most: int) -> list[str]:
        """The servers of some visits in flight."""
        return [server_of(visit.text) for visit in itertools.islice(self._in_flight.values(), most) if visit.text]

    @property
    def has_room(self) -> bool:
        """Whether the page limit allows more visits to begin."""
        return self.page_limit is None or self.pages + len(self._in_flight) < self.page_limit

    @property
    def waiting(self) -> int:
        """How many URLs wait or are in flight."""
        return len(self._frontier) + len(self._in_flight)

    @property
    def aside(self) -> int:
        """How many URLs are known and out of the frontier's order, because the scope leaves them out."""
        return self._frontier.aside

    @property
    def is_spent(self) -> bool:
        """Whether nothing is in flight, and no link waits that is to be followed."""
        return not self._in_flight and (not len(self._frontier) or self.is_at_floor)

    @property
    def is_at_floor(self) -> bool:
        """Whether all links that wait are below the floor of the strategy."""
        return self._is_at_floor and not self._politeness.resting and len(self._frontier) > 0

    # What visits found

    def take(self, results: Sequence[VisitResult], now: float) -> LinkBatch | None:
        """Learn from visits that ended and queue the links found; links that other partitions own are returned."""
        self._now = now
        for result in results:
            visit = result.visit
            del self._in_flight[visit.url]
            self._frontier.done(visit)
            was_asked = result.was_requested and result.outcome != Outcome.FORBIDDEN
            delay_seconds = self._politeness.delay_of(visit.server) * was_asked
            self._rest(visit, now + delay_seconds, self._politeness.delay_reason(visit.server) if delay_seconds else "")
        self._is_at_floor = False
        self.relearn(_page_batch(results))
        return self._add_found([found for result in results for found in _found_by(result)])

    def add_seeds(self, links: BareLinks) -> LinkBatch | None:
        """Queue links without a source; those that other partitions own are returned."""
        return self._add_found([(Source(), links)])

    def add_sitemaps(self, visit: Visit, links: BareLinks) -> LinkBatch | None:
        """Queue the sitemaps that the robots.txt of a visit's server names, with the facts of the visit's own link."""
        return self._add_found([(_inherited(visit, SITEMAP_HOP), links)])

    def _add_found(self, found: list[tuple[Source, BareLinks]]) -> LinkBatch | None:
        return self.add(link_batch(found, self._strategy.needs, self._segments, self._blanks))

    def relearn(self, pages: PageBatch) -> None:
        """Learn from pages whose visits are over (after a restart: those since the last snapshot)."""
        counted = is_download(pages)
        if self.probes is not None and pages.probed is not None:
            fetched = pages.pick(counted)
            assert fetched.probed is not None
            is_relevant = fetched.relevant & (fetched.outcome == Outcome.PAGE)
            if fetched.is_copy is not None:
                is_relevant &= ~fetched.is_copy
            self.probes.add(fetched.url, is_relevant, fetched.probed, self.pages)
        self.pages += int(np.count_nonzero(counted))
        self._servers.add(pages.server[counted], pages.relevant[counted])
        if pages.text is not None:
            self.guard.count(pages.text[place] for place in np.flatnonzero(counted).tolist())
        if self.types is not None:
            self.types.learn(pages)
        self._segments.add(pages if pages.is_copy is None else pages.pick(~pages.is_copy))
        lessons = lessons_of(pages, self._strategy)
        if len(lessons) and len(changed := self._strategy.learn(lessons)):
            self.rerank(changed)

    def add(self, links: LinkBatch) -> LinkBatch | None:
        """Score and queue links (another partition may have returned them); those of other partitions are returned."""
        foreign = None
        self._is_at_floor = False
        if self._partition is not None:
            is_foreign: Flags = self._partition.owners(links) != self._partition.number
            if is_foreign.any():
                foreign = replace(links.pick(is_foreign), source=self._partition.abroad(links.source[is_foreign]))
                links = links.pick(~is_foreign)
        if self.types is not None:
            links = self.types.asked(links, self.pages)
        if not len(links):
            return foreign
        links = self._frontier.meet(links, self._are_spoken(links))
        changed = self._learner.meet(links)
        if len(changed):
            self.rerank(changed)
        ranks = self._strategy.rank(links.server if self._strategy.group == Group.SERVER else links.segment)
        scores, ranks = self.guard.overruled(links, self._strategy.score(links), ranks)
        scores = np.where(links.hops & ~np.uint8(SITEMAP_HOP) > MOST_HOPS, np.nan, scores)
        if self._bounds.pages_per_server:
            is_full = self._servers.of(links.server)[0] >= self._bounds.pages_per_server
            has_limit = self.guard.has_limit(links)  # links over such a limit come back when it is raised
            scores = np.where(is_full if has_limit is None else is_full & ~has_limit, np.nan, scores)
        self._frontier.push(links, scores, self._learner.note(links), ranks, scores_fall=self._rescorer is not None)
        return foreign

    def _are_spoken(self, links: LinkBatch) -> Flags | None:
        """Which links have an anchor in a target language; redirects have no anchor."""
        if not len(self._target_codes) or links.anchor_language is None:
            return None
        spoken: Flags = np.isin(links.anchor_language, self._target_codes) & (links.hops == 0)
        return spoken

    def postpone(self, visit: Visit, until: float, why: str = "") -> None:
        """Return a visit that could not be made: it waits in its old place, and its server rests until `until`."""
        del self._in_flight[visit.url]
        self._frontier.put_back(visit)
        self._rest(visit, until, why)

    def _rest(self, visit: Visit, until: float, why: str) -> None:
        """Let the server of a visit, which is parked, rest; if it rests long, others do not wait for its links."""
        name = server_of(visit.text) if visit.text and why else ""
        self._politeness.rest(visit.server, until, name, why)
        if self._look_ahead is not None and until - self._now > self._patience_seconds:
            self._look_ahead.shelve(visit.server)

    def rest(self, server: int, until: float) -> None:
        """Send no request to a server until `until`."""
        self._frontier.park(server)
        self._politeness.rest(server, until)

    # What survives

    def state(self) -> dict[str, State]:
        """What was learned so far: a restart needs this and the journal rows that follow."""
        pages: State = {"pages": np.array([self.pages], dtype=np.int64)}
        learned = {"strategy": self._learner.state(), "servers": self._servers.state(), "crawl": pages}
        types = {} if self.types is None else {"types": self.types.state()}
        probes = {} if self.probes is None else {"probes": self.probes.state()}
        return {**learned, **types, **probes, **self._segments.state()}

    def restore(self, state: dict[str, State]) -> None:
        """Go on from what `state` gave; the frontier restores itself."""
        try:
            self._learner.restore(state["strategy"])
            self._servers.restore(state["servers"])
            self._segments.restore(state)
            self.pages = int(state["crawl"]["pages"].tolist()[0])
            if self.types is not None and "types" in state:  # version 0.1.0 has none
                self.types.restore(state["types"])
            if self.probes is not None and "probes" in state:  # partitions that are divided anew have none
                self.probes.restore(state["probes"])
        except KeyError as error:
            raise DirectoryError(
                f"What the crawl had learned lacks {error}: another strategy learned it. Set the old one in [strategy]."
            ) from error

    def merge(self, state: dict[str, State], servers: Ids | None = None) -> None:
        """Add what another partition learned, by its `state`: to join partitions.

        With `servers`, pages of these servers alone are counted: to divide a partition, each part gets the whole state
        and its own servers. What a part then knows of servers that are not its own, it never needs.
        """
        counted = state["servers"]
        if servers is not None:
            is_own = np.isin(counted["ids"].astype(np.uint64), servers)
            counted = {name: column[is_own] for name, column in counted.items()}
        self._servers.merge(counted)
        self.pages += sum(counted["counts"][:, 0].tolist())
        self._segments.merge(state)
        if self.types is not None and "types" in state:
            self.types.merge(state["types"])
        if self.probes is not None and "probes" in state:
            self.probes.merge(state["probes"])
        if isinstance(self._learner, MergesState) and len(changed := self._learner.merge(state["strategy"])):
            self.rerank(changed)

    @property
    def shares_learning(self) -> bool:
        """Whether the strategy has anything to tell to, and to hear from, those of other partitions."""
        return isinstance(self._strategy, SharesLearning)

    def differences(self, everything: bool = False) -> State:
        """What the strategy learned itself since the last call, or ever, for those of other partitions."""
        return self._strategy.differences(everything) if isinstance(self._strategy, SharesLearning) else {}

    def add_differences(self, differences: State) -> None:
        """Take what the strategy of another partition learned."""
        if isinstance(self._strategy, SharesLearning) and len(changed := self._strategy.add_differences(differences)):
            self.rerank(changed)

    @property
    def keeps_state(self) -> bool:
        """Whether `state` has what the strategy learned; if not, a restart must learn from all journal rows again."""
        return isinstance(self._strategy, Learner)

    def link_updates(self) -> State:
        """The changes that links and reviews made since the last call; they are in no snapshot and no row."""
        reviewed = {} if self.probes is None else self.probes.updates()
        return self._learner.link_updates() | {_OF_PROBES + name: value for name, value in reviewed.items()}

    def apply_link_updates(self, updates: State) -> None:
        """Repeat what `link_updates` gave."""
        reviewed = {name: value for name, value in updates.items() if name.startswith(_OF_PROBES)}
        self._learner.apply_link_updates({name: updates[name] for name in updates.keys() - reviewed.keys()})
        if self.probes is not None:
            self.probes.apply_updates({name.removeprefix(_OF_PROBES): value for name, value in reviewed.items()})

    def rerank(self, groups: Ids) -> None:
        """Give the frontier the present ranks of groups: after a restart, of all groups."""
        self._frontier.rerank(groups, self.guard.kept_ranks(groups, self._strategy.rank(groups)))

    @property
    def pages_per_server(self) -> int:
        """How many pages may be fetched of a server; 0 is no limit."""
        return self._bounds.pages_per_server

    def has_just_filled(self, server: int) -> bool:
        """Whether as many pages of a server were fetched as may be, and no more."""
        return bool(self.pages_per_server) and self._servers.pages_of(server) == self.pages_per_server

    def server_counts(self) -> tuple[int, int]:
        """The numbers of servers with a fetched page, and with a relevant one."""
        return self._servers.totals()


def probes_of(strategy: Strategy) -> Probes | None:
    """The probes of a crawl with a strategy; None if it makes none."""
    every = getattr(strategy, "probe_every", 0) if isinstance(strategy, ScoresAgain) else 0
    return Probes(every, getattr(strategy, "probe_sample", MOST_SAMPLED)) if every else None


def waiting_batch(visits: Sequence[Visit], frontier: KnowsCounters) -> WaitingBatch:
    """Links that are about to be visited, with what the frontier knows of them."""
    urls, servers, segments, notes = (
        np.array(column, dtype=np.uint64)
        for column in zip(*((visit.url, visit.server, visit.segment, visit.note) for visit in visits), strict=True)
    )
    texts = [visit.text for visit in visits]
    return WaitingBatch(urls, servers, segments, notes, *frontier.counters_of(urls), texts)


# The rules: what the links of a visit inherit from it


def _found_by(result: VisitResult) -> list[tuple[Source, BareLinks]]:
    """The links that a visit found, with the facts of their source."""
    visit = result.visit
    if result.outcome == Outcome.REDIRECT:
        return [(_inherited(visit, visit.hops + 1), result.links)]
    if result.is_own_copy:
        return []
    further = min(visit.distance + 1, FARTHEST)
    if result.outcome == Outcome.PAGE:
        # One hop further, or the first hop after a relevant page.
        distance = 1 if result.relevant else further
        facts = (result.relevance, result.relevant, result.language)
        source = Source(result.row, visit.server, visit.segment, *facts, distance, is_page=True, note=visit.note)
        return [(source, result.links)]
    if result.outcome == Outcome.SITEMAP:
        # A sitemap lists what exists, not what is relevant: its links are those of an irrelevant page. Sitemaps do not
        # count as pages, so only the count of hops ends a chain of them.
        source = Source(result.row, visit.server, visit.segment, 0.0, False, 0, further, note=visit.note)
        return [(source, result.links), (source._replace(hops=visit.hops + 1), result.sitemaps)]
    return []


def _inherited(visit: Visit, hops: int) -> Source:
    """The facts of the link that led to a redirect, for its target: with fresh facts, loops would gain priority."""
    return Source(
        row=visit.source,
        server=visit.source_server,
        relevance=visit.source_relevance,
        relevant=visit.source_relevant,
        language=visit.source_language,
        distance=visit.distance,
        hops=hops,
        note=visit.note,
    )


def _page_batch(results: Sequence[VisitResult]) -> PageBatch:
    visits = [result.visit for result in results]
    return PageBatch(
        url=np.array([visit.url for visit in visits], dtype=np.uint64),
        server=np.array([visit.server for visit in visits], dtype=np.uint64),
        segment=np.array([visit.segment for visit in visits], dtype=np.uint64),
        distance=np.array([visit.distance for visit in visits], dtype=np.uint16),
        row=np.array([result.row for result in results], dtype=np.int64),
        outcome=np.array([result.outcome for result in results], dtype=np.uint8),
        relevance=np.array([result.relevance for result in results], dtype=np.float32),
        relevant=np.array([result.relevant and not result.is_copy for result in results], dtype=np.bool_),
        language=np.array([result.language for result in results], dtype=np.uint16),
        note=np.array([visit.note for visit in visits], dtype=np.uint64),
        text=[visit.text for visit in visits],
        is_file=np.array([result.is_file for result in results], dtype=np.bool_),
        is_copy=np.array([result.is_copy for result in results], dtype=np.bool_),
        probed=np.array([_drawn_score(visit) for visit in visits], dtype=np.float32),
    )


def _drawn_score(visit: Visit) -> float:
    return drawn_score(visit.level) if visit.source != NO_ROW else math.nan
