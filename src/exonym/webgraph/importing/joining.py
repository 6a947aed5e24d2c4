"""Joins all chunks into the columns of one graph."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.urls import id_of
from exonym.webgraph.graph import TextColumn
from exonym.webgraph.graph_writer import GraphWriter
from exonym.webgraph.importing.chunks import KEPT_TEXTS
from exonym.webgraph.importing.groups import put_groups
from exonym.webgraph.importing.import_sources import ImportOptions
from exonym.webgraph.importing.link_sorting import LinkSort
from exonym.webgraph.importing.nodes import join_nodes
from exonym.webgraph.importing.page_columns import PageColumns, put_page_texts
from exonym.webgraph.importing.server_countries import countries_of

_MOST_NODES = 2**32 - 1


class Joined(NamedTuple):
    """Facts of a joined graph that its columns do not hold."""

    domains: list[str]
    charsets: list[str]
    repeated: int  # records of a URL that had one already


def join_chunks(
    writer: GraphWriter, chunks: list[Path], work: Path, options: ImportOptions, seeds: list[str]
) -> Joined:
    """Write all columns of the graph that `chunks` make; `work` is a new directory for intermediate files."""
    nodes = join_nodes(chunks, work)
    assert len(nodes.ids) <= _MOST_NODES, "more nodes than the format numbers"
    starts = writer.allocate("url.offsets", len(nodes.ids) + 1)
    starts[0] = 0
    np.cumsum(nodes.url_lengths, out=starts[1:])
    writer.allocate("url.bytes", len(nodes.url_bytes))[:] = nodes.url_bytes
    groups = put_groups(writer, nodes.servers, nodes.segments, TextColumn(starts, nodes.url_bytes))
    pages = PageColumns(nodes.ids)
    for path in chunks:
        pages.add(path)
    links = LinkSort(writer, chunks, nodes.ids, pages)
    links.count()
    links.place()
    for name, is_kept in (("anchor", options.anchors), ("around", options.keep_around)):
        if is_kept:
            links.place_texts(name)
    pages.columns["country"] = countries_of(groups, pages.columns["country"])
    originals = pages.take_originals()
    if originals is not None:
        writer.put("original", originals)
    for name, column in pages.columns.items():
        writer.put(name, column)
    for name in KEPT_TEXTS if options.keep_text else ():
        put_page_texts(writer, name, chunks, pages)
    seed_ids = np.array([id_of(seed) for seed in dict.fromkeys(seeds)], np.uint64)
    writer.put("seeds", np.searchsorted(nodes.ids, seed_ids))
    return Joined(groups.domains, list(pages.charsets), pages.repeated)
