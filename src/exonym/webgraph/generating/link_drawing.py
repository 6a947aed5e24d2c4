"""Draws the links between the pages of a generated web; each kind of link has a budget, which is met nearly exactly.

Kinds: from relevant or irrelevant pages; to the same server, another server of the same domain, another domain; to
relevant or irrelevant pages. A link is a key, source << 32 | target. Every page gets a first link from a page nearer to
the seeds, so that all pages can be reached; it counts towards the budget of its kind.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, Ids, Integers
from exonym.webgraph.analyses.search import once_each
from exonym.webgraph.generating.population import Population, spread
from exonym.webgraph.generating.profile import WebProfile
from exonym.webgraph.ragged import spans

SAME_SERVER, SAME_DOMAIN, OTHER_DOMAIN = range(3)
_ROUNDS = 8  # of drawing again in place of links that were drawn twice
_NEARLY = 0.001  # the part of a budget that may be missing
_CHUNK = 1 << 22
_ENOUGH = 12.0  # pages of a server: with fewer, pages link less often within the server
_TARGET = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Pages that links may lead to, and the offsets at which the pages of each server and domain begin."""

    pages: Integers
    servers: Integers
    domains: Integers


@dataclass(frozen=True, slots=True)
class LinkKind:
    """A kind of link."""

    from_relevant: bool
    place: int
    to_relevant: bool


KINDS = [LinkKind(*each) for each in product((True, False), range(3), (True, False))]


class LinkDrawing:
    """Draws the links between fetched pages."""

    def __init__(self, population: Population, profile: WebProfile, rng: np.random.Generator) -> None:
        self.population = population
        self._profile = profile
        self._rng = rng
        self.activity = _activity(population, profile, rng)
        relevant = population.relevant
        self._all = {True: _pool(population, relevant), False: _pool(population, ~relevant)}
        # Pages of remote sites and on the ways there can be reached by their first links only, except the front pages
        # where the ways begin.
        remote = population.remote
        near = ~np.isin(np.arange(len(population.starts) - 1), remote.on_the_way)[population.server]
        self._inside = {True: _pool(population, relevant & near), False: _pool(population, ~relevant & near)}
        # Other servers link to the relevant pages of a relevant server, and only now and then to its other pages.
        counts = np.diff(self._all[True].servers)
        strays = (rng.random(len(population)) < profile.links.strays) | (counts == 0)[population.server]
        strays &= near
        strays[remote.open_fronts(population.starts)] = True
        self._entries = {True: self._inside[True], False: _pool(population, ~relevant & strays)}

    def draw(self, kind: LinkKind, first: Ids) -> Ids:
        """The links of a kind, sorted, including those in `first`."""
        budget = self._profile.links.relevant if kind.from_relevant else self._profile.links.irrelevant
        to_relevant = budget.to_relevant[kind.place]
        share = budget.shares[kind.place] * (to_relevant if kind.to_relevant else 1 - to_relevant)
        count, keys = round(len(self._all[kind.from_relevant].pages) * budget.per_page * share), first
        for drawing in range(_ROUNDS):
            missing = count - len(keys)
            if missing <= count * _NEARLY:
                break
            drawn = self._drawn(kind, missing)
            if self._profile.links.copied and drawing == 0:  # what is drawn again is no part of a block
                self._copy_blocks(drawn)
            keys = np.concatenate([keys, drawn])
            keys.sort()
            keys = once_each(keys)
        return keys

    def _drawn(self, kind: LinkKind, count: int) -> Ids:
        choices, weights = self._choices(kind)
        sources = self._all[kind.from_relevant].pages
        weights *= self.activity[sources]
        rows = np.repeat(np.arange(len(sources), dtype=np.uint32), spread(weights, count, self._rng))
        keys = np.empty(len(rows), dtype=np.uint64)
        for begin in range(0, len(rows), _CHUNK):
            part = rows[begin : begin + _CHUNK].astype(np.int64)
            targets = self._targets(kind, part, choices[part])
            keys[begin : begin + _CHUNK] = sources[part].astype(np.uint64) << _SHIFT | targets.astype(np.uint64)
        return keys

    def _copy_blocks(self, keys: Ids) -> None:
        """Give most links the target of one of the first links that their server's pages have; in place.

        Links are of one kind and in the order of their sources, so those of a server are neighbours.
        """
        links, rng = self._profile.links, self._rng
        sources = (keys >> _SHIFT).astype(np.int64)
        server = self.population.server[sources]
        begins = np.flatnonzero(np.diff(server, prepend=-1))
        counts = np.diff(begins, append=len(keys))
        first, size = np.repeat(begins, counts), np.repeat(np.minimum(counts, links.block), counts)
        targets = (keys & _TARGET)[first + (rng.random(len(keys)) * size).astype(np.int64)]
        is_copied = (rng.random(len(keys)) < links.copied) & (targets != sources.astype(np.uint64))
        keys[is_copied] = keys[is_copied] & ~_TARGET | targets[is_copied]

    def _choices(self, kind: LinkKind) -> tuple[Integers, Floats]:
        """For each source the number of pages to choose a target from, and the weight of its having such a link."""
        population = self.population
        server = population.server[self._all[kind.from_relevant].pages]
        if kind.place == SAME_SERVER:
            # A page does not link to itself.
            own = np.diff(self._inside[kind.to_relevant].servers) - (kind.from_relevant == kind.to_relevant)
            own = np.maximum(own, 0)
            return own[server], (own / population.sizes * -np.expm1(-own / _ENOUGH))[server]
        pool = self._entries[kind.to_relevant]
        inside = np.diff(pool.domains)[population.domain]
        count = inside - np.diff(pool.servers) if kind.place == SAME_DOMAIN else len(pool.pages) - inside
        return count[server], (count > 0).astype(np.float64)[server]

    def _targets(self, kind: LinkKind, rows: Integers, choices: Integers) -> Integers:
        server = self.population.server[self._all[kind.from_relevant].pages[rows]]
        if kind.place == SAME_SERVER:
            place = self._popular(choices)
            if kind.from_relevant == kind.to_relevant:  # step over the source itself
                place += place >= rows - self._all[kind.from_relevant].servers[server]
            pool = self._inside[kind.to_relevant]
            inside: Integers = pool.pages[pool.servers[server] + place]
            return inside
        pool = self._entries[kind.to_relevant]
        domain = self.population.domain[server]
        place = (self._rng.random(len(rows)) * choices).astype(np.int64)
        begin, end = pool.domains[domain], pool.domains[domain + 1]
        if kind.place == SAME_DOMAIN:
            place += begin
            begin, end = pool.servers[server], pool.servers[server + 1]
        place += (end - begin) * (place >= begin)
        found = self.population.server[pool.pages[place]]
        begin = pool.servers[found]
        targets: Integers = pool.pages[begin + self._popular(pool.servers[found + 1] - begin)]
        return targets

    def _popular(self, counts: Integers) -> Integers:
        """For each count a random number below it, small numbers more often."""
        return (self._rng.random(len(counts)) ** self._profile.links.popularity * counts).astype(np.int64)


