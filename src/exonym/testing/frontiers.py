"""A check that a frontier does the same as the reference, step by step.

`check_frontier` does the same random things with a frontier and with the reference (links are found, queued, popped,
put back, lowered, drawn, done and set aside, servers parked, groups moved, dropped and excluded) and compares every
answer. A frontier on disk is also committed, killed and opened again: then it must be as it was at the last commit,
with links that were in flight waiting again.
"""

import copy
import random
from collections.abc import Callable
from typing import Protocol

import numpy as np

from exonym.batches import FoundCounters, Group, LinkBatch, Visit
from exonym.frontier.base import LEVELS_PER_UNIT, NO_FLOOR, PROBE_BASE, Frontier, rough_level
from exonym.testing.random_batches import SERVERS, link_batch
from exonym.testing.reference import ReferenceFrontier
from exonym.urls import id_of

MakeFrontier = Callable[[Group], Frontier]


class Disk(Protocol):
    """How a check commits a frontier, and opens it again as after a kill."""

    kills: bool  # whether the check kills it

    def commit(self, frontier: Frontier) -> None:
        """Make the present state of the frontier durable."""

    def reopen(self, frontier: Frontier) -> Frontier:
        """Discard the frontier in memory, and open it again from disk."""


_RANKS = (0.0, 1.0, 0.5, -2.0)
_NOTHING_IN = "every URL is out of scope"
_SCORES = (0.0, 0.25, 0.5, 0.75, -1.0, -20.0, 3.5, 128.0, float("nan"))


def check_frontier(make: MakeFrontier, seed: int, steps: int = 300, disk: Disk | None = None) -> None:
    """Raise AssertionError where the frontier that `make` makes differs from the reference."""
    for group in Group:
        life = _Life(make(group), group, random.Random(seed), disk)
        for _ in range(steps):
            life.step()
        life.drain()


