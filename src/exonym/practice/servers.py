"""The servers of a practice web: sizes, roles and names, in tables of one entry a server.

Everything else about a server is worked out from its hash when it is asked for (`profiles`).
Arithmetic is in integers: floating-point powers differ between processors in the last bit.
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
from exonym.practice.options import PracticeOptions
from exonym.practice.topical.site_names import site_domain, site_words
from exonym.practice.topical.sites import SORT_PATTERN, Sort

PORTALS = 3
PAGES_PER_SERVER = 30


class Role(IntEnum):
    """What a server is in the web's linguistic order."""

    PORTAL = 0  # national, a seed
    NATIVE = 1  # national, linked from everywhere
    FRONTED = 2  # national behind a home page in English
    MIXED = 3  # foreign, with a directory in the nation's language
    ISLAND = 4  # national, but only foreign pages link to it
    FOREIGN = 5
    DEAD = 6  # closes connections without an answer
    CLOSED = 7  # its robots.txt answers 503 for ever


# Ten national servers that follow the portals.
_NATIONAL_ROLES = (
    Role.NATIVE,
    Role.MIXED,
    Role.NATIVE,
    Role.FRONTED,
    Role.ISLAND,
    Role.NATIVE,
    Role.NATIVE,
    Role.MIXED,
    Role.FRONTED,
    Role.NATIVE,
)
_LARGEST_WEIGHT = {Role.MIXED: 5, Role.ISLAND: 6, Role.DEAD: 1, Role.CLOSED: 1, Role.FRONTED: 12}
_PORTAL_WEIGHT = 2
_MIXED_WEIGHT = 3
_TOPICAL_WEIGHT = 12  # the largest: one site shall not be the whole topic
_TOPICAL_OF_FOREIGN = 5  # all but one of so many foreign servers have topics


@dataclass(frozen=True, slots=True)
class _Draft:
    role: Role
    rank: int
    draw: int
    size: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class ServerTable:
    """One entry a server, in the order of their page ids."""

    names: list[str]
    roles: list[Role]
    tongues: list[str]  # the main one; of a mixed server the foreign one
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
    drafts = _ordered(_drafts(seed, pages, options))
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
    roles = [_national_role(rank) for rank in range(national)]
    others = [_foreign_role(rank, options.failures) for rank in range(count - national)]
    topics = options.topics
    return [*_sized(roles, national_pages, key, topics), *_sized(others, pages - national_pages, key + 1, topics)]


def _national_role(rank: int) -> Role:
    return Role.PORTAL if rank < PORTALS else _NATIONAL_ROLES[(rank - PORTALS) % len(_NATIONAL_ROLES)]


def _foreign_role(rank: int, failures: bool) -> Role:
    if failures and rank % 40 == 7:
        return Role.DEAD
    return Role.CLOSED if failures and rank % 60 == 5 else Role.FOREIGN


def _sized(roles: list[Role], pages: int, key: int, topics: bool) -> list[_Draft]:
    """Heavy-tailed sizes: the chance of a weight above x falls as 1/x."""
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
    """What a server is about in a web with topics: of the portals the last, and most foreign servers, are topical."""
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


def _ordered(drafts: list[_Draft]) -> list[_Draft]:
    """Portals first, the others shuffled."""
    return sorted(drafts, key=lambda draft: (draft.role != Role.PORTAL, draft.draw))


def _tongue(draft: _Draft, nation: PracticeNation) -> str:
    if draft.sort:
        return "en"
    if draft.role in (Role.PORTAL, Role.NATIVE, Role.FRONTED, Role.ISLAND):
        return nation.tongue
    if draft.role == Role.MIXED:
        return "en"
    tongue = FOREIGN_TONGUES[draft.rank % len(FOREIGN_TONGUES)]
    return SPARE_TONGUE if tongue == nation.tongue else tongue


def _names(drafts: list[_Draft], nation: PracticeNation) -> list[str]:
    names: dict[str, None] = {}
    for draft in drafts:
        first = HOST_WORDS[(draft.draw >> 8) % len(HOST_WORDS)]
        second = HOST_WORDS[(draft.draw >> 20) % len(HOST_WORDS)]
        if draft.sort:
            first, second = site_words(draft.sort, draft.draw, (first, second))
        prefix, domain = "" if (draft.draw >> 32) % 3 == 0 else "www.", _domain(draft, nation)
        name = f"{prefix}{first}{second}.{domain}"
        if name in names:
            name = f"{prefix}{first}{second}{len(names)}.{domain}"
        names[name] = None
    return list(names)


def _domain(draft: _Draft, nation: PracticeNation) -> str:
    tongue = _tongue(draft, nation)
    national = site_domain(draft.sort, draft.draw)
    if national:
        return national
    if tongue != nation.tongue:
        domains = FOREIGN_DOMAINS[tongue]
        return domains[(draft.draw >> 36) % len(domains)]
    if draft.role == Role.PORTAL:
        return (nation.domains[0], "com", "net")[draft.rank]
    kind = DOMAIN_PATTERN[(draft.rank * 7 + 3) % len(DOMAIN_PATTERN)]
    return nation.domains[(draft.draw >> 36) % len(nation.domains)] if kind == "own" else kind
