"""The size of a graph beside that of the Thai dataset (seed 001, section 4.2), and where it comes from."""

import json

import numpy as np

from exonym.report.table import Table, TableRow
from exonym.webgraph.analyses.links import relevant_pages
from exonym.webgraph.generating import published
from exonym.webgraph.graph import Graph

_LONGEST_NOTE = 600


def tables_of_facts(graph: Graph) -> list[Table]:
    """How many of everything there are."""
    facts = graph.manifest
    rows: tuple[TableRow, ...] = (
        ("nodes", facts.nodes, published.NODES),
        ("pages fetched", facts.fetched, published.PAGES),
        ("nodes not fetched", facts.nodes - facts.fetched, published.NODES - published.PAGES),
        ("relevant pages", int(np.count_nonzero(relevant_pages(graph))), published.RELEVANT),
        ("links", facts.links, published.LINKS),
        ("servers", facts.servers, published.SERVERS),
        ("segments", facts.segments, None),
        ("seeds", len(graph.seeds), 3),
    )
    return [Table("facts", "Web graph", ("kind", "count", "Thai, published"), rows, _origin(graph))]


def _origin(graph: Graph) -> str:
    """Who made the graph and how: a graph that a focused crawler collected flatters every strategy."""
    facts = graph.manifest
    origin = json.dumps(facts.provenance, ensure_ascii=False)[:_LONGEST_NOTE] if facts.provenance else "not told"
    languages = ", ".join(facts.languages) or "not told"
    return (
        f"Languages that make a page relevant: {languages}. Origin: {origin}. Licence: {facts.licence or 'not told'}."
    )
