"""A graph as Parquet tables for other programs, in the form that `exonym graph import --pages --links` reads back.

The tables hold every fact that the graph has about pages and links, with texts in full; node numbers are left out. They
are written part by part, so memory does not grow with the graph; a table gets its name only when it is complete.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exonym.batches import country_name, language_name
from exonym.system.files import disk_errors, replacing
from exonym.webgraph.analyses.link_parts import link_parts
from exonym.webgraph.graph import KNOWN, NOFOLLOW, Graph
from exonym.webgraph.url_spelling import kept_texts, named, segment_names_of, server_names_of, urls_of

ROWS_AT_A_TIME = 1 << 18
_PAGES, _LINKS = "pages.parquet", "links.parquet"
# Columns whose values hardly repeat: a dictionary of them would be built and thrown away.
_VARIED = frozenset(["url", "original", "target", "anchor", "around", "text_length", "relevance"])

ArrowColumns = dict[str, Any]


def export_tables(graph: Graph, directory: Path) -> Generator[int, None, None]:
    """Write pages.parquet and links.parquet; yield the rows written so far, of both tables, after each part."""
    import pyarrow
    import pyarrow.parquet

    graph.check_numbers()
    with disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        done = 0
        for name, parts in ((_PAGES, _page_parts(graph)), (_LINKS, _link_parts(graph))):
            with replacing(directory / name) as draft, ExitStack() as stack:
                writer = None
                for columns in parts:
                    table = pyarrow.table(columns)
                    if writer is None:  # only the first part shows the types of columns
                        repeating = [name for name in columns if name not in _VARIED]
                        made = pyarrow.parquet.ParquetWriter(draft, table.schema, use_dictionary=repeating)
                        writer = stack.enter_context(made)
                    writer.write_table(table)
                    done += len(table)
                    yield done


def _page_parts(graph: Graph) -> Iterator[ArrowColumns]:
    is_seed = np.zeros(len(graph), dtype=np.bool_)
    is_seed[graph.seeds] = True
    for first in range(0, max(len(graph), 1), ROWS_AT_A_TIME):
        nodes = np.arange(first, min(first + ROWS_AT_A_TIME, len(graph)))
        yield {**_page_columns(graph, nodes), "seed": is_seed[nodes]}


def _page_columns(graph: Graph, nodes: NDArray[np.int64]) -> ArrowColumns:
    columns = {
        "url": urls_of(graph, nodes),
        "server": kept_texts(graph, "server_name", graph.server[nodes])
        if graph.has("server_name")
        else server_names_of(graph, nodes),
        "segment": kept_texts(graph, "segment_name", graph.segment[nodes])
        if graph.has("segment_name")
        else segment_names_of(graph, nodes),
        "domain": named(graph.manifest.domains, graph.domain[nodes]),
        "fetched": graph.outcome[nodes] != KNOWN,
        "outcome": graph.outcome[nodes],
        "language": _names_of(graph.language[nodes], language_name),
        "relevant": graph.relevant[nodes],
        # An import reads the relevance: where a graph knows only yes or no, write 1 or 0.
        "relevance": graph.column("relevance" if graph.has("relevance") else "relevant")[nodes].astype(np.float32),
    }
    if graph.has("charset"):
        columns["charset"] = named(graph.manifest.charsets, graph.column("charset")[nodes])
    if graph.has("text_length"):
        columns["text_length"] = graph.column("text_length")[nodes]
    if graph.has("inherited"):
        columns["inherited"] = graph.column("inherited")[nodes]
    if graph.has("original"):
        columns["original"] = urls_of(graph, graph.column("original")[nodes])
    if graph.has("country"):
        columns["country"] = _names_of(graph.column("country")[nodes], country_name)
    return columns


def _names_of(codes: NDArray[np.uint16], name_of: Callable[[int], str]) -> Any:
    """The name of each code; a code that repeats is named once."""
    distinct, places = np.unique(codes, return_inverse=True)
    return named([name_of(code) for code in distinct.tolist()], places)


def _link_parts(graph: Graph) -> Iterator[ArrowColumns]:
    if not graph.manifest.links:
        nothing = np.zeros(0, dtype=np.uint32)
        yield _link_columns(graph, 0, nothing, nothing)  # a table without rows still has columns
    for part in link_parts(graph, ROWS_AT_A_TIME):
        yield _link_columns(graph, part.first, part.sources, part.targets)


def _link_columns(graph: Graph, first: int, sources: NDArray[np.uint32], targets: NDArray[np.uint32]) -> ArrowColumns:
    import pyarrow

    links = np.arange(first, first + len(targets))
    # The links of a page are neighbours: its URL is spelled once.
    pages, places = np.unique(sources, return_inverse=True)
    columns = {"source": urls_of(graph, pages).take(pyarrow.array(places)), "target": urls_of(graph, targets)}
    for name in ("anchor", "around"):
        if graph.has(name):
            columns[name] = kept_texts(graph, name, links)
    if graph.has("anchor_language"):
        columns["anchor_language"] = _names_of(graph.column("anchor_language")[links], language_name)
    if graph.has("link_flags"):
        columns["nofollow"] = graph.column("link_flags")[links] & NOFOLLOW > 0
    return columns
