"""The coverage of a crawl by a list of pages that was made without it.

If the pages of a list are a sample of the relevant pages that exist, drawn without the crawl, then the share of them
that the crawl has is its coverage. What became of each page is in `page_fates`. Seeds of the crawl are left out: they
were given to it, which did not find them. Each figure is there for pages and for servers.

Whether pages that were not fetched are relevant is unknown. `coverage` takes them to be relevant as often as those
whose fate is known: of r relevant pages among s settled ones, beside u unsettled ones, it is
r / (r + u · r/s) = s / (s + u). `at_least` takes all of them to be relevant: r / (r + u).
"""

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from gzip import BadGzipFile
from pathlib import Path
from typing import Any

import numpy as np

from exonym.batches import Counters, Ids
from exonym.coverage.listed_pages import listed_pages, servers_of, wishes_of
from exonym.coverage.page_fates import SETTLED, UNSETTLED, Fate, are_any, counts_of, finds_of
from exonym.coverage.recapture import interval_document, share_among
from exonym.errors import ConfigError
from exonym.intervals import Interval
from exonym.progress import Progress, no_progress
from exonym.seeds.opening import DAMAGE, open_input
from exonym.seeds.seeds_file import addresses_in

_FEW_RELEVANT = 0.8  # of the listed pages that were fetched
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

    @property
    def harvest_rate(self) -> float:
        """The share of relevant ones among those fetched; NaN if there are none."""
        fetched = sum(self.counts[_KINDS[fate]] for fate in (Fate.RELEVANT, Fate.IRRELEVANT, Fate.COPY))
        return self.counts["relevant"] / fetched if fetched else math.nan

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
        return self.of_pages.harvest_rate < _FEW_RELEVANT

    def document(self) -> dict[str, Any]:
        """The figures for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {
            "file": self.name,
            "addresses": self.named,
            "pages": {"listed": self.pages, "seeds": self.seeds, **self.of_pages.document()},
            "servers": self.of_servers.document(),
            "has_few_relevant": self.has_few_relevant,
        }


def list_coverage(directory: Path, file: Path, progress: Progress = no_progress) -> ListCoverage:
    """The coverage of a crawl by the list in a file: one address a line, packed by gzip or not."""
    listed = listed_pages(listed_urls(file), wishes_of(directory), progress)
    if not len(listed):
        raise ConfigError(f"{file} has no addresses. Name a file of known pages, one address a line.")
    finds = finds_of(directory, progress)
    found = listed.pick(~np.isin(listed.page, finds.seed_pages))
    fates = finds.fates_of(found)
    servers = servers_of(found.pick(fates != Fate.LEFT_OUT), finds.seed_servers)
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
    is_settled, is_unsettled = are_any(fates, SETTLED), are_any(fates, UNSETTLED)
    is_usable, is_relevant = is_settled | is_unsettled, fates == Fate.RELEVANT
    counts = counts_of(fates).tolist()
    has_model = is_relevant.any() or not is_settled.any()  # else nothing says how often the unsettled are relevant
    return KnownShare(
        {name: counts[fate] for fate, name in _KINDS.items()},
        len(np.unique(sites[is_usable])),
        share_among(is_settled, is_usable, sites) if has_model else None,
        share_among(is_relevant, is_relevant | is_unsettled, sites),
    )
