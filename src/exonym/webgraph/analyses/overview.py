"""The size of a graph and where it comes from; for a graph of the Thai web, with the published figures."""

import json

import numpy as np

from exonym.published import thai_web
from exonym.report.table import Table, TableRow
from exonym.webgraph.analyses.link_parts import copied_pages, count_relevant
from exonym.webgraph.graph import Graph

_LONGEST_NOTE = 600


def tables_of_facts(graph: Graph) -> list[Table]:
    """The counts of nodes, pages, links, servers, segments and seeds."""
    facts = graph.manifest
    pages, inherited = count_relevant(graph)
    # The published number is without pages that took the language of a page that links to them.
    apart: list[TableRow] = [
        ("relevant pages", pages, None),
        ("relevant pages, language identified", pages - inherited, thai_web.RELEVANT),
        ("relevant pages, language inherited", inherited, None),
    ]
    copies = int(np.count_nonzero(copied_pages(graph)))
    rows: list[TableRow] = [
        ("nodes", facts.nodes, thai_web.NODES),
        ("pages fetched", facts.fetched, thai_web.PAGES),
        *([("copies among them", copies, None)] if copies else []),
        ("nodes not fetched", facts.nodes - facts.fetched, thai_web.NODES - thai_web.PAGES),
        *(apart if inherited else [("relevant pages", pages, thai_web.RELEVANT)]),
        ("links", facts.links, thai_web.LINKS),
        ("servers", facts.servers, thai_web.SERVERS),
        ("segments", facts.segments, None),
        ("seeds", len(graph.seeds), 3),
    ]
    columns = ("kind", "count", "Thai, published")
    width = 3 if is_thai(graph) else 2
    # Who made the graph, and how: a graph that a focused crawler collected flatters every strategy.
    origin = json.dumps(facts.provenance, ensure_ascii=False)[:_LONGEST_NOTE] if facts.provenance else "unknown"
    languages, licence = ", ".join(facts.languages) or "unknown", facts.licence or "unknown"
    note = f"Languages that make a page relevant: {languages}. Origin: {origin}. Licence: {licence}."
    return [Table("facts", "Web graph", columns[:width], tuple(row[:width] for row in rows), note)]


def is_thai(graph: Graph) -> bool:
    """Whether Thai pages, or pages about Thailand, are relevant: only then tables have the published figures."""
    target = graph.manifest.provenance.get("target")
    return "th" in graph.manifest.languages or (isinstance(target, str) and target.startswith("thai"))
