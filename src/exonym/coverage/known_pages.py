"""The coverage of a crawl from pages that were found without it: those of a list, or of another crawl.

If the pages of a list are a sample of the relevant pages that exist, drawn without the crawl, then the share of them
that the crawl has is its coverage. What became of each page is in `page_fates`. Seeds of the crawl are left out: they
were given to it, which did not find them. Each figure is there for pages and for servers.

**A list.** Whether pages that were not fetched are relevant is unknown. `coverage` takes them to be relevant as often
as those whose fate is known: of r relevant pages among s settled ones, beside u unsettled ones, it is
r / (r + u · r/s) = s / (s + u). `at_least` takes all of them to be relevant: r / (r + u).

**Another crawl.** Its relevant pages are a list of which all are relevant, but for those that this crawl has found to
be gone or irrelevant, so `coverage` is there what `at_least` is for a list, with Chapman's correction.
"""

import io
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from gzip import BadGzipFile
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import Counters, Flags, Ids
from exonym.config import Settings
from exonym.coverage.page_fates import (
    SETTLED,
    UNSETTLED,
    Fate,
    ListedPages,
    counts_of,
    finds_of,
    first_of_each,
    listed_pages,
    relevant_urls,
)
from exonym.coverage.recapture import Recapture, chapman, share_with_sites
from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError, DirectoryError
from exonym.intervals import Interval
from exonym.progress import Progress, no_progress
from exonym.scope import CrawlScope
from exonym.scope.scope_file import readable_scope
from exonym.seeds.opening import DAMAGE, open_input
from exonym.seeds.seeds_file import addresses_in

FEWEST_PAGES = 10  # of which the crawl should have known: fewer tell too little
CONFIDENCE = 0.9
_FEW_RELEVANT = 0.8  # of the listed pages whose fate is known
_KINDS = {
    Fate.RELEVANT: "relevant",
    Fate.IRRELEVANT: "irrelevant",
    Fate.COPY: "copies",
    Fate.GONE: "gone",
    Fate.REDIRECT: "redirects",
    Fate.FAILED: "failed",
    Fate.FORBIDDEN: "forbidden",
    Fate.WAITING: "waiting",
    Fate.NOT_FOLLOWED: "not_followed",
    Fate.UNKNOWN: "unknown",
    Fate.LEFT_OUT: "left_out",
}


@dataclass(frozen=True, slots=True)
class KnownShare:
    """How many of some known pages, or servers, a crawl has found."""

    counts: dict[str, int]  # by what became of them
    sites: int  # to which those that count belong
    coverage: Interval | None  # if the unsettled are relevant as often as the settled; None: too few, or none relevant
    at_least: Interval | None  # if all unsettled are relevant; None: too few

    @property
    def settled(self) -> int:
        """How many are known to be relevant, or not."""
        return sum(self.counts[_KINDS[fate]] for fate in SETTLED)

    @property
    def usable(self) -> int:
        """How many the figures are made from."""
        return self.settled + sum(self.counts[_KINDS[fate]] for fate in UNSETTLED)

    @property
    def relevant_share(self) -> float:
        """The share of relevant ones among the settled; NaN if there are none."""
        return self.counts["relevant"] / self.settled if self.settled else math.nan

    def document(self) -> dict[str, Any]:
        """The figures for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            **self.counts,
            "usable": self.usable,
            "sites": self.sites,
            "coverage": interval_document(self.coverage),
            "at_least": interval_document(self.at_least),
        }


@dataclass(frozen=True, slots=True)
class ListCoverage:
    """A crawl against a list."""

    name: str
    named: int  # addresses
    pages: int  # different ones
    seeds: int  # of these: left out
    of_pages: KnownShare
    of_servers: KnownShare
    has_visits: bool

    @property
    def has_few_relevant(self) -> bool:
        """Whether the list is none of relevant pages: a focused crawl passes over others, so `coverage` is too low."""
        return self.of_pages.relevant_share < _FEW_RELEVANT

    def document(self) -> dict[str, Any]:
        """The figures for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "file": self.name,
            "addresses": self.named,
            "pages": {"listed": self.pages, "seeds": self.seeds, **self.of_pages.document()},
            "servers": self.of_servers.document(),
            "has_few_relevant": self.has_few_relevant,
        }


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


def interval_document(interval: Interval | None, name: str = "share") -> dict[str, float | None] | None:
    """An estimate with its limits for JSON, which has no infinite numbers: None for them."""
    if interval is None:
        return None
    limits = {name: interval.share, "low": interval.low, "high": interval.high}
    return {key: value if math.isfinite(value) else None for key, value in limits.items()}


# A list


def list_coverage(directory: Path, file: Path, progress: Progress = no_progress) -> ListCoverage:
    """The coverage of a crawl by the list in a file: one address a line, packed by gzip or not."""
    listed = listed_pages(listed_urls(file), _scope_of(directory), progress)
    if not len(listed):
        raise ConfigError(f"{file} has no addresses. Name a file of known pages, one address a line.")
    finds = finds_of(directory, progress)
    found = listed.pick(~np.isin(listed.page, finds.seed_pages))
    fates = finds.fates_of(found)
    servers = _servers_of(found.pick(fates != Fate.LEFT_OUT), finds.seed_servers)
    return ListCoverage(
        str(file),
        listed.named,
        len(listed),
        len(listed) - len(found),
        known_share(fates, found.site),
        known_share(finds.server_fates_of(servers.server), servers.site),
        bool(len(finds.pages)),
    )


