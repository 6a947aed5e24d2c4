"""How many relevant pages each server and segment has (Somboonviwat et al. 2006 leave this open)."""

import numpy as np

from exonym.report.table import Chart, Table, TableRow, powers_of_two, range_name, share
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, relevant_pages
from exonym.webgraph.graph import Graph, Nodes

_NOTE = "Servers and segments with no page fetched are left out."
_PUBLISHED = {
    "server": " Thai, published: 668,934 servers, their relevant pages not published.",
    "segment": " Thai, published: nothing.",
}


def tables_of_holdings(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """How relevant pages are spread over servers, and over segments."""
    return [
        _spread(graph, graph.server, "server", subject),
        _spread(graph, graph.segment, "segment", subject),
    ]


def _spread(graph: Graph, groups: Nodes, kind: str, subject: GraphSubject) -> Table:
    pages = np.bincount(groups[fetched_pages(graph)])
    relevant = np.bincount(groups[relevant_pages(graph)], minlength=len(pages))[pages > 0]
    pages, whole = pages[pages > 0], int(relevant.sum())
    rows = list[TableRow]()
    for first, last in powers_of_two(int(relevant.max(initial=0))):
        inside = (relevant >= first) & (relevant <= last)
        count, found = int(np.count_nonzero(inside)), int(relevant[inside].sum())
        shares = share(count, len(relevant)), share(found, int(pages[inside].sum())), share(found, whole)
        rows.append((range_name(first, last), count, *shares))
    columns = ("relevant pages", f"{kind}s", "share", "of their pages relevant", "of all relevant pages")
    return Table(
        f"relevant_per_{kind}",
        f"{subject.adjective[:1].upper()}{subject.adjective[1:]} pages per {kind}",
        columns,
        tuple(rows),
        _NOTE + subject.published(THAI_2006, _PUBLISHED[kind]),
        Chart("bar", ("relevant pages",), (f"{kind}s",), logarithmic=True),
    )
