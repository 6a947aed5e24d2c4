"""Plans which pages a page of a practice web links to, in the order of the document.

The plan follows the linguistic locality that was measured on real webs: from national pages about 84 % of the links
within a server and 38 % of the links to other servers lead to national pages; from other pages about 3 %.
"""

from enum import IntEnum
from typing import NamedTuple

from exonym.practice.chance import GOLDEN, MASK, mix, mix_of
from exonym.practice.entries import Entries
from exonym.practice.extra_pages import Extras
from exonym.practice.furnishing import MENU_LINKS
from exonym.practice.kinds import TEXT_KINDS, PageKind, has_map, has_next, has_refresh, is_off_language
from exonym.practice.server_profiles import Server
from exonym.practice.servers import Role
from exonym.practice.topical.sections import Sections
from exonym.practice.topical.sites import is_little_known
from exonym.practice.tree import HOME, PagePlace, TreeOfPages, children_of, index_page, pages_in, parent_of


class PageSection(IntEnum):
    """The part of a page that contains a link, in the order of the document."""

    REFRESH = 0
    NEXT = 1  # <link rel=next>
    FRAME = 2
    MENU = 3  # <a> at the top
    LISTED = 4  # <a> in a list
    INLINE = 5  # <a> in running text
    AREA = 6


class PlannedLink(NamedTuple):
    """A link without anchor and href: `node` is a page id, or an extra's number (`extras`)."""

    node: int
    section: PageSection
    is_nofollow: bool = False


_INNER = 690  # of a thousand links in running text, those to the same server
_NATION_FROM_NATION = 470  # of a thousand links to other servers
_NATION_FROM_OTHERS = 40
_SAME_TONGUE = 750  # of the rest, from foreign pages
_KEEPS_TONGUE = 965  # of links within a mixed server
_TOPICAL_FROM_TOPICAL = 940  # of a thousand links of topical pages to other servers


def site_menu(server: Server) -> list[int]:
    """The pages that all pages of a furnished server link to."""
    draws = (mix_of(server.draw, number + 0x3E) for number in range(MENU_LINKS))
    return [server.start, *dict.fromkeys(server.start + draw % server.size for draw in draws)]