def listed_urls(file: Path) -> Iterator[str]:
    """The addresses in a file, in normal form."""
    try:
        with open_input(file, lambda read: None) as stream, io.TextIOWrapper(stream, "utf-8-sig", newline="\n") as text:
            yield from addresses_in(text, str(file))
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not UTF-8. Save it as UTF-8, or name a file of addresses, one a line.") from None
    except (*DAMAGE, BadGzipFile):
        raise ConfigError(f"{file} is a damaged gzip file. Make it again.") from None


def known_share(fates: Counters, sites: Ids) -> KnownShare:
    """The share of known pages, or servers, that was found, by their fates and sites."""
    is_settled, is_unsettled = _is_any(fates, SETTLED), _is_any(fates, UNSETTLED)
    is_usable, is_relevant = is_settled | is_unsettled, fates == Fate.RELEVANT
    counts = counts_of(fates).tolist()
    has_model = is_relevant.any() or not is_settled.any()  # else nothing says how often the unsettled are relevant
    return KnownShare(
        {name: counts[fate] for fate, name in _KINDS.items()},
        len(np.unique(sites[is_usable])),
        _share_among(is_settled, is_usable, sites) if has_model else None,
        _share_among(is_relevant, is_relevant | is_unsettled, sites),
    )


def _share_among(positive: Flags, among: Flags, sites: Ids) -> Interval | None:
    """A share with its interval; None if there are too few."""
    if np.count_nonzero(among) < FEWEST_PAGES:
        return None
    return share_with_sites(positive[among], sites[among])


def _is_any(fates: Counters, wanted: tuple[Fate, ...]) -> Flags:
    return np.isin(fates, np.array(wanted, dtype=np.uint8))


def _servers_of(pages: ListedPages, without: Ids) -> ListedPages:
    """A page of each of their servers, but of those to leave out."""
    return pages.pick(first_of_each(pages.server) & ~np.isin(pages.server, without))


# Another crawl


def crawl_coverage(directory: Path, other: Path, progress: Progress = no_progress) -> CrawlCoverage:
    """The coverage of a crawl by what another crawl has found."""
    if directory.resolve() == other.resolve():
        raise ConfigError("A crawl cannot be compared with itself. Name another crawl with --against.")
    found_there = listed_pages(relevant_urls(other), _scope_of(directory), progress)
    finds = finds_of(directory, progress)
    # What was given to the other crawl stays: for this one, it is as good as a list.
    there = found_there.pick(~np.isin(found_there.page, finds.seed_pages))
    fates = finds.fates_of(there)
    servers = _servers_of(there.pick(fates != Fate.LEFT_OUT), finds.seed_servers)
    own_pages = np.setdiff1d(finds.relevant, finds.seed_pages)
    own_servers = np.setdiff1d(finds.relevant_servers, finds.seed_servers)
    return CrawlCoverage(
        str(other),
        len(found_there) - len(there),
        shared_finds(len(own_pages), fates, there.site),
        shared_finds(len(own_servers), finds.server_fates_of(servers.server), servers.site),
        _target_of(directory) == _target_of(other),
        bool(len(finds.pages)),
    )


def shared_finds(own: int, fates: Counters, sites: Ids) -> SharedFinds:
    """The estimate from `own` relevant pages, and from what became of the other crawl's relevant pages."""
    counts = counts_of(fates)
    is_relevant, is_unsettled = fates == Fate.RELEVANT, _is_any(fates, UNSETTLED)
    among = is_relevant | is_unsettled
    both, of_other = int(counts[Fate.RELEVANT]), int(np.count_nonzero(among))
    recapture = chapman(own, of_other, both)
    share = _share_among(is_relevant, among, sites) if own else None
    return SharedFinds(
        own,
        of_other,
        both,
        int(np.count_nonzero(_is_any(fates, SETTLED))) - both,
        int(counts[Fate.LEFT_OUT]),
        len(np.unique(sites[among])),
        _around(own / recapture.size, share) if share is not None else None,
        recapture,
    )


def _around(share: float, interval: Interval) -> Interval:
    return Interval(share, min(share, interval.low), max(share, interval.high))


def _scope_of(directory: Path) -> CrawlScope:
    crawl = CrawlDirectory.open(directory)
    with suppress(ConfigError, DirectoryError):  # crawl.toml is gone: the visits remain
        return readable_scope(home_of(directory), crawl.settings.scope.rules).scope
    return CrawlScope()


def _target_of(directory: Path) -> Any:
    with suppress(ConfigError, DirectoryError):
        settings: Settings = CrawlDirectory(directory).settings
        return settings.target, settings.about, settings.topic, settings.table
    return None
