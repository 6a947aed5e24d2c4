"""The coverage of a crawl by what another crawl has found: capture and recapture.

The relevant pages of the other crawl are a list of which all are relevant, but for those that this crawl has found to
be gone or irrelevant: they are no relevant pages any more. Seeds of this crawl are left out.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import Counters, Ids
from exonym.coverage.listed_pages import listed_pages, servers_of, wishes_of
from exonym.coverage.page_fates import SETTLED, UNSETTLED, Fate, are_any, counts_of, finds_of, relevant_urls
from exonym.coverage.recapture import Recapture, chapman, interval_document, share_among
from exonym.errors import ConfigError
from exonym.intervals import Interval
from exonym.progress import Progress, no_progress


@dataclass(frozen=True, slots=True)
class SharedFinds:
    """What two crawls have found of the relevant pages, or servers, that exist."""

    own: int
    of_other: int  # those that this crawl has found to be irrelevant or gone are not among them
    both: int
    changed: int  # found by the other, and irrelevant or gone by now
    left_out: int  # found by the other, and left out by this crawl's scope
    sites: int
    coverage: Interval | None  # None: too few to tell
    recapture: Recapture  # if pages were independent

    @property
    def size(self) -> Interval | None:
        """How many exist, with an interval that follows from that of the coverage."""
        if self.coverage is None:
            return None
        low, high = self.coverage.low, self.coverage.high
        most = self.own / low if low > 0 else math.inf
        found = self.own + self.of_other - self.both
        least = max(found, self.own / high) if high > 0 else found
        return Interval(self.recapture.size, min(least, self.recapture.size), max(most, self.recapture.size))

    def document(self) -> dict[str, Any]:
        """The figures for JSON. Scripts rely on these names: more may be added, none may be removed."""
        size = self.size
        return {
            **{name: getattr(self, name) for name in ("own", "of_other", "both", "changed", "left_out", "sites")},
            "coverage": interval_document(self.coverage),
            "size": interval_document(size, "size"),
            "if_independent": self.recapture._asdict() if size is not None else None,
        }


@dataclass(frozen=True, slots=True)
class CrawlCoverage:
    """A crawl against another one."""

    directory: str
    seeds: int  # of this crawl, among the relevant pages of the other: left out
    of_pages: SharedFinds
    of_servers: SharedFinds
    has_same_target: bool
    has_visits: bool

    def document(self) -> dict[str, Any]:
        """The figures for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "directory": self.directory,
            "seeds": self.seeds,
            "has_same_target": self.has_same_target,
            "pages": self.of_pages.document(),
            "servers": self.of_servers.document(),
        }


def crawl_coverage(directory: Path, other: Path, progress: Progress = no_progress) -> CrawlCoverage:
    """The coverage of a crawl by what another crawl has found."""
    if directory.resolve() == other.resolve():
        raise ConfigError("A crawl cannot be compared with itself. Name another crawl with --against.")
    wishes = wishes_of(directory)
    found_there = listed_pages(relevant_urls(other), wishes, progress)
    finds = finds_of(directory, progress)
    # What was given to the other crawl stays: for this one, it is as good as a list.
    there = found_there.pick(~np.isin(found_there.page, finds.seed_pages))
    fates = finds.fates_of(there)
    servers = servers_of(there.pick(fates != Fate.LEFT_OUT), finds.seed_servers)
    own_pages = np.setdiff1d(finds.relevant, finds.seed_pages)
    own_servers = np.setdiff1d(finds.relevant_servers, finds.seed_servers)
    return CrawlCoverage(
        str(other),
        len(found_there) - len(there),
        shared_finds(len(own_pages), fates, there.site),
        shared_finds(len(own_servers), finds.server_fates_of(servers.server), servers.site),
        wishes.target == wishes_of(other).target,
        bool(len(finds.pages)),
    )


def shared_finds(own: int, fates: Counters, sites: Ids) -> SharedFinds:
    """The estimate from `own` relevant pages, and from what became of the other crawl's relevant pages."""
    counts = counts_of(fates)
    is_relevant, is_unsettled = fates == Fate.RELEVANT, are_any(fates, UNSETTLED)
    among = is_relevant | is_unsettled
    both, of_other = int(counts[Fate.RELEVANT]), int(np.count_nonzero(among))
    recapture = chapman(own, of_other, both)
    share = share_among(is_relevant, among, sites)
    return SharedFinds(
        own,
        of_other,
        both,
        int(np.count_nonzero(are_any(fates, SETTLED))) - both,
        int(counts[Fate.LEFT_OUT]),
        len(np.unique(sites[among])),
        _around(own / recapture.size, share) if share is not None else None,
        recapture,
    )


def _around(share: float, interval: Interval) -> Interval:
    return Interval(share, min(share, interval.low), max(share, interval.high))
