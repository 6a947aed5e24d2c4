"""The values that the parts of a crawl exchange: batches of links and of pages, single visits, and their results.

Batches are columns (NumPy arrays of one length), because strategies, frontiers and graphs work
on many links at a time. Ids are 64-bit (`urls.id_of` in a live crawl, node numbers in a graph).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum, IntEnum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint64]
Rows = NDArray[np.int64]
Integers = NDArray[np.int64]
RowNumbers = NDArray[np.intp]  # row numbers of an array, in NumPy's type
Floats = NDArray[np.float64]
Relevances = NDArray[np.float32]
Flags = NDArray[np.bool_]
Distances = NDArray[np.uint16]
Codes = NDArray[np.uint16]
Counters = NDArray[np.uint8]
Readings = NDArray[np.float32]  # some numbers a row, as many as the link model makes

UNKNOWN_COUNTRY = 0
SITEMAP_HOP = 128  # set in `hops` when a link leads to a sitemap; the other bits count redirects
NO_ROW = -1
LOST_ROW = -2  # a row in a partition that is not there
FOREIGN_ROW = 1 << 40  # row r in the journal of another partition p is (p + 1) * FOREIGN_ROW + r
NO_SEGMENT = 0xFFFF_FFFF_FFFF_FFFF  # no segment has this id
NO_SERVER = 0xFFFF_FFFF_FFFF_FFFF  # no server has this id


class Group(IntEnum):
    """What a strategy ranks: all waiting links of a server, or of a segment."""

    SERVER = 0
    SEGMENT = 1


class Outcome(IntEnum):
    """How a visit ended. PAGE and FAILED count as pages fetched; the others do not."""

    PAGE = 0
    FAILED = 1
    REDIRECT = 2
    FORBIDDEN = 3
    SITEMAP = 4


def language_code(language: str) -> int:
    """The number of a language: its letters in base 27, so that no table is needed."""
    code = 0
    for letter in language.lower()[:3]:
        if not "a" <= letter <= "z":  # the rest of a tag, as in th-TH or en_US
            break
        code = code * 27 + ord(letter) - 96
    return code


def language_name(code: int) -> str:
    """The letters of a language number; "" for unknown."""
    letters = ""
    while code:
        code, rest = divmod(code, 27)
        letters = chr(96 + rest) + letters
    return letters


def country_code(country: str) -> int:
    """The number of a country: the two letters of its ISO 3166 code in base 27; 0 for other texts."""
    letters = country.lower()
    if len(letters) != 2 or not all("a" <= letter <= "z" for letter in letters):
        return UNKNOWN_COUNTRY
    return language_code(letters)


def country_name(code: int) -> str:
    """The ISO 3166 code of a country's number; "" for unknown."""
    return language_name(code).upper()


