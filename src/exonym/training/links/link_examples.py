"""Examples for a link model from a web graph, as the thesis gathered them.

From relevant pages, the pages that link to them (by the graph's own links, and by a file if there is one), and
everything within two hops of those. Among the pages of that part each segment has its relevance degree; a link between
segments of different servers is an example, once for each pair: with all links of the pair, or with the first.
Sites (servers) or single pages can take the place of segments.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Floats, Integers, Outcome
from exonym.errors import ConfigError
from exonym.models.links.base import LinkPool, LinkUnit
from exonym.models.links.features import LinkTexts
from exonym.training.links.back_link_file import BackLinks
from exonym.training.links.back_links import Listed, listed_pages
from exonym.webgraph.graph import Graph
from exonym.webgraph.link_texts import TextsOfGraph


@dataclass(frozen=True, slots=True, eq=False)
class LinkExamples:
    """Columns of one length: a row for each pair of segments (sites, pages) between which there is a link."""

    texts: LinkTexts  # of the links, those of a pair together
    degrees: Floats  # relevance degree of each source segment or site; of a source page, its relevance
    relevant: NDArray[np.bool_]  # whether the target's degree reaches the threshold
    sites: NDArray[np.int64]  # number of the target's site: what is held out together
    lengths: Integers | None = None  # how many links each pair has, if they are pooled; None: one link each
    unit: LinkUnit = "segment"

    def __post_init__(self) -> None:
        lengths = {len(column) for column in (self.degrees, self.relevant, self.sites, self.first_links)}
        links = len(self) if self.lengths is None else int(self.lengths.sum())
        if len(lengths) != 1 or {len(column) for column in self.texts} != {links}:
            raise ConfigError("the columns of link examples must have one length.")

    @property
    def first_links(self) -> Integers:
        """The row in `texts` of the first link of each pair."""
        return np.arange(len(self)) if self.lengths is None else np.cumsum(self.lengths) - self.lengths

    def __len__(self) -> int:
        return len(self.relevant)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Which part of a graph examples are taken from."""

    seeds: int = 1_000  # relevant pages to begin from, at most
    hops: int = 2  # from the pages that link to them
    threshold: float = 0.5  # the relevance degree from which on a segment or site is relevant
    seed: int = 0  # of the random choice of these pages
    back_links: BackLinks | None = None  # pages that link to them by a file, in addition to the graph's own links
    pool: LinkPool = "pair"  # all links from one segment to another are one example, or the first of them is
    unit: LinkUnit = "segment"  # what links lead from and to


@dataclass(frozen=True, slots=True)
class Gathered:
    """The examples, and the counts of the part of the graph that they are from."""

    examples: LinkExamples
    seeds: int
    back_links: int  # pages that link to the seeds
    pages: int
    segments: int  # or sites or pages, as the examples have them
    relevant_segments: int
    listed: Listed | None = None  # how a file of back-links fits the graph


class GraphPart(NamedTuple):
    """The part of a graph that examples are taken from."""

    seeds: Integers  # the relevant pages that it begins from
    back_links: Flags  # hop 0: the pages that link to them
    pages: Flags  # all that were fetched within some hops of these
    listed: Listed | None = None  # how a file of back-links fits the graph


def gather_links(graph: Graph, gathering: Gathering) -> Gathered:
    """Examples of links between segments, sites or pages."""
    if not graph.has("anchor"):
        raise ConfigError(f"{graph.directory} has no texts of links. Import it without --no-anchors.")
    part = part_of(graph, gathering)
    units = units_of(graph, gathering.unit)
    degrees = _degrees_of_units(graph, part.pages, units)
    links, lengths = _links_between(graph, part.pages, units, degrees)
    first = links[np.cumsum(lengths) - lengths]
    if gathering.pool == "link":
        links = first
    sources, known = _sources_of(graph, first), ~np.isnan(degrees)
    targets = np.asarray(graph.targets)[first].astype(np.int64)
    examples = LinkExamples(
        texts=TextsOfGraph(graph).of(links),
        degrees=_relevances_of(graph, sources) if gathering.unit == "page" else degrees[units[sources]],
        relevant=degrees[units[targets]] >= gathering.threshold,
        sites=np.asarray(graph.server)[targets].astype(np.int64),
        lengths=lengths if gathering.pool == "pair" else None,
        unit=gathering.unit,
    )
    return Gathered(
        examples=examples,
        seeds=len(part.seeds),
        back_links=int(part.back_links.sum()),
        pages=int(part.pages.sum()),
        segments=int(known.sum()),
        relevant_segments=int((degrees[known] >= gathering.threshold).sum()),
        listed=part.listed,
    )


