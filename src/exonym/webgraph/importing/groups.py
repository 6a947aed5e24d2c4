"""Servers, segments and top-level domains of nodes: numbers without gaps, and names."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exonym.batches import Ids
from exonym.urls import segment_of, server_of, top_level_domain_of
from exonym.webgraph.graph import TextColumn
from exonym.webgraph.graph_writer import GraphWriter

_MOST_DOMAINS = 65_535
_AT_ONCE = 1_000_000


class Numbered(NamedTuple):
    """The number of each node's group, and one node of each group."""

    number: NDArray[np.uint32]
    example: NDArray[np.intp]


class Groups(NamedTuple):
    """The names of domains, the domain number of each server, and the server number of each node."""

    domains: list[str]
    domain_of_server: NDArray[np.uint16]
    server: NDArray[np.uint32]


def put_groups(writer: GraphWriter, servers: Ids, segments: Ids, urls: TextColumn) -> Groups:
    """Write the columns of servers, segments and domains."""
    by_segment = _number_groups(segments)
    writer.put("segment", by_segment.number)
    writer.put_texts("segment_name", _names(by_segment, urls, segment_of))
    del by_segment
    by_server = _number_groups(servers)
    writer.put("server", by_server.number)
    names = list(_names(by_server, urls, server_of))
    writer.put_texts("server_name", names)
    domains, of_server = _domains(names, by_server)
    writer.put("domain", of_server[by_server.number])
    return Groups(domains, of_server, by_server.number)


def _number_groups(ids: Ids) -> Numbered:
    distinct, example = np.unique(ids, return_index=True)
    number = np.empty(len(ids), np.uint32)
    for first in range(0, len(ids), _AT_ONCE):  # the inverse of np.unique would take 8 bytes a node, twice
        number[first : first + _AT_ONCE] = np.searchsorted(distinct, ids[first : first + _AT_ONCE])
    return Numbered(number, example)


def _names(numbered: Numbered, urls: TextColumn, name_of: Callable[[str], str]) -> Iterator[str]:
    """The names of groups, as an iterator: there may be as many segments as nodes."""
    for first in range(0, len(numbered.example), _AT_ONCE):
        yield from (name_of(urls[node]) for node in numbered.example[first : first + _AT_ONCE].tolist())


def _domains(servers: list[str], by_server: Numbered) -> tuple[list[str], NDArray[np.uint16]]:
    """Names of top-level domains, the most frequent first, and the domain number of each server.

    There may be more domains than the format has numbers, since links name domains that do not exist.
    """
    nodes = np.bincount(by_server.number, minlength=len(servers)).tolist()
    labels = [top_level_domain_of(server) for server in servers]
    counts: Counter[str] = Counter()
    for label, count in zip(labels, nodes, strict=True):
        counts[label] += count
    names = [name for name, _ in counts.most_common(_MOST_DOMAINS)]
    number = {name: place for place, name in enumerate(names)}
    rest = len(names) - 1  # only where there are more labels than numbers
    return names, np.array([number.get(label, rest) for label in labels], np.uint16)
