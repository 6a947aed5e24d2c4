"""The places of pages: ids, directories and URLs of a practice web, each computed from the others.

A server's pages are its home page and then directories of a few pages, the first page of each being its index;
directories form a tree. So ids, directories and parents are arithmetic, and the numbers in a URL lead back to its id
(`TreeOfPages.page_id` guesses an id and keeps it if it has that URL).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from exonym.practice.chance import mix_of
from exonym.practice.kinds import PageKind, kind_of
from exonym.practice.nations import NATIONS, SLUGS
from exonym.practice.server_profiles import Server, Style, profile_of
from exonym.practice.servers import Role, ServerTable
from exonym.practice.topical.sites import home_subject, inner_subject, page_subject, section_subject
from exonym.practice.topical.subjects import Subject
from exonym.practice.topical.texts import directory_word, file_word
from exonym.practice.web_languages import VOCABULARIES, language_of
from exonym.practice.web_options import PracticeOptions

BRANCHES = 3  # directories below a directory
HOME = -1  # the directory number of a server's root
_LAST_NUMBER = re.compile(r"(\d+)\D*$")
_FORBIDDEN_AMONG = 60  # only early directories are disallowed, so that robots.txt stays short


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory (segment) of a server."""

    number: int
    path: str
    tongue: str
    is_forbidden: bool
    subject: Subject | None  # what most of its pages are about, on topical sites


@dataclass(frozen=True, slots=True)
class PagePlace:
    """The place of a page, and its kind; position 0 is the index of a directory (or the home page)."""

    page: int
    server: Server
    directory: Directory
    position: int
    draw: int
    kind: PageKind
    subject: Subject | None


class TreeOfPages:
    """Ids, places and URLs of a practice web's counted pages."""

    def __init__(self, seed: int, table: ServerTable, options: PracticeOptions) -> None:
        self.table = table
        self.options = options
        self.key = mix_of(seed, 0x9A6E)
        self.nation_tongue = NATIONS[options.nation].tongue
        # Bounded caches: a large web is never held whole.
        self.server = lru_cache(maxsize=40_000)(lambda index: profile_of(table, index, options))
        self.directory = lru_cache(maxsize=200_000)(self._directory)
        self.place = lru_cache(maxsize=30_000)(self._place)

    def _directory(self, index: int, number: int) -> Directory:
        server = self.server(index)
        if number == HOME:
            about = home_subject(server.site) if server.site else None
            return Directory(HOME, "/", "en" if server.role == Role.FRONTED else server.tongue, False, about)
        parent = self.directory(index, parent_of(server, number))
        tongue = self._directory_tongue(server, number, parent)
        subject = None
        if server.site and tongue == "en":
            if number < server.top_directories or parent.subject is None:
                subject = section_subject(server.site, number)
            else:
                subject = inner_subject(server.site, parent.subject, number)
        name = self._directory_name(server, number, subject, parent.subject)
        is_forbidden = parent.is_forbidden or self._is_disallowed(server, number)
        return Directory(number, f"{parent.path}{name}/", tongue, is_forbidden, subject)

    def _directory_tongue(self, server: Server, number: int, parent: Directory) -> str:
        if server.role == Role.MIXED:
            return self.nation_tongue if number == 1 else parent.tongue if number >= 3 else server.tongue
        if number and server.tongue == self.nation_tongue and not children_of(server, number):
            return "en" if mix_of(server.draw, number + 77) % 14 == 0 else server.tongue
        return server.tongue

    def _is_disallowed(self, server: Server, number: int) -> bool:
        if not server.disallows or not 0 < number < _FORBIDDEN_AMONG or children_of(server, number):
            return False
        return number == server.directories - 1 or mix_of(server.draw, number + 177) % 9 == 0

    def _directory_name(self, server: Server, number: int, subject: Subject | None, above: Subject | None) -> str:
        if server.role == Role.MIXED and number == 1:
            return language_of(self.nation_tongue)
        if server.site and subject and above:
            return f"{directory_word(server.site, subject, above, number)}-{number}"
        draw = mix_of(server.draw, number + 277)
        if server.style == Style.NATIVE:
            nouns = VOCABULARIES[server.tongue].nouns
            return f"{quote(nouns[draw % len(nouns)].replace(' ', '-'))}-{number}"
        return f"{SLUGS[draw % len(SLUGS)]}{number}"

    def _place(self, page: int) -> PagePlace:
        server = self.server(self.table.server_of(page))
        draw = mix_of(self.key, page)
        local = page - server.start
        if local == 0:
            kind = PageKind.FRAMES if server.has_frames else PageKind.PAGE
            home = self.directory(server.index, HOME)
            return PagePlace(page, server, home, 0, draw, kind, home.subject)
        number, position = divmod(local - 1, server.directory_pages)
        directory = self.directory(server.index, number)
        kind = kind_of(draw, position, self.options.failures) if position else PageKind.PAGE
        if kind == PageKind.COPY:
            before = kind_of(mix_of(self.key, page - 1), position - 1, self.options.failures)
            kind = PageKind.COPY if before == PageKind.PAGE else PageKind.PAGE
        subject = directory.subject
        if server.site and subject and position:
            subject = page_subject(server.site, number, subject, draw)
        return PagePlace(page, server, directory, position, draw, kind, subject)

    def subject_near(self, server: Server, page: int) -> Subject | None:
        """What the directory of a server's page is about."""
        number = (page - server.start - 1) // server.directory_pages if page > server.start else HOME
        return self.directory(server.index, number).subject

    def subject_around(self, page: int) -> Subject | None:
        """What the directory of a page is about."""
        return self.subject_near(self.server(self.table.server_of(page)), page)

    def url(self, page: int) -> str:
        """The URL of a counted page, in normal form."""
        place = self.place(page)
        return place.server.origin + place.directory.path + file_name(place)

    def page_id(self, url: str) -> int | None:
        """The id of the page with that URL in normal form, or None."""
        parts = url.split("/", 3)
        index = self.table.index_of.get(parts[2]) if len(parts) == 4 else None
        if index is None:
            return None
        server = self.server(index)
        directories, _, name = parts[3].rpartition("/")
        directory = directories.rpartition("/")[2]
        is_national = server.role == Role.MIXED and directory == language_of(self.nation_tongue)
        number = 1 if is_national else number_in(directory)
        position = 0 if not name else number_in(name)
        if not directories and not name:
            page = server.start
        elif number is None or position is None or position >= server.directory_pages:
            return None
        else:
            page = server.start + 1 + number * server.directory_pages + position
        return page if page < server.start + server.size and self.url(page) == url else None


