"""Where the links of relevant and irrelevant pages lead (Tables 4 and 5 of the paper on the Thai web).

`locality` tells links apart by domain and server, `anchors` by the language of the anchor.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Integers, language_code
from exonym.published import thai_web
from exonym.report.table import Chart, Table, TableRow, share, table_without
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import LinkPart, fetched_pages, link_parts, relevant_pages
from exonym.webgraph.graph import Graph

_NAMES = {"relevant": "Thai", "irrelevant": "non-Thai", "other": "non-Thai"}  # of sources and anchors in the paper
_ANCHORS = "Languages of the anchor text and of the destination page"
_ANCHORS_NOTE = "Only links to pages that were fetched count."
_PUBLISHED_NOTE = (
    " The published figures are not from the same links as those of “Linguistic locality of outlink”: together they "
    "give 70.0 and 2.7 %, there 71.3 and 3.1 %."
)

KindOfLink = Callable[[LinkPart], NDArray[np.integer]]
PublishedByKind = Mapping[tuple[str, str], float]


def tables_of_locality(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """Table 4, one row for each of its figures."""
    counts = link_kinds(graph, lambda part: same_domain_and_server(graph, part), kinds=4).reshape(2, 2, 2, 2)
    kinds = {
        (source, place): numbers
        for source, which in (("relevant", 1), ("irrelevant", 0))
        for place, numbers in by_place(counts[which]).items()
    }
    columns, rows = _columns_and_rows(subject, "kind of link", kinds, thai_web.LOCALITY, thai_web.LOCALITY_LINKS)
    note = (
        f"Only links to pages that were fetched count ({counts.sum():,} of {graph.manifest.links:,}): of the others "
        "nobody knows whether they are relevant. Domains are top-level domains."
    )
    chart, paper = Chart("bar", columns[:2], columns[4:6]), subject.paper(THAI_2006, "Table 4")
    return [Table("locality", "Linguistic locality of outlink", columns, rows, note, chart, paper)]


def tables_of_anchors(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """Table 5, or a table that says what is missing for it."""
    missing, paper = "", subject.paper(THAI_2006, "Table 5")
    if not graph.has("anchor_language"):
        missing = "The graph has no column anchor_language."
    elif not any(map(language_code, graph.manifest.languages)):
        missing = "The manifest names no language that makes a page relevant."
    if missing:
        return [table_without("anchors", _ANCHORS, missing, paper)]
    counts = link_kinds(graph, lambda part: has_wanted_anchor(graph, part), kinds=2)
    kinds = {
        (source, anchor): counts[which, wanted]
        for source, which in (("relevant", 1), ("irrelevant", 0))
        for anchor, wanted in (("relevant", 1), ("other", 0))
    }
    columns, rows = _columns_and_rows(subject, "Anchor text language", kinds, thai_web.ANCHORS, thai_web.ANCHOR_LINKS)
    note = _ANCHORS_NOTE + subject.published(THAI_2006, _PUBLISHED_NOTE)
    return [Table("anchors", _ANCHORS, columns, rows, note, Chart("bar", columns[:2], columns[4:6]), paper)]


def link_kinds(graph: Graph, kind_of: KindOfLink, kinds: int) -> Integers:
    """Counts of links between fetched pages, by source relevant × kind × target relevant."""
    # One byte a node says both whether it was fetched and whether it is relevant: half as many random reads.
    state = fetched_pages(graph).view(np.uint8) + relevant_pages(graph).view(np.uint8)
    counts = np.zeros(4 * kinds, dtype=np.int64)
    for part in link_parts(graph):
        target, source = state[part.targets], state[part.sources]
        key = (source == 2).astype(np.uint8) * np.uint8(2 * kinds)
        key += kind_of(part).astype(np.uint8) * np.uint8(2)
        key += target == 2
        counts += np.bincount(key[(target > 0) & (source > 0)], minlength=4 * kinds)
    return counts.reshape(2, kinds, 2)


def same_domain_and_server(graph: Graph, part: LinkPart) -> NDArray[np.uint8]:
    """The kind of each link: 2 for the same domain, and 1 more for the same server."""
    domain, server = graph.domain, graph.server
    same_domain = (domain[part.sources] == domain[part.targets]).astype(np.uint8)
    same_server = (server[part.sources] == server[part.targets]).astype(np.uint8)
    kinds: NDArray[np.uint8] = same_domain * np.uint8(2) + same_server
    return kinds


def has_wanted_anchor(graph: Graph, part: LinkPart) -> NDArray[np.uint8]:
    """1 for each link whose anchor is in a language that makes a page relevant, else 0."""
    wanted = [code for code in map(language_code, graph.manifest.languages) if code]
    anchors = graph.column("anchor_language")[part.first : part.first + len(part.targets)]
    return np.isin(anchors, np.array(wanted, dtype=np.uint16)).view(np.uint8)


def by_place(counts: Integers) -> dict[str, Integers]:
    """Counts by same domain × same server × target relevant, as counts by target for each place of Table 4."""
    return {
        "all": counts.sum(axis=(0, 1)),
        "same domain": counts[1].sum(axis=0),
        "different domain": counts[0].sum(axis=0),
        "same server": counts[:, 1].sum(axis=0),
        "different server": counts[:, 0].sum(axis=0),
    }


def _columns_and_rows(
    subject: GraphSubject,
    column: str,
    kinds: dict[tuple[str, str], Integers],
    published: PublishedByKind,
    published_links: PublishedByKind,
) -> tuple[tuple[str, ...], tuple[TableRow, ...]]:
    """A row for each source and kind of link; `column` names the kinds. Published figures only if asked for."""
    columns: tuple[str, ...] = ("Source", column, "links to fetched pages", "to relevant pages")
    columns += ("ratio of relevant destination", "Thai, published: ratio", "Thai, published: to relevant pages")
    columns = columns if THAI_2006 in subject.compared else columns[:5]
    rows = list[TableRow]()
    for (source, kind), numbers in kinds.items():
        links, relevant = int(numbers.sum()), int(numbers[1])
        names = _NAMES[source], _NAMES.get(kind, kind)
        row = (source, kind, links, relevant, share(relevant, links), published[names], published_links.get(names))
        rows.append(row[: len(columns)])
    return columns, tuple(rows)
