"""The servers that have most relevant pages."""

import numpy as np

from exonym.report.table import Chart, Table, share
from exonym.urls import server_of
from exonym.webgraph.analyses.graph_subject import PLAIN, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, relevant_pages
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import server_name_of

_ROWS = 20


def tables_of_servers(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """The best servers: most relevant pages first, and of equal ones the one with fewer pages."""
    pages = np.bincount(graph.server[fetched_pages(graph)])
    relevant = np.bincount(graph.server[relevant_pages(graph)], minlength=len(pages))
    best = np.lexsort((np.arange(len(pages)), pages, -relevant))[:_ROWS]
    rows = tuple(
        (_name_of(graph, server), part, whole, share(part, whole))
        for server, part, whole in zip(best.tolist(), relevant[best].tolist(), pages[best].tolist(), strict=True)
        if part
    )
    columns = ("server", "relevant pages", "pages", "share")
    found = int(np.count_nonzero(relevant))
    more = f"The first {len(rows):,} of {found:,} servers with {subject.adjective} pages."
    note = more if found > len(rows) else "" if found else f"No server has {subject.adjective} pages."
    caption, chart = f"Servers with most {subject.adjective} pages", Chart("bar", columns[:1], columns[1:3])
    return [Table("servers", caption, columns, rows, note, chart)]


def _name_of(graph: Graph, server: int) -> str:
    if graph.has("server_name"):
        return graph.texts("server_name")[server]
    node = int(np.argmax(graph.server == server))
    return server_of(graph.texts("url")[node]) if graph.has("url") else server_name_of(graph, node)
