"""What a crawl knows of pages that somebody names: fetched and relevant, failed, waiting, never found …

A crawl has a page if it has one of its spellings. Of several, the one that turned out best counts. Only ids and fates
are kept, so a journal of a million visits takes some ten megabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from exonym.batches import NO_ROW, Counters, Flags, Ids, Integers, Outcome
from exonym.coverage.listed_pages import SPELLINGS, ListedPages
from exonym.crawl_directory.crawl_parts import ReadableParts, home_of, parts_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError, DirectoryError
from exonym.frontier.base import ASIDE, NOT_FOLLOWED, VISITED
from exonym.frontier.seen import levels_on_disk
from exonym.progress import Progress, no_progress
from exonym.seeds.seeds_file import seed_urls
from exonym.urls import bare_server_of, bare_url_of, id_of

if TYPE_CHECKING:
    import pyarrow

_GONE = (404, 410)
_NO_HOST = "dns: no such host"


class Fate(IntEnum):
    """What became of a page in a crawl. Of two spellings of a page, the one with the lower number counts."""

    RELEVANT = 0
    IRRELEVANT = 1
    COPY = 2  # word for word as another page
    FAILED = 3
    FORBIDDEN = 4
    GONE = 5  # no such page, or no such server
    REDIRECT = 6  # the address leads elsewhere
    LEFT_OUT = 7  # by the scope
    WAITING = 8
    NOT_FOLLOWED = 9  # met, but not worth a visit, or over a limit
    UNKNOWN = 10  # never met


# Pages of which the crawl knows what they are. A redirect, a copy and a page that is gone are no relevant pages.
SETTLED = (Fate.RELEVANT, Fate.IRRELEVANT, Fate.COPY, Fate.GONE, Fate.REDIRECT)
# Relevant pages of which the crawl does not know that they are: any of these may be one.
UNSETTLED = (Fate.FAILED, Fate.FORBIDDEN, Fate.WAITING, Fate.NOT_FOLLOWED, Fate.UNKNOWN)

_OF_OUTCOME = np.zeros(len(Outcome), dtype=np.uint8)
_OF_OUTCOME[[Outcome.PAGE, Outcome.SITEMAP]] = Fate.IRRELEVANT
_OF_OUTCOME[Outcome.FAILED] = Fate.FAILED
_OF_OUTCOME[Outcome.REDIRECT] = Fate.REDIRECT
_OF_OUTCOME[Outcome.FORBIDDEN] = Fate.FORBIDDEN


@dataclass(frozen=True, slots=True, eq=False)
class CrawlFinds:
    """The visits of a crawl as of one moment, by page and by server."""

    parts: ReadableParts
    pages: Ids  # sorted
    page_fates: Counters
    servers: Ids  # sorted
    server_fates: Counters
    seed_pages: Ids
    seed_servers: Ids

    @property
    def relevant(self) -> Ids:
        """The pages that are relevant."""
        pages: Ids = self.pages[self.page_fates == Fate.RELEVANT]
        return pages

    @property
    def relevant_servers(self) -> Ids:
        """The servers with a relevant page."""
        servers: Ids = self.servers[self.server_fates == Fate.RELEVANT]
        return servers

    def fates_of(self, named: ListedPages) -> Counters:
        """What became of each page."""
        fates = _looked_up(named.page, self.pages, self.page_fates)
        # A redirect to another spelling, which may wait; and what only the frontier knows.
        open_ones = np.flatnonzero(fates >= Fate.REDIRECT)
        in_frontier = self._fates_in_frontier(named.spellings[open_ones])
        in_frontier[named.left_out[open_ones]] = Fate.LEFT_OUT
        is_redirect = (fates[open_ones] == Fate.REDIRECT) & (in_frontier != Fate.WAITING)
        fates[open_ones] = np.where(is_redirect, Fate.REDIRECT, in_frontier)
        return fates

    def _fates_in_frontier(self, spellings: Ids) -> Counters:
        """The fates of pages that were not visited, by their spellings: the best of them."""
        fates = np.full(len(spellings), Fate.UNKNOWN, dtype=np.uint8)
        for part in self.parts.parts:
            is_met, levels = levels_on_disk(part.path / "state" / "seen", spellings.ravel())
            # A URL with the level of a visited one and without a visit was over a limit.
            found = np.select(
                [~is_met, levels == ASIDE, (levels == NOT_FOLLOWED) | (levels == VISITED)],
                [Fate.UNKNOWN, Fate.LEFT_OUT, Fate.NOT_FOLLOWED],
                Fate.WAITING,
            ).astype(np.uint8)
            fates = np.minimum(fates, found.reshape(-1, SPELLINGS).min(axis=1, initial=Fate.UNKNOWN))
        return fates

    def server_fates_of(self, servers: Ids) -> Counters:
        """What became of each server: the best of its visits; UNKNOWN if there was none."""
        return _looked_up(servers, self.servers, self.server_fates)


def _looked_up(wanted: Ids, known: Ids, fates: Counters) -> Counters:
    found = np.full(len(wanted), Fate.UNKNOWN, dtype=np.uint8)
    if len(known):
        places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        is_known = known[places] == wanted
        found[is_known] = fates[places[is_known]]
    return found


def finds_of(directory: Path, progress: Progress = no_progress) -> CrawlFinds:
    """What the crawl in a directory has found, as of its last commit."""
    crawl = CrawlDirectory.open(directory)
    parts = parts_of(directory, with_journals=True)
    total, done = sum(parts.numbering().counts.values()), 0
    pages, servers = _BestFates(), _BestFates()
    for table in crawl.tables(["url", "outcome", "status", "relevant", "failure", "copy"]):
        urls = table["url"].to_pylist()
        fates, of_servers = _fates_in(table)
        pages.add(np.array([id_of(bare_url_of(url)) for url in urls], dtype=np.uint64), fates)
        servers.add(np.array([id_of(bare_server_of(url)) for url in urls], dtype=np.uint64), of_servers)
        done += len(urls)
        progress("reading the journal", done, max(total, done))
    seeds = list(seeds_of(directory))
    return CrawlFinds(
        parts,
        *pages.merged(),
        *servers.merged(),
        np.unique(np.array([id_of(bare_url_of(url)) for url in seeds], dtype=np.uint64)),
        np.unique(np.array([id_of(bare_server_of(url)) for url in seeds], dtype=np.uint64)),
    )


class _BestFates:
    """Fates by id, of which the best is kept."""

    def __init__(self) -> None:
        self._ids: list[Ids] = []
        self._fates: list[Counters] = []

    def add(self, ids: Ids, fates: Counters) -> None:
        """Add the fates of one part of the journal."""
        distinct, best = _best_of(ids, fates)
        self._ids.append(distinct)
        self._fates.append(best)

    def merged(self) -> tuple[Ids, Counters]:
        """Each id once, sorted, with its best fate."""
        if not self._ids:
            return np.empty(0, np.uint64), np.empty(0, np.uint8)
        return _best_of(np.concatenate(self._ids), np.concatenate(self._fates))


def _best_of(ids: Ids, fates: Counters) -> tuple[Ids, Counters]:
    order = np.lexsort((fates, ids))
    distinct, first = np.unique(ids[order], return_index=True)
    return distinct, fates[order][first]


def _fates_in(table: pyarrow.Table) -> tuple[Counters, Counters]:
    """The fates of the visits in a table, and what they say of their servers."""
    from pyarrow import compute

    def flags(column: pyarrow.ChunkedArray) -> Flags:
        values: Flags = column.to_numpy().astype(np.bool_)
        return values

    fates: Counters = _OF_OUTCOME[table["outcome"].to_numpy()]
    is_failed = fates == Fate.FAILED
    fates[flags(table["copy"])] = Fate.COPY
    fates[flags(table["relevant"])] = Fate.RELEVANT
    fates[flags(compute.starts_with(table["failure"], "scope:"))] = Fate.LEFT_OUT
    of_servers = fates.copy()
    has_no_host = is_failed & flags(compute.match_substring(table["failure"], _NO_HOST))
    fates[has_no_host | (is_failed & np.isin(table["status"].to_numpy(), _GONE))] = Fate.GONE
    of_servers[has_no_host] = Fate.GONE  # a server without one page is there all the same
    return fates, of_servers


def seeds_of(directory: Path) -> Iterator[str]:
    """The seeds of a crawl, and where they redirected to: those in crawl.toml, and those that the journal has."""
    from pyarrow import compute

    home = home_of(directory)
    with suppress(ConfigError, DirectoryError):  # crawl.toml or the file of seeds is gone: the visits remain
        yield from seed_urls(CrawlDirectory(directory).settings, home)
    for table in CrawlDirectory(directory).tables(["url", "source", "failure"]):
        is_seed = compute.and_(
            compute.equal(table["source"], NO_ROW), compute.invert(compute.starts_with(table["failure"], "scope:"))
        )
        yield from table["url"].filter(is_seed).to_pylist()


def relevant_urls(directory: Path) -> Iterator[str]:
    """The URLs of all relevant pages of a crawl."""
    for table in CrawlDirectory.open(directory).tables(["url", "relevant"]):
        yield from table["url"].filter(table["relevant"]).to_pylist()


def counts_of(fates: Counters) -> Integers:
    """How many pages have each fate, in the order of `Fate`."""
    return np.bincount(fates, minlength=len(Fate)).astype(np.int64)


def are_any(fates: Counters, wanted: tuple[Fate, ...]) -> Flags:
    """Which fates are one of those wanted."""
    return np.isin(fates, np.array(wanted, dtype=np.uint8))
