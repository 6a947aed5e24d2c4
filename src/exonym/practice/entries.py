"""Entries: for each server of a practice web, a page on another server that links to its home page.

Together with the links from home pages to directories and from directories to pages, entries make every page reachable.
The entry of an island (a national server that no national page links to) is on a foreign server that a national page
links to, so a crawler passes one to three foreign pages before it.
"""

from functools import lru_cache

from exonym.practice.chance import mix_of
from exonym.practice.kinds import PageKind, says_nofollow, says_nofollow_in_header
from exonym.practice.server_profiles import Server
from exonym.practice.servers import PORTALS, Role
from exonym.practice.tree import TreeOfPages, index_page

_TRIES = 3


class Entries:
    """The entries of all servers: parent servers are chosen at once, the pages on them on demand."""

    def __init__(self, tree: TreeOfPages) -> None:
        self._tree = tree
        self._led_to = _servers_led_to(tree)
        self._by_page = lru_cache(maxsize=20_000)(self._pages_of)

    def at(self, server: Server, page: int) -> tuple[int, ...]:
        """The servers whose home pages a page of `server` must link to."""
        return tuple(self._by_page(server).get(page, ())) if server.index in self._led_to else ()

    def _pages_of(self, server: Server) -> dict[int, list[int]]:
        pages: dict[int, list[int]] = {}
        for child in self._led_to[server.index]:
            pages.setdefault(_entry_page(self._tree, server, child), []).append(child)
        return pages


def _servers_led_to(tree: TreeOfPages) -> dict[int, list[int]]:
    """The servers whose entries are on each server; the entry of a server is on one that has an entry itself."""
    table, led_to = tree.table, dict[int, list[int]]()
    national, foreign, islands = list(range(PORTALS)), list[int](), list[int]()
    bridges: list[int] = []  # foreign servers whose entry is on a national one
    for server in range(PORTALS, len(table)):
        role, draw = table.roles[server], mix_of(table.draws[server], 0xE7)
        if role == Role.ISLAND:
            islands.append(server)
            continue
        wants_national = draw % 10 < (3 if role >= Role.FOREIGN else 8)
        parent = _pick(national if wants_national or not foreign else foreign, draw >> 16)
        led_to.setdefault(parent, []).append(server)
        if role < Role.FOREIGN:
            national.append(server)
        elif role == Role.FOREIGN:
            foreign.append(server)
            if table.tongues[parent] == tree.nation_tongue:
                bridges.append(server)
    for server in islands:
        parent = _pick(bridges or foreign or national, table.draws[server] >> 40)
        led_to.setdefault(parent, []).append(server)
    return led_to


def _pick(servers: list[int], draw: int) -> int:
    return servers[draw % len(servers)]


def _entry_page(tree: TreeOfPages, parent: Server, child: int) -> int:
    """A page of `parent` that a crawler may fetch and whose links it may follow."""
    draw = tree.table.draws[child]
    for number in range(_TRIES):
        page = parent.start + mix_of(draw, 0xE8 + number) % parent.size
        place = tree.place(page)
        is_open = place.kind == PageKind.PAGE and not place.directory.is_forbidden
        is_follow = not place.position or not (says_nofollow(place.draw) or says_nofollow_in_header(place.draw))
        if is_open and is_follow:
            return page
    return index_page(parent, 0) if parent.directories else parent.start
