"""A practice web as arrays: what a crawler of the web would see, page by page and link by link.

Nodes 0 … page_count-1 are the counted pages, by id; then come the extras (redirect chain, loop, and the first months of
each calendar). A redirect is a node with one link to its target. As in `extract`, the links of a page name each target
once, in document order, and never the page itself. So a crawl of the served web and a simulation of this graph visit
the same pages in the same order.
"""

from array import array
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Codes, Flags, Outcome, Rows, language_code
from exonym.practice.extra_pages import Extra, ExtraNumbering
from exonym.practice.kinds import PageKind
from exonym.practice.topical.subjects import NO_TRUTH, PageTruth, relevant_to
from exonym.practice.tree import PagePlace
from exonym.practice.web_facts import WebFacts
from exonym.practice.web_languages import language_of

FORBIDDEN = 1  # robots.txt forbids the link's target
PAGE_NOFOLLOW = 2  # the source page says nofollow, by meta or header
REL_NOFOLLOW = 4  # the link itself says rel=nofollow


@dataclass(frozen=True, slots=True, eq=False)
class PracticeGraph:
    """Columns of nodes; the links of node i, in document order, are `offsets[i]` to `offsets[i + 1]`.

    `outcome` is that of a visit (`batches.Outcome`); `status` that of the response (0: a dead server sends none).
    """

    facts: WebFacts
    servers: list[str]
    server: NDArray[np.int32]
    kind: NDArray[np.uint8]
    outcome: NDArray[np.uint8]
    status: NDArray[np.uint16]
    language: Codes
    relevant: Flags
    offsets: Rows
    targets: Rows
    link_flags: NDArray[np.uint8]
    seeds: Rows
    page_count: int
    numbering: ExtraNumbering

    def __len__(self) -> int:
        return len(self.server)

    def url(self, node: int) -> str:
        """The URL of a node, in normal form."""
        return self.facts.url(self.numbering.wide(int(node)))

    def urls(self) -> list[str]:
        """The URLs of all nodes, in order."""
        return [self.url(node) for node in range(len(self))]

    def truth(self, node: int) -> PageTruth:
        """The topic, country and language of a node, in a web with topics."""
        return self.facts.truth(self.facts.tree.place(int(node))) if node < self.page_count else NO_TRUTH

    def relevant_to(self, target: str) -> Flags:
        """Which nodes are relevant to a crawl for `target` (`thai-tourism`, …)."""
        return np.array([relevant_to(self.truth(node), target) for node in range(len(self))], dtype=np.bool_)

    def sitemap(self, server: int) -> Rows:
        """The nodes that a server's sitemaps name, in their order; empty if it has none."""
        return np.array(self.facts.sitemap_pages(self.facts.tree.server(int(server))), dtype=np.int64)


class _Columns(NamedTuple):
    """Typed columns that grow; lists of Python objects would take gigabytes for a million pages."""

    server: "array[int]"
    kind: "array[int]"
    outcome: "array[int]"
    status: "array[int]"
    language: "array[int]"
    relevant: "array[int]"
    counts: "array[int]"
    targets: "array[int]"
    flags: "array[int]"


def build_graph(facts: WebFacts, months: int) -> PracticeGraph:
    """The graph of a web, with the first `months` of each calendar."""
    columns = _Columns(*(array(code) for code in "iBBHHBqqB"))
    numbering = ExtraNumbering(facts.extras, months)
    for page in range(facts.page_count):
        _add_page(facts, page, columns, numbering)
    for node in range(facts.page_count, numbering.end):
        _add_extra(facts, facts.extras.extra(numbering.wide(node)), columns, numbering)
    offsets = np.zeros(len(columns.counts) + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(columns.counts, dtype=np.int64), out=offsets[1:])
    return PracticeGraph(
        facts=facts,
        servers=facts.tree.table.names,
        server=np.frombuffer(columns.server, dtype=np.int32),
        kind=np.frombuffer(columns.kind, dtype=np.uint8),
        outcome=np.frombuffer(columns.outcome, dtype=np.uint8),
        status=np.frombuffer(columns.status, dtype=np.uint16),
        language=np.frombuffer(columns.language, dtype=np.uint16),
        relevant=np.frombuffer(columns.relevant, dtype=np.bool_),
        offsets=offsets,
        targets=np.frombuffer(columns.targets, dtype=np.int64),
        link_flags=np.frombuffer(columns.flags, dtype=np.uint8),
        seeds=np.array(facts.seeds, dtype=np.int64),
        page_count=facts.page_count,
        numbering=numbering,
    )


def _add_page(facts: WebFacts, page: int, columns: _Columns, numbering: ExtraNumbering) -> None:
    place = facts.tree.place(page)
    forbidden = facts.is_forbidden(place)
    columns.server.append(place.server.index)
    columns.kind.append(place.kind)
    columns.outcome.append(facts.outcome(place))
    columns.status.append(facts.status(place))
    columns.language.append(0 if forbidden else language_code(language_of(facts.linking.tongue(place))))
    columns.relevant.append(facts.is_relevant(place))
    links = {} if forbidden or facts.is_dead(place) else _links_once(facts, place)
    columns.counts.append(len(links))
    columns.targets.extend(numbering.narrow(node) for node in links)
    columns.flags.extend(links.values())


def _links_once(facts: WebFacts, place: PagePlace) -> dict[int, int]:
    """Flags by target, in the order of the first open link to each; the page itself only if it redirects to itself."""
    of_page = PAGE_NOFOLLOW if facts.says_nofollow(place) else 0
    flags_by_target: dict[int, int] = {}
    for node, _, is_nofollow in facts.links(place):
        known = flags_by_target.get(node)
        if known is not None and not is_nofollow and known & REL_NOFOLLOW:
            del flags_by_target[node]  # its place is that of the first link that may be followed
            known = None
        if known is None:
            flags_by_target[node] = of_page | REL_NOFOLLOW if is_nofollow else of_page
    if place.kind != PageKind.LOOP:
        flags_by_target.pop(place.page, None)
    for node in flags_by_target:
        if node < facts.page_count and facts.is_forbidden_page(node):
            flags_by_target[node] |= FORBIDDEN
    return flags_by_target


def _add_extra(facts: WebFacts, extra: Extra, columns: _Columns, numbering: ExtraNumbering) -> None:
    columns.server.append(extra.server.index)
    columns.kind.append(PageKind.CALENDAR if extra.is_month else PageKind.HOP)
    columns.outcome.append(Outcome.PAGE if extra.is_month else Outcome.REDIRECT)
    columns.status.append(200 if extra.is_month else 302)
    columns.language.append(language_code("en") if extra.is_month else 0)
    columns.relevant.append(False)
    nodes = [node for node in facts.extra_links(extra) if numbering.has(node)]
    columns.counts.append(len(nodes))
    columns.targets.extend(numbering.narrow(node) for node in nodes)
    columns.flags.extend(0 for _ in nodes)
