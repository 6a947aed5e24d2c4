"""The language of anchors and the language of the pages that they lead to (Table 5 of the paper on the Thai web)."""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import language_code
from exonym.published import thai_web
from exonym.report.table import Chart, Table, TableRow, share, table_without
from exonym.webgraph.analyses.facts import is_thai
from exonym.webgraph.analyses.links import LinkPart
from exonym.webgraph.analyses.locality import link_kinds
from exonym.webgraph.graph import Graph

_CAPTION = "Relationship between the languages of the anchor text vs. the languages of the destination page"
_PAPER = f"Table 5 of {thai_web.PAPER}"
_NAMES = {"relevant": "Thai", "irrelevant": "non-Thai", "other": "non-Thai"}  # of sources and anchors in the paper
_COLUMNS = (
    *("Source", "Anchor text language", "links to fetched pages", "to relevant pages", "ratio of relevant destination"),
    *("Thai, published: ratio", "Thai, published: to relevant pages"),
)
_NOTE = "Only links to pages that were fetched count."
_PUBLISHED_NOTE = (
    " The published figures are not from the same links as those of “Linguistic locality of outlink”: together they "
    "give 70.0 and 2.7 %, there 71.3 and 3.1 %."
)


def tables_of_anchors(graph: Graph) -> list[Table]:
    """Table 5, or a table that says what is missing for it."""
    languages = [code for code in map(language_code, graph.manifest.languages) if code]
    if not graph.has("anchor_language"):
        return [table_without("anchors", _CAPTION, "The graph has no column anchor_language.", _PAPER)]
    if not languages:
        return [
            table_without("anchors", _CAPTION, "The manifest names no language that makes a page relevant.", _PAPER)
        ]
    anchors, wanted_languages = graph.column("anchor_language"), np.array(languages, dtype=np.uint16)

    def is_wanted(part: LinkPart) -> NDArray[np.uint8]:
        return np.isin(anchors[part.first : part.first + len(part.targets)], wanted_languages).view(np.uint8)

    counts = link_kinds(graph, is_wanted, kinds=2)
    columns, note = (_COLUMNS, _NOTE + _PUBLISHED_NOTE) if is_thai(graph) else (_COLUMNS[:5], _NOTE)
    rows = [
        _row(source, anchor, counts[which, wanted])[: len(columns)]
        for source, which in (("relevant", 1), ("irrelevant", 0))
        for anchor, wanted in (("relevant", 1), ("other", 0))
    ]
    chart = Chart("bar", columns[:2], columns[4:6])
    return [Table("anchors", _CAPTION, columns, tuple(rows), note, chart, _PAPER)]


def _row(source: str, anchor: str, numbers: NDArray[np.int64]) -> TableRow:
    links, relevant = int(numbers.sum()), int(numbers[1])
    names = _NAMES[source], _NAMES[anchor]
    published = thai_web.ANCHORS[names], thai_web.ANCHOR_LINKS[names]
    return (source, anchor, links, relevant, share(relevant, links), *published)
