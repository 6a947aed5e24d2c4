"""Links between website segments (Tables 5 to 7 of Suebchua's thesis).

A segment is relevant if at least half of its fetched pages are. A segment link is a pair of different segments where a
page of the first links to the second; it counts once, however many pages do. A matcher says whether a text names the
nation; without a matcher, the names under `nation_names` in the provenance of the manifest do. Texts are anchors, with
the words around them where the graph keeps those, and URLs without host name.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.published import thesis
from exonym.report.table import Chart, Table, TableRow, share, table_without
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2014, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, link_parts, relevant_pages
from exonym.webgraph.analyses.names import NamesNation, anywhere, links_naming, texts_naming, words_of_path
from exonym.webgraph.analyses.search import distinct, once_each
from exonym.webgraph.graph import Graph


class _Layout(NamedTuple):
    """A table of the thesis: its name and caption here, its first column, and its number in the thesis."""

    name: str
    caption: str
    first_column: str
    number: int

    def paper(self, subject: GraphSubject) -> str:
        return subject.paper(THAI_2014, f"Table {self.number}")


_BY_SOURCE = _Layout(
    "segment_links",
    "Links into {} segments, from relevant and irrelevant ones",
    "Source website segment",
    5,
)
_BY_ANCHOR = _Layout(
    "segment_links_by_anchor",
    "Links into {} segments, with and without nation names in anchors",
    "Nation names",
    6,
)
_BY_URL = _Layout(
    "segment_links_by_url",
    "Links into {} segments, with and without nation names in URLs",
    "Nation names",
    7,
)
_COLUMNS = ("segment links", "to relevant segments", "ratio")
_NOTE = "Different segments, both with pages fetched; a pair counts once. Relevant: half of the pages fetched or more."
_AROUND = "Names are looked for in the anchor and the words around it."
_NO_AROUND = "The graph keeps no words around anchors (exonym graph import --keep-around does): anchors alone count."
Pairs = NDArray[np.uint64]
_SOURCE, _TARGET = np.uint64(32), np.uint64(0)  # how far a pair is shifted to get a segment as its lower half
_PART = 1 << 22  # pairs looked up at a time


def tables_of_segments(
    graph: Graph, subject: GraphSubject = PLAIN, names_nation: NamesNation | None = None
) -> list[Table]:
    """Tables 5 to 7, or tables that say what is missing; `names_nation` says whether a text names the nation."""
    if names_nation is None:
        names = graph.manifest.provenance.get("nation_names", ())
        texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        names_nation = anywhere(texts) if texts else None
    degrees = _relevance_degrees(graph)
    pairs = _segment_links(graph, degrees)
    to_relevant, of_relevant = (_flags_of_pairs(degrees >= 0.5, pairs, shift) for shift in (_TARGET, _SOURCE))
    chosen = {"relevant website segment": of_relevant, "irrelevant website segment": ~of_relevant}
    return [
        _table(subject, _BY_SOURCE, chosen, to_relevant),
        _by_anchor(graph, subject, names_nation, degrees, pairs, to_relevant),
        _by_url(graph, subject, names_nation, pairs, to_relevant),
    ]


def _relevance_degrees(graph: Graph) -> NDArray[np.float32]:
    """Relevant pages / pages fetched of each segment; -1 if none was fetched."""
    segments = int(graph.segment.max()) + 1 if len(graph) else 0
    pages = np.bincount(graph.segment[fetched_pages(graph)], minlength=segments)
    relevant = np.bincount(graph.segment[relevant_pages(graph)], minlength=segments)
    return np.where(pages > 0, relevant / np.maximum(pages, 1), -1).astype(np.float32)


def _segment_links(graph: Graph, degrees: NDArray[np.float32], chosen: Flags | None = None) -> Pairs:
    """The pairs of segments that links (or those `chosen`) connect, sorted; the source is the upper half of a pair."""
    known, fetched, end = degrees >= 0, fetched_pages(graph), 0
    # Filled and sorted in place: joining parts would take three times the memory on the largest graphs.
    pairs = np.empty(graph.manifest.links, dtype=np.uint64)
    for part in link_parts(graph):
        source, target = graph.segment[part.sources], graph.segment[part.targets]
        kept = (source != target) & fetched[part.sources] & known[target]
        if chosen is not None:
            kept &= chosen[part.first : part.first + len(kept)]
        found = distinct(source[kept].astype(np.uint64) << _SOURCE | target[kept])
        pairs[end : end + len(found)] = found
        end += len(found)
    pairs[:end].sort()
    return once_each(pairs[:end])


def _flags_of_pairs(flags: Flags, pairs: Pairs, shift: np.uint64) -> Flags:
    """The flag of each pair's source or target segment; `shift` is _SOURCE or _TARGET."""
    parts = ((pairs[first : first + _PART] >> shift).astype(np.uint32) for first in range(0, len(pairs), _PART))
    return np.concatenate([np.zeros(0, dtype=np.bool_), *(flags[part] for part in parts)])