def parent_of(server: Server, number: int) -> int:
    """The directory above a directory."""
    return HOME if number < server.top_directories else (number - server.top_directories) // BRANCHES


def children_of(server: Server, number: int) -> range:
    """The directories right below a directory."""
    first = 0 if number == HOME else server.top_directories + BRANCHES * number
    last = server.top_directories if number == HOME else first + BRANCHES
    return range(min(first, server.directories), min(last, server.directories))


def index_page(server: Server, number: int) -> int:
    """The id of a directory's first page."""
    return server.start if number == HOME else server.start + 1 + number * server.directory_pages


def pages_in(server: Server, number: int) -> range:
    """The ids of a directory's pages, index first."""
    first = index_page(server, number)
    return range(first, min(first + server.directory_pages, server.start + server.size))


def file_name(place: PagePlace) -> str:
    """The last part of a page's URL; "" for home pages and indexes."""
    if not place.position:
        return ""
    slug = SLUGS[(place.draw >> 8) % len(SLUGS)]
    if place.kind in (PageKind.IMAGE, PageKind.DOCUMENT):
        return f"{slug}{place.position}.{'png' if place.kind == PageKind.IMAGE else 'pdf'}"
    if place.server.style == Style.PHP:
        return f"view.php?id={place.position}"
    if place.server.site and place.subject:
        return f"{file_word(place.server.site, place.subject, place.draw)}-{place.position}.html"
    dash = "" if place.server.style == Style.HTML else "-"
    return f"{slug}{dash}{place.position}.html"


def number_in(name: str) -> int | None:
    """The last number in the name of a file or directory."""
    match = _LAST_NUMBER.search(name)
    return int(match[1]) if match and len(match[1]) < 10 else None
