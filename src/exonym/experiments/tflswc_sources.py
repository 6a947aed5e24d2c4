"""How many relevant segments link to a segment, and what it is then: what a mean over its sources does not see."""

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Outcome
from exonym.experiments.tflswc_published import TOPICS
from exonym.report.table import Row, Table, powers_of_two, range_name, share
from exonym.webgraph import Graph
from exonym.webgraph.link_examples import degrees_of

_THRESHOLD = 0.5
_NOTE = (
    "Of the whole web that was crawled, by its truth. Equation 8 is a mean over the segments that link to another: one "
    "link from a relevant segment counts for as much as twenty. Tables 5 to 7 count pairs of segments, whereas a "
    "crawler begins each segment once. With doubt, `segment` sees it: then few sources speak less than many."
)


def source_table(topic: str, graph: Graph) -> Table:
    """Segments that relevant segments link to, by how many do."""
    degrees = np.nan_to_num(degrees_of(graph, graph.outcome == Outcome.PAGE), nan=-1.0)
    targets, sources = np.unique(_targets_of_relevant(graph, degrees), return_counts=True)
    relevant = degrees[targets] >= _THRESHOLD
    rows: list[Row] = []
    for first, last in powers_of_two(int(sources.max(initial=1)))[1:]:
        chosen = (sources >= first) & (sources <= last)
        counts = int(np.count_nonzero(chosen)), int(np.count_nonzero(chosen & relevant))
        rows.append((range_name(first, last), *counts, share(counts[1], counts[0])))
    columns = ("relevant segments that link to it", "segments", "relevant", "ratio")
    caption = f"Segments by how many relevant segments link to them: {TOPICS[topic].name}"
    return Table(f"sources-{topic}", caption, columns, tuple(rows), _NOTE)


def _targets_of_relevant(graph: Graph, degrees: NDArray[np.float64]) -> NDArray[np.int64]:
    """The segments, with pages fetched, that relevant segments link to, once for each of these."""
    segment = np.asarray(graph.segment).astype(np.int64)
    source = np.repeat(segment, np.diff(graph.offsets))
    fetched = np.repeat(graph.outcome == Outcome.PAGE, np.diff(graph.offsets))
    target = segment[graph.targets]
    kept = fetched & (degrees[source] >= _THRESHOLD) & (degrees[target] >= 0) & (source != target)
    pairs = np.unique(source[kept] * graph.manifest.segments + target[kept])
    targets: NDArray[np.int64] = pairs % max(1, graph.manifest.segments)
    return targets
