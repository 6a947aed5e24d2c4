"""Extras: pages outside the page count. An endless calendar, a chain of twelve redirects, a loop of two.

An extra's node number is the page count + its server's rank among servers with extras × 2³² + its own number: 0-11 the
chain, 12-13 the loop, from 16 on the months.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from exonym.practice.server_profiles import Server, servers_with_extras
from exonym.practice.tree import TreeOfPages

CHAIN = 12
LOOP = 12
FIRST_MONTH = 16
_HOPS = LOOP + 2
FIRST_YEAR = 2001
LAST_YEAR = 9999
_EACH = 1 << 32
_MONTH_URL = re.compile(r"/calendar\?y=(\d{4})&m=(\d{1,2})")
_HOP_URL = re.compile(r"/(hop|loop)/(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Extra:
    """A page outside the page count."""

    server: Server
    number: int

    @property
    def is_month(self) -> bool:
        """Whether the extra is a page of the calendar; otherwise it is a redirect."""
        return self.number >= FIRST_MONTH

    @property
    def path(self) -> str:
        """Path and query of the URL."""
        if self.is_month:
            year, month = divmod(self.number - FIRST_MONTH, 12)
            return f"/calendar?y={FIRST_YEAR + year}&m={month + 1}"
        return f"/loop/{self.number - LOOP + 1}" if self.number >= LOOP else f"/hop/{self.number + 1}"


class Extras:
    """The extras of a web: their numbers, URLs and links."""

    def __init__(self, tree: TreeOfPages) -> None:
        self._tree = tree
        self.first = tree.table.starts[-1]
        self.servers = servers_with_extras(tree.table, tree.options)
        self._ranks = {server: rank for rank, server in enumerate(self.servers)}

    def starts(self, index: int) -> list[int]:
        """The first extra of each kind of a server: its own pages link to these."""
        if index not in self._ranks:
            return []
        server = self._tree.server(index)
        numbers = [0, LOOP] if server.has_hops else []
        return [self.node(index, number) for number in numbers + [FIRST_MONTH] * server.has_calendar]

    def node(self, index: int, number: int) -> int:
        """The node number of a server's extra."""
        return self.first + self._ranks[index] * _EACH + number

    def extra(self, node: int) -> Extra:
        """The extra of a node number."""
        rank, number = self.split(node)
        return Extra(self._tree.server(self.servers[rank]), number)

    def split(self, node: int) -> tuple[int, int]:
        """The rank of an extra's server, and the extra's own number."""
        return divmod(node - self.first, _EACH)

    def next(self, extra: Extra) -> int | None:
        """Where an extra leads: to the next month or the next hop, from the chain's end to its server's home page."""
        server, number = extra.server, extra.number
        if extra.is_month:
            last = FIRST_MONTH + (LAST_YEAR - FIRST_YEAR + 1) * 12 - 1
            return self.node(server.index, number + 1) if number < last else None
        if number >= LOOP:
            return self.node(server.index, LOOP + 1 - (number - LOOP))
        return server.start if number == CHAIN - 1 else self.node(server.index, number + 1)

    def find(self, server: Server, path: str) -> Extra | None:
        """The extra at a path of a server, or None."""
        month = _MONTH_URL.fullmatch(path)
        if month and server.has_calendar and int(month[1]) >= FIRST_YEAR and 1 <= int(month[2]) <= 12:
            return Extra(server, FIRST_MONTH + (int(month[1]) - FIRST_YEAR) * 12 + int(month[2]) - 1)
        hop = _HOP_URL.fullmatch(path)
        if hop is None or not server.has_hops or not 1 <= int(hop[2]) <= (CHAIN if hop[1] == "hop" else 2):
            return None
        return Extra(server, int(hop[2]) - 1 + (LOOP if hop[1] == "loop" else 0))


class ExtraNumbering:
    """Numbers extras as nodes of a graph: right after the pages, without gaps; calendars end after `months`."""

    def __init__(self, extras: Extras, months: int) -> None:
        self._extras = extras
        self._months = months
        servers = [extras.extra(extras.node(index, 0)).server for index in extras.servers]
        self._hops = [_HOPS * server.has_hops for server in servers]
        sizes = [hops + months * server.has_calendar for hops, server in zip(self._hops, servers, strict=True)]
        self._starts = list(accumulate(sizes, initial=extras.first))
        self.end = self._starts[-1]

    def has(self, node: int) -> bool:
        """Whether a page or extra is a node of the graph: months beyond the cut are not."""
        return node < self._extras.first or self._extras.split(node)[1] < FIRST_MONTH + self._months

    def narrow(self, node: int) -> int:
        """The node of a page id or an extra's number."""
        if node < self._extras.first:
            return node
        rank, number = self._extras.split(node)
        return self._starts[rank] + (number if number < FIRST_MONTH else number - FIRST_MONTH + self._hops[rank])

    def wide(self, node: int) -> int:
        """The page id or extra's number of a node."""
        if node < self._extras.first:
            return node
        rank = bisect_right(self._starts, node) - 1
        own, hops = node - self._starts[rank], self._hops[rank]
        return self._extras.node(self._extras.servers[rank], own if own < hops else own - hops + FIRST_MONTH)
