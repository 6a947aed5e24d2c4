"""Compares a graph with the published Thai web: every figure of its Tables 3, 4 and 5 beside that of the graph."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exonym.batches import Flags, Integers, Outcome, language_code
from exonym.published import thai_web
from exonym.webgraph.analyses.links import link_parts
from exonym.webgraph.analyses.search import NEVER, LinkRows, levels_from
from exonym.webgraph.graph import Graph

_OTHER = "other"
_ANCHOR, _DOMAIN, _SERVER = 8, 4, 2  # bits of a link's kind, besides 16 for the source and 1 for the target


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
    """How far a graph is from the published one: shares, and counts scaled to as many pages as were published."""

    rows: tuple[CheckedShare, ...]
    counts: tuple[CheckedShare, ...]
    reached: float | None  # share of fetched pages that can be reached from the seeds

    @property
    def farthest(self) -> float:
        """The largest difference between shares."""
        return max((abs(row.difference) for row in self.rows if row.difference is not None), default=0.0)


def check_graph(graph: Graph) -> Check:
    """Compare a graph with the published figures."""
    graph.check_numbers()
    fetched: Flags = np.asarray(graph.outcome == Outcome.PAGE)
    links = _link_counts(graph, fetched)
    rows = [*_page_rows(graph, fetched), *_locality_rows(links)]
    if graph.has("anchor_language"):
        rows += _anchor_rows(links)
    return Check(tuple(rows), tuple(_count_rows(graph, fetched)), _reached(graph, fetched))


def _page_rows(graph: Graph, fetched: Flags) -> Iterator[CheckedShare]:
    """The shares of domains, and Table 3: the shares of languages among all pages and in each domain."""
    cells = _cells(graph, fetched)
    pages = np.sum(list(cells.values()), axis=0)
    for name, share in thai_web.DOMAIN_SHARES.items():
        yield CheckedShare(f"pages in .{name}", share, _share(cells.get(name, np.zeros(1)).sum(), np.sum(pages)))
    table = {name: np.array(row) for name, row in thai_web.LANGUAGES_BY_DOMAIN.items()}
    found = {name: cells.get(name, np.zeros(4, dtype=np.int64)) for name in table if name != _OTHER}
    found[_OTHER] = pages - np.sum(list(found.values()), axis=0)
    for domain, row in {"all domains": np.sum(list(table.values()), axis=0), **table}.items():
        here = pages if domain == "all domains" else found[domain]
        for number, language in enumerate(thai_web.LANGUAGES):
            where = domain if domain == "all domains" else f"{'' if domain == _OTHER else '.'}{domain}"
            yield CheckedShare(
                f"{language} pages, {where}", row[number] / np.sum(row), _share(here[number], np.sum(here))
            )
    outside = 1 - table["th"][0] / thai_web.RELEVANT
    yield CheckedShare("Thai pages outside .th", outside, _share(pages[0] - found["th"][0], pages[0]))


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


def _link_counts(graph: Graph, fetched: Flags) -> Integers:
    """Links between fetched pages by source, anchor, same domain, same server and target; each 1 (yes) or 0 (no)."""
    counts = np.zeros(32, dtype=np.int64)
    own = {language_code(name) for name in graph.manifest.languages}
    relevant, domain, server = np.asarray(graph.relevant), np.asarray(graph.domain), np.asarray(graph.server)
    anchors = graph.column("anchor_language") if graph.has("anchor_language") else None
    for part in link_parts(graph):
        inner = np.flatnonzero(fetched[part.targets] & fetched[part.sources])
        sources, targets = part.sources[inner], part.targets[inner]
        kind = relevant[sources] * np.uint8(16) + relevant[targets]
        kind += (domain[sources] == domain[targets]) * np.uint8(_DOMAIN)
        kind += (server[sources] == server[targets]) * np.uint8(_SERVER)
        if anchors is not None:
            kind += np.isin(anchors[part.first + inner], list(own)) * np.uint8(_ANCHOR)
        counts += np.bincount(kind, minlength=32)
    return counts.reshape(2, 2, 2, 2, 2)


def _locality_rows(links: Integers) -> Iterator[CheckedShare]:
    kinds = links.sum(axis=1)
    for (source, place), share in thai_web.LOCALITY.items():
        of_source = kinds[int(source == "Thai")]
        found = {
            "all": of_source.sum(axis=(0, 1)),
            "same domain": of_source[1].sum(axis=0),
            "different domain": of_source[0].sum(axis=0),
            "same server": of_source[:, 1].sum(axis=0),
            "different server": of_source[:, 0].sum(axis=0),
        }[place]
        yield CheckedShare(f"links to Thai pages from {source} pages, {place}", share, _share(found[1], found.sum()))


def _anchor_rows(links: Integers) -> Iterator[CheckedShare]:
    kinds = links.sum(axis=(2, 3))
    for (source, anchor), share in thai_web.ANCHORS.items():
        found = kinds[int(source == "Thai"), int(anchor == "Thai")]
        name = f"links to Thai pages from {source} pages, {anchor} anchor"
        yield CheckedShare(name, share, _share(found[1], found.sum()))


def _count_rows(graph: Graph, fetched: Flags) -> Iterator[CheckedShare]:
    """Counts, scaled to as many fetched pages as were published."""
    manifest, pages = graph.manifest, int(np.count_nonzero(fetched))
    scale = thai_web.PAGES / max(1, pages)
    servers = len(np.unique(graph.server[fetched]))
    yield CheckedShare("nodes", thai_web.NODES, manifest.nodes * scale)
    yield CheckedShare("links", thai_web.LINKS, manifest.links * scale)
    yield CheckedShare("servers", thai_web.SERVERS, servers * scale)
    yield CheckedShare("relevant pages", thai_web.RELEVANT, int(np.count_nonzero(graph.relevant & fetched)) * scale)


def _reached(graph: Graph, fetched: Flags) -> float | None:
    if not len(graph.seeds):
        return None
    levels = levels_from(LinkRows(graph.offsets, graph.targets), np.asarray(graph.seeds))
    return _share(np.count_nonzero((levels != NEVER) & fetched), np.count_nonzero(fetched))


def _share(part: "np.integer | float", whole: "np.integer | float") -> float | None:
    return float(part) / float(whole) if whole else None