class _Life:
    """The same random steps for a frontier and its reference."""

    def __init__(self, frontier: Frontier, group: Group, chance: random.Random, disk: Disk | None) -> None:
        self.frontier = frontier
        self.reference = ReferenceFrontier(group)
        self.group = group
        self.chance = chance
        self.disk = disk
        self.scores_fall = chance.random() < 0.5
        self.most_sampled = chance.choice([4, 15, 1_000])
        for each in (self.frontier, self.reference):
            each.keep_sample(self.most_sampled)
        self.kept: tuple[ReferenceFrontier, list[Visit]] = (copy.deepcopy(self.reference), [])
        self.ranks: dict[int, float] = {}
        self.in_flight: list[Visit] = []
        self.parked: list[int] = []
        # After a kill, a link that comes back may wait in its old place: in such lives none comes back before the end.
        self.endings = [_NOTHING_IN] if disk and disk.kills else ["", "3.html", "b/5.html"]
        self.outside: tuple[frozenset[str], str] = frozenset(), self.endings[0]  # servers, and ends of URLs

    def step(self) -> None:
        acts = [self.find, self.find, self.take, self.take, self.finish, self.give_back, self.move, self.wait]
        acts += [self.leave_out, self.change_scope, self.draw] + [self.lower] * self.scores_fall
        if self.disk:
            acts += [self.save, self.kill] if self.disk.kills else [self.save]
        self.chance.choice(acts)()
        assert len(self.frontier) == len(self.reference), "both frontiers have as many URLs waiting"
        assert self.frontier.aside == self.reference.aside, "both frontiers have as many URLs out of the order"

    def find(self) -> None:
        links = link_batch(self.chance, self.chance.randint(1, 12))
        spoken = np.array([self.chance.random() < 0.5 for _ in range(len(links))], dtype=np.bool_)
        met, expected = self.frontier.meet(links, spoken), self.reference.meet(links, spoken)
        for name in FoundCounters._fields:
            assert getattr(met, name).tolist() == getattr(expected, name).tolist(), f"both frontiers count {name}"
        scores = np.array([self.chance.choice(_SCORES) for _ in range(len(links))])
        notes = np.array([self.chance.getrandbits(64) for _ in range(len(links))], dtype=np.uint64)
        ranks = np.array([self.rank(group) for group in self.groups_of(links)])
        queued = self.frontier.push(met, scores, notes, ranks, self.scores_fall)
        assert queued == self.reference.push(expected, scores, notes, ranks, self.scores_fall)

    def groups_of(self, links: LinkBatch) -> list[int]:
        groups: list[int] = (links.server if self.group == Group.SERVER else links.segment).tolist()
        return groups

    def rank(self, group: int) -> float:
        return self.ranks.setdefault(group, self.chance.choice(_RANKS))

    def take(self) -> None:
        park = self.chance.random() < 0.5
        least = self.chance.choice([NO_FLOOR, NO_FLOOR, *_RANKS])
        visit, expected = self.frontier.pop(park, least), self.reference.pop(park, least)
        assert _facts(visit) == _facts(expected), f"popped {visit}, expected {expected}"
        if visit is not None:
            self.in_flight.append(visit)
            self.parked += [visit.server] * (park and visit.server not in self.parked)

    def finish(self) -> None:
        if self.in_flight:
            visit = self.in_flight.pop(self.chance.randrange(len(self.in_flight)))
            self.frontier.done(visit)
            self.reference.done(visit)

    def draw(self) -> None:
        visits, expected = self.frontier.sample(), self.reference.sample()
        assert [*map(_facts, visits)] == [*map(_facts, expected)], "both frontiers have the same sample"
        chosen = self.chance.randrange(len(visits)) if visits else 0
        for frontier, visit in zip((self.frontier, self.reference), (visits, expected), strict=True):
            for drawn in visit[chosen : chosen + 2]:
                frontier.advance(drawn, PROBE_BASE + 3.5)

    def give_back(self) -> None:
        if self.in_flight:
            visit = self.in_flight.pop(self.chance.randrange(len(self.in_flight)))
            later = visit._replace(attempts=visit.attempts + 1)
            self.frontier.put_back(later)
            self.reference.put_back(later)

    def lower(self) -> None:
        if self.in_flight:
            visit = self.in_flight.pop(self.chance.randrange(len(self.in_flight)))
            urls = np.array([visit.url], dtype=np.uint64)
            counters, expected = self.frontier.counters_of(urls), self.reference.counters_of(urls)
            assert [column.tolist() for column in counters] == [column.tolist() for column in expected]
            score = rough_level(visit.level) / LEVELS_PER_UNIT - self.chance.choice((0.25, 0.5, 1.0))
            for frontier in (self.frontier, self.reference):
                frontier.lower(visit, score)

    def move(self) -> None:
        if self.ranks:
            group = self.chance.choice(sorted(self.ranks))
            rank = self.chance.choice([*_RANKS, float("nan")])
            self.ranks[group] = rank
            for frontier in (self.frontier, self.reference):
                frontier.rerank(np.array([group], dtype=np.uint64), np.array([rank]))

    def wait(self) -> None:
        if self.parked and self.chance.random() < 0.5:
            server = self.parked.pop()
            self.frontier.release(server)
            self.reference.release(server)
        elif self.in_flight:
            server = self.chance.choice(self.in_flight).server
            self.parked.append(server)
            self.frontier.park(server)
            self.reference.park(server)

    def leave_out(self) -> None:
        if self.in_flight:
            visit = self.in_flight.pop(self.chance.randrange(len(self.in_flight)))
            alone = self.chance.random() < 0.7
            for frontier in (self.frontier, self.reference):
                (frontier.set_aside if alone else frontier.exclude)(visit)

    def change_scope(self) -> None:
        if self.chance.random() < 0.3:
            servers = frozenset(server for server in SERVERS if self.chance.random() < 0.2)
            self.outside = servers, self.chance.choice(self.endings)
            self.apply_scope()

    def apply_scope(self) -> None:
        servers, ending = self.outside

        def is_out(group: int, name: str) -> bool:
            return name in servers

        def is_in(url: str) -> bool:
            return ending != _NOTHING_IN and not (ending and url.endswith(ending))

        groups, expected = self.frontier.rescope(is_out, is_in), self.reference.rescope(is_out, is_in)
        assert groups.tolist() == expected.tolist(), "links come back to the same groups"
        for frontier in (self.frontier, self.reference):
            frontier.rerank(groups, np.array([self.rank(group) for group in groups.tolist()]))

    def save(self) -> None:
        assert self.disk is not None
        self.disk.commit(self.frontier)
        self.kept = copy.deepcopy(self.reference), list(self.in_flight)

    def kill(self) -> None:
        assert self.disk is not None
        self.frontier = self.disk.reopen(self.frontier)
        self.frontier.keep_sample(self.most_sampled)
        self.reference, in_flight = copy.deepcopy(self.kept[0]), self.kept[1]
        for visit in in_flight:
            self.reference.put_back(visit)
        for server in range(6):
            self.reference.release(id_of(f"www{server}.example"))
        self.in_flight, self.parked = [], []
        groups = np.array(sorted(self.ranks), dtype=np.uint64)
        for frontier in (self.frontier, self.reference):
            frontier.rerank(groups, np.array([self.ranks[group] for group in groups.tolist()]))
        self.apply_scope()

    def drain(self) -> None:
        self.draw()
        for server in self.parked:
            self.frontier.release(server)
            self.reference.release(server)
        while (expected := self.reference.pop()) is not None:
            assert _facts(self.frontier.pop()) == _facts(expected)
        assert self.frontier.pop() is None
        assert len(self.frontier) == len(self.reference) == 0
        self.outside = frozenset(), ""
        self.apply_scope()
        assert self.frontier.aside == self.reference.aside == 0
        assert _rest_of(self.frontier) == _rest_of(self.reference), "all links out of the order came back"


def _rest_of(frontier: Frontier) -> list[tuple[int, int]]:
    """All URLs that wait, with their levels."""
    return sorted((visit.url, visit.level) for visit in iter(frontier.pop, None))


def _facts(visit: Visit | None) -> Visit | None:
    """All facts but the attempts, which a restart may forget."""
    return visit._replace(attempts=0) if visit else None
