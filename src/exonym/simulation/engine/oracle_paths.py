"""Paths to relevant pages, which the oracle `perfect` follows: a breadth-first crawl in advance finds them."""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome
from exonym.crawl import MOST_HOPS
from exonym.simulation.engine.arrays import NOBODY, Web
from exonym.simulation.engine.compiling import entry
from exonym.webgraph.graph import NOFOLLOW, Nodes

_PAGE, _REDIRECT = int(Outcome.PAGE), int(Outcome.REDIRECT)


def paths_to_relevant(web: Web, seeds: Nodes) -> Flags:
    """For each node, whether it is on a path by which a breadth-first crawl from `seeds` first finds a relevant page.

    The relevant page at the end of a path is on it, and so are the seed and all irrelevant pages and redirects between.
    """
    nodes = len(web.outcome)
    on_path, hops = np.zeros(nodes, np.bool_), np.zeros(nodes, np.uint8)
    _search(web, seeds, np.full(nodes, NOBODY, np.uint32), np.empty(nodes, np.uint32), hops, on_path)
    on_path.flags.writeable = False
    return on_path


@entry
def _search(web: Web, seeds: Nodes, parent: Nodes, order: Nodes, hops: NDArray[np.uint8], on_path: Flags) -> None:
    """Crawl breadth first, then mark paths backwards: pages are marked before the pages that led to them."""
    at, end = 0, 0
    for seed in seeds:
        if parent[seed] == NOBODY:
            parent[seed] = seed
            order[end] = seed
            end += 1
    while at < end:
        node = order[at]
        at += 1
        is_redirect = web.outcome[node] == _REDIRECT
        if not is_redirect and web.outcome[node] != _PAGE:
            continue
        if is_redirect and hops[node] >= MOST_HOPS:
            continue
        for link in range(web.offsets[node], web.offsets[np.int64(node) + 1]):
            target = web.targets[link]
            if parent[target] != NOBODY:
                continue
            if len(web.link_flags) > 1 and web.link_flags[link] & NOFOLLOW and not is_redirect:
                continue
            parent[target] = node
            hops[target] = hops[node] + 1 if is_redirect else 0
            order[end] = target
            end += 1
    for back in range(end - 1, -1, -1):
        node = order[back]
        if web.truth[node] or on_path[node]:
            on_path[node] = True
            on_path[parent[node]] = True
