"""Chooses the section of a site that a link of a topical page leads to: mostly of the same topic and country.

The odds follow the segment links of the thesis: from relevant segments three to four fifths of the links lead to
relevant ones, from other segments few.
"""

from exonym.practice.chance import mix
from exonym.practice.server_profiles import Server
from exonym.practice.servers import Role
from exonym.practice.topical.sites import section_subject
from exonym.practice.topical.subjects import DIVING, ESTATE, TOURISM, Subject
from exonym.practice.tree import TreeOfPages, children_of, pages_in

_SOUGHT = frozenset([TOURISM, ESTATE, DIVING])
# Of a hundred links to other topical sites: same topic and country, same topic, same country; the rest anywhere.
_ODDS_SOUGHT = (82, 89, 94)
_ODDS_OTHERS = (45, 70, 76)
_KEEPS_SUBJECT = 90  # of a hundred links within a site
_TRIES = 6


class Sections:
    """The sections (directories below a home) of all topical sites, by what they are about."""

    def __init__(self, tree: TreeOfPages) -> None:
        self._tree = tree
        self._all: list[tuple[int, int]] = []
        self._by_subject: dict[Subject, list[tuple[int, int]]] = {}
        self._by_topic: dict[str, list[tuple[int, int]]] = {}
        self._by_country: dict[str, list[tuple[int, int]]] = {}
        for index, sort in enumerate(tree.table.sorts):
            if not sort:
                continue
            server = tree.server(index)
            assert server.site is not None
            for number in range(min(server.top_directories, server.directories)):
                if server.role == Role.MIXED and number == 1:  # this directory is in the nation's language
                    continue
                subject, section = section_subject(server.site, number), (index, number)
                self._all.append(section)
                self._by_subject.setdefault(subject, []).append(section)
                self._by_topic.setdefault(subject.topic, []).append(section)
                self._by_country.setdefault(subject.about, []).append(section)

    def __len__(self) -> int:
        return len(self._all)

    def outer(self, subject: Subject, draw: int) -> int:
        """A page of some site, for a link on a page with that subject."""
        chance, odds = draw % 100, _ODDS_SOUGHT if subject.topic in _SOUGHT else _ODDS_OTHERS
        if chance < odds[0]:
            sections = self._by_subject.get(subject)
        elif chance < odds[1]:
            sections = self._by_topic.get(subject.topic)
        else:
            sections = self._by_country.get(subject.about) if chance < odds[2] else None
        return self._landing(sections or self._all, draw >> 8)

    def _landing(self, sections: list[tuple[int, int]], draw: int) -> int:
        """A page of one of the sections: earlier ones are more popular, indexes most of all."""
        rank = (draw & 0xFFFF) * (0x8000 + (draw >> 16 & 0x7FFF)) >> 16
        index, number = sections[rank * len(sections) >> 16]
        server = self._tree.server(index)
        inside = children_of(server, number)
        if len(inside) and draw >> 32 & 1:
            number = inside[(draw >> 33) % len(inside)]
        pages = pages_in(server, number)
        return pages[0] if (draw >> 40) % 5 < 2 else pages[(draw >> 43) % len(pages)]

    def inner(self, server: Server, subject: Subject, draw: int) -> int:
        """A page of the same site, mostly of the same subject."""
        page = server.start + draw % server.size
        if (draw >> 40) % 100 >= _KEEPS_SUBJECT:
            return page
        for _ in range(_TRIES):
            if self._tree.subject_near(server, page) == subject:
                return page
            draw = mix(draw)
            page = server.start + draw % server.size
        return page