class _Columns:
    """The base of batches: rows are picked and batches joined column by column."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.url)  # type: ignore[attr-defined]

    def pick(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """The rows at `chosen` (positions or a mask), as a new batch."""
        positions = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        columns = _columns_of(type(self))(self)  # type: ignore[arg-type]
        return type(self)(*[_picked(column, positions) for column in columns])  # type: ignore[arg-type]

    @classmethod
    def join(cls, batches: "list[Self]") -> Self:
        """One batch of all rows, in order; an optional column is None unless every batch has it."""
        columns = zip(*map(_columns_of(cls), batches), strict=True)  # type: ignore[arg-type]
        return cls(*[_joined(list(parts)) for parts in columns])


@cache
def _columns_of(kind: type) -> Callable[[object], tuple[object, ...]]:
    """A function that gives the columns of a batch; its fields are looked up once."""
    return attrgetter(*[field.name for field in fields(kind)])


def _picked(column: object, positions: NDArray[np.intp]) -> object:
    if isinstance(column, list):
        return [column[position] for position in positions.tolist()]
    return column[positions] if isinstance(column, np.ndarray) else column


def _joined(parts: list[object]) -> object:
    if any(part is None for part in parts):
        return None
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)  # type: ignore[arg-type]
    return [text for part in parts for text in part]  # type: ignore[attr-defined]


class FoundCounters(NamedTuple):
    """On how many pages each of some URLs was found: columns of `LinkBatch` and `WaitingBatch`."""

    found_relevant: Counters
    found_irrelevant: Counters
    found_elsewhere: Counters
    found_spoken: Counters


def uncounted(links: int) -> FoundCounters:
    """The counters of links that no frontier has met."""
    return FoundCounters(*np.zeros((4, links), dtype=np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class LinkBatch(_Columns):
    """Links that were found, each with the ids of its target and the facts of its source page.

    The four counters say on how many pages the target was found so far, this page included: relevant ones, irrelevant
    ones, relevant ones of other servers, and ones that call it by an anchor in a target language; they stop at 15. The
    columns from `text` on are None if the strategy does not need them (`Strategy.needs`) or the graph lacks them.
    """

    # Filled by the driver, with the links that it hands over
    url: Ids
    server: Ids
    segment: Ids
    # Filled by the crawl, from the visit that found the links
    distance: Distances
    source: Rows  # the journal row of the source page; NO_ROW for a seed
    source_server: Ids  # NO_SERVER for a seed
    source_relevance: Relevances
    source_relevant: Flags
    source_language: Codes
    hops: Counters  # redirects followed in a row to get here, and SITEMAP_HOP
    # Filled by the frontier, which has seen earlier links to the same targets
    found_relevant: Counters
    found_irrelevant: Counters
    found_elsewhere: Counters
    found_spoken: Counters
    # On demand: LINK_COLUMNS names who fills them
    text: list[str] | None = None  # the URL itself; a live crawl always has it
    anchor: list[str] | None = None
    around: list[str] | None = None  # up to 100 characters on each side of the anchor
    place: list[str] | None = None  # tag path of the link in its page
    domain: Ids | None = None  # of the target: `urls.id_of` its top-level domain
    anchor_language: Codes | None = None
    segment_relevance: Relevances | None = None  # the mean of all pages so far in the source's segment
    target_relevant: Flags | None = None  # whether the target is relevant, which only a simulation knows
    on_path: Flags | None = (
        None  # whether it is on a path of a breadth-first crawl that ends in a relevant page; likewise
    )
    source_segment: Ids | None = None  # NO_SEGMENT for a seed, and for where a redirect leads
    segment_degree: Relevances | None = None  # relevant pages / pages so far in the source's segment; 1 for a seed
    source_note: Ids | None = None  # what `Learner.note` gave for the link that led to the source visit; 0 for a seed
    reading: Readings | None = None  # the numbers that a link model computes from the link's texts and places

    def counted(self, counters: FoundCounters) -> "LinkBatch":
        """The same links with fresh counters."""
        return replace(self, **counters._asdict())


@dataclass(frozen=True, slots=True, eq=False)
class WaitingBatch(_Columns):
    """Links that have waited and are about to be visited: what the frontier knows of them now."""

    url: Ids
    server: Ids
    segment: Ids
    note: Ids  # what the strategy noted when the link was queued
    found_relevant: Counters
    found_irrelevant: Counters
    found_elsewhere: Counters
    found_spoken: Counters
    text: list[str] | None = None  # the URL; a live crawl always has it


class Filler(Enum):
    """Who fills a column of links."""

    DRIVER = "driver"  # hands it over with the links (`BareLinks.columns`)
    CRAWL = "crawl"  # derives it from the visit that found the links


class LinkColumn(NamedTuple):
    """A column that a strategy may name in `needs`; its type is that of the field of `LinkBatch`."""

    filled_by: Filler
    blank: Any = None  # the driver's, for links that it hands over without this column: a text, or an array of one row
    extracted: frozenset[str] = frozenset()  # what a live crawl extracts of pages for it: fields of `Wants`


# Columns that no crawl knows before it has fetched the target: only simulations have them.
ORACLE_COLUMNS = frozenset(["target_relevant", "on_path"])

# A new column is a field of LinkBatch and a row here; then drivers may hand it over, and strategies need it.
LINK_COLUMNS = {
    "text": LinkColumn(Filler.DRIVER, ""),
    "anchor": LinkColumn(Filler.DRIVER, "", frozenset(["anchor"])),
    "around": LinkColumn(Filler.DRIVER, "", frozenset(["around"])),
    "place": LinkColumn(Filler.DRIVER, "", frozenset(["place"])),
    "domain": LinkColumn(Filler.DRIVER, np.zeros(1, np.uint64)),
    "anchor_language": LinkColumn(Filler.DRIVER, np.zeros(1, np.uint16), frozenset(["anchor", "anchor_language"])),
    "segment_relevance": LinkColumn(Filler.CRAWL),
    "target_relevant": LinkColumn(Filler.DRIVER, np.zeros(1, np.bool_)),
    "on_path": LinkColumn(Filler.DRIVER, np.zeros(1, np.bool_)),
    "source_segment": LinkColumn(Filler.CRAWL),
    "segment_degree": LinkColumn(Filler.CRAWL),
    "source_note": LinkColumn(Filler.CRAWL),
    "reading": LinkColumn(Filler.DRIVER, np.zeros((1, 2), np.float32), frozenset(["anchor", "around"])),
}


class BareLinks(NamedTuple):
    """Links as a driver hands them over: their targets, without facts of the page on which they were found."""

    url: Ids
    server: Ids
    segment: Ids
    columns: Mapping[str, Any] = {}  # further columns of `LinkBatch` by name, if the links have them


NO_LINKS = BareLinks(np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.uint64), {"text": []})


@dataclass(frozen=True, slots=True, eq=False)
class PageBatch(_Columns):
    """Visits that ended, and the facts of their pages."""

    url: Ids
    server: Ids
    segment: Ids
    distance: Distances
    row: Rows
    outcome: NDArray[np.uint8]
    relevance: Relevances
    relevant: Flags
    language: Codes
    note: Ids  # what `Learner.note` gave for the link that led to the page
    # Known in live crawls; None: unknown
    text: list[str] | None = None  # the URL
    is_file: Flags | None = None  # not HTML: an image, a PDF …
    is_copy: Flags | None = None  # word for word as a page fetched before, hence not relevant; see `lessons_of`
    probed: NDArray[np.float32] | None = None  # the score with which the link was drawn at random; NaN: it was not


class Visit(NamedTuple):
    """One URL to be fetched now, with all facts that the frontier keeps of the link that led to it.

    A tuple, because every pop builds one: a frozen dataclass of this size takes five times as long.
    """

    url: int
    server: int
    segment: int
    text: str  # the URL; "" if the link batch had no texts
    distance: int
    source: int
    source_server: int
    source_relevance: float
    source_relevant: bool
    source_language: int
    hops: int
    note: int
    score: float
    level: int
    arrival: int
    attempts: int = 0
    risen: float = 0.0  # by how much its score is higher than when it was queued, if it was scored again


class VisitResult(NamedTuple):
    """How a visit ended, as a driver hands it to `Crawl.take`."""

    visit: Visit
    row: int  # in the journal
    outcome: Outcome
    relevance: float = 0.0
    relevant: bool = False
    language: int = 0
    links: BareLinks = NO_LINKS  # of a page or sitemap, or the target of a redirect
    sitemaps: BareLinks = NO_LINKS  # further sitemaps that a sitemap lists
    is_file: bool = False  # not HTML
    is_copy: bool = False  # word for word as a page fetched before
    is_own_copy: bool = False  # as a page of its own server, by either name: its links are not followed
    was_requested: bool = True  # False: the result was known without a request, so the server need not rest
