"""Hubs and authorities of a web graph (HITS: Kleinberg, Authoritative Sources in a Hyperlinked Environment, 1999).

A good hub links to good authorities, and good hubs link to a good authority: hub = A · authority, authority = Aᵀ · hub,
each scaled to length 1, over and over, until no score changes by more than the tolerance. That is power iteration, so
the scores are the principal eigenvectors of A·Aᵀ and Aᵀ·A. It begins with equal scores: the same graph gives the same
scores.

Links inside a server are left out, as Kleinberg does: they are mostly navigation, made by the same person as the pages
that they lead to, and a large server would be its own authority. Of several links between two pages, one counts.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.errors import GraphError
from exonym.progress import Tell
from exonym.seeds.seed import FoundSeed, seed_from
from exonym.webgraph.analyses.link_parts import fetched_pages, link_parts, relevant_pages
from exonym.webgraph.analyses.search import once_each
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import url_of

TOLERANCE = 1e-9  # of scores whose squares add up to 1
MOST_ROUNDS = 1_000
HUBS, AUTHORITIES = "hubs", "authorities"

NodeScores = NDArray[np.float64]


class HitsScores(NamedTuple):
    """The scores of every node; 0 for those without links between servers."""

    hubs: NodeScores
    authorities: NodeScores
    links: int  # that were counted
    rounds: int
    change: float  # the largest, in the last round: above the tolerance if the rounds were not enough


@dataclass(frozen=True, slots=True)
class HitsChoice:
    """Which pages become seeds: the `count` best by score, those of `domains` only, at most some of a server."""

    count: int
    by: str = HUBS
    per_server: int = 1  # 0: no limit
    relevant_only: bool = False
    domains: frozenset[str] = frozenset()  # none: all


def hits(graph: Graph, relevant_only: bool = False, tell: Tell = lambda _: None) -> HitsScores:
    """The scores of a graph; `relevant_only` computes them over the relevant pages and their neighbours.

    Kleinberg calls the relevant pages the root set, and them with all pages that link to them or that they link to the
    base set.
    """
    matrix = _links_between_servers(graph, relevant_only)
    backwards = matrix.T  # a view: nothing is copied
    authorities = np.ones(len(graph))
    hubs = np.zeros(len(graph))
    rounds, change = 0, float("inf")
    while rounds < MOST_ROUNDS and change > TOLERANCE:
        new_hubs = _scaled(matrix @ authorities)
        new_authorities = _scaled(backwards @ new_hubs)
        change = max(_largest_change(new_hubs, hubs), _largest_change(new_authorities, authorities))
        hubs, authorities = new_hubs, new_authorities
        rounds += 1
        tell(f"hubs and authorities: round {rounds:,}, scores change by up to {change:.1e}")
    return HitsScores(hubs, authorities, matrix.nnz, rounds, change)


def hits_seeds(graph: Graph, choice: HitsChoice, tell: Tell) -> Iterator[FoundSeed]:
    """The best pages, the best first; each says its rank and score. Only fetched pages: no failed or unknown ones."""
    if not graph.has("url") and "generator" not in graph.manifest.provenance.get("made_by", ""):
        raise GraphError(f"{graph.directory} has no addresses of pages. Import it again, with URLs.")
    scores = hits(graph, choice.relevant_only, tell)
    if not scores.links:
        raise GraphError(f"{graph.directory} has no links between servers, so no page is a hub or an authority.")
    values = scores.hubs if choice.by == HUBS else scores.authorities
    wanted = relevant_pages(graph) if choice.relevant_only else fetched_pages(graph)
    if choice.domains:
        wanted &= np.isin(graph.domain, [graph.manifest.domains.index(name) for name in _known(graph, choice.domains)])
    # Scores below the tolerance are not told from zero. Equal scores are in the order of the graph.
    order = np.argsort(-values, kind="stable")
    order = order[wanted[order] & (values[order] > TOLERANCE)]
    by_server: Counter[int] = Counter()
    found = 0
    for node in order.tolist():
        server = int(graph.server[node])
        if choice.per_server and by_server[server] >= choice.per_server:
            continue
        by_server[server] += 1
        found += 1
        name = "hub" if choice.by == HUBS else "authority"
        yield seed_from(url_of(graph, node), f"{name} {found:,} of {graph.directory.name}, score {values[node]:.2e}")
        if found == choice.count:
            return


def _links_between_servers(graph: Graph, relevant_only: bool) -> Any:
    """A as a sparse matrix: 1 where a page links to a page of another server."""
    from scipy.sparse import csr_array

    server, packed = graph.server, list[NDArray[np.uint64]]()
    for part in link_parts(graph):
        kept = server[part.sources] != server[part.targets]
        packed.append(part.sources[kept].astype(np.uint64) << np.uint64(32) | part.targets[kept])
    links = np.concatenate(packed) if packed else np.zeros(0, dtype=np.uint64)
    links.sort()
    links = once_each(links)
    sources, targets = (links >> np.uint64(32)).astype(np.int64), links.astype(np.uint32)
    if relevant_only:
        base = _base_set(relevant_pages(graph), sources, targets)
        kept = base[sources] & base[targets]
        sources, targets = sources[kept], targets[kept]
    number = np.int32 if max(len(targets), len(graph)) < 1 << 31 else np.int64  # SciPy wants the same for both
    offsets = np.zeros(len(graph) + 1, dtype=number)
    np.cumsum(np.bincount(sources, minlength=len(graph)), out=offsets[1:])
    return csr_array((np.ones(len(targets)), targets.astype(number), offsets), shape=(len(graph), len(graph)))


def _base_set(root: Flags, sources: NDArray[np.int64], targets: NDArray[np.uint32]) -> Flags:
    base = root.copy()
    base[targets[root[sources]]] = True
    base[sources[root[targets]]] = True
    return base


def _scaled(scores: NodeScores) -> NodeScores:
    length = float(np.sqrt(np.square(scores).sum()))  # not np.linalg.norm, whose rounding depends on threads
    return scores / length if length else scores


def _largest_change(new: NodeScores, old: NodeScores) -> float:
    return float(np.abs(new - old).max(initial=0.0))


def _known(graph: Graph, domains: frozenset[str]) -> list[str]:
    return [name for name in graph.manifest.domains if name in domains]
