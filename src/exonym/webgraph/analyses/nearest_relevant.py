"""Distances between nearest relevant pages (Figure 3 of the paper on the Thai web), and the languages between them.

The distance of a relevant page is the length of the shortest path to it from any other relevant page, over irrelevant
pages only. A loop must not make a page its own neighbour: so every page on a path remembers the two nearest relevant
pages, and at least one of them is not the page that the path leads to.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, language_name
from exonym.language_names import name_of
from exonym.report.table import Chart, Table, TableRow, share
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import relevant_pages
from exonym.webgraph.analyses.search import LinkRows, distinct, links_from
from exonym.webgraph.graph import Graph, Nodes

_NO_NODE = np.uint32(0xFFFFFFFF)
_MOST_LANGUAGES = 5  # columns of their own
_NOTE = "Links from the nearest other relevant page, over irrelevant pages only."
_PUBLISHED_NOTE = (
    " Thai, published: most pages at distance 1, exponentially fewer with the distance, the farthest at distance 10."
)


@dataclass(frozen=True, slots=True, eq=False)
class NearestRelevant:
    """The two nearest relevant pages of each node (its origins), and the page before the node on the path from each."""

    origins: tuple[Nodes, Nodes]
    previous: tuple[Nodes, Nodes]
    distance: NDArray[np.int32]  # of each relevant page from another one; 0 where no path leads


def tables_of_nearest_relevant(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """Figure 3 as a table, and the languages of the pages between."""
    relevant = relevant_pages(graph)
    nearest = find_nearest_relevant(LinkRows(graph.offsets, graph.targets), relevant)
    return [_distances(subject, nearest.distance[relevant]), _on_the_way(graph, subject, nearest)]


def find_nearest_relevant(rows: LinkRows, relevant: Flags) -> NearestRelevant:
    """Breadth-first search from all relevant pages at once; a path ends at the next relevant page."""
    nodes = len(rows)
    origins, previous = ((np.full(nodes, _NO_NODE), np.full(nodes, _NO_NODE)) for _ in range(2))
    nearest = NearestRelevant(origins, previous, np.zeros(nodes, dtype=np.int32))
    # Pages without links lead nowhere: nothing need be remembered of them.
    is_open = relevant | (np.diff(rows.offsets) > 0)
    reached = np.flatnonzero(relevant).astype(np.uint32)
    origins[0][reached] = reached
    reached_from, distance, missing = reached, 0, len(reached)
    while len(reached) and missing:
        distance += 1
        next_reached, next_from = list[Nodes](), list[Nodes]()
        for places, targets in links_from(rows, reached):
            kept = is_open[targets]
            sources = places[kept]
            new, new_from = _add_origins(nearest, targets[kept], reached_from[sources], reached[sources])
            # A node with two origins takes no third: closing it saves most of the random reads.
            is_open[new[origins[1][new] != _NO_NODE]] = False
            is_relevant = relevant[new]
            nearest.distance[new[is_relevant]] = distance
            missing -= int(np.count_nonzero(is_relevant))
            next_reached.append(new[~is_relevant])
            next_from.append(new_from[~is_relevant])
        reached = np.concatenate([reached[:0], *next_reached])
        reached_from = np.concatenate([reached_from[:0], *next_from])
    return nearest


def _add_origins(nearest: NearestRelevant, targets: Nodes, origins: Nodes, sources: Nodes) -> tuple[Nodes, Nodes]:
    """Store each origin that is new to a target with a free place; the targets changed, and the new origin of each."""
    changed, changed_from = list[Nodes](), list[Nodes]()
    for origin, previous in zip(nearest.origins, nearest.previous, strict=True):
        is_free = (origin[targets] == _NO_NODE) & (nearest.origins[0][targets] != origins)
        # Where several links lead to one target the last one wins, in both assignments.
        origin[targets[is_free]] = origins[is_free]
        previous[targets[is_free]] = sources[is_free]
        changed.append(distinct(targets[is_free]))
        changed_from.append(origin[changed[-1]])
    return np.concatenate(changed), np.concatenate(changed_from)


def _distances(subject: GraphSubject, distances: NDArray[np.int32]) -> Table:
    counts, whole = np.bincount(distances, minlength=1).tolist(), len(distances)
    rows: list[TableRow] = [(distance, count, share(count, whole)) for distance, count in enumerate(counts) if distance]
    return Table(
        "nearest_relevant",
        f"Distribution of distances between the nearest {subject.adjective} pages",
        ("distance", "relevant pages", "share"),
        (*rows, ("no way", counts[0], share(counts[0], whole))),
        _NOTE + subject.published(THAI_2006, _PUBLISHED_NOTE),
        Chart("bar", ("distance",), ("relevant pages",), logarithmic=True),
        subject.paper(THAI_2006, "Figure 3"),
    )


def _on_the_way(graph: Graph, subject: GraphSubject, nearest: NearestRelevant) -> Table:
    farthest = int(nearest.distance.max()) if len(graph) else 0
    counts = [_path_languages(graph, nearest, distance) for distance in range(2, farthest + 1)]
    whole: NDArray[np.int64] = np.sum(counts, axis=0) if counts else np.zeros(1, dtype=np.int64)
    shown = [code for code in np.argsort(-whole, kind="stable")[:_MOST_LANGUAGES].tolist() if whole[code]]
    rows = list[TableRow]()
    for distance, languages in enumerate(counts, 2):
        pages = int(languages.sum())
        shares = [share(int(languages[code]), pages) for code in shown]
        rows.append((distance, pages, *shares, share(pages - int(languages[shown].sum()), pages)))
    names = [*(name_of(language_name(code)) for code in shown), "other"]
    return Table(
        "on_the_way",
        f"Languages of the pages between the nearest {subject.adjective} pages",
        ("distance", "pages on the way", *names),
        tuple(rows),
        "One shortest way to each relevant page; a page on several ways counts for each.",
        Chart("line", ("distance",), tuple(names)),
    )


def _path_languages(graph: Graph, nearest: NearestRelevant, distance: int) -> NDArray[np.int64]:
    """How often each language occurs on the paths to the relevant pages at this distance, walked backwards."""
    ends = np.flatnonzero(nearest.distance == distance).astype(np.uint32)
    # A relevant page is its own first origin, so the other page is its second.
    origins, nodes = nearest.origins[1][ends], nearest.previous[1][ends]
    counts = np.zeros(1 << 16, dtype=np.int64)
    for _ in range(distance - 1):
        counts += np.bincount(graph.language[nodes], minlength=1 << 16)
        nodes = np.where(nearest.origins[0][nodes] == origins, nearest.previous[0][nodes], nearest.previous[1][nodes])
    return counts
