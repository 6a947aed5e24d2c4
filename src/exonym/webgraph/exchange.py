"""A graph as Parquet tables for other programs, in the form that `exonym graph import --pages --links` reads back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from exonym.disk import disk_errors
from exonym.model import language_name
from exonym.webgraph.graph import KNOWN, Graph
from exonym.webgraph.spelling import url_of

NODES_AT_A_TIME = 100_000


def export_tables(graph: Graph, directory: Path) -> Iterator[int]:
    """Writes pages.parquet and links.parquet; after each part, how many nodes are done."""
    import pyarrow
    import pyarrow.parquet

    with disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with (
            pyarrow.parquet.ParquetWriter(directory / "pages.parquet", _page_schema(pyarrow)) as pages,
            pyarrow.parquet.ParquetWriter(directory / "links.parquet", _link_schema(pyarrow)) as links,
        ):
            for first in range(0, len(graph), NODES_AT_A_TIME):
                last = min(first + NODES_AT_A_TIME, len(graph))
                pages.write(pyarrow.table(_pages(graph, first, last), schema=pages.schema))
                links.write(pyarrow.table(_links(graph, first, last), schema=links.schema))
                yield last


def _page_schema(arrow: Any) -> Any:
    return arrow.schema(
        [
            ("url", arrow.string()),
            ("domain", arrow.string()),
            ("fetched", arrow.bool_()),
            ("outcome", arrow.uint8()),
            ("language", arrow.string()),
            ("relevant", arrow.bool_()),
        ]
    )


def _link_schema(arrow: Any) -> Any:
    return arrow.schema([("source", arrow.string()), ("target", arrow.string()), ("anchor", arrow.string())])


def _pages(graph: Graph, first: int, last: int) -> dict[str, list[Any]]:
    part = slice(first, last)
    domains = graph.manifest.domains
    return {
        "url": [url_of(graph, node) for node in range(first, last)],
        "domain": [domains[number] for number in graph.domain[part].tolist()],
        "fetched": (graph.outcome[part] != KNOWN).tolist(),
        "outcome": graph.outcome[part].tolist(),
        "language": [language_name(code) for code in graph.language[part].tolist()],
        "relevant": graph.relevant[part].tolist(),
    }


def _links(graph: Graph, first: int, last: int) -> dict[str, list[Any]]:
    start, end = int(graph.offsets[first]), int(graph.offsets[last])
    sources = np.repeat(np.arange(first, last), np.diff(graph.offsets[first : last + 1])).tolist()
    return {
        "source": [url_of(graph, node) for node in sources],
        "target": [url_of(graph, node) for node in graph.targets[start:end].tolist()],
        "anchor": graph.texts("anchor").part(start, end) if graph.has("anchor") else [None] * (end - start),
    }
