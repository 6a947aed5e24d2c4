"""Linguistic locality of links (seed 001, Table 4): where relevant and irrelevant pages link to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers
from exonym.report.table import LSWC, Chart, Table, TableRow, share
from exonym.webgraph.analyses.links import LinkPart, fetched_pages, link_parts, relevant_pages
from exonym.webgraph.generating import published
from exonym.webgraph.graph import Graph

_NAMES = {"relevant": "Thai", "irrelevant": "non-Thai"}  # of sources in the paper
_COLUMNS = (
    *("Source", "kind of link", "links to fetched pages", "to relevant pages", "ratio of relevant destination"),
    *("Thai, published: ratio", "Thai, published: to relevant pages"),
)
_PUBLISHED = {("relevant", "all"): 27_542_015, ("irrelevant", "all"): 1_760_768}  # links to relevant pages


def tables_of_locality(graph: Graph) -> list[Table]:
    """Table 4, one row for each of its figures."""
    counts = link_kinds(graph, lambda part: _same(graph, part), kinds=4)
    # By source relevant, same domain, same server, target relevant.
    cube = counts.reshape(2, 2, 2, 2)
    rows = []
    for source, which in (("relevant", 1), ("irrelevant", 0)):
        kinds = {
            "all": cube[which].sum(axis=(0, 1)),
            "same domain": cube[which, 1].sum(axis=0),
            "different domain": cube[which, 0].sum(axis=0),
            "same server": cube[which, :, 1].sum(axis=0),
            "different server": cube[which, :, 0].sum(axis=0),
        }
        rows += [_row(source, kind, numbers) for kind, numbers in kinds.items()]
    note, chart = _note(int(counts.sum()), graph), Chart("bar", _COLUMNS[:2], _COLUMNS[4:6])
    return [
        Table("locality", "Linguistic locality of outlink", _COLUMNS, tuple(rows), note, chart, f"Table 4 of {LSWC}")
    ]


def link_kinds(graph: Graph, kind_of: Callable[[LinkPart], NDArray[np.integer]], kinds: int) -> Integers:
    """Links from pages to fetched pages, by source relevant × kind × target relevant."""
    # One byte a node answers both questions about a target: half as many far look-ups.
    fetched, relevant = fetched_pages(graph), relevant_pages(graph)
    state = fetched.view(np.uint8) + relevant.view(np.uint8)
    counts = np.zeros(4 * kinds, dtype=np.int64)
    for part in link_parts(graph):
        found, source = state[part.targets], state[part.sources]
        key = (source == 2).astype(np.uint8) * np.uint8(2 * kinds)
        key += kind_of(part).astype(np.uint8) * np.uint8(2)
        key += found == 2
        counts += np.bincount(key[(found > 0) & (source > 0)], minlength=4 * kinds)
    return counts.reshape(2, kinds, 2)


def _same(graph: Graph, part: LinkPart) -> NDArray[np.uint8]:
    domain, server = graph.domain, graph.server
    same_domain = (domain[part.sources] == domain[part.targets]).astype(np.uint8)
    same_server = (server[part.sources] == server[part.targets]).astype(np.uint8)
    kinds: NDArray[np.uint8] = same_domain * np.uint8(2) + same_server
    return kinds


def _row(source: str, kind: str, numbers: Integers) -> TableRow:
    links, relevant = int(numbers.sum()), int(numbers[1])
    ratio = published.LOCALITY[_NAMES[source], kind]
    return (source, kind, links, relevant, share(relevant, links), ratio, _PUBLISHED.get((source, kind)))


def _note(counted: int, graph: Graph) -> str:
    return (
        f"Only links to pages that were fetched count ({counted:,} of {graph.manifest.links:,}): of the others nobody "
        "knows whether they are relevant. Domains are top-level domains."
    )
