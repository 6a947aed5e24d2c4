"""Generates a web with published statistics from one seed number: first pages, then links, then all numbers shuffled.

Only the column `language` reveals the language of a page: nodes, servers and segments are numbered at random, and the
links of a page are in the order of their targets' numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, Floats, Ids, Integers, Outcome, language_code
from exonym.errors import ConfigError
from exonym.version import __version__
from exonym.webgraph.generating.link_drawing import KINDS, LinkDrawing, first_links, kinds_of
from exonym.webgraph.generating.page_facts import CHARSETS, charsets, text_lengths
from exonym.webgraph.generating.population import Population, populate, spread
from exonym.webgraph.generating.profile import WebProfile
from exonym.webgraph.graph import KNOWN, Nodes
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.manifest import Manifest

GENERATOR = 3  # raised when the same seed gives another web
MADE_BY = f"exonym {__version__}, generator {GENERATOR}"
FEWEST, MOST = 1_000, 100_000_000
_CHUNK = 1 << 22
_SHIFT, _TARGET = np.uint64(32), np.uint64(0xFFFFFFFF)
_LICENCE = "Generated from published statistics; free to use and pass on."


@dataclass(frozen=True, slots=True)
class Order:
    """Which web to generate, and the command that asked for it."""

    pages: int
    seed: int
    profile_name: str
    profile: WebProfile
    command: str = ""

    def __post_init__(self) -> None:
        if not FEWEST <= self.pages <= MOST:
            raise ConfigError(f"--size must be from {FEWEST:,} to {MOST:,}, got {self.pages:,}.")
        if self.seed < 0:
            raise ConfigError(f"--random-seed must be 0 or more, got {self.seed}.")


@dataclass(frozen=True, slots=True, eq=False)
class _Web:
    population: Population
    siblings: Integers  # for each page that is only known, a fetched page in the same segment
    numbers: Nodes  # the node of each page: fetched pages first, then pages only known


def generate(directory: Path, order: Order, tell: Callable[[str], None] = lambda doing: None) -> None:
    """Write the web of `order`, and `tell` each step; the same order gives the same web."""
    rng = np.random.default_rng(order.seed)
    with GraphWriter(directory) as writer:
        tell("laying out servers and pages")
        population = populate(order.profile, order.pages, rng)
        if population.relevant.all() or not population.relevant.any():
            raise ConfigError(f"--size must be more than {order.pages:,}: the profile has too few pages of one kind.")
        seeds = _seeds(population, order.profile, rng)
        tell("drawing links")
        web, keys = _linked(population, order.profile, seeds, rng)
        tell("sorting and writing")
        _write_pages(writer, web, seeds, rng)
        keys.sort()
        _write_links(writer, web, _each_once(keys), order.profile, rng)
        writer.finish(_facts(order))


def _linked(population: Population, profile: WebProfile, seeds: Integers, rng: np.random.Generator) -> tuple[_Web, Ids]:
    """The web and its links as keys, with the final numbers of nodes."""
    linking = LinkDrawing(population, profile, rng)
    siblings, known_links = _known_pages(linking, profile, rng)
    numbers = rng.permutation(np.arange(len(population) + len(siblings), dtype=np.uint32))
    first = first_links(population, seeds, rng)
    kinds = kinds_of(population, first)
    parts = [_numbered(known_links, numbers)]
    del known_links
    for number, kind in enumerate(KINDS):
        parts.append(_numbered(linking.draw(kind, first[kinds == number]), numbers))
    keys = np.empty(sum(map(len, parts)), dtype=np.uint64)
    end = len(keys)
    while parts:  # each part is freed once it is copied, because parts are large
        part = parts.pop()
        keys[end - len(part) : end] = part
        end -= len(part)
    return _Web(population, siblings, numbers), keys


def _each_once(keys: Ids) -> Ids:
    """Sorted links, each once; in place, because the array is large."""
    end, last = 0, np.uint64(0)  # no link is 0: a page does not link to itself
    for begin in range(0, len(keys), _CHUNK):
        part = keys[begin : begin + _CHUNK]
        is_new = np.diff(part, prepend=last) != 0
        last = part[-1]
        kept = part[is_new]
        keys[end : end + len(kept)] = kept
        end += len(kept)
    return keys[:end]


def _numbered(keys: Ids, numbers: Nodes) -> Ids:
    """The keys with pages of the population replaced by their nodes; in place."""
    for begin in range(0, len(keys), _CHUNK):
        part = keys[begin : begin + _CHUNK]
        sources, targets = numbers[part >> _SHIFT], numbers[part & _TARGET]
        part[:] = sources.astype(np.uint64) << _SHIFT | targets
    return keys


def _seeds(population: Population, profile: WebProfile, rng: np.random.Generator) -> Integers:
    """Relevant pages that are not on remote sites: as many as the profile says, or all if there are fewer.

    They are random pages, or the first relevant pages of large relevant servers: of two servers in the domain with most
    relevant pages, of one in the second, then of the largest servers.
    """
    pages = np.flatnonzero(population.relevant)
    pages = pages[~np.isin(population.server[pages], population.remote.servers)]
    if profile.random_seeds:
        return rng.permutation(pages)[: profile.seeds]
    relevant = np.bincount(population.server[pages], minlength=len(population.starts) - 1)
    servers = relevant**2 / population.sizes  # large and nearly all relevant
    domains = np.bincount(population.domain, weights=servers, minlength=len(population.domains))
    first, second = (np.argsort(-domains, kind="stable").tolist() * 2)[:2]
    by_size = np.argsort(-servers, kind="stable")
    by_size = by_size[servers[by_size] > 0]
    chosen = [*by_size[population.domain[by_size] == first][:2], *by_size[population.domain[by_size] == second][:1]]
    chosen = list(dict.fromkeys([*chosen, *by_size[: profile.seeds]]))[: profile.seeds]
    return pages[np.searchsorted(pages, population.starts[chosen])]


def _known_pages(linking: LinkDrawing, profile: WebProfile, rng: np.random.Generator) -> tuple[Integers, Ids]:
    """Pages that are only known: for each a fetched page in its segment (`siblings`); and the links to them."""
    population, known = linking.population, profile.known
    count, links = round(known.per_page * len(population)), round(known.links_per_page * len(population))
    from_relevant = round(links * known.from_relevant)
    weights = linking.activity * population.relevant
    per_page = spread(weights, from_relevant, rng)
    per_page += spread(linking.activity - weights, links - from_relevant, rng)
    sources = np.repeat(np.arange(len(population), dtype=np.uint32), per_page)
    rng.shuffle(sources)
    targets = np.arange(len(sources))
    targets[count:] = rng.integers(0, max(1, count), max(0, len(targets) - count))
    keys = sources.astype(np.uint64) << _SHIFT | (targets + len(population)).astype(np.uint64)
    # Servers with relevant pages were read completely: pages that are only known are on other servers.
    read = np.zeros(len(population.starts) - 1, dtype=np.bool_)
    read[population.server[population.relevant]] = True
    elsewhere = np.flatnonzero(~read[population.server])
    siblings = rng.choice(elsewhere if len(elsewhere) else np.arange(len(population)), count)
    inside = np.flatnonzero((rng.random(count) < known.same_server) & ~read[population.server[sources[:count]]])
    server = population.server[sources[inside]]
    siblings[inside] = population.starts[server] + (rng.random(len(inside)) * population.sizes[server]).astype(np.int64)
    return siblings, keys


def _write_pages(writer: GraphWriter, web: _Web, seeds: Integers, rng: np.random.Generator) -> None:
    population = web.population
    servers = rng.permutation(np.arange(len(population.starts) - 1, dtype=np.uint32))
    segments = rng.permutation(np.arange(int(population.segment[-1]) + 1, dtype=np.uint32))
    writer.put("server", _column(web, servers[population.server]))
    writer.put("segment", _column(web, segments[population.segment]))
    writer.put("domain", _column(web, population.domain[population.server]))
    outcome = np.full(len(web.numbers), KNOWN, dtype=np.uint8)
    outcome[web.numbers[: len(population)]] = Outcome.PAGE
    writer.put("outcome", outcome)
    writer.put("language", _fetched_column(web, population.language))
    writer.put("charset", _fetched_column(web, charsets(population, rng)))
    writer.put("text_length", _fetched_column(web, text_lengths(population, rng)))
    writer.put("relevant", _fetched_column(web, population.relevant))
    writer.put("seeds", web.numbers[seeds])


def _column(web: _Web, values: NDArray[np.uint32] | Codes) -> NDArray[np.uint32] | Codes:
    """A column of nodes from a column of fetched pages; a page only known has the value of its sibling."""
    column = np.empty(len(web.numbers), dtype=values.dtype)
    column[web.numbers[: len(values)]] = values
    column[web.numbers[len(values) :]] = values[web.siblings]
    return column


def _fetched_column(web: _Web, values: NDArray[Any]) -> NDArray[Any]:
    """A column of nodes from a column of fetched pages; a page only known has 0."""
    column = np.zeros(len(web.numbers), dtype=values.dtype)
    column[web.numbers[: len(values)]] = values
    return column


def _write_links(writer: GraphWriter, web: _Web, keys: Ids, profile: WebProfile, rng: np.random.Generator) -> None:
    """Write the links in the order of their keys, so that the links of a node are neighbours."""
    relevant, nodes = _fetched_column(web, web.population.relevant), len(web.numbers)
    targets, anchors = np.empty(len(keys), dtype=np.uint32), np.empty(len(keys), dtype=np.uint16)
    anchor = profile.anchors
    # By 2 · (source is relevant) + (target is relevant).
    chances = np.array(
        [
            *(anchor.irrelevant_to_irrelevant, anchor.irrelevant_to_relevant),
            *(anchor.relevant_to_irrelevant, anchor.relevant_to_relevant),
        ]
    )
    own, english = language_code(profile.language), language_code("en")
    # The anchors of a block are the same on all pages of a server.
    server = _column(web, web.population.server.astype(np.uint32)) if profile.links.copied else None
    offsets = np.zeros(nodes + 1, dtype=np.int64)
    for begin in range(0, len(keys), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        sources = keys[part] >> _SHIFT
        targets[part] = keys[part] & _TARGET
        low, high = int(sources[0]), int(sources[-1])
        offsets[low + 1 : high + 2] += np.bincount((sources - sources[0]).astype(np.int64), minlength=high - low + 1)
        chance = chances[2 * relevant[sources] + relevant[targets[part]]]
        drawn = rng.random(len(chance)) if server is None else _alike(server[sources], targets[part])
        anchors[part] = np.where(drawn < chance, own, english)
    writer.put("targets", targets)
    writer.put("anchor_language", anchors)
    del targets, anchors
    writer.put("offsets", np.cumsum(offsets, out=offsets))


def _alike(servers: NDArray[np.uint32], targets: NDArray[np.uint32]) -> Floats:
    """Numbers from 0 to 1 as if drawn at random, the same for the same server and target."""
    mixed = servers.astype(np.uint64) << _SHIFT | targets
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):  # as MurmurHash3 ends
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    numbers: Floats = (mixed >> np.uint64(11)) / 2.0**53
    return numbers


def _facts(order: Order) -> Manifest:
    return Manifest(
        languages=[order.profile.language],
        domains=list(order.profile.domains),
        charsets=CHARSETS,
        provenance={
            "made_by": MADE_BY,
            "method": "generated",
            "profile": order.profile_name,
            "seed": order.seed,
            "pages": order.pages,
            "command": order.command,
            "parameters": msgspec.to_builtins(order.profile),
        },
        licence=_LICENCE,
    )
