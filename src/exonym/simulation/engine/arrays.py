"""The arrays of a graph that compiled code reads (`Web`), and those in which it keeps a crawl (`CrawlState`)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, Counters, Distances, Flags, Group, Integers, Outcome, Rows
from exonym.simulation.plan import Plan
from exonym.urls import bare_server_of
from exonym.webgraph.graph import OPTIONAL, Graph, Nodes
from exonym.webgraph.url_spelling import urls_of

NOBODY = 0xFFFFFFFF  # the source of a seed
_NO_NUMBERS = np.zeros(1, np.uint32)
_NO_BYTES = np.zeros(1, np.uint8)


class Web(NamedTuple):
    """Columns of a graph; a column of length 1 is not used."""

    offsets: NDArray[np.int64]
    targets: Nodes
    outcome: NDArray[np.uint8]
    judged: Flags  # relevant by the judge
    truth: Flags
    on_path: Flags  # on a path to a relevant page; not used unless the strategy needs it
    language: Codes
    server: Nodes
    domain: Codes
    anchor_language: Codes
    link_flags: NDArray[np.uint8]
    original: Nodes  # the first node with the same content
    own_original: Nodes  # the first node of the same server, with or without `www.`, with the same content


class CrawlState(NamedTuple):
    """What the crawl knows of nodes, servers and groups, and its visits; an array of length 1 is not used."""

    # Of each node that was found: facts of the link by which it waits.
    distance: Distances
    source: Nodes  # the page on which the link was found
    hops: Counters
    waited: NDArray[np.int16]  # the level at which it waits, or waited last
    # Of each node, if the graph has copies.
    has_content: Flags  # whether a page with the content that this node has first was fetched
    server_has_content: Flags  # likewise, from the server of this node
    is_copy: Flags  # whether it was fetched, and repeats a page that was fetched before
    is_own_copy: Flags  # likewise, from the same server
    # Of each server, or group.
    server_pages: NDArray[np.int32]  # pages fetched from the server
    pages: NDArray[np.int32]  # pages fetched from the group
    relevant: NDArray[np.int32]  # relevant pages fetched from the group
    standing: NDArray[np.uint8]
    changed: Nodes  # groups with pages in this round
    # Of each visit.
    order: Nodes  # the node
    total: NDArray[np.float64]  # the priority
    round: Nodes
    # The links held by a frontier that looks ahead (`exonym.frontier.look_ahead`) and their priorities; of each server,
    # how many of its links are held, and its last round; the servers of which as many are held as may be.
    held: Nodes
    held_total: NDArray[np.float64]
    held_of: NDArray[np.int32]
    asked: NDArray[np.int64]
    closed: Nodes
    now: NDArray[np.int64]  # counters, named below


# In `now`; PENDING are visits whose links are still to be queued, GAPS are places in `held` that links have left.
VISITS, PAGES, PENDING, CHANGED, HELD, GAPS, CLOSED = range(7)


class Keeps(NamedTuple):
    """Which facts of a crawl a simulation keeps."""

    groups: int = 0  # how many groups have their pages and standing kept; 0: none
    distances: bool = True
    totals: bool = False
    levels: bool = False  # at which links waited


def web_of(graph: Graph, judged: Flags) -> Web:
    """The columns of a graph, as views of the mapped files."""
    return Web(
        offsets=_read_only(graph.offsets),
        targets=_read_only(graph.targets),
        outcome=_read_only(graph.outcome),
        judged=_read_only(judged),
        truth=_read_only(graph.relevant),
        on_path=_read_only(np.zeros(1, np.bool_)),
        language=_read_only(graph.language),
        server=_read_only(graph.server),
        domain=_read_only(graph.domain),
        **{
            name: _read_only(graph.column(name) if graph.has(name) else np.zeros(1, OPTIONAL[name]))
            for name in ("anchor_language", "link_flags", "original")
        },
        own_original=_read_only(_own_originals(graph)),
    )


def _own_originals(graph: Graph) -> Nodes:
    """For each node the first one of its server, with or without `www.`, with the same content; mostly itself."""
    if not graph.has("original"):
        return _NO_NUMBERS
    own = np.arange(len(graph), dtype=np.uint32)
    original = graph.column("original")
    is_repeated = np.zeros(len(graph), np.bool_)
    is_repeated[original[original != own]] = True
    nodes = np.flatnonzero(is_repeated[original])
    servers = [bare_server_of(url) for url in urls_of(graph, nodes).to_pylist()]
    own[nodes] = _first_alike(original, nodes, np.unique(np.array(servers, np.str_), return_inverse=True)[1])
    return own


def originals_within(web: Web, of_server: Integers) -> Nodes:
    """For each node the first one with the same content in its partition; `of_server` has the partition of a server."""
    if len(web.original) == 1:
        return web.original
    nodes = np.arange(len(web.original))
    return _read_only(_first_alike(web.original, nodes, of_server[web.server]).astype(np.uint32))


def _first_alike(original: Nodes, nodes: Rows, owners: Integers) -> Rows:
    """For each of some nodes the first of them that has the same content and owner."""
    pairs = np.stack([original[nodes], owners])
    _, first, inverse = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    found: Rows = nodes[first][inverse.reshape(-1)]
    return found


def _read_only(column: NDArray[Any]) -> NDArray[Any]:
    """A read-only view, of mapped columns and others alike: for writable arrays numba would compile everything anew."""
    plain = np.asarray(column).view()
    plain.flags.writeable = False
    return plain


def new_crawled(graph: Graph, plan: Plan, keeps: Keeps) -> CrawlState:
    """The state of a crawl before its first visit."""
    nodes = len(graph)
    has_redirects = bool((graph.outcome == Outcome.REDIRECT).any())
    keeps_sources = has_redirects or keeps.totals or keeps.levels
    groups, round_visits = keeps.groups or 1, plan.connections or plan.k
    most_held = plan.look_ahead + round_visits if plan.look_ahead else 1
    servers = graph.manifest.servers if plan.look_ahead else 1
    copied = nodes if graph.has("original") else 1
    return CrawlState(
        distance=np.zeros(nodes if keeps.distances else 1, np.uint16),
        source=np.full(nodes, NOBODY, np.uint32) if keeps_sources else _NO_NUMBERS,
        hops=np.zeros(nodes, np.uint8) if has_redirects else _NO_BYTES,
        waited=np.zeros(nodes if keeps.levels else 1, np.int16),
        has_content=np.zeros(copied, np.bool_),
        server_has_content=np.zeros(copied, np.bool_),
        is_copy=np.zeros(copied, np.bool_),
        is_own_copy=np.zeros(copied, np.bool_),
        server_pages=np.zeros(graph.manifest.servers if plan.pages_per_server else 1, np.int32),
        pages=np.zeros(groups, np.int32),
        relevant=np.zeros(groups, np.int32),
        standing=np.zeros(groups, np.uint8),
        changed=np.zeros(round_visits, np.uint32),
        order=np.empty(nodes + round_visits, np.uint32),
        total=np.empty(nodes + round_visits if keeps.totals else 1),
        round=np.empty(nodes + round_visits if plan.is_timed else 1, np.uint32),
        held=np.empty(most_held, np.uint32),
        held_total=np.empty(most_held),
        held_of=np.zeros(servers, np.int32),
        asked=np.full(servers, -1, np.int64),
        closed=np.empty(servers, np.uint32),
        now=np.zeros(7, np.int64),
    )


def groups_of(graph: Graph, group: Group) -> tuple[Nodes, int]:
    """The group of each node, and the number of groups."""
    if group == Group.SERVER:
        return _read_only(graph.server), graph.manifest.servers
    return _read_only(graph.segment), graph.manifest.segments
