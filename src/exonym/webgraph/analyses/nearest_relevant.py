"""Distances between nearest relevant pages (Figure 3 of the paper on the Thai web), and the languages on the way.

The distance of a relevant page is the least number of links from any other relevant page to it; between them lie
only irrelevant pages. A page must not be its own neighbour by way of a loop, so every page on the way remembers the
two nearest relevant pages with different names: one of them is another page, whoever asks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, language_name
from exonym.language_names import name_of
from exonym.published import thai_web
from exonym.report.table import Chart, Table, TableRow, share
from exonym.webgraph.analyses.facts import is_thai
from exonym.webgraph.analyses.links import relevant_pages
from exonym.webgraph.analyses.search import LinkRows, distinct, found_from
from exonym.webgraph.graph import Graph, Nodes

_NOBODY = np.uint32(0xFFFFFFFF)
_LANGUAGES = 5
_NOTE = "Links from the nearest other relevant page, over irrelevant pages only."
_PUBLISHED_NOTE = (
    " Thai, published: most pages at distance 1, exponentially fewer with the distance, the farthest at distance 10."
)


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Of each node the two nearest relevant pages, and the page before it on the way from each."""

    origins: tuple[Nodes, Nodes]
    before: tuple[Nodes, Nodes]
    distance: NDArray[np.int32]  # of relevant pages from another one; 0 where no way leads


def tables_of_nearest_relevant(graph: Graph) -> list[Table]:
    """Figure 3 as a table, and the languages on the way."""
    relevant = relevant_pages(graph)
    ways = _find_ways(LinkRows(graph.offsets, graph.targets), relevant)
    return [_distances(graph, ways.distance[relevant]), _on_the_way(graph, ways)]


def _find_ways(rows: LinkRows, relevant: Flags) -> Ways:
    nodes = len(rows)
    origins, before = ((np.full(nodes, _NOBODY), np.full(nodes, _NOBODY)) for _ in range(2))
    ways = Ways(origins, before, np.zeros(nodes, dtype=np.int32))
    # Pages without links lead nowhere: nothing need be remembered of them.
    matters = relevant | (np.diff(rows.offsets) > 0)
    at = np.flatnonzero(relevant).astype(np.uint32)
    origins[0][at] = at
    of, level, missing = at, 0, len(at)
    while len(at) and missing:
        level += 1
        found, found_of = list[Nodes](), list[Nodes]()
        for places, targets in found_from(rows, at):
            kept = matters[targets]
            new, new_of = _remember(ways, targets[kept], of[places[kept]], at[places[kept]])
            # Who knows two is not asked again, which spares most of the far look-ups.
            matters[new[ways.origins[1][new] != _NOBODY]] = False
            ways.distance[new[relevant[new]]] = level
            missing -= int(np.count_nonzero(relevant[new]))
            found.append(new[~relevant[new]])
            found_of.append(new_of[~relevant[new]])
        at, of = (np.concatenate([reached[:0], *parts]) for reached, parts in ((at, found), (of, found_of)))
    return ways


def _remember(ways: Ways, targets: Nodes, of: Nodes, sources: Nodes) -> tuple[Nodes, Nodes]:
    """Notes origins that are news to the targets; which targets, and which origin of each."""
    news, news_of = list[Nodes](), list[Nodes]()
    for origin, before in zip(ways.origins, ways.before, strict=True):
        free = (origin[targets] == _NOBODY) & (ways.origins[0][targets] != of)
        # Where many links lead to one target the last one wins, in both assignments.
        origin[targets[free]] = of[free]
        before[targets[free]] = sources[free]
        news.append(distinct(targets[free]))
        news_of.append(origin[news[-1]])
    return np.concatenate(news), np.concatenate(news_of)


def _distances(graph: Graph, distances: NDArray[np.int32]) -> Table:
    counts, whole = np.bincount(distances, minlength=1).tolist(), len(distances)
    rows: list[TableRow] = [(distance, count, share(count, whole)) for distance, count in enumerate(counts) if distance]
    return Table(
        "nearest_relevant",
        "Distribution of distances between the nearest relevant pages",
        ("distance", "relevant pages", "share"),
        (*rows, ("no way", counts[0], share(counts[0], whole))),
        _NOTE + _PUBLISHED_NOTE if is_thai(graph) else _NOTE,
        Chart("bar", ("distance",), ("relevant pages",), logarithmic=True),
        f"Figure 3 of {thai_web.PAPER}",
    )


def _on_the_way(graph: Graph, ways: Ways) -> Table:
    farthest = int(ways.distance.max()) if len(graph) else 0
    counts = [_way_languages(graph, ways, distance) for distance in range(2, farthest + 1)]
    whole: NDArray[np.int64] = np.sum(counts, axis=0) if counts else np.zeros(1, dtype=np.int64)
    shown = [code for code in np.argsort(-whole, kind="stable")[:_LANGUAGES].tolist() if whole[code]]
    rows = list[TableRow]()
    for distance, languages in enumerate(counts, 2):
        pages = int(languages.sum())
        shares = [share(int(languages[code]), pages) for code in shown]
        rows.append((distance, pages, *shares, share(pages - int(languages[shown].sum()), pages)))
    names = [*(name_of(language_name(code)) for code in shown), "other"]
    return Table(
        "on_the_way",
        "Languages of the pages between the nearest relevant pages",
        ("distance", "pages on the way", *names),
        tuple(rows),
        "One shortest way to each relevant page; a page on several ways counts for each.",
        Chart("line", ("distance",), tuple(names)),
    )


def _way_languages(graph: Graph, ways: Ways, distance: int) -> NDArray[np.int64]:
    """How often each language lies on the ways to the relevant pages at this distance."""
    at = np.flatnonzero(ways.distance == distance).astype(np.uint32)
    of, languages = ways.origins[1][at], np.zeros(1 << 16, dtype=np.int64)
    at = ways.before[1][at]
    for _ in range(distance - 1):
        languages += np.bincount(graph.language[at], minlength=1 << 16)
        at = np.where(ways.origins[0][at] == of, ways.before[0][at], ways.before[1][at])
    return languages