class LinkPlan:
    """Plans the links of each page; keeps lists of servers, and nothing about pages."""

    def __init__(self, tree: TreeOfPages) -> None:
        self.tree = tree
        self.extras = Extras(tree)
        roles, tongues = tree.table.roles, tree.table.tongues
        self._sections = Sections(tree)
        national = [i for i, role in enumerate(roles) if role <= Role.ISLAND]
        # The topical portal is a seed, but no page of it is in the nation's language.
        self._national = [i for i in national if not (tree.table.sorts[i] and roles[i] == Role.PORTAL)]
        self._mainland = [i for i in self._national if roles[i] < Role.ISLAND]
        self._foreign = [
            i for i, role in enumerate(roles) if role >= Role.FOREIGN and not is_little_known(tree.server(i).site)
        ]
        self._by_tongue: dict[str, list[int]] = {}
        for index in self._foreign:
            self._by_tongue.setdefault(tongues[index], []).append(index)
        self._entries = Entries(tree)

    def tongue(self, place: PagePlace) -> str:
        """The tongue that a page is written in; "" if it has no text."""
        if place.kind == PageKind.COPY:
            return self.tongue(self.tree.place(place.page - 1))
        if place.kind not in TEXT_KINDS:
            return ""
        own = place.directory.tongue
        is_national = own == self.tree.nation_tongue
        return "en" if is_national and place.position and is_off_language(place.draw) else own

    def plan(self, place: PagePlace) -> list[PlannedLink]:
        """The links of a page; for a copy, those of its original."""
        if place.kind == PageKind.COPY:
            return self.plan(self.tree.place(place.page - 1))
        if place.kind == PageKind.FRAMES:
            tops = children_of(place.server, HOME)
            return [PlannedLink(index_page(place.server, number), PageSection.FRAME) for number in tops]
        if place.kind not in TEXT_KINDS:
            return []
        server, number, links = place.server, place.directory.number, list[PlannedLink]()
        if place.position and has_refresh(place.draw):
            links.append(PlannedLink(place.page - place.position, PageSection.REFRESH))
        if place.position and has_next(place.draw) and place.page + 1 in pages_in(server, number):
            links.append(PlannedLink(place.page + 1, PageSection.NEXT))
        if self.tree.options.furnished:
            links += [PlannedLink(page, PageSection.MENU) for page in site_menu(server)]
        elif number != HOME:
            above = number if place.position else parent_of(server, number)
            menu = [server.start] if above == HOME else [server.start, index_page(server, above)]
            links += [PlannedLink(page, PageSection.MENU) for page in menu]
        links += [PlannedLink(node, PageSection.LISTED) for node in self._listed(place)]
        return links + self._running(place, len(links))

    def _listed(self, place: PagePlace) -> list[int]:
        server, number = place.server, place.directory.number
        nodes: list[int] = []
        if not place.position:
            nodes += [index_page(server, child) for child in children_of(server, number)]
            if number != HOME:
                nodes += pages_in(server, number)[1:]
            if number == min(0, server.directories - 1):
                nodes += self.extras.starts(server.index)
        starts = self.tree.table.starts
        return nodes + [starts[child] for child in self._entries.at(server, place.page)]

    def _running(self, place: PagePlace, already: int) -> list[PlannedLink]:
        wanted = self.tree.options.links_per_page
        # From 57 to 147 % of the wanted number: lists add links to some pages, so the aim is a little lower.
        count = max(2, wanted * (57 + (place.draw >> 56) % 91) // 100 - already)
        is_national = self.tongue(place) == self.tree.nation_tongue
        areas = min(3, count) if has_map(place.draw) else 0
        draws = [mix((place.draw + number * GOLDEN) & MASK) for number in range(count)]
        chosen = [(self._target(place, is_national, draw), draw) for draw in draws]
        if place.subject:
            # Links to other subjects come last, so that the words around them are not those of links to its own.
            chosen.sort(key=lambda link: not self.is_alike(place, link[0]))
        links = []
        for number, (node, draw) in enumerate(chosen):
            section = PageSection.AREA if number >= count - areas else PageSection.INLINE
            links.append(PlannedLink(node, section, (draw >> 58) == 0 and section == PageSection.INLINE))
        return links

    def is_alike(self, place: PagePlace, node: int) -> bool:
        """Whether a page is in a directory with the same subject as another."""
        return self.tree.subject_around(node) == place.directory.subject

    def _target(self, place: PagePlace, is_national: bool, draw: int) -> int:
        subject = place.directory.subject  # its pages link alike, also those about something else
        if draw % 1000 < _INNER and place.server.size > 1:
            if subject:
                return self._sections.inner(place.server, subject, draw >> 10)
            return self._inner(place, is_national, draw >> 10)
        chance = (draw >> 10) % 1000
        if subject and len(self._sections) and chance < _TOPICAL_FROM_TOPICAL:
            return self._sections.outer(subject, mix(draw))
        if chance < (_NATION_FROM_NATION if is_national else _NATION_FROM_OTHERS):
            return self._landing(self._mainland if is_national else self._national, draw >> 20, True)
        if is_national or (draw >> 50) % 1000 >= _SAME_TONGUE:
            return self._landing(self._foreign, draw >> 20, False)
        return self._landing(self._by_tongue.get(place.server.tongue, self._foreign), draw >> 20, False)

    def _inner(self, place: PagePlace, is_national: bool, draw: int) -> int:
        """A page of the same server; on mixed servers mostly one of the same tongue."""
        server = place.server
        page = server.start + draw % server.size
        if server.role != Role.MIXED or (draw >> 40) % 1000 >= _KEEPS_TONGUE:
            return page
        for _ in range(6):
            if (self.tree.place(page).directory.tongue == self.tree.nation_tongue) == is_national:
                return page
            draw = mix(draw)
            page = server.start + draw % server.size
        return place.page - place.position

    def _landing(self, servers: list[int], draw: int, is_national: bool) -> int:
        """A page of one of `servers`: earlier servers are more popular, and home pages most of all."""
        rank = (draw & 0xFFFF) * (0x8000 + (draw >> 16 & 0x7FFF)) >> 16
        index = servers[rank * len(servers) >> 16]
        starts = self.tree.table.starts
        if self.tree.table.roles[index] == Role.MIXED and is_national:
            server, draw = self.tree.server(index), draw >> 32
            pages = pages_in(server, 1) if server.directories > 1 else range(server.start, server.start + 1)
            return pages[0] if draw % 5 < 3 else pages[(draw >> 4) % len(pages)]
        size = starts[index + 1] - starts[index]
        return starts[index] if (draw >> 32) % 5 < 2 else starts[index] + (draw >> 36) % size
