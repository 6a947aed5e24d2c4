"""Web graphs: pages and links as columns in files, imported, generated or analysed."""

from exonym.webgraph.graph import Graph
from exonym.webgraph.graph_writer import GraphWriter

__all__ = ["Graph", "GraphWriter"]
