"""Looks up the back-links of a file in a graph; those that are not in the graph are of no use, and are counted."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Flags, Outcome
from exonym.errors import ConfigError
from exonym.training.links.back_link_file import BackLinks
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import nodes_of, urls_of


class Listed(NamedTuple):
    """How the back-links of a file fit a graph. Scripts rely on these names; more may be added, none may go."""

    file: str
    links: int  # back-links that the file names
    to_seeds: int  # those to one of the seeds, or without a target
    in_graph: int  # those of them from pages of the graph
    pages: int  # such pages
    new: int  # those of them that have no such link in the graph
    skipped: dict[str, int]  # lines without a back-link, by what is wrong

    def summary(self) -> str:
        """In one line."""
        parts = [f"{self.in_graph:,} of {self.to_seeds:,} back-links are in the graph"]
        parts += [f"they are on {self.pages:,} pages, {self.new:,} of which have no such link in the graph"]
        parts += [f"{self.links - self.to_seeds:,} others lead to no seed"] if self.links > self.to_seeds else []
        parts += [f"{count:,} left out: {why}" for why, count in self.skipped.items()]
        return "; ".join(parts)


def listed_pages(graph: Graph, named: BackLinks, seeds: NDArray[np.int64], own: Flags) -> tuple[Flags, Listed]:
    """The pages that link to seeds according to the file; ConfigError if the graph has none of them.

    `own` are the pages that link to seeds according to the graph.
    """
    urls = set(urls_of(graph, seeds).to_pylist())
    links = [link for link in named.links if not link.target or not urls.isdisjoint(_spellings(link.target))]
    if not links:
        raise ConfigError(
            f"{named.path}: none of its {len(named.links):,} back-links leads to one of the {len(seeds):,} seeds, "
            f"for example {named.links[0].target}. Without a head line, targets come first; --start-pages takes more."
        )
    nodes = _nodes_with_links(graph, [link.source for link in links])
    if not nodes:
        raise ConfigError(
            f"{named.path}: none of its {len(links):,} back-links is a page of {graph.directory}, "
            f"for example {links[0].source}. Name pages that were fetched for the graph."
        )
    is_listed: Flags = np.zeros(len(graph), np.bool_)
    is_listed[nodes] = True
    return is_listed, Listed(
        file=str(named.path),
        links=len(named.links),
        to_seeds=len(links),
        in_graph=len(nodes),
        pages=int(is_listed.sum()),
        new=int((is_listed & ~own).sum()),
        skipped=named.skipped,
    )


def _nodes_with_links(graph: Graph, urls: list[str]) -> list[int]:
    """The node of each URL that is a page or a redirect in the graph; what was never fetched has no links."""
    known = nodes_of(graph, [spelling for url in urls for spelling in _spellings(url)])
    nodes_of_urls = ([known[spelling] for spelling in _spellings(url) if spelling in known] for url in urls)
    is_usable = np.asarray(graph.outcome == Outcome.PAGE) | (np.diff(graph.offsets) > 0)
    return [usable[0] for nodes in nodes_of_urls if (usable := [node for node in nodes if is_usable[node]])]


def _spellings(url: str) -> tuple[str, ...]:
    """The URLs that an address may mean: without a scheme, that of either scheme."""
    return (f"http:{url}", f"https:{url}") if url.startswith("//") else (url,)
