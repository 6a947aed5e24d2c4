"""The size of a graph, what makes its pages relevant, and where it comes from."""

import numpy as np

from exonym.judges.judge_settings import described
from exonym.language_names import name_of
from exonym.published import thai_web
from exonym.report.table import Table, TableRow
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import copied_pages, count_relevant
from exonym.webgraph.graph import Graph

_LONGEST_NOTE = 300  # letters of one fact
_ORIGIN = {"made_by": "Made by", "profile": "Profile", "seed": "Seed", "target": "Target", "collected": "Collected"}


def tables_of_facts(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
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
    width = 3 if THAI_2006 in subject.compared else 2
    return [Table("facts", "Web graph", columns[:width], tuple(row[:width] for row in rows), _note(graph))]


def _note(graph: Graph) -> str:
    """What makes a page relevant, and who made the graph: one that a focused crawler made flatters every strategy."""
    facts, judge = graph.manifest, graph.manifest.provenance.get("judge")
    if isinstance(judge, dict) and judge.get("kind", "language") != "language":
        relevant = described(judge)
    else:
        relevant = "in " + " or ".join(map(name_of, facts.languages)) if facts.languages else ""
    told = [
        f"Relevant: pages {relevant}" if relevant else "Nothing says what makes a page relevant",
        *(f"{name}: {facts.provenance[key]}" for key, name in _ORIGIN.items() if facts.provenance.get(key)),
        f"Licence: {facts.licence}" if facts.licence else "Licence unknown",
    ]
    return " ".join(f"{one[:_LONGEST_NOTE].rstrip('.')}." for one in told)
