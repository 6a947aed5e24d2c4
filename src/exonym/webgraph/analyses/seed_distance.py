"""Relevant pages within a distance from the seeds (Figure 2 of the paper on the Thai web), and what they reach."""

import numpy as np

from exonym.report.table import Chart, Table, TableRow, share, table_without
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, relevant_pages
from exonym.webgraph.analyses.search import NEVER, LinkRows, SearchLevels, levels_from
from exonym.webgraph.graph import Graph

_COLUMNS = ("distance", "pages", "relevant pages", "pages within", "relevant pages within", "ratio within")
_CAPTION, _REACHED = "Ratio of {} pages within a distance from seed URLs", "Reachability from the seed URLs"
_NOTE = "Pages fetched; distances count links, over any page."
_PUBLISHED_NOTE = " Thai, published: falls with the distance, unchanging after distance 7, where the crawl ended."
_MISSING = "The graph has no seeds. Name some when it is made: exonym graph import --seed URL"


def tables_of_seed_distance(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """Figure 2 as a table, and reachability; or tables that say what is missing for them."""
    if not len(graph.seeds):
        return [
            table_without("seed_distance", _CAPTION.format(subject.adjective), _MISSING, _paper(subject)),
            table_without("reachability", _REACHED, _MISSING),
        ]
    levels = levels_from(LinkRows(graph.offsets, graph.targets), graph.seeds)
    return [_ratio_within(graph, subject, levels), _reachability(graph, levels)]


def _ratio_within(graph: Graph, subject: GraphSubject, levels: SearchLevels) -> Table:
    pages = np.bincount(levels[fetched_pages(graph)] + 1)[1:]
    relevant = np.bincount(levels[relevant_pages(graph)] + 1, minlength=len(pages) + 1)[1:]
    rows, pages_within, relevant_within = list[TableRow](), 0, 0
    for distance, (here, relevant_here) in enumerate(zip(pages.tolist(), relevant.tolist(), strict=True)):
        pages_within, relevant_within = pages_within + here, relevant_within + relevant_here
        ratio = share(relevant_within, pages_within)
        rows.append((distance, here, relevant_here, pages_within, relevant_within, ratio))
    return Table(
        "seed_distance",
        _CAPTION.format(subject.adjective),
        _COLUMNS,
        tuple(rows),
        _NOTE + subject.published(THAI_2006, _PUBLISHED_NOTE),
        Chart("line", ("distance",), ("ratio within",)),
        _paper(subject),
    )


def _paper(subject: GraphSubject) -> str:
    return subject.paper(THAI_2006, "Figure 2")


def _reachability(graph: Graph, levels: SearchLevels) -> Table:
    reached = levels != NEVER
    kinds = {
        "nodes": np.ones(len(levels), dtype=np.bool_),
        "pages fetched": fetched_pages(graph),
        "relevant pages": relevant_pages(graph),
    }
    rows = []
    for kind, members in kinds.items():
        count, whole = int(np.count_nonzero(reached & members)), int(np.count_nonzero(members))
        rows.append((kind, whole, count, share(count, whole)))
    note = f"{len(graph.seeds):,} seeds."
    chart = Chart("bar", ("kind",), ("share",))
    columns = ("kind", "in the graph", "reached", "share")
    return Table("reachability", _REACHED, columns, tuple(rows), note, chart)
