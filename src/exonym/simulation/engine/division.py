"""How the servers of a graph are divided into partitions: by registered domain, as in a crawl on many machines."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Group, Integers
from exonym.simulation.engine.arrays import groups_of
from exonym.urls import partition_of, server_of
from exonym.webgraph.graph import Graph
from exonym.webgraph.url_spelling import urls_of


class ServerDivision(NamedTuple):
    """The partition of each server and of each group; of one partition alone nothing is kept."""

    partitions: int
    of_server: Integers
    of_group: Integers

    def runs(self, owners: Integers) -> tuple[NDArray[np.intp], list[tuple[int, int, int]]]:
        """Positions sorted by owner, earlier ones first, and for each owner: its number and where its positions are."""
        order = np.argsort(owners, kind="stable")
        ends = np.searchsorted(owners[order], np.arange(self.partitions + 1))
        present = np.flatnonzero(ends[1:] > ends[:-1]).tolist()
        return order, [(number, int(ends[number]), int(ends[number + 1])) for number in present]


def division_of(graph: Graph, group: Group, count: int) -> ServerDivision:
    """The partitions of a graph's servers and of their groups."""
    if count == 1:
        return ServerDivision(1, np.zeros(1, np.int64), np.zeros(1, np.int64))
    server = np.asarray(graph.server)
    a_node = np.zeros(graph.manifest.servers, np.int64)
    a_node[server] = np.arange(len(graph))
    urls = urls_of(graph, a_node).to_pylist()
    of_server = np.array([partition_of(server_of(url), count) for url in urls], np.int64)
    groups_of_nodes, groups = groups_of(graph, group)
    of_group = np.zeros(groups, np.int64)
    of_group[groups_of_nodes] = of_server[server]
    return ServerDivision(count, of_server, of_group)
