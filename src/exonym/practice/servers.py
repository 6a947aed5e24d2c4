"""The servers of a practice web: sizes, roles and names, in a table with one entry a server.

Everything else about a server is computed from its hash when it is needed (`server_profiles`).
The arithmetic uses integers: floating-point powers differ between processors in the last bit.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

from exonym.practice.chance import mix_of
from exonym.practice.nations import (
    DOMAIN_PATTERN,
    FOREIGN_DOMAINS,
    FOREIGN_TONGUES,
    HOST_WORDS,
    NATIONS,
    SPARE_TONGUE,
    PracticeNation,
)
from exonym.practice.topical.countries import COUNTRIES
from exonym.practice.topical.sites import SORT_PATTERN, Sort, topical_site
from exonym.practice.topical.texts import topic_word
from exonym.practice.web_options import PracticeOptions

PORTALS = 3
PAGES_PER_SERVER = 30


class Role(IntEnum):
    """The part that a server plays among national and foreign servers."""

    PORTAL = 0  # national, a seed
    NATIVE = 1  # national, linked from everywhere
    FRONTED = 2  # national behind a home page in English
    MIXED = 3  # foreign, with a directory in the nation's language
    ISLAND = 4  # national, but only foreign pages link to it
    FOREIGN = 5
    DEAD = 6  # closes connections without an answer
    CLOSED = 7  # the status of its robots.txt is always 503


# The roles of national servers after the portals, ten in turn.
_NATIONAL_ROLES = (
    *(Role.NATIVE, Role.MIXED, Role.NATIVE, Role.FRONTED, Role.ISLAND),
    *(Role.NATIVE, Role.NATIVE, Role.MIXED, Role.FRONTED, Role.NATIVE),
)
_LARGEST_WEIGHT = {Role.MIXED: 5, Role.ISLAND: 6, Role.DEAD: 1, Role.CLOSED: 1, Role.FRONTED: 12}
_PORTAL_WEIGHT = 2
_MIXED_WEIGHT = 3
_TOPICAL_WEIGHT = 12  # the largest in a web with topics: no site may hold most of a topic
_TOPICAL_OF_FOREIGN = 5  # all but one of five foreign servers have topics


@dataclass(frozen=True, slots=True)
class _Draft:
    role: Role
    rank: int
    draw: int
    size: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class ServerTable:
    """Columns with one entry a server, in the order of page ids."""

    names: list[str]
    roles: list[Role]
    tongues: list[str]  # the main one; for a mixed server the foreign one
    sorts: list[Sort]
    draws: list[int]
    starts: list[int]  # id of the home page; one more entry at the end: the number of pages
    index_of: dict[str, int]

    def __len__(self) -> int:
        return len(self.names)

    def server_of(self, page: int) -> int:
        """The server that owns a page id."""
        return bisect_right(self.starts, page) - 1


def build_table(seed: int, pages: int, options: PracticeOptions) -> ServerTable:
    """The servers of the web of that seed and size."""
    nation = NATIONS[options.nation]
    # Portals first, the others shuffled.
    drafts = sorted(_drafts(seed, pages, options), key=lambda draft: (draft.role != Role.PORTAL, draft.draw))
    names = _names(drafts, nation)
    return ServerTable(
        names=names,
        roles=[draft.role for draft in drafts],
        tongues=[_tongue(draft, nation) for draft in drafts],
        sorts=[draft.sort for draft in drafts],
        draws=[draft.draw for draft in drafts],
        starts=[0, *accumulate(draft.size for draft in drafts)],
        index_of={name: index for index, name in enumerate(names)},
    )


def _drafts(seed: int, pages: int, options: PracticeOptions) -> list[_Draft]:
    count = options.servers or max(12, pages // PAGES_PER_SERVER)
    national = max(PORTALS + 1, round(count * options.national_share))
    national_pages = max(national, round(pages * options.national_share))
    key = mix_of(seed, 0x5E12)
    roles = [Role.PORTAL] * PORTALS
    roles += [_NATIONAL_ROLES[rank % len(_NATIONAL_ROLES)] for rank in range(national - PORTALS)]
    others = [_foreign_role(rank, options.failures) for rank in range(count - national)]
    topics = options.topics
    return [*_sized(roles, national_pages, key, topics), *_sized(others, pages - national_pages, key + 1, topics)]


def _foreign_role(rank: int, failures: bool) -> Role:
    if failures and rank % 40 == 7:
        return Role.DEAD
    return Role.CLOSED if failures and rank % 60 == 5 else Role.FOREIGN


def _sized(roles: list[Role], pages: int, key: int, topics: bool) -> list[_Draft]:
    """Servers with heavy-tailed sizes: the chance of a weight above x falls as 1/x."""
    draws = [mix_of(key, rank) for rank in range(len(roles))]
    largest = min(_TOPICAL_WEIGHT if topics else 128, max(6, len(roles) // 3))
    weights = [_weight(role, draw, largest) for role, draw in zip(roles, draws, strict=True)]
    total, spare = sum(weights), pages - len(roles)
    sizes = [1 + weight * spare // total for weight in weights]
    left = pages - sum(sizes)
    return [
        _Draft(role, rank, draws[rank], sizes[rank] + (rank < left), _sort(role, rank) if topics else Sort.NONE)
        for rank, role in enumerate(roles)
    ]


def _sort(role: Role, rank: int) -> Sort:
    """The sort of site in a web with topics: the last portal and most foreign servers have topics."""
    if role == Role.PORTAL:
        return Sort.TRAVEL if rank == PORTALS - 1 else Sort.NONE
    if role == Role.MIXED:
        return Sort.GENERAL
    if role < Role.FOREIGN or rank % _TOPICAL_OF_FOREIGN == _TOPICAL_OF_FOREIGN - 1:
        return Sort.NONE
    return SORT_PATTERN[(rank - rank // _TOPICAL_OF_FOREIGN) % len(SORT_PATTERN)]


def _weight(role: Role, draw: int, largest: int) -> int:
    if role == Role.PORTAL:
        return min(_PORTAL_WEIGHT, largest)
    weight = 1 + 65_536 // ((draw >> 48) + 512)
    if role == Role.MIXED:
        weight = max(weight, _MIXED_WEIGHT)  # room for a directory in the nation's language
    return min(weight, largest, _LARGEST_WEIGHT.get(role, largest))


def _tongue(draft: _Draft, nation: PracticeNation) -> str:
    if draft.sort or draft.role == Role.MIXED:
        return "en"
    if draft.role <= Role.ISLAND:
        return nation.tongue
    tongue = FOREIGN_TONGUES[draft.rank % len(FOREIGN_TONGUES)]
    return SPARE_TONGUE if tongue == nation.tongue else tongue


def _names(drafts: list[_Draft], nation: PracticeNation) -> list[str]:
    names: dict[str, None] = {}
    for draft in drafts:
        first = HOST_WORDS[(draft.draw >> 8) % len(HOST_WORDS)]
        second = HOST_WORDS[(draft.draw >> 20) % len(HOST_WORDS)]
        if draft.sort:
            first, second = _site_words(draft, (first, second))
        prefix, domain = "" if (draft.draw >> 32) % 3 == 0 else "www.", _domain(draft, nation)
        name = f"{prefix}{first}{second}.{domain}"
        if name in names:
            name = f"{prefix}{first}{second}{len(names)}.{domain}"
        names[name] = None
    return list(names)


def _site_words(draft: _Draft, usual: tuple[str, str]) -> tuple[str, str]:
    """The two words of a topical site's host name: some say what the site is about, most do not."""
    site = topical_site(draft.sort, draft.draw)
    assert site is not None
    chance = mix_of(draft.draw, 0x405) % 10
    names = COUNTRIES[site.countries[0]].names
    place = names[(draft.draw >> 8) % len(names)].lower().replace(" ", "")
    topic = topic_word(site.topic, draft.draw >> 20)
    return place if chance < 2 else usual[0], topic if chance in (1, 2, 3) else usual[1]


def _domain(draft: _Draft, nation: PracticeNation) -> str:
    tongue = _tongue(draft, nation)
    site = topical_site(draft.sort, draft.draw) if draft.sort in (Sort.THAI, Sort.LOCAL) else None
    if site and mix_of(draft.draw, 0x7D) % 3 == 0:  # a third of the sites about one country are under its domain
        return COUNTRIES[site.countries[0]].domain
    if tongue != nation.tongue:
        domains = FOREIGN_DOMAINS[tongue]
        return domains[(draft.draw >> 36) % len(domains)]
    if draft.role == Role.PORTAL:
        return (nation.domains[0], "com", "net")[draft.rank]
    kind = DOMAIN_PATTERN[(draft.rank * 7 + 3) % len(DOMAIN_PATTERN)]
    return nation.domains[(draft.draw >> 36) % len(nation.domains)] if kind == "own" else kind
