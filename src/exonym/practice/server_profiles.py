"""The profile of one server of a practice web: charset, labels, robots.txt, directories, features.

Computed from the server's hash on demand, so that a web of many servers starts at once.
"""

from dataclasses import dataclass
from enum import IntEnum

from exonym.practice.chance import mix_of
from exonym.practice.servers import Role, ServerTable
from exonym.practice.topical.sites import Sort, TopicalSite, topical_site
from exonym.practice.web_languages import VOCABULARIES
from exonym.practice.web_options import PracticeOptions

LARGEST_DIRECTORY = 10


class CharsetLabels(IntEnum):
    """Where a server names the charset of its pages."""

    HEADER = 0
    META = 1
    BOTH = 2
    NONE = 3
    WRONG = 4  # the header names another charset


# Of twelve servers: three name it in the header, three in the page, two in both, three nowhere, and one wrongly.
_LABELS_OF_TWELVE = tuple(map(CharsetLabels, (0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4)))
_FRAMES_ONE_IN = {Role.FRONTED: 3, Role.NATIVE: 10}


class Sitemaps(IntEnum):
    """What kind of sitemap the robots.txt of a server names."""

    NONE = 0
    PLAIN = 1
    INDEX = 2
    GZIP = 3


class Style(IntEnum):
    """How a server spells its URLs."""

    HTML = 0
    PHP = 1
    DASHED = 2
    NATIVE = 3  # words of the server's own tongue, percent-encoded


@dataclass(frozen=True, slots=True)
class Server:
    """One server; `robots_status` is that of its robots.txt (of the first response only, if it `robots_recovers`)."""

    index: int
    name: str
    origin: str
    start: int
    size: int
    role: Role
    tongue: str
    draw: int
    charset: str
    labels: CharsetLabels
    style: Style
    directory_pages: int
    top_directories: int
    directories: int
    robots_status: int
    robots_recovers: bool
    disallows: bool
    crawl_delay_seconds: float
    delay_seconds: float
    sitemaps: Sitemaps
    is_gzipped: bool
    is_chunked: bool
    has_frames: bool
    has_sessions: bool
    has_calendar: bool
    has_hops: bool
    site: TopicalSite | None  # what a topical site is about


@dataclass(frozen=True, slots=True)
class _Dice:
    """Independent random choices for one server; each `salt` gives another."""

    draw: int

    def one_in(self, odds: int, salt: int) -> bool:
        return mix_of(self.draw, salt) % odds == 0

    def pick(self, choices: int, salt: int) -> int:
        return mix_of(self.draw, salt) % choices


def profile_of(table: ServerTable, index: int, options: PracticeOptions) -> Server:
    """The server at `index`."""
    role, tongue, size = table.roles[index], table.tongues[index], table.starts[index + 1] - table.starts[index]
    dice = _Dice(table.draws[index])
    charset = _charset(tongue, dice, options)
    is_plain = role in (Role.PORTAL, Role.DEAD, Role.CLOSED)
    directory_pages = _directory_pages(table.sorts[index], dice, options)
    directories = -(-(size - 1) // directory_pages)
    robots_status, robots_recovers = _robots_status(role, dice, options)
    scheme = "https" if options.https and dice.one_in(3, 20) else "http"
    number = dice.pick(16, 11)
    return Server(
        index=index,
        name=table.names[index],
        origin=f"{scheme}://{table.names[index]}",
        start=table.starts[index],
        size=size,
        role=role,
        tongue=tongue,
        draw=table.draws[index],
        charset=charset,
        labels=_LABELS_OF_TWELVE[dice.pick(12, 0)] if options.legacy_charsets else CharsetLabels.HEADER,
        style=Style(dice.pick(4, 3)),
        directory_pages=directory_pages,
        top_directories=3 if role == Role.MIXED else 2 + dice.pick(5, 4),
        directories=directories,
        robots_status=robots_status,
        robots_recovers=robots_recovers,
        disallows=options.robots and not is_plain and directories > 3 and dice.one_in(4, 5),
        crawl_delay_seconds=options.crawl_delay_seconds if options.robots and dice.one_in(12, 6) else 0.0,
        delay_seconds=options.slow_seconds if not is_plain and dice.one_in(25, 7) else 0.0,
        sitemaps=Sitemaps(number) if options.sitemaps and number < len(Sitemaps) else Sitemaps.NONE,
        is_gzipped=options.compression and dice.one_in(6, 9),
        is_chunked=dice.one_in(5, 10),
        has_frames=directories > 1 and role in _FRAMES_ONE_IN and dice.one_in(_FRAMES_ONE_IN[role], 13),
        has_sessions=options.traps and not is_plain and dice.one_in(15, 12),
        has_calendar=_has_calendar(role, dice, options, index == table.roles.index(Role.FOREIGN)),
        has_hops=_has_hops(index, role, dice, options),
        site=topical_site(table.sorts[index], table.draws[index]),
    )


def _directory_pages(sort: Sort, dice: _Dice, options: PracticeOptions) -> int:
    # Topical sites have smaller directories, hence more segments to tell apart.
    usual = min(LARGEST_DIRECTORY, max(4, options.links_per_page // 2))
    return min(usual, 4 + dice.pick(5, 16)) if sort else usual


def _charset(tongue: str, dice: _Dice, options: PracticeOptions) -> str:
    legacy = VOCABULARIES[tongue].legacy
    if options.legacy_charsets and legacy and dice.pick(10, 1) < 4:
        return legacy[dice.pick(len(legacy), 2)]
    return "utf-8"


def _robots_status(role: Role, dice: _Dice, options: PracticeOptions) -> tuple[int, bool]:
    if role == Role.CLOSED:
        return 503, False
    number = dice.pick(40, 8)
    if number < 2:
        return (404, 403)[number], False
    if options.failures and number == 2 and role != Role.PORTAL:
        return 500, True
    return 200, False


def servers_with_extras(table: ServerTable, options: PracticeOptions) -> list[int]:
    """The servers with a calendar or a chain of redirects, without making every profile."""
    first = table.roles.index(Role.FOREIGN)
    return [
        index
        for index, (role, draw) in enumerate(zip(table.roles, table.draws, strict=True))
        if _has_calendar(role, _Dice(draw), options, index == first) or _has_hops(index, role, _Dice(draw), options)
    ]


def _has_calendar(role: Role, dice: _Dice, options: PracticeOptions, is_first: bool) -> bool:
    """Whether a server has a calendar: some do, and always the first foreign one, so that every web has the trap."""
    return options.traps and role in (Role.FOREIGN, Role.NATIVE) and (is_first or dice.one_in(50, 15))


def _has_hops(index: int, role: Role, dice: _Dice, options: PracticeOptions) -> bool:
    if not options.failures or role in (Role.DEAD, Role.CLOSED):
        return False
    return index == 1 or (role != Role.PORTAL and dice.one_in(60, 14))
