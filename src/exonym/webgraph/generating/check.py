"""Compares a graph with the published Thai web: every number of its Tables 3, 4 and 5, and that of the graph.

Figures 2 and 3 are in `shape_check`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Integers, language_code
from exonym.published import thai_web
from exonym.report.table import share
from exonym.webgraph.analyses.link_parts import LinkPart, fetched_pages
from exonym.webgraph.analyses.locality import by_place, has_wanted_anchor, link_kinds, same_domain_and_server
from exonym.webgraph.analyses.search import NEVER, LinkRows, levels_from
from exonym.webgraph.generating.shape_check import CheckedShape, shapes_of
from exonym.webgraph.graph import Graph

_ALL, _OTHER = "all domains", "other"


@dataclass(frozen=True, slots=True)
class CheckedShare:
    """A share as published and as it is in a graph; None where the graph has nothing to count."""

    name: str
    published: float
    generated: float | None

    @property
    def difference(self) -> float | None:
        """Generated less published."""
        return None if self.generated is None else self.generated - self.published


@dataclass(frozen=True, slots=True)
class Check:
    """How far a graph is from the published one: shares, counts scaled to as many pages as were published, shapes."""

    rows: tuple[CheckedShare, ...]
    counts: tuple[CheckedShare, ...]
    figures: tuple[CheckedShape, ...]
    reached: float | None  # share of fetched pages that can be reached from the seeds

    @property
    def farthest(self) -> float:
        """The largest difference between shares."""
        return max((abs(row.difference) for row in self.rows if row.difference is not None), default=0.0)


def check_graph(graph: Graph) -> Check:
    """Compare a graph with the published figures."""
    graph.check_numbers()
    fetched, levels, reached = fetched_pages(graph), None, None
    pages, relevant = int(np.count_nonzero(fetched)), int(np.count_nonzero(graph.relevant & fetched))
    if len(graph.seeds):
        levels = levels_from(LinkRows(graph.offsets, graph.targets), np.asarray(graph.seeds))
        reached = share(int(np.count_nonzero((levels != NEVER) & fetched)), pages)
    scale = thai_web.PAGES / max(1, pages)
    counts = (
        CheckedShare("nodes", thai_web.NODES, graph.manifest.nodes * scale),
        CheckedShare("links", thai_web.LINKS, graph.manifest.links * scale),
        CheckedShare("servers", thai_web.SERVERS, len(np.unique(graph.server[fetched])) * scale),
        CheckedShare("relevant pages", thai_web.RELEVANT, relevant * scale),
    )
    rows = (*_page_rows(graph, fetched), *_link_rows(graph))
    return Check(rows, counts, tuple(shapes_of(graph, levels)), reached)


def _page_rows(graph: Graph, fetched: Flags) -> Iterator[CheckedShare]:
    """The shares of domains, and Table 3: the shares of languages among all pages and in each domain."""
    cells = _cells(graph, fetched)
    pages = np.sum(list(cells.values()), axis=0)
    nothing = np.zeros(4, dtype=np.int64)
    for name, published in thai_web.DOMAIN_SHARES.items():
        yield _checked(f"pages in .{name}", published, cells.get(name, nothing).sum(), pages.sum())
    table = {name: np.array(row) for name, row in thai_web.LANGUAGES_BY_DOMAIN.items()}
    generated = {name: cells.get(name, nothing) for name in table if name != _OTHER}
    generated |= {_OTHER: pages - np.sum(list(generated.values()), axis=0), _ALL: pages}
    for domain, row in {_ALL: np.sum(list(table.values()), axis=0), **table}.items():
        where = domain if domain in (_ALL, _OTHER) else f".{domain}"
        here = generated[domain]
        for number, language in enumerate(thai_web.LANGUAGES):
            yield _checked(f"{language} pages, {where}", row[number] / row.sum(), here[number], here.sum())
    outside = 1 - table["th"][0] / thai_web.RELEVANT
    yield _checked("Thai pages outside .th", outside, pages[0] - generated["th"][0], pages[0])


def _checked(name: str, published: float, part: np.integer, whole: np.integer) -> CheckedShare:
    return CheckedShare(name, published, share(int(part), int(whole)))


def _cells(graph: Graph, fetched: Flags) -> dict[str, Integers]:
    """The pages of each domain, as counts of relevant, English, other and unknown ones."""
    language = graph.language[fetched]
    kind = np.full(len(language), 2, dtype=np.int64)
    kind[language == 0] = 3
    kind[language == language_code("en")] = 1
    kind[graph.relevant[fetched]] = 0
    names = graph.manifest.domains or [""]
    cells = np.bincount(4 * graph.domain[fetched].astype(np.int64) + kind, minlength=4 * len(names)).reshape(-1, 4)
    return dict(zip(names, cells, strict=True))


def _link_rows(graph: Graph) -> Iterator[CheckedShare]:
    """Tables 4 and 5: the shares of links that lead to relevant pages, by source and place or anchor."""
    has_anchors = graph.has("anchor_language")

    def kind_of(part: LinkPart) -> NDArray[np.uint8]:
        places = same_domain_and_server(graph, part)
        return places + np.uint8(4) * has_wanted_anchor(graph, part) if has_anchors else places

    # Axes: source relevant, wanted anchor, same domain, same server, target relevant.
    links = link_kinds(graph, kind_of, kinds=8).reshape(2, 2, 2, 2, 2)
    by_source = [by_place(counts.sum(axis=0)) for counts in links]
    for (source, place), published in thai_web.LOCALITY.items():
        counts = by_source[source == "Thai"][place]
        name = f"links to Thai pages from {source} pages, {place}"
        yield _checked(name, published, counts[1], counts.sum())
    for (source, anchor), published in thai_web.ANCHORS.items() if has_anchors else ():
        counts = links[int(source == "Thai"), int(anchor == "Thai")].sum(axis=(0, 1))
        name = f"links to Thai pages from {source} pages, {anchor} anchor"
        yield _checked(name, published, counts[1], counts.sum())
