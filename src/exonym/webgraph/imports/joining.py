"""Chunks joined into a graph."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.model import Ids
from exonym.urls import id_of
from exonym.webgraph.graph import Texts
from exonym.webgraph.imports.columns import PageColumns
from exonym.webgraph.imports.groups import put_groups
from exonym.webgraph.imports.links import LinkSort, node_texts
from exonym.webgraph.imports.nodes import Nodes, join_nodes
from exonym.webgraph.imports.ragged import Pile, starts_of
from exonym.webgraph.imports.sources import Options
from exonym.webgraph.writing import GraphWriter

_MOST_NODES = 2**32 - 1


class Joined(NamedTuple):
    """What the columns do not say themselves."""

    domains: list[str]
    charsets: list[str]
    repeated: int  # records of a URL that had one already


def join_chunks(writer: GraphWriter, chunks: list[Path], pile: Pile, options: Options, seeds: list[str]) -> Joined:
    """Write all columns of the graph that `chunks` make."""
    nodes = join_nodes(chunks, pile)
    assert len(nodes.ids) <= _MOST_NODES, "more nodes than the format numbers"
    starts, data = starts_of(pile.mapped("url_lengths", "<u4")), pile.mapped("url_bytes", "|u1")
    writer.put_bytes("url", starts, data)
    domains = put_groups(writer, nodes.servers, nodes.segments, Texts(starts, data))
    pages = PageColumns(nodes.ids)
    for path in chunks:
        pages.add(path)
    _put_links(writer, LinkSort(chunks, nodes.ids, pages), pile, options)
    for name, column in pages.columns.items():
        writer.put(name, column)
    if options.keep_text:
        writer.put_bytes("text", *node_texts(chunks, nodes.ids, pages, pile))
    writer.put("seeds", _seed_nodes(nodes, seeds))
    return Joined(domains, list(pages.charsets), pages.repeated)


def _put_links(writer: GraphWriter, sort: LinkSort, pile: Pile, options: Options) -> None:
    sort.count()
    links = sort.place(options.anchors)
    for name in ("offsets", "targets", "anchor_language", "link_flags"):
        writer.put(name, getattr(links, name))
    if links.anchor_lengths is not None:
        starts = starts_of(links.anchor_lengths)
        writer.put_bytes("anchor", starts, sort.place_anchors(starts, pile))


def _seed_nodes(nodes: Nodes, seeds: list[str]) -> Ids:
    ids = np.array([id_of(seed) for seed in dict.fromkeys(seeds)], np.uint64)
    return np.searchsorted(nodes.ids, ids).astype(np.uint64)
