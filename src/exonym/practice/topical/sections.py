"""Chooses the section of a site that a link of a topical page leads to: mostly of the same topic and country.

How often links lead to Thai sections of the topics that crawls look for is set in topic_ratios.toml.
"""

from functools import cache
from itertools import accumulate

from exonym.practice.chance import mix
from exonym.practice.server_profiles import Server
from exonym.practice.servers import Role
from exonym.practice.topical.sites import section_subject
from exonym.practice.topical.subjects import Subject
from exonym.practice.topical.topic_ratios import is_sought, ratios_of
from exonym.practice.tree import TreeOfPages, children_of, pages_in

_THOUSAND = 1000
# Of a hundred links to sections that no crawl looks for: same topic and country, same topic, same country; the rest
# anywhere.
_ODDS = (45, 70, 76)
_KEEPS_SUBJECT = 90  # of a hundred links within a site
_TRIES = 6
_HALVINGS = 6  # of the popular sections: the first are linked to most
_Section = tuple[int, int]  # a server, and a directory of it


class Sections:
    """The sections (directories below a home) of all topical sites, by what they are about."""

    def __init__(self, tree: TreeOfPages) -> None:
        self._tree = tree
        self._sought: dict[str, list[_Section]] = {}  # Thai ones, by topic
        self._others: list[_Section] = []
        self._by_subject: dict[Subject, list[_Section]] = {}
        self._by_topic: dict[str, list[_Section]] = {}
        self._by_country: dict[str, list[_Section]] = {}
        for index, sort in enumerate(tree.table.sorts):
            if not sort:
                continue
            server = tree.server(index)
            assert server.site is not None
            for number in range(min(server.top_directories, server.directories)):
                if server.role == Role.MIXED and number == 1:  # this directory is in the nation's language
                    continue
                subject, section = section_subject(server.site, number), (index, number)
                if is_sought(subject):
                    self._sought.setdefault(subject.topic, []).append(section)
                    continue
                self._others.append(section)
                self._by_subject.setdefault(subject, []).append(section)
                self._by_topic.setdefault(subject.topic, []).append(section)
                self._by_country.setdefault(subject.about, []).append(section)

    def __len__(self) -> int:
        return len(self._others)

    def outer(self, subject: Subject, draw: int) -> int:
        """A page of some site, for a link in a directory with that subject."""
        chance = (draw >> 48) % _THOUSAND
        for topic, bound in _bounds(subject):
            if chance < bound and topic in self._sought:
                return self._landing(self._sought[topic], draw >> 8)
        if is_sought(subject):
            return self._landing_in(self._popular(ratios_of(subject).popular, draw), draw >> 8)
        return self._landing(self._elsewhere(subject, draw % 100), draw >> 8)

    def _popular(self, share: int, draw: int) -> _Section:
        """A section that no crawl looks for: one of the first `share` thousandths, or of half of these, and so on."""
        window = max(1, len(self._others) * share // _THOUSAND >> draw % _HALVINGS)
        return self._others[(draw >> 8) % window]

    def _elsewhere(self, subject: Subject, chance: int) -> list[_Section]:
        """Sections that no crawl looks for."""
        sections = None
        if chance < _ODDS[0]:
            sections = self._by_subject.get(subject)
        elif chance < _ODDS[1]:
            sections = self._by_topic.get(subject.topic)
        elif chance < _ODDS[2]:
            sections = self._by_country.get(subject.about)
        return sections or self._others

    def _landing(self, sections: list[_Section], draw: int) -> int:
        """A page of one of the sections: earlier ones are more popular."""
        rank = (draw & 0xFFFF) * (0x8000 + (draw >> 16 & 0x7FFF)) >> 16
        return self._landing_in(sections[rank * len(sections) >> 16], draw)

    def _landing_in(self, section: _Section, draw: int) -> int:
        """A page of a section, or of a directory inside it: indexes are most popular."""
        index, number = section
        server = self._tree.server(index)
        inside = children_of(server, number)
        if len(inside) and draw >> 32 & 1:
            number = inside[(draw >> 33) % len(inside)]
        pages = pages_in(server, number)
        return pages[0] if (draw >> 40) % 5 < 2 else pages[(draw >> 43) % len(pages)]

    def inner(self, server: Server, subject: Subject, draw: int) -> int:
        """A page of the same site, mostly of the same subject."""
        keeps_subject = (draw >> 40) % 100 < _KEEPS_SUBJECT
        page = server.start + draw % server.size
        for _ in range(_TRIES):
            found = self._tree.subject_near(server, page)
            draw = mix(draw)
            if found == subject or (not keeps_subject and not _is_kept_apart(found, draw >> 20)):
                return page
            page = server.start + draw % server.size
        return page


def _is_kept_apart(subject: Subject | None, draw: int) -> bool:
    """Whether a link from a directory of another subject may not lead there."""
    return subject is not None and draw % _THOUSAND >= ratios_of(subject).reached_inside


@cache
def _bounds(subject: Subject) -> tuple[tuple[str, int], ...]:
    """Upper bounds, in thousandths, of links to Thai sections of each topic."""
    shares = ratios_of(subject).links
    return tuple(zip(shares, accumulate(shares.values()), strict=True))
