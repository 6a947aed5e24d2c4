"""Links between website segments (seed 000, Tables 5-7).

A segment is relevant if half of its pages fetched are. A segment link is a pair of different segments of which a page
of the first links to the second; however many pages do, it counts once. Whether a text names the nation is for a
matcher to say (SPEC §6.1: anchors with the words around them, where the graph keeps those, and the words of URLs
without host); without one, for the names under `nation_names` in the provenance of the manifest.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags
from exonym.report.table import THESIS, Chart, Table, TableRow, share, table_without
from exonym.webgraph.analyses.links import fetched_pages, link_parts, relevant_pages
from exonym.webgraph.analyses.names import NamesNation, anywhere, links_naming, texts_naming, words_of_path
from exonym.webgraph.analyses.search import distinct, once_each
from exonym.webgraph.graph import Graph

_RATIO = "Ratio of links to destination relevant website segment"
_OF_SOURCE = f"{_RATIO} whose source are relevant and irrelevant website segment"
_OF_ANCHOR = f"{_RATIO} with and without nation names found in anchor text and surrounding words"
_OF_URL = f"{_RATIO} with and without nation names found in URLs of some web pages in destination website segment"
_TOPICS = ("Thai-tourism", "Thai-estate", "Thai-diving")
_COLUMNS = ("segment links", "to relevant segments", "ratio", *(f"{topic}, published" for topic in _TOPICS))
_PUBLISHED: dict[str, tuple[float, float, float]] = {
    "relevant website segment": (0.8235, 0.5939, 0.6247),
    "irrelevant website segment": (0.0046, 0.2201, 0.0673),
    "names found in anchor": (0.8373, 0.6342, 0.6910),
    "no names found in anchor": (0.3755, 0.4814, 0.3929),
    "names found in URL": (0.9198, 0.8041, 0.8145),
    "no names found in URL": (0.3681, 0.4581, 0.4070),
}
_NOTE = "Different segments, both with pages fetched; a pair counts once. Relevant: half of the pages fetched or more."
_AROUND = "Names are looked for in the anchor and the words around it."
_NO_AROUND = "The graph keeps no words around anchors (exonym graph import --keep-around does): anchors alone count."
Pairs = NDArray[np.uint64]
_PART = 1 << 22  # pairs looked up at once


def tables_of_segments(graph: Graph, names_nation: NamesNation | None = None) -> list[Table]:
    """Tables 5 to 7, or what is missing for them; `names_nation` says whether a text names the nation."""
    names_nation = names_nation or _names_in_manifest(graph)
    degrees = _relevance_degrees(graph)
    pairs = _segment_links(graph, degrees)
    to_relevant, of_relevant = _of_targets(degrees >= 0.5, pairs), _of_sources(degrees >= 0.5, pairs)
    rows = (
        _row("relevant website segment", of_relevant, to_relevant),
        _row("irrelevant website segment", ~of_relevant, to_relevant),
    )
    columns = ("Source website segment", *_COLUMNS)
    table = Table("segment_links", _OF_SOURCE, columns, rows, _NOTE, _chart(columns), f"Table 5 of {THESIS}")
    by_anchor = _by_anchor(graph, names_nation, degrees, pairs, to_relevant)
    return [table, by_anchor, _by_url(graph, names_nation, pairs, to_relevant)]


def _relevance_degrees(graph: Graph) -> NDArray[np.float32]:
    """Of each segment relevant pages / pages fetched; -1 if none was fetched."""
    segments = int(graph.segment.max()) + 1 if len(graph) else 0
    pages = np.bincount(graph.segment[fetched_pages(graph)], minlength=segments)
    relevant = np.bincount(graph.segment[relevant_pages(graph)], minlength=segments)
    return np.where(pages > 0, relevant / np.maximum(pages, 1), -1).astype(np.float32)


def _segment_links(graph: Graph, degrees: NDArray[np.float32], chosen: Flags | None = None) -> Pairs:
    """The pairs of segments that links, or those `chosen`, connect: source in the upper half, in order."""
    known, fetched, end = degrees >= 0, fetched_pages(graph), 0
    # Filled and sorted in place: with parts to be joined, the largest graphs would need three times the memory.
    pairs = np.empty(graph.manifest.links, dtype=np.uint64)
    for part in link_parts(graph):
        source, target = graph.segment[part.sources], graph.segment[part.targets]
        kept = (source != target) & fetched[part.sources] & known[target]
        if chosen is not None:
            kept &= chosen[part.first : part.first + len(kept)]
        found = distinct(source[kept].astype(np.uint64) << np.uint64(32) | target[kept])
        pairs[end : end + len(found)] = found
        end += len(found)
    pairs[:end].sort()
    return once_each(pairs[:end])


def _of_sources(flags: Flags, pairs: Pairs) -> Flags:
    """The flag of each pair's first segment."""
    parts = (pairs[first : first + _PART] >> np.uint64(32) for first in range(0, len(pairs), _PART))
    return np.concatenate([np.zeros(0, dtype=np.bool_), *(flags[part] for part in parts)])


