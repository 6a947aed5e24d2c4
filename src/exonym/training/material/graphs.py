"""Pages of a web graph whose texts were kept."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exonym.batches import Outcome, language_code
from exonym.errors import DirectoryError
from exonym.training.material.material_sources import Condition
from exonym.training.material.page_examples import MaterialPage, MaterialReader, unreadable
from exonym.urls import site_of
from exonym.webgraph.graph import Graph
from exonym.webgraph.importing.record import Clue, clue_in, kept_page

_PIECE_NODES = 500


class NodesPiece(NamedTuple):
    """Nodes of a graph that are read together."""

    directory: Path
    nodes: tuple[int, ...]

    def read(self, reader: MaterialReader) -> Iterator[MaterialPage]:
        """The pages of the nodes."""
        graph = _open_graph(self.directory)
        for node in self.nodes:
            try:
                yield _read(graph, node, reader)
            except Exception as error:
                yield unreadable(error)


def graph_pieces(directory: Path, condition: Condition) -> list[NodesPiece]:
    """The pages of a graph that fulfil a condition, as pieces of work."""
    graph = Graph.open(directory)
    if not graph.has("text") or not graph.has("url"):
        raise DirectoryError(f"{directory} has no texts to learn from. Import it with --keep-text.")
    graph.check_numbers()
    is_meant = graph.outcome == Outcome.PAGE
    if condition.relevant is not None:
        is_meant &= graph.relevant == condition.relevant
    if condition.language:
        is_meant &= graph.language == language_code(condition.language)
    nodes = np.flatnonzero(is_meant).tolist()
    return [NodesPiece(directory, tuple(nodes[at : at + _PIECE_NODES])) for at in range(0, len(nodes), _PIECE_NODES)]


_open_graph = lru_cache(maxsize=4)(Graph.open)


def _read(graph: Graph, node: int, reader: MaterialReader) -> MaterialPage:
    url, text = graph.texts("url")[node], graph.texts("text")[node]
    clue = clue_in(graph.texts("clue")[node]) if graph.has("clue") else None
    anchors = ""
    if graph.has("anchor"):
        first, last = graph.offsets[node : node + 2].tolist()
        anchors = "\n".join(filter(None, graph.texts("anchor").part(first, last)))
    return reader.document(kept_page(url, text, clue or Clue()), site_of(url), anchors)