def part_of(graph: Graph, gathering: Gathering) -> GraphPart:
    """The part of the graph that the thesis gathers; ConfigError if no page is relevant, or the file fits none."""
    graph.check_numbers()
    seeds = relevant_pages(graph, gathering.seeds, gathering.seed)
    is_seed, back_links = (np.zeros(len(graph), np.bool_) for _ in range(2))
    is_seed[seeds] = True
    back_links[_sources_of(graph, np.flatnonzero(is_seed[graph.targets]))] = True
    listed = None
    if gathering.back_links is not None:
        named, listed = listed_pages(graph, gathering.back_links, seeds, back_links)
        back_links = back_links | named
    if not back_links.any():
        back_links = is_seed
    return GraphPart(seeds, back_links, _within(graph, back_links, gathering.hops), listed)


def relevant_pages(graph: Graph, count: int, seed: int) -> Integers:
    """At most `count` relevant pages of a graph, chosen at random; ConfigError if it has none."""
    relevant: Integers = np.flatnonzero(graph.relevant & (graph.outcome == Outcome.PAGE))
    if not len(relevant):
        raise ConfigError(f"{graph.directory} has no relevant page. Judge it first: exonym graph judge.")
    return np.sort(np.random.default_rng(seed).permutation(relevant)[:count])


def _sources_of(graph: Graph, links: Integers) -> Integers:
    return np.searchsorted(graph.offsets, links, side="right") - 1


def _within(graph: Graph, begin: Flags, hops: int) -> Flags:
    """All pages that were fetched within `hops` of `begin`."""
    reached, edge = begin.copy(), begin
    for _ in range(hops):
        following = np.repeat(edge, np.diff(graph.offsets))
        ahead: Flags = np.zeros(len(graph), np.bool_)
        ahead[np.asarray(graph.targets)[following]] = True
        edge = ahead & ~reached
        reached |= edge
    fetched: Flags = reached & (graph.outcome == Outcome.PAGE)
    return fetched


def units_of(graph: Graph, unit: LinkUnit) -> Integers:
    """For each node, the number of the segment or server that it is in; or its own number."""
    if unit == "page":
        return np.arange(len(graph), dtype=np.int64)
    return np.asarray(graph.segment if unit == "segment" else graph.server).astype(np.int64)


def degrees_of(graph: Graph, part: Flags) -> NDArray[np.float64]:
    """The relevance degree of each segment, by its pages in a part of the graph; NaN for a segment without pages."""
    return _degrees_of_units(graph, part, units_of(graph, "segment"))


def _degrees_of_units(graph: Graph, part: Flags, units: Integers) -> NDArray[np.float64]:
    count = int(units.max(initial=-1)) + 1
    pages = np.bincount(units[part], minlength=count)
    relevant = np.bincount(units[part & graph.relevant], minlength=count)
    return np.where(pages > 0, relevant / np.maximum(pages, 1), np.nan)


def _relevances_of(graph: Graph, pages: Integers) -> Floats:
    """The relevance of pages; 1 or 0 in a graph that does not have relevances."""
    column = graph.column("relevance") if graph.has("relevance") else graph.relevant
    return np.asarray(column)[pages].astype(np.float64)


def _links_between(
    graph: Graph, part: Flags, units: Integers, degrees: NDArray[np.float64]
) -> tuple[Integers, Integers]:
    """The links between units on different servers, both with a degree, pair by pair; and how many each pair has.

    Pairs are in the order of their first links.
    """
    links = np.flatnonzero(np.repeat(part, np.diff(graph.offsets)))
    sources, targets = _sources_of(graph, links), np.asarray(graph.targets)[links].astype(np.int64)
    server = np.asarray(graph.server)
    usable = (server[sources] != server[targets]) & ~np.isnan(degrees[units[targets]])
    links, sources, targets = links[usable], sources[usable], targets[usable]
    pairs = units[sources] * len(degrees) + units[targets]
    _, first, pair, lengths = np.unique(pairs, return_index=True, return_inverse=True, return_counts=True)
    return links[np.lexsort((links, first[pair]))], lengths[np.argsort(first)]