def _of_targets(flags: Flags, pairs: Pairs) -> Flags:
    """The flag of each pair's second segment."""
    parts = (pairs[first : first + _PART].astype(np.uint32) for first in range(0, len(pairs), _PART))
    return np.concatenate([np.zeros(0, dtype=np.bool_), *(flags[part] for part in parts)])


def _by_anchor(
    graph: Graph, names_nation: NamesNation | None, degrees: NDArray[np.float32], pairs: Pairs, to_relevant: Flags
) -> Table:
    if names_nation is None or not graph.has("anchor"):
        return _without(graph, "anchor", _OF_ANCHOR, 6)
    named = np.zeros(len(pairs), dtype=np.bool_)
    chosen = links_naming(graph, names_nation)
    named[np.searchsorted(pairs, _segment_links(graph, degrees, chosen))] = True
    table = _table("segment_links_by_anchor", _OF_ANCHOR, "anchor", named, to_relevant)
    return replace(table, note=f"{_NOTE} {_AROUND if graph.has('around') else _NO_AROUND}")


def _by_url(graph: Graph, names_nation: NamesNation | None, pairs: Pairs, to_relevant: Flags) -> Table:
    if names_nation is None or not graph.has("url"):
        return _without(graph, "url", _OF_URL, 7)
    named = np.zeros(int(graph.segment.max()) + 1 if len(graph) else 0, dtype=np.bool_)
    named[graph.segment[texts_naming(graph, "url", words_of_path(names_nation))]] = True
    return _table("segment_links_by_url", _OF_URL, "URL", _of_targets(named, pairs), to_relevant)


def _names_in_manifest(graph: Graph) -> NamesNation | None:
    names = graph.manifest.provenance.get("nation_names", ())
    texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return anywhere(texts) if texts else None


def _without(graph: Graph, column: str, caption: str, number: int) -> Table:
    missing = (
        "No nation is named, nor has the manifest names (nation_names in its provenance). Give --nation, as in TH."
    )
    if not graph.has(column):
        missing = f"The graph has no column {column}: it was generated, or the texts were not kept."
    return table_without(f"segment_links_by_{column}", caption, missing, f"Table {number} of {THESIS}")


def _table(name: str, caption: str, where: str, named: Flags, to_relevant: Flags) -> Table:
    rows = (
        _row(f"names found in {where}", named, to_relevant),
        _row(f"no names found in {where}", ~named, to_relevant),
    )
    columns, number = ("Nation names", *_COLUMNS), 6 if where == "anchor" else 7
    return Table(name, caption, columns, rows, _NOTE, _chart(columns), f"Table {number} of {THESIS}")


def _chart(columns: tuple[str, ...]) -> Chart:
    return Chart("bar", columns[:1], columns[3:])


def _row(label: str, chosen: Flags, to_relevant: Flags) -> TableRow:
    links, relevant = int(np.count_nonzero(chosen)), int(np.count_nonzero(chosen & to_relevant))
    return (label, links, relevant, share(relevant, links), *_PUBLISHED[label])