def first_links(population: Population, seeds: Integers, rng: np.random.Generator) -> Ids:
    """Links by which all pages can be reached from the seeds: one to every page, except some seeds."""
    starts, server = population.starts, population.server
    pages = np.arange(len(population))
    rank = pages - starts[server]
    parents = starts[server] + (rank * rng.random(len(rank)) ** 2).astype(np.int64)
    del rank
    servers = rng.permutation(len(starts) - 1)
    servers = servers[~np.isin(servers, np.concatenate([server[seeds], population.remote.on_the_way]))]
    order = np.concatenate([server[seeds].astype(np.int64), servers])
    later = np.arange(len(seeds), len(order))
    nearer = order[(later * rng.random(len(later)) ** 2).astype(np.int64)]
    inside = (population.sizes[nearer] * rng.random(len(nearer)) ** 2).astype(np.int64)
    parents[starts[order[later]]] = starts[nearer] + inside
    parents[starts[server[seeds]]] = seeds
    _lead_to_remote_sites(parents, population, rng)
    keys = parents.astype(np.uint64) << _SHIFT | pages.astype(np.uint64)
    links: Ids = keys[parents != pages]
    return links


def _lead_to_remote_sites(parents: Integers, population: Population, rng: np.random.Generator) -> None:
    """Set the parents of the pages on the ways to remote sites, and of the relevant pages at the ends; in place."""
    remote, starts, relevant = population.remote, population.starts, np.flatnonzero(population.relevant)
    fronts, passed = starts[remote.on_the_way], np.concatenate([remote.outside, remote.level - 1])
    origins = relevant[~np.isin(population.server[relevant], remote.servers)]
    parents[fronts] = rng.choice(origins, len(fronts)) if len(origins) else fronts
    for level in range(1, int(passed.max(initial=0)) + 1):
        behind = fronts[passed == level]
        parents[behind] = starts[rng.choice(remote.foreign[remote.level == level], len(behind))]
    first, sizes = starts[remote.servers], population.sizes[remote.servers]
    inner = spans(first + 1, remote.inside - 1)
    parents[inner] = inner - 1
    pages, ends = spans(first, sizes), np.repeat(first + remote.inside - 1, sizes)
    is_end = population.relevant[pages]
    parents[pages[is_end]] = ends[is_end]


def kinds_of(population: Population, keys: Ids) -> NDArray[np.int8]:
    """The index into KINDS of each link."""
    source, target = (keys >> _SHIFT).astype(np.int64), (keys & _TARGET).astype(np.int64)
    relevant, ends = population.relevant, (population.server[source], population.server[target])
    place = np.where(population.domain[ends[0]] == population.domain[ends[1]], SAME_DOMAIN, OTHER_DOMAIN)
    place[ends[0] == ends[1]] = SAME_SERVER
    kind: NDArray[np.int8] = (6 * ~relevant[source] + 2 * place + ~relevant[target]).astype(np.int8)
    return kind


def _activity(population: Population, profile: WebProfile, rng: np.random.Generator) -> NDArray[np.float32]:
    """The number of links of each page, relative to others of its kind."""
    activity = rng.standard_gamma(profile.links.activity_shape, len(population), dtype=np.float32)
    if profile.servers.farm_servers:
        is_farm = rng.random(len(population.starts) - 1) < profile.servers.farm_servers
        is_farm[population.server[population.relevant]] = False
        activity[is_farm[population.server]] *= np.float32(profile.servers.farm_activity)
    return activity


def _pool(population: Population, chosen: Flags) -> Pool:
    pages = np.flatnonzero(chosen)
    servers = np.searchsorted(pages, population.starts)
    bounds = np.searchsorted(population.domain, np.arange(len(population.domains) + 1))
    return Pool(pages, servers, servers[bounds])