def _by_anchor(
    graph: Graph,
    subject: GraphSubject,
    names_nation: NamesNation | None,
    degrees: NDArray[np.float32],
    pairs: Pairs,
    to_relevant: Flags,
) -> Table:
    if names_nation is None or not graph.has("anchor"):
        return _missing_table(graph, subject, "anchor", _BY_ANCHOR)
    named = np.zeros(len(pairs), dtype=np.bool_)
    naming = links_naming(graph, names_nation)
    named[np.searchsorted(pairs, _segment_links(graph, degrees, naming))] = True
    chosen = {"names found in anchor": named, "no names found in anchor": ~named}
    table = _table(subject, _BY_ANCHOR, chosen, to_relevant)
    return replace(table, note=f"{_NOTE} {_AROUND if graph.has('around') else _NO_AROUND}")


def _by_url(
    graph: Graph, subject: GraphSubject, names_nation: NamesNation | None, pairs: Pairs, to_relevant: Flags
) -> Table:
    if names_nation is None or not graph.has("url"):
        return _missing_table(graph, subject, "url", _BY_URL)
    segments = np.zeros(int(graph.segment.max()) + 1 if len(graph) else 0, dtype=np.bool_)
    segments[graph.segment[texts_naming(graph, "url", words_of_path(names_nation))]] = True
    named = _flags_of_pairs(segments, pairs, _TARGET)
    return _table(subject, _BY_URL, {"names found in URL": named, "no names found in URL": ~named}, to_relevant)


def _missing_table(graph: Graph, subject: GraphSubject, column: str, layout: _Layout) -> Table:
    missing = "Give --nation, as in TH: the manifest names no nation, and no nation_names."
    if not graph.has(column):
        missing = f"The graph has no column {column}: it was generated, or the texts were not kept."
    return table_without(layout.name, layout.caption.format(subject.adjective), missing, layout.paper(subject))


def _table(subject: GraphSubject, layout: _Layout, chosen: dict[str, Flags], to_relevant: Flags) -> Table:
    """The links of each kind in `chosen`, the share that leads to relevant segments, and the published ratios."""
    columns: tuple[str, ...] = (layout.first_column, *_COLUMNS)
    published: dict[str, tuple[float, ...]] = {}
    if THAI_2014 in subject.compared:
        columns += tuple(f"{topic.name}, published" for topic in thesis.TOPICS.values())
        published = dict(thesis.SEGMENT_LINKS)
    rows = list[TableRow]()
    for label, flags in chosen.items():
        links, relevant = int(np.count_nonzero(flags)), int(np.count_nonzero(flags & to_relevant))
        rows.append((label, links, relevant, share(relevant, links), *published.get(label, ())))
    chart = Chart("bar", columns[:1], columns[3:])
    caption = layout.caption.format(subject.adjective)
    return Table(layout.name, caption, columns, tuple(rows), _NOTE, chart, layout.paper(subject))
