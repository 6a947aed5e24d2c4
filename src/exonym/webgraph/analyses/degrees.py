"""Distributions of out-degrees (links of a page) and in-degrees (links to a node)."""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.report.table import Chart, Table, TableRow, powers_of_two, range_name, share
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, out_degrees, relevant_pages
from exonym.webgraph.graph import Graph

_PART = 1 << 25  # links whose targets are counted at a time: each count takes eight bytes a node
_PUBLISHED_NOTE = " Thai, published: 123,836,342 links, 8.8 a page fetched and 3.2 a node."


def tables_of_degrees(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """The distributions of out-degrees and of in-degrees."""
    fetched, relevant = fetched_pages(graph), relevant_pages(graph)
    out, into = out_degrees(graph), in_degrees(graph)
    everyone = np.ones(len(graph), dtype=np.bool_)
    note = subject.published(THAI_2006, _PUBLISHED_NOTE)
    pages, nodes = {"pages": fetched, "relevant pages": relevant}, {"nodes": everyone, "relevant pages": relevant}
    return [
        _distribution("out_degrees", "Links per page fetched", out, pages, note),
        _distribution("in_degrees", "Links to a node", into, nodes, note),
    ]


def in_degrees(graph: Graph) -> NDArray[np.uint32]:
    """How many links lead to each node."""
    counts = np.zeros(len(graph), dtype=np.uint32)
    for first in range(0, graph.manifest.links, _PART):
        counts += np.bincount(graph.targets[first : first + _PART], minlength=len(graph)).astype(np.uint32)
    return counts


def _distribution(
    name: str, caption: str, degrees: NDArray[np.integer], kinds: dict[str, Flags], published: str
) -> Table:
    found = [degrees[members] for members in kinds.values()]
    largest = max(int(numbers.max()) if len(numbers) else 0 for numbers in found)
    rows = list[TableRow]()
    for first, last in powers_of_two(largest):
        counts = [int(np.count_nonzero((numbers >= first) & (numbers <= last))) for numbers in found]
        shares = [share(count, len(numbers)) for count, numbers in zip(counts, found, strict=True)]
        rows.append((range_name(first, last), counts[0], shares[0], counts[1], shares[1]))
    first_kind, second_kind = kinds
    columns = ("links", first_kind, f"share of {first_kind}", second_kind, f"share of {second_kind}")
    chart = Chart("bar", ("links",), (first_kind, second_kind), logarithmic=True)
    means = (
        f"{kind} {numbers.sum(dtype=np.int64) / len(numbers):.1f}"
        for kind, numbers in zip(kinds, found, strict=True)
        if len(numbers)
    )
    note = f"Mean: {', '.join(means)}.{published}"
    return Table(name, caption, columns, tuple(rows), note, chart)
