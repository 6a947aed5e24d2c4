"""Linguistic locality of links (Table 4 of the paper on the Thai web): where relevant and irrelevant pages link to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers
from exonym.published import thai_web
from exonym.report.table import Chart, Table, TableRow, share
from exonym.webgraph.analyses.facts import is_thai
from exonym.webgraph.analyses.links import LinkPart, fetched_pages, link_parts, relevant_pages
from exonym.webgraph.graph import Graph

_NAMES = {"relevant": "Thai", "irrelevant": "non-Thai"}  # of sources in the paper
_COLUMNS = (
    *("Source", "kind of link", "links to fetched pages", "to relevant pages", "ratio of relevant destination"),
    *("Thai, published: ratio", "Thai, published: to relevant pages"),
)


def tables_of_locality(graph: Graph) -> list[Table]:
    """Table 4, one row for each of its figures."""
    counts = link_kinds(graph, lambda part: _same_domain_and_server(graph, part), kinds=4)
    # Axes: source relevant, same domain, same server, target relevant.
    cube = counts.reshape(2, 2, 2, 2)
    columns, rows = _COLUMNS if is_thai(graph) else _COLUMNS[:5], list[TableRow]()
    for source, which in (("relevant", 1), ("irrelevant", 0)):
        kinds = {
            "all": cube[which].sum(axis=(0, 1)),
            "same domain": cube[which, 1].sum(axis=0),
            "different domain": cube[which, 0].sum(axis=0),
            "same server": cube[which, :, 1].sum(axis=0),
            "different server": cube[which, :, 0].sum(axis=0),
        }
        rows += [_row(source, kind, numbers)[: len(columns)] for kind, numbers in kinds.items()]
    note, chart = _note(int(counts.sum()), graph), Chart("bar", columns[:2], columns[4:6])
    paper = f"Table 4 of {thai_web.PAPER}"
    return [Table("locality", "Linguistic locality of outlink", columns, tuple(rows), note, chart, paper)]


def link_kinds(graph: Graph, kind_of: Callable[[LinkPart], NDArray[np.integer]], kinds: int) -> Integers:
    """Counts of links between fetched pages, by source relevant × kind × target relevant."""
    # One byte a node says both whether it was fetched and whether it is relevant: half as many random reads.
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


def _same_domain_and_server(graph: Graph, part: LinkPart) -> NDArray[np.uint8]:
    domain, server = graph.domain, graph.server
    same_domain = (domain[part.sources] == domain[part.targets]).astype(np.uint8)
    same_server = (server[part.sources] == server[part.targets]).astype(np.uint8)
    kinds: NDArray[np.uint8] = same_domain * np.uint8(2) + same_server
    return kinds


def _row(source: str, kind: str, numbers: Integers) -> TableRow:
    links, relevant = int(numbers.sum()), int(numbers[1])
    published = thai_web.LOCALITY[_NAMES[source], kind], thai_web.LOCALITY_LINKS.get((_NAMES[source], kind))
    return (source, kind, links, relevant, share(relevant, links), *published)


def _note(counted: int, graph: Graph) -> str:
    return (
        f"Only links to pages that were fetched count ({counted:,} of {graph.manifest.links:,}): of the others nobody "
        "knows whether they are relevant. Domains are top-level domains."
    )
